#!/usr/bin/env python3
"""Writes the golden vectors of tests/quant from the Python package `gguf`, the reference for the block types.

Needs: pip install gguf numpy (versions used last are in tests/data/quant/README.md, which this script writes too).

One file per type, little endian:
  char[4] "MQG1"
  u32 n_blocks, u8[n_blocks * block_bytes] blocks, f32[n_blocks * block_elements] their values
  u32 m_blocks, f32[m_blocks * block_elements] input, u8[m_blocks * block_bytes] expected bytes    (m = 0: cannot quantize)
  u32 s_blocks, u64 checksum of the values of s_blocks generated blocks
  u32 t_blocks, u64 checksum of the bytes of t_blocks quantized generated blocks
Generated blocks come from splitmix64 (words()); a checksum is sum(item[i] * (2 i + 1)) mod 2^64, with every NaN as 0x7fc00000.
"""
import argparse
import pathlib
import platform
import struct

import gguf
import numpy as np
from gguf import GGMLQuantizationType as T

TYPES = [T.F32, T.F16, T.BF16, T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0, T.Q2_K, T.Q3_K, T.Q4_K, T.Q5_K, T.Q6_K,
         T.IQ4_NL, T.IQ4_XS, T.MXFP4]
CAN_QUANTIZE = [T.F16, T.BF16, T.Q4_0, T.Q4_1, T.Q5_0, T.Q5_1, T.Q8_0]
# Where a block keeps its f16 numbers.
HALF_OFFSETS = {
    T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0],
    T.Q2_K: [80, 82], T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208], T.IQ4_NL: [0],
    T.IQ4_XS: [0],
}
# Zeros, subnormals, the ends of the normal range, infinities, NaNs.
ODD_HALVES = [0x0000, 0x8000, 0x0001, 0x83FF, 0x0400, 0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0xFD01]
TINY = np.float32(1e-30)


def words(seed, n):
    """n numbers of splitmix64 that started at `seed`."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def generated_bytes(n):
    return words(1, (n + 7) // 8).view(np.uint8)[:n]


def generated_floats(n_blocks, elements):
    """24-bit integers times a power of two between 2^-70 and 2^-7 that each block (each 32 values) has for itself."""
    n = n_blocks * elements
    w = words(2, n)
    mantissa = (w >> np.uint64(40)).astype(np.int64) - (1 << 23)
    exponent = (words(3, (n + 31) // 32) & np.uint64(63)).astype(np.int64) - 70
    return np.ldexp(mantissa.astype(np.float32), np.repeat(exponent, 32)[:n]).astype(np.float32)


def checksum(items):
    with np.errstate(over="ignore"):
        weights = np.arange(len(items), dtype=np.uint64) * np.uint64(2) + np.uint64(1)
        return int(np.sum(items.astype(np.uint64) * weights, dtype=np.uint64))


def value_bits(values):
    return np.where(np.isnan(values), np.uint32(0x7FC00000), values.view(np.uint32))


def dequantize(blocks, kind):
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(gguf.quants.dequantize(blocks, kind)).reshape(-1).astype(np.float32)


def quantize(values, kind):
    """The package's bytes; blocks that the contract rounds to zero are zeroed first."""
    elements, _ = gguf.GGML_QUANT_SIZES[kind]
    rows = values.reshape(-1, elements).copy()
    if elements > 1:
        peak = np.abs(rows).max(axis=1)
        rows[(peak > 0) & (peak < TINY)] = 0
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(gguf.quants.quantize(rows, kind)).view(np.uint8).reshape(-1)


def odd_blocks(kind):
    """Blocks whose f16 fields take every odd value, over bodies of zeros, ones, a ramp and random bytes."""
    _, size = gguf.GGML_QUANT_SIZES[kind]
    bodies = [np.zeros(size), np.full(size, 255), np.arange(size) * 37 % 256, generated_bytes(size)]
    blocks = []
    for i, half in enumerate(ODD_HALVES):
        for k, offset in enumerate(HALF_OFFSETS[kind]):
            block = bodies[(i + k) % len(bodies)].astype(np.uint8)
            for other in HALF_OFFSETS[kind]:
                block[other:other + 2] = np.frombuffer(struct.pack("<H", 0x3555), np.uint8)
            block[offset:offset + 2] = np.frombuffer(struct.pack("<H", half), np.uint8)
            blocks.append(block)
    return np.stack(blocks)


def every_exponent(size):
    """Blocks whose first byte takes every value, over random codes."""
    blocks = generated_bytes(256 * size).reshape(256, size).copy()
    blocks[:, 0] = np.arange(256)
    return blocks.reshape(-1)


