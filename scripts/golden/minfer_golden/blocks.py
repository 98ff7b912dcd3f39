"""Random valid blocks of the types that the gguf package can read but not write.

Every field that any bit pattern may fill is filled with random bits. Only the f16 factors are chosen: `d` so that the
weights have the wanted deviation, `dmin` so that the minima cancel the mean of the quantized part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from gguf import GGMLQuantizationType as T
from gguf.quants import dequantize


@dataclass(frozen=True)
class Layout:
    """One block: its bytes, where the factors lie, dmin / d (None: the type has no minimum), and its elements."""

    size: int
    d_offset: int
    dmin_ratio: float | None
    length: int = 256


# The ratio is mean(quant): scales and minima have the same distribution.
LAYOUTS = {
    T.Q2_K: Layout(size=84, d_offset=80, dmin_ratio=1.5),
    T.Q3_K: Layout(size=110, d_offset=108, dmin_ratio=None),
    T.Q4_K: Layout(size=144, d_offset=0, dmin_ratio=7.5),
    T.Q5_K: Layout(size=176, d_offset=0, dmin_ratio=15.5),
    T.Q6_K: Layout(size=210, d_offset=208, dmin_ratio=None),
    T.IQ4_NL: Layout(size=18, d_offset=0, dmin_ratio=None, length=32),
    T.IQ4_XS: Layout(size=136, d_offset=0, dmin_ratio=None),
}


def _put_f16(blocks: np.ndarray, offset: int, values: np.ndarray) -> None:
    blocks[:, offset : offset + 2] = values.astype("<f2").reshape(-1, 1).view(np.uint8)


def _put_factors(blocks: np.ndarray, layout: Layout, d: np.ndarray) -> None:
    _put_f16(blocks, layout.d_offset, d)
    if layout.dmin_ratio is not None:
        _put_f16(blocks, layout.d_offset + 2, np.abs(d) * layout.dmin_ratio)


def random_blocks(rng: np.random.Generator, dtype: T, n_rows: int, n_cols: int, deviation: float) -> np.ndarray:
    """Random rows, uint8 [n_rows, n_cols / 256 * block size], whose weights have about the given deviation."""
    layout = LAYOUTS[dtype]
    n_blocks = n_rows * n_cols // layout.length
    blocks = rng.integers(0, 256, (n_blocks, layout.size), dtype=np.uint8)
    # One power of two is exact in f16, so this measures the deviation per unit of d.
    _put_factors(blocks, layout, np.full(n_blocks, 2.0**-6))
    unit = float(np.std(dequantize(blocks, dtype).astype(np.float64))) * 2.0**6
    d = deviation / unit * rng.uniform(0.7, 1.3, n_blocks)
    if layout.dmin_ratio is None:
        d *= rng.choice([-1.0, 1.0], n_blocks)
    _put_factors(blocks, layout, d)
    return blocks.reshape(n_rows, -1)
