"""The float reference of any GGUF file: transformers in float64 with the file's dequantized weights.

The model is the one that makes the golden data of tests/data/models (scripts/golden), where a second implementation has
to agree with it to 1e-10.
"""

from __future__ import annotations

from pathlib import Path

import gguf
import numpy as np
from gguf.quants import dequantize

from minfer_golden.cases import Case
from minfer_golden.reference import ReferenceModel
from minfer_golden.weights import Tensor


def _read_case(path: Path, reader: gguf.GGUFReader) -> Case:
    keys = {name: field.contents() for name, field in reader.fields.items()}
    arch = keys["general.architecture"]
    names = {tensor.name for tensor in reader.tensors}

    def key(name: str, default=None):
        value = keys.get(f"{arch}.{name}", default)
        assert value is not None, f"{path}: no {arch}.{name}"
        return value

    scaling = key("rope.scaling.type", "none")
    assert scaling in ("none", "linear"), f"{path}: rope scaling {scaling}"
    return Case(
        name=path.stem,
        arch=arch,
        n_layers=key("block_count"),
        n_embd=key("embedding_length"),
        n_ff=key("feed_forward_length"),
        n_heads=key("attention.head_count"),
        n_kv_heads=key("attention.head_count_kv"),
        head_dim=key("attention.key_length", key("embedding_length") // key("attention.head_count")),
        tied="output.weight" not in names,
        qkv_bias="blk.0.attn_q.bias" in names,
        rope_base=key("rope.freq_base"),
        rope_linear=key("rope.scaling.factor") if scaling == "linear" else None,
        rms_eps=key("attention.layer_norm_rms_epsilon"),
    )


def _values(tensor: gguf.ReaderTensor) -> np.ndarray:
    """The numbers that the stored bytes stand for: float32 as dequantized, widened exactly."""
    return dequantize(tensor.data, tensor.tensor_type).astype(np.float64)


def type_counts(path: Path) -> str:
    """The types of the file's matrices, the most frequent one first: "168 Q4_1, 1 Q8_0"."""
    names = [tensor.tensor_type.name for tensor in gguf.GGUFReader(path).tensors if len(tensor.shape) == 2]
    kinds = sorted(set(names), key=lambda name: (-names.count(name), name))
    return ", ".join(f"{names.count(kind)} {kind}" for kind in kinds)


def load(path: Path) -> tuple[ReferenceModel, int]:
    """The model in a GGUF file, and its number of tokens."""
    reader = gguf.GGUFReader(path)
    case = _read_case(path, reader)
    tensors = [Tensor(t.name, t.tensor_type, t.data, _values(t)) for t in reader.tensors]
    n_vocab = next(len(tensor.values) for tensor in tensors if tensor.name == "token_embd.weight")
    # Files keep rope factors as a tensor; from which parameters those came, transformers would have to be told.
    scaling_known = not any(tensor.name == "rope_freqs.weight" for tensor in tensors)
    return ReferenceModel(case, tensors, n_vocab, scaling_known), n_vocab
