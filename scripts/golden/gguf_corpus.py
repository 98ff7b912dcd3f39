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
    (args.out / "empty_v2").write_bytes(b"GGUF" + struct.pack("<IQQ", 2, 0, 0))
    (args.out / "big_endian").write_bytes(b"GGUF" + struct.pack(">IQQ", 3, 1, 1))
    nested = b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"n" + struct.pack("<IIQIQ", 9, 9, 1, 9, 1)
    (args.out / "nested_array").write_bytes(nested)


if __name__ == "__main__":
    main()
