"""Rope frequencies by minfer's rule, and the row orders of the two pairings."""

from __future__ import annotations

import math

import numpy as np


def frequencies(head_dim: int, base: float, factors: np.ndarray | float) -> np.ndarray:
    """freq_i = exp(-(2i/n) log base) / factor_i, computed in float64 and rounded to float32 once; float64 [n / 2]."""
    exact = [math.exp(-(2 * i / head_dim) * math.log(base)) for i in range(head_dim // 2)]
    return (np.array(exact) / factors).astype(np.float32).astype(np.float64)


def halves_to_pairs(rows: np.ndarray, n_heads: int) -> np.ndarray:
    """Row order of llama files, where a head rotates (2i, 2i + 1), from transformers' (i, i + n / 2)."""
    grouped = rows.reshape(n_heads, 2, -1, *rows.shape[1:])
    return grouped.swapaxes(1, 2).reshape(rows.shape)


def pairs_to_halves(rows: np.ndarray, n_heads: int) -> np.ndarray:
    """The inverse of halves_to_pairs."""
    grouped = rows.reshape(n_heads, -1, 2, *rows.shape[1:])
    return grouped.swapaxes(1, 2).reshape(rows.shape)
