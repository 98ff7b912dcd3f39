"""Random weights of a tiny model, in the names, the row order and the types of its GGUF file."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass

import numpy as np
from gguf import GGMLQuantizationType as T
from gguf.quants import dequantize, quantize

from . import blocks
from .cases import Case

K_QUANT_DEVIATION = 0.02


@dataclass(frozen=True)
class Tensor:
    """One tensor of the file: its bytes as stored, and the numbers they stand for, float64 in the file's row order."""

    name: str
    dtype: T
    stored: np.ndarray
    values: np.ndarray


def _f32_tensor(name: str, values: np.ndarray) -> Tensor:
    stored = values.astype(np.float32)
    return Tensor(name, T.F32, stored, stored.astype(np.float64))


class _Maker:
    """Draws tensors one after the other from the case's own random stream."""

    def __init__(self, case: Case, seed: int):
        self.case = case
        self.rng = np.random.Generator(np.random.PCG64([seed, zlib.crc32(case.name.encode())]))

    def gain(self, name: str, length: int, typical: float) -> Tensor:
        """Norm gains around `typical`, spread over about a factor of two either way."""
        return _f32_tensor(name, typical * np.exp(0.35 * self.rng.standard_normal(length)))

    def bias(self, name: str, length: int) -> Tensor:
        return _f32_tensor(name, 0.3 * self.rng.standard_normal(length))

    def _dtype_of(self, name: str, n_cols: int) -> T:
        part = name.removesuffix(".weight").split(".")[-1]
        dtype = self.case.overrides.get(part, self.case.dtype)
        return T.Q8_0 if dtype in blocks.LAYOUTS and n_cols % blocks.LAYOUTS[dtype].length else dtype

    def matrix(self, name: str, n_rows: int, n_cols: int, deviation: float) -> Tensor:
        """A random [n_rows, n_cols] matrix in the type that the case wants for it."""
        dtype = self._dtype_of(name, n_cols)
        if self.case.is_k_quant:
            deviation = K_QUANT_DEVIATION
        if dtype in blocks.LAYOUTS:
            stored = blocks.random_blocks(self.rng, dtype, n_rows, n_cols, deviation)
        else:
            drawn = (deviation * self.rng.standard_normal((n_rows, n_cols))).astype(np.float32)
            stored = quantize(drawn, dtype)
        values = dequantize(stored, dtype).astype(np.float64)
        assert values.shape == (n_rows, n_cols) and np.isfinite(values).all(), name
        return Tensor(name, dtype, stored, values)


def llama3_rope_factors(head_dim: int, base: float, context: int) -> np.ndarray:
    """Divisors of the rope frequencies for Llama 3's scaling: 1 for short waves, 8 for long ones, a ramp between.

    Constants as in the published models (factor 8, low 1, high 4), but for a tiny original context.
    """
    factor, low, high = 8.0, 1.0, 4.0
    wave = 2 * math.pi * base ** (np.arange(0, head_dim, 2) / head_dim)
    smooth = (context / wave - low) / (high - low)
    ramp = 1 / ((1 - smooth) / factor + smooth)
    return np.where(wave < context / high, 1.0, np.where(wave > context / low, factor, ramp))


LLAMA3_ORIGINAL_CONTEXT = 64


def _layer(make: _Maker, i: int) -> list[Tensor]:
    case, prefix = make.case, f"blk.{i}."
    n_q, n_kv = case.n_heads * case.head_dim, case.n_kv_heads * case.head_dim
    # Weights of K-quant models are small; large gains keep attention and the gates away from the trivial.
    gain = 4.0 if case.is_k_quant else 1.0
    tensors = [make.gain(prefix + "attn_norm.weight", case.n_embd, gain)]
    for part, n_rows in (("attn_q", n_q), ("attn_k", n_kv), ("attn_v", n_kv)):
        tensors.append(make.matrix(f"{prefix}{part}.weight", n_rows, case.n_embd, case.n_embd**-0.5))
        if case.qkv_bias:
            tensors.append(make.bias(f"{prefix}{part}.bias", n_rows))
    if case.arch == "qwen3":
        tensors.append(make.gain(prefix + "attn_q_norm.weight", case.head_dim, 1.3))
        tensors.append(make.gain(prefix + "attn_k_norm.weight", case.head_dim, 1.3))
    tensors.append(make.matrix(prefix + "attn_output.weight", case.n_embd, n_q, n_q**-0.5))
    tensors.append(make.gain(prefix + "ffn_norm.weight", case.n_embd, gain))
    tensors.append(make.matrix(prefix + "ffn_gate.weight", case.n_ff, case.n_embd, case.n_embd**-0.5))
    tensors.append(make.matrix(prefix + "ffn_up.weight", case.n_ff, case.n_embd, case.n_embd**-0.5))
    tensors.append(make.matrix(prefix + "ffn_down.weight", case.n_embd, case.n_ff, case.n_ff**-0.5))
    return tensors


def make_tensors(case: Case, n_vocab: int, seed: int) -> list[Tensor]:
    """All tensors of the case's file, in file order."""
    make = _Maker(case, seed)
    tensors = [make.matrix("token_embd.weight", n_vocab, case.n_embd, 0.25)]
    if case.rope_llama3:
        factors = llama3_rope_factors(case.head_dim, case.rope_base, LLAMA3_ORIGINAL_CONTEXT)
        tensors.append(_f32_tensor("rope_freqs.weight", factors))
    for i in range(case.n_layers):
        tensors += _layer(make, i)
    tensors.append(make.gain("output_norm.weight", case.n_embd, 4.0 if case.is_k_quant else 1.0))
    if not case.tied:
        tensors.append(make.matrix("output.weight", n_vocab, case.n_embd, 2 * case.n_embd**-0.5))
    return tensors


def make_input_tokens(case: Case, n_vocab: int, seed: int) -> list[int]:
    """Random input token ids, special tokens included."""
    rng = np.random.Generator(np.random.PCG64([seed, zlib.crc32(case.name.encode()), 1]))
    return rng.integers(0, n_vocab, case.n_tokens).tolist()
