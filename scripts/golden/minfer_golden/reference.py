"""Reference logits: transformers' own model classes, run in float64 throughout.

transformers computes norms, the attention's softmax and rope in float32 whatever the model's type is; these three are
replaced here. Rope takes minfer's frequencies, because their rounding to float32 is part of minfer's definition.
"""

from __future__ import annotations

import importlib

import numpy as np
import torch
from transformers import LlamaConfig, LlamaForCausalLM, Qwen2Config, Qwen2ForCausalLM, Qwen3Config, Qwen3ForCausalLM

from . import rope
from .cases import Case
from .gguf_file import CONTEXT_LENGTH
from .weights import LLAMA3_ORIGINAL_CONTEXT, Tensor

_CLASSES = {
    "llama": (LlamaConfig, LlamaForCausalLM),
    "qwen2": (Qwen2Config, Qwen2ForCausalLM),
    "qwen3": (Qwen3Config, Qwen3ForCausalLM),
}

_LAYER_PARTS = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_q_norm": "self_attn.q_norm",
    "attn_k_norm": "self_attn.k_norm",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}

_GLOBAL_PARTS = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}


def _norm_f64(self, x: torch.Tensor) -> torch.Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.variance_epsilon) * self.weight


def _rotary_f64(self, x: torch.Tensor, position_ids: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    angles = position_ids[..., None].to(torch.float64) * self.minfer_frequencies
    both = torch.cat((angles, angles), dim=-1)
    return both.cos(), both.sin()


def _attention_f64(module, query, key, value, attention_mask, scaling, **_):
    del attention_mask  # The plain causal mask is made here; cached keys stand before the queries.
    key = key.repeat_interleave(module.num_key_value_groups, dim=1)
    value = value.repeat_interleave(module.num_key_value_groups, dim=1)
    scores = query @ key.transpose(2, 3) * scaling
    n_query, n_key = scores.shape[-2:]
    later = torch.ones((n_query, n_key), dtype=torch.bool).triu(1 + n_key - n_query)
    weights = torch.softmax(scores.masked_fill(later, -torch.inf), dim=-1)
    return (weights @ value).transpose(1, 2).contiguous(), weights


def _patch_to_f64(case: Case) -> None:
    """Replaces what transformers computes in float32 for this architecture, for the rest of the process."""
    modeling = importlib.import_module(f"transformers.models.{case.arch}.modeling_{case.arch}")
    prefix = case.arch.capitalize()
    getattr(modeling, f"{prefix}RMSNorm").forward = _norm_f64
    getattr(modeling, f"{prefix}RotaryEmbedding").forward = _rotary_f64
    modeling.eager_attention_forward = _attention_f64


def _rope_parameters(case: Case) -> dict:
    parameters = {"rope_theta": case.rope_base, "rope_type": "default"}
    if case.rope_linear:
        parameters |= {"rope_type": "linear", "factor": case.rope_linear}
    if case.rope_llama3:
        parameters |= {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                       "original_max_position_embeddings": LLAMA3_ORIGINAL_CONTEXT}
    return parameters


def _make_config(case: Case, n_vocab: int):
    config_class, _ = _CLASSES[case.arch]
    bias = {} if case.arch == "qwen2" else {"attention_bias": case.qkv_bias}
    return config_class(
        vocab_size=n_vocab,
        hidden_size=case.n_embd,
        intermediate_size=case.n_ff,
        num_hidden_layers=case.n_layers,
        num_attention_heads=case.n_heads,
        num_key_value_heads=case.n_kv_heads,
        head_dim=case.head_dim,
        max_position_embeddings=CONTEXT_LENGTH,
        # The file stores epsilon as float32.
        rms_norm_eps=float(np.float32(case.rms_eps)),
        tie_word_embeddings=case.tied,
        rope_parameters=_rope_parameters(case),
        attn_implementation="eager",
        **bias,
    )


def _parameter_name(name: str) -> str:
    if not name.startswith("blk."):
        part, kind = name.rsplit(".", 1)
        return f"{_GLOBAL_PARTS[part]}.{kind}"
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{_LAYER_PARTS[part]}.{kind}"


def _state_dict(case: Case, tensors: list[Tensor]) -> dict[str, torch.Tensor]:
    state = {}
    n_heads = {"attn_q": case.n_heads, "attn_k": case.n_kv_heads}
    for tensor in tensors:
        if tensor.name == "rope_freqs.weight":
            continue
        values, part = tensor.values, tensor.name.split(".")[-2]
        if case.arch == "llama" and part in n_heads:
            values = rope.pairs_to_halves(values, n_heads[part])
        state[_parameter_name(tensor.name)] = torch.from_numpy(np.ascontiguousarray(values))
    if case.tied:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    if case.arch == "llama" and case.qkv_bias:
        # transformers couples this bias with those of q, k and v; the file has none.
        for i in range(case.n_layers):
            state[f"model.layers.{i}.self_attn.o_proj.bias"] = torch.zeros(case.n_embd, dtype=torch.float64)
    return state


def _rope_frequencies(case: Case, tensors: list[Tensor]) -> np.ndarray:
    factors = [tensor.values for tensor in tensors if tensor.name == "rope_freqs.weight"]
    return rope.frequencies(case.head_dim, case.rope_base, factors[0] if factors else case.rope_linear or 1.0)


class ReferenceModel:
    """transformers' model of the case, in float64. `rope_scaling_known`: transformers can make the case's frequencies
    out of its parameters too, which is then checked."""

    def __init__(self, case: Case, tensors: list[Tensor], n_vocab: int, rope_scaling_known: bool = True):
        _patch_to_f64(case)
        self.model = _CLASSES[case.arch][1](_make_config(case, n_vocab)).eval()
        self.model.load_state_dict(_state_dict(case, tensors), strict=True, assign=True)
        rotary, ours = self.model.model.rotary_emb, torch.from_numpy(_rope_frequencies(case, tensors))
        # transformers' own frequencies are the independent check of the scaling variants.
        if rope_scaling_known:
            assert torch.allclose(rotary.inv_freq.double(), ours, rtol=1e-5, atol=0), "rope frequencies differ"
        rotary.minfer_frequencies = ours

    def logits(self, tokens: list[int]) -> np.ndarray:
        """float64 [n_tokens, n_vocab]."""
        with torch.no_grad():
            logits = self.model(torch.tensor([tokens]), use_cache=False).logits[0]
        assert logits.dtype == torch.float64
        return logits.numpy()

    def greedy(self, prompts: list[list[int]], n_tokens: int) -> list[list[int]]:
        """The likeliest token n_tokens times over, for prompts of one length."""
        rows, cache = torch.tensor(prompts), None
        chosen = []
        with torch.no_grad():
            for _ in range(n_tokens):
                output = self.model(rows, cache=cache, use_cache=True, logits_to_keep=1)
                cache, rows = output.cache, output.logits[:, -1].argmax(-1, keepdim=True)
                chosen.append(rows)
        return torch.cat(chosen, dim=1).tolist()


def reference_logits(case: Case, tensors: list[Tensor], tokens: list[int], n_vocab: int) -> np.ndarray:
    """float64 [n_tokens, n_vocab], computed from the dequantized weights."""
    return ReferenceModel(case, tensors, n_vocab).logits(tokens)