def random_blocks(kind, n, rng):
    """Random bytes with scales of ordinary size."""
    _, size = gguf.GGML_QUANT_SIZES[kind]
    blocks = rng.integers(0, 256, (n, size), dtype=np.uint8)
    for offset in HALF_OFFSETS[kind]:
        scales = (rng.standard_normal(n) * 0.02).astype(np.float16)
        blocks[:, offset:offset + 2] = scales.view(np.uint8).reshape(n, 2)
    return blocks


def plain_bytes(kind, rng):
    """Inputs of the types without blocks: specials and random bit patterns."""
    if kind == T.F32:
        return rng.integers(0, 256, 256 * 4, dtype=np.uint8)
    specials = np.array(ODD_HALVES + [0x7F80, 0xFF80, 0x7FC0, 0x3F80, 0x3C00, 0x00FF, 0x03FF], np.uint16)
    return np.concatenate([specials, rng.integers(0, 65536, 512, dtype=np.uint16)]).view(np.uint8)


def quantizer_inputs(rng):
    """Blocks of 32 finite floats: random ones, and those where rounding and scale searches are decided."""
    rows = [rng.standard_normal(32) * 10.0 ** rng.integers(-6, 4) for _ in range(72)]
    rows += [np.zeros(32), np.full(32, 0.75), np.full(32, -0.75), np.full(32, 1e-30) * 1.0000001]
    rows += [np.eye(32)[5] * 3.0, np.eye(32)[31] * -3.0, np.arange(32) - 15.5, np.arange(32) - 16.0, np.arange(32) * 1.0]
    ties = np.arange(32) - 16 + 0.5
    rows += [np.where(np.arange(32) == 31, 127.0, ties), np.where(np.arange(32) == 0, -127.0, ties)]
    rows += [np.where(np.arange(32) % 2 == 0, 2.0, -2.0), np.where(np.arange(32) % 2 == 0, -2.0, 2.0)]
    rows += [rng.standard_normal(32) * 1e38 / 4, rng.uniform(-1, 1, 32) * 3e38, rng.uniform(-1, 1, 32) * 70000]
    rows += [rng.uniform(-1, 1, 32) * 4e-30, rng.uniform(-1, 1, 32) * 9e-31, rng.uniform(-1, 1, 32) * 1e-40]
    rows += [np.where(np.arange(32) == 7, 1.0, rng.uniform(-1, 1, 32) * 1e-39), 1.0 + np.arange(32) * 2.0**-23]
    rows += [np.where(np.arange(32) % 3 == 0, 1e-30 * (1 + 2.0**-22), 1e-30 * (1 + 2.0**-21))]
    return np.stack(rows).astype(np.float32)


def golden(kind, rng):
    elements, size = gguf.GGML_QUANT_SIZES[kind]
    if kind in HALF_OFFSETS:
        n_random = 32 if elements == 256 else 96
        blocks = np.concatenate([odd_blocks(kind), random_blocks(kind, n_random, rng)]).reshape(-1)
    elif kind == T.MXFP4:
        blocks = every_exponent(size)
    else:
        blocks = plain_bytes(kind, rng)
    out = b"MQG1" + struct.pack("<I", len(blocks) // size) + blocks.tobytes() + dequantize(blocks, kind).tobytes()

    if kind in CAN_QUANTIZE:
        values = quantizer_inputs(rng).reshape(-1)
        out += struct.pack("<I", len(values) // elements) + values.tobytes() + quantize(values, kind).tobytes()
    else:
        out += struct.pack("<I", 0)

    n_swept = 65536 if elements == 1 else 131072 // elements
    if kind in (T.F16, T.BF16):
        swept = np.arange(65536, dtype=np.uint16).view(np.uint8)
    else:
        swept = generated_bytes(n_swept * size)
    out += struct.pack("<IQ", n_swept, checksum(value_bits(dequantize(swept, kind))))
    if kind in CAN_QUANTIZE:
        out += struct.pack("<IQ", n_swept, checksum(quantize(generated_floats(n_swept, elements), kind)))
    else:
        out += struct.pack("<IQ", 0, 0)
    return out


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=root / "tests/data/quant", help="folder to write to")
    parser.add_argument("--seed", type=int, default=20240607, help="seed of the random blocks")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for kind in TYPES:
        (args.out / f"{kind.name.lower()}.bin").write_bytes(golden(kind, np.random.default_rng(args.seed + kind)))
    (args.out / "README.md").write_text(
        "# Golden vectors of the block types\n\n"
        "Written by `scripts/golden/quant_golden.py` (the format stands there) from the Python package `gguf`, whose\n"
        "values and bytes are the reference of `tests/quant`. Do not edit; run the script.\n\n"
        f"Versions: gguf {importlib_version('gguf')}, numpy {np.__version__}, Python {platform.python_version()}, "
        f"{platform.machine()}; seed {args.seed}.\n")


def importlib_version(package):
    from importlib.metadata import version
    return version(package)


if __name__ == "__main__":
    main()
