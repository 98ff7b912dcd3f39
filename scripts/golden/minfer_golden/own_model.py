"""A second float64 model that shares no code with transformers and reads only the GGUF file.

Run exactly, it proves that the file says what the reference computed. Run with the activation rule of
docs/numerics.md, it shows how far that rule alone takes the logits from the reference.
"""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
from gguf.quants import dequantize

from . import rope

_UNROUNDED = (gguf.GGMLQuantizationType.F32, gguf.GGMLQuantizationType.F16, gguf.GGMLQuantizationType.BF16)


def round_activations(x: np.ndarray) -> np.ndarray:
    """The activation rule: blocks of 32 along the last axis become int8 times one f32 scale; float64, x's shape."""
    blocks = x.astype(np.float32).reshape(*x.shape[:-1], -1, 32)
    amax = np.abs(blocks).max(axis=-1, keepdims=True)
    empty = amax < np.float32(1e-30)
    with np.errstate(divide="ignore"):
        inverse = np.where(empty, np.float32(0), np.float32(127) / amax)
    scale = np.where(empty, np.float32(0), amax / np.float32(127))
    quants = np.clip(np.rint(blocks * inverse), -127, 127)
    return (quants.astype(np.float64) * scale.astype(np.float64)).reshape(x.shape)


def _softmax(scores: np.ndarray) -> np.ndarray:
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


class OwnModel:
    """The model in one GGUF file of this folder."""

    def __init__(self, path: Path, activation_rule: bool):
        reader = gguf.GGUFReader(path)
        self.keys = {name: field.contents() for name, field in reader.fields.items()}
        self.arch = self.keys["general.architecture"]
        self.types = {tensor.name: tensor.tensor_type for tensor in reader.tensors}
        self.values = {t.name: dequantize(t.data, t.tensor_type).astype(np.float64) for t in reader.tensors}
        self.activation_rule = activation_rule
        self.n_heads = self._key("attention.head_count")
        self.n_kv_heads = self._key("attention.head_count_kv")
        self.head_dim = self._key("attention.key_length", self._key("embedding_length") // self.n_heads)
        self.eps = float(np.float32(self._key("attention.layer_norm_rms_epsilon")))
        factors = self.values.get("rope_freqs.weight", self._key("rope.scaling.factor", 1.0))
        self.frequencies = rope.frequencies(self.head_dim, self._key("rope.freq_base"), factors)

    def _key(self, name: str, default=None):
        value = self.keys.get(f"{self.arch}.{name}", default)
        assert value is not None, f"no {name} in the file"
        return value

    def _linear(self, x: np.ndarray, name: str) -> np.ndarray:
        weight = name + ".weight"
        if self.activation_rule and self.types[weight] not in _UNROUNDED:
            x = round_activations(x)
        return x @ self.values[weight].T + self.values.get(name + ".bias", 0.0)

    def _norm(self, x: np.ndarray, name: str) -> np.ndarray:
        return x / np.sqrt((x * x).mean(axis=-1, keepdims=True) + self.eps) * self.values[name + ".weight"]

    def _rotate(self, x: np.ndarray) -> np.ndarray:
        """Rotates [n_tokens, n_heads, head_dim]: llama pairs (2i, 2i + 1), qwen (i, i + n / 2)."""
        angles = np.arange(len(x))[:, None, None] * self.frequencies
        cos, sin, half = np.cos(angles), np.sin(angles), self.head_dim // 2
        first = np.s_[..., 0::2] if self.arch == "llama" else np.s_[..., :half]
        second = np.s_[..., 1::2] if self.arch == "llama" else np.s_[..., half:]
        y = np.empty_like(x)
        y[first] = x[first] * cos - x[second] * sin
        y[second] = x[first] * sin + x[second] * cos
        return y

    def _attention(self, x: np.ndarray, layer: str) -> np.ndarray:
        heads = {}
        for part, count in (("q", self.n_heads), ("k", self.n_kv_heads), ("v", self.n_kv_heads)):
            heads[part] = self._linear(x, f"{layer}.attn_{part}").reshape(len(x), count, self.head_dim)
        for part in "qk":
            if f"{layer}.attn_{part}_norm.weight" in self.values:
                heads[part] = self._norm(heads[part], f"{layer}.attn_{part}_norm")
            heads[part] = self._rotate(heads[part])
        group = self.n_heads // self.n_kv_heads
        scores = np.einsum("thd,shd->hts", heads["q"], heads["k"].repeat(group, axis=1)) / np.sqrt(self.head_dim)
        later = np.triu(np.ones(scores.shape[1:], dtype=bool), 1)
        weights = _softmax(np.where(later, -np.inf, scores))
        mixed = np.einsum("hts,shd->thd", weights, heads["v"].repeat(group, axis=1))
        return self._linear(mixed.reshape(len(x), -1), f"{layer}.attn_output")

    def _feed_forward(self, x: np.ndarray, layer: str) -> np.ndarray:
        gate, up = self._linear(x, f"{layer}.ffn_gate"), self._linear(x, f"{layer}.ffn_up")
        return self._linear(gate / (1 + np.exp(-gate)) * up, f"{layer}.ffn_down")

    def logits(self, tokens: list[int]) -> np.ndarray:
        """float64 [n_tokens, n_vocab]."""
        x = self.values["token_embd.weight"][tokens]
        for i in range(self._key("block_count")):
            layer = f"blk.{i}"
            x = x + self._attention(self._norm(x, f"{layer}.attn_norm"), layer)
            x = x + self._feed_forward(self._norm(x, f"{layer}.ffn_norm"), layer)
        head = "output" if "output.weight" in self.values else "token_embd"
        return self._linear(self._norm(x, "output_norm"), head)
