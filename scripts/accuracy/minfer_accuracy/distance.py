"""How far an engine's logits lie from the reference's: numbers of each position, and what they come to."""

from __future__ import annotations

import numpy as np

# A choice counts as clear where the reference's best logit leads by more than this.
CLEAR_MARGIN = 0.5
# The first positions attend to almost nothing, and models park outliers there.
N_FIRST = 4
_ROWS_AT_ONCE = 64


def _log_softmax(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _compare_rows(reference: np.ndarray, other: np.ndarray, next_tokens: np.ndarray) -> dict[str, np.ndarray]:
    assert np.isfinite(other).all(), "a logit is not a number"
    log_p, log_q = _log_softmax(reference), _log_softmax(other.astype(np.float64))
    best_two = np.partition(reference, -2, axis=-1)[:, -2:]
    rows = np.arange(len(next_tokens))
    return {
        "reference_top": reference.argmax(axis=-1),
        "kl": (np.exp(log_p) * (log_p - log_q)).sum(axis=-1),
        "agrees": reference.argmax(axis=-1) == other.argmax(axis=-1),
        "margin": best_two[:, 1] - best_two[:, 0],
        "nll_difference": log_p[rows, next_tokens] - log_q[rows, next_tokens],
    }


def compare(reference: np.ndarray, other: np.ndarray, tokens: list[int]) -> dict[str, np.ndarray]:
    """One number per position of a passage; `nll_difference` lacks the last position, whose next token is unknown."""
    assert reference.shape == other.shape, f"{reference.shape} and {other.shape}"
    parts = []
    for start in range(0, len(tokens), _ROWS_AT_ONCE):
        rows = slice(start, start + _ROWS_AT_ONCE)
        parts.append(_compare_rows(reference[rows], other[rows], np.array(tokens[start + 1 :][:_ROWS_AT_ONCE])))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def summarize_text(passages: list[dict[str, np.ndarray]]) -> dict[str, float]:
    """The numbers of the table, over all passages."""
    kl = np.concatenate([passage["kl"] for passage in passages])
    first = np.concatenate([passage["kl"][:N_FIRST] for passage in passages])
    return {
        "n_positions": len(kl),
        "mean_kl": float(kl.mean()),
        "p99_kl": float(np.percentile(kl, 99)),
        "max_kl": float(kl.max()),
        "first_kl": float(first.mean()),
        "top1_agreement": float(np.concatenate([passage["agrees"] for passage in passages]).mean()),
        "nll_difference": float(np.concatenate([passage["nll_difference"] for passage in passages]).mean()),
    }


def summarize_greedy(passages: list[dict[str, np.ndarray]], prompt_length: int) -> dict[str, int]:
    """Disagreements on the reference's own continuations, at the positions that predict a token of one."""
    predicting = slice(prompt_length - 1, -1)
    agrees = np.concatenate([passage["agrees"][predicting] for passage in passages])
    clear = np.concatenate([passage["margin"][predicting] for passage in passages]) > CLEAR_MARGIN
    return {
        "n_greedy": len(agrees),
        "n_clear": int(clear.sum()),
        "disagreements": int((~agrees).sum()),
        "clear_disagreements": int((~agrees & clear).sum()),
    }
