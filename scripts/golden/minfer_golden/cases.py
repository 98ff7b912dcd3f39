"""The list of tiny models: one row per golden model file, everything that distinguishes it in one place."""

from __future__ import annotations

from dataclasses import dataclass, field

from gguf import GGMLQuantizationType as T

FLOAT_TYPES = (T.F32, T.F16, T.BF16)
# Blocks of 256: rows of another length are Q8_0.
K_TYPES = (T.Q2_K, T.Q3_K, T.Q4_K, T.Q5_K, T.Q6_K, T.IQ4_XS)


@dataclass(frozen=True)
class Case:
    """One tiny model. Defaults describe the smallest plain model; a case states only what differs."""

    name: str
    arch: str
    dtype: T = T.F32
    n_layers: int = 2
    n_embd: int = 64
    n_ff: int = 96
    n_heads: int = 4
    n_kv_heads: int = 2
    head_dim: int = 16
    tied: bool = True
    qkv_bias: bool = False
    rope_base: float = 10000.0
    rope_linear: float | None = None
    rope_llama3: bool = False
    rms_eps: float = 1e-6
    pre: str = "qwen2"
    add_bos: bool | None = None
    # Whether attention.key_length and value_length are written although width / heads gives the same head size.
    write_head_dim: bool = False
    # Weight types of single tensors, by the part of the tensor's name between "blk.N." and ".weight".
    overrides: dict[str, T] = field(default_factory=dict)
    n_tokens: int = 32
    # Logits are stored for the positions from here on.
    first_position: int = 0

    @property
    def head_dim_differs(self) -> bool:
        return self.head_dim * self.n_heads != self.n_embd

    @property
    def is_float(self) -> bool:
        return self.dtype in FLOAT_TYPES

    @property
    def is_k_quant(self) -> bool:
        return self.dtype in K_TYPES

    def variant(self) -> list[str]:
        """Words that say what this file exercises."""
        words = ["tied" if self.tied else "untied", "mha" if self.n_heads == self.n_kv_heads else "gqa"]
        words += ["qkv-bias"] if self.qkv_bias else []
        words += ["qk-norm"] if self.arch == "qwen3" else []
        words += ["head-size"] if self.head_dim_differs else []
        words += ["rope-linear"] if self.rope_linear else []
        words += ["rope-freqs"] if self.rope_llama3 else []
        words += ["q8_0-fallback"] if self.is_k_quant and (self.n_ff % 256 or self.n_heads * self.head_dim % 256) else []
        words += ["mixed-types"] if self.overrides else []
        words += ["long"] if self.n_tokens > 512 else []
        return words


def _qwen2(name: str, **more) -> Case:
    return Case(**{"name": name, "arch": "qwen2", "qkv_bias": True, "rope_base": 1e6, **more})


def _qwen3(name: str, **more) -> Case:
    return Case(**{"name": name, "arch": "qwen3", "rope_base": 1e6, "write_head_dim": True, **more})


def _llama(name: str, **more) -> Case:
    return Case(**{"name": name, "arch": "llama", "rms_eps": 1e-5, "pre": "smollm", **more})


_LEGACY = {"n_embd": 96, "n_ff": 128, "n_heads": 3, "n_kv_heads": 1, "head_dim": 32, "n_tokens": 64}
_K = {"n_layers": 1, "n_embd": 256, "n_ff": 256, "n_heads": 4, "n_kv_heads": 1, "head_dim": 64, "n_tokens": 64}

CASES = (
    _qwen2("qwen2-f32", tied=False, n_embd=48, n_ff=72, head_dim=12),
    _qwen2("qwen2-f32-tied-mha", n_layers=3, n_embd=36, n_ff=60, n_heads=3, n_kv_heads=3, head_dim=12),
    _qwen2("qwen2-f32-head-size", n_embd=40, n_ff=76, n_kv_heads=1, head_dim=24, rope_linear=2.5, n_tokens=72),
    _qwen3("qwen3-f32", n_embd=48, n_ff=52, head_dim=32),
    _qwen3("qwen3-f32-untied-mha", tied=False, n_embd=48, n_ff=64, n_kv_heads=4, head_dim=12, n_tokens=72),
    _llama("llama-f32", tied=False, n_embd=48, n_ff=64, n_heads=6, head_dim=8, n_tokens=540, first_position=508),
    _llama("llama-f32-linear-mha", n_embd=48, n_ff=100, n_heads=3, n_kv_heads=3, rope_linear=4.0, add_bos=True),
    _llama("llama-f32-rope-freqs", n_embd=48, n_ff=60, n_kv_heads=1, head_dim=32, rope_base=5e5, rope_llama3=True,
           pre="llama-bpe", n_tokens=72),
    _llama("llama-f32-qkv-bias", n_embd=48, n_ff=60, n_heads=6, head_dim=8, qkv_bias=True, tied=False),
    _qwen3("qwen3-f16", dtype=T.F16, n_embd=56, n_ff=72),
    _llama("llama-bf16", dtype=T.BF16, tied=False, n_embd=56, n_ff=72, n_heads=7, n_kv_heads=1, head_dim=8),
    _qwen2("qwen2-q4_0", dtype=T.Q4_0, **_LEGACY),
    _llama("llama-q4_1", dtype=T.Q4_1, **_LEGACY),
    _qwen3("qwen3-q5_0", dtype=T.Q5_0, **{**_LEGACY, "n_embd": 64}),
    _qwen2("qwen2-q5_1", dtype=T.Q5_1, tied=False, **_LEGACY),
    _llama("llama-q8_0", dtype=T.Q8_0, tied=False, **{**_LEGACY, "n_kv_heads": 3}),
    _qwen2("qwen2-q2_k", dtype=T.Q2_K, **{**_K, "n_layers": 2}),
    _llama("llama-q3_k", dtype=T.Q3_K, tied=False, **{**_K, "n_ff": 288}),
    _qwen3("qwen3-q4_k", dtype=T.Q4_K, overrides={"attn_v": T.Q6_K, "ffn_down": T.Q6_K},
           **{**_K, "n_heads": 2, "head_dim": 128}),
    _llama("llama-q5_k", dtype=T.Q5_K, rope_base=5e5, rope_llama3=True, pre="llama-bpe", **{**_K, "head_dim": 32}),
    _qwen2("qwen2-q6_k", dtype=T.Q6_K, **_K),
    _qwen3("qwen3-iq4_nl", dtype=T.IQ4_NL, **_LEGACY),
    _llama("llama-iq4_xs", dtype=T.IQ4_XS, **{**_K, "n_ff": 288}),
    _qwen2("qwen2-mxfp4", dtype=T.MXFP4, tied=False, **_LEGACY),
)
