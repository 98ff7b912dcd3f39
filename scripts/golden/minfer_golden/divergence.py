"""How far two sets of logits lie apart."""

from __future__ import annotations

import numpy as np


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def kl_per_position(reference: np.ndarray, other: np.ndarray) -> np.ndarray:
    """KL(softmax(reference) || softmax(other)) in nats for each row of two [n_positions, n_vocab] arrays."""
    log_p, log_q = _log_softmax(reference), _log_softmax(other)
    return (np.exp(log_p) * (log_p - log_q)).sum(axis=-1)
