#!/usr/bin/env python3
"""Writes the seeds of the GGUF fuzz target (tests/fuzz/corpus/gguf): small files with the Python package `gguf`.

Needs: pip install gguf numpy.
"""
import argparse
import pathlib
import struct

import gguf
import numpy as np


def whole_model(path):
    """Every kind of value and a few tensors of different types."""
    writer = gguf.GGUFWriter(path, "qwen2")
    writer.add_uint8("t.u8", 1)
    writer.add_int8("t.i8", -1)
    writer.add_uint16("t.u16", 2)
    writer.add_int16("t.i16", -2)
    writer.add_uint32("qwen2.block_count", 1)
    writer.add_int32("t.i32", -3)
    writer.add_float32("qwen2.rope.freq_base", 1e6)
    writer.add_uint64("t.u64", 4)
    writer.add_int64("t.i64", -4)
    writer.add_float64("t.f64", 0.5)
    writer.add_bool("t.bool", True)
    writer.add_array("tokenizer.ggml.tokens", ["<s>", "a", "bc"])
    writer.add_array("tokenizer.ggml.token_type", [3, 1, 1])
    writer.add_array("tokenizer.ggml.scores", [0.0, -1.0, -2.0])
    writer.add_tensor("token_embd.weight", np.ones((3, 32), np.float32))
    writer.add_tensor("h.weight", np.ones((2, 32), np.float16))
    q8 = gguf.quants.quantize(np.ones((2, 32), np.float32), gguf.GGMLQuantizationType.Q8_0)
    writer.add_tensor("q.weight", q8, raw_dtype=gguf.GGMLQuantizationType.Q8_0)
    finish(writer)


def vocabulary_only(path):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_array("tokenizer.ggml.tokens", ["<unk>", "x"])
    finish(writer)


def aligned(path):
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_custom_alignment(128)
    writer.add_tensor("a", np.ones(5, np.float32))
    writer.add_tensor("b", np.ones((2, 3, 4), np.float32))
    finish(writer)


def letters():
    """A token for each byte, spelled with the printable characters that byte-level BPE gives them."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    spelling = {byte: chr(byte) for byte in printable} | {byte: chr(256 + i) for i, byte in enumerate(others)}
    return [spelling[byte] for byte in range(256)]


def add_vocabulary(writer):
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(letters() + ["he", "<s>"])
    writer.add_token_types([1] * 257 + [3])
    writer.add_token_merges(["h e"])
    writer.add_bos_token_id(257)
    writer.add_chat_template("{% for m in messages %}{{ m.role ~ m.content }}{% endfor %}")


def loadable(path, architecture, kind=gguf.GGMLQuantizationType.F32):
    """A whole model of one block, as small as it can be."""
    width = 32 if kind != gguf.GGMLQuantizationType.F32 else 8
    head = width // 2
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_block_count(1)
    writer.add_embedding_length(width)
    writer.add_feed_forward_length(width)
    writer.add_context_length(64)
    writer.add_head_count(2)
    writer.add_head_count_kv(1)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_freq_base(10000.0)
    n_tokens = 258 if architecture == "llama" else 2
    if architecture == "llama":
        add_vocabulary(writer)

    def matrix(name, rows):
        values = np.linspace(-1, 1, rows * width, dtype=np.float32).reshape(rows, width)
        writer.add_tensor(name, gguf.quants.quantize(values, kind), raw_dtype=kind)

    def vector(name, size):
        writer.add_tensor(name, np.ones(size, np.float32))

    matrix("token_embd.weight", n_tokens)
    vector("output_norm.weight", width)
    for name, rows in [("attn_q", width), ("attn_k", head), ("attn_v", head), ("attn_output", width),
                       ("ffn_gate", width), ("ffn_up", width), ("ffn_down", width)]:
        matrix(f"blk.0.{name}.weight", rows)
        if architecture == "qwen2" and name in ("attn_q", "attn_k", "attn_v"):
            vector(f"blk.0.{name}.bias", rows)
    for name, size in [("attn_norm", width), ("ffn_norm", width)]:
        vector(f"blk.0.{name}.weight", size)
    if architecture == "qwen3":
        vector("blk.0.attn_q_norm.weight", head)
        vector("blk.0.attn_k_norm.weight", head)
    finish(writer)


def finish(writer):
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=root / "tests/fuzz/corpus/gguf", help="folder to write to")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    whole_model(args.out / "whole_model")
    vocabulary_only(args.out / "vocabulary_only")
    aligned(args.out / "aligned")
    for architecture in ("llama", "qwen2", "qwen3"):
        loadable(args.out / f"loadable_{architecture}", architecture)
    loadable(args.out / "loadable_q8_0", "qwen2", gguf.GGMLQuantizationType.Q8_0)
    (args.out / "empty_v2").write_bytes(b"GGUF" + struct.pack("<IQQ", 2, 0, 0))
    (args.out / "big_endian").write_bytes(b"GGUF" + struct.pack(">IQQ", 3, 1, 1))
    nested = b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"n" + struct.pack("<IIQIQ", 9, 9, 1, 9, 1)
    (args.out / "nested_array").write_bytes(nested)


if __name__ == "__main__":
    main()
