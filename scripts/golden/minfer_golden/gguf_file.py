"""Writes a tiny model as a GGUF file, with the keys that llama.cpp's converter writes for its architecture."""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np

from . import vocabulary
from .cases import Case
from .weights import Tensor

CONTEXT_LENGTH = 1024


def _add_hyper_parameters(writer: gguf.GGUFWriter, case: Case) -> None:
    writer.add_name(f"minfer golden {case.name}")
    writer.add_block_count(case.n_layers)
    writer.add_context_length(CONTEXT_LENGTH)
    writer.add_embedding_length(case.n_embd)
    writer.add_feed_forward_length(case.n_ff)
    writer.add_head_count(case.n_heads)
    writer.add_head_count_kv(case.n_kv_heads)
    writer.add_layer_norm_rms_eps(case.rms_eps)
    writer.add_rope_freq_base(case.rope_base)
    if case.head_dim_differs or case.write_head_dim:
        writer.add_key_length(case.head_dim)
        writer.add_value_length(case.head_dim)
    if case.arch == "llama":
        writer.add_vocab_size(len(vocabulary.tokens()))
        writer.add_rope_dimension_count(case.head_dim)
    if case.rope_linear:
        writer.add_rope_scaling_type(gguf.RopeScalingType.LINEAR)
        writer.add_rope_scaling_factor(case.rope_linear)
    writer.add_file_type(_file_type(case))
    if not case.is_float:
        writer.add_quantization_version(gguf.GGML_QUANT_VERSION)


def _file_type(case: Case) -> int:
    """general.file_type: a hint to readers, by the type of most tensors."""
    names = {"F32": "ALL_F32", "MXFP4": "MOSTLY_MXFP4_MOE"} | {f"Q{n}_K": f"MOSTLY_Q{n}_K_M" for n in (3, 4, 5)}
    return int(gguf.LlamaFileType[names.get(case.dtype.name, f"MOSTLY_{case.dtype.name}")])


def _add_tokenizer(writer: gguf.GGUFWriter, case: Case) -> None:
    tokens = vocabulary.tokens()
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre(case.pre)
    writer.add_token_list(tokens)
    writer.add_token_types(vocabulary.token_types())
    writer.add_token_merges(vocabulary.merges())
    writer.add_bos_token_id(tokens.index("<|endoftext|>"))
    writer.add_eos_token_id(tokens.index("<|im_end|>"))
    writer.add_pad_token_id(tokens.index("<|endoftext|>"))
    if case.add_bos is not None:
        writer.add_add_bos_token(case.add_bos)
    writer.add_chat_template(vocabulary.CHAT_TEMPLATE)


def write_gguf(case: Case, tensors: list[Tensor], path: Path) -> None:
    """Writes the file. The same case and tensors give the same bytes."""
    writer = gguf.GGUFWriter(path, case.arch)
    _add_hyper_parameters(writer, case)
    _add_tokenizer(writer, case)
    for tensor in tensors:
        writer.add_tensor(tensor.name, np.ascontiguousarray(tensor.stored), raw_dtype=tensor.dtype)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
