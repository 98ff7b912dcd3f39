// The operations of the instruction set that a kernel is compiled for: `Isa`, of the header that the build names. Each
// file beside this one is compiled once per instruction set, into a namespace of its own (MINFER_ISA); everything in
// it is in an anonymous namespace, so that no function of one set can be linked into code for another.
//
// Isa::kLanes lanes (8 or 16) of f32 (F) and i32 (I; also kLanes · 4 bytes or kLanes pairs of i16).
//   zero set load store load_first store_first   f32; _first: n lanes of memory, the others are zero, or not written
//   add sub mul div sqrt fma                     one IEEE operation; fma(a, b, c) = a·b + c rounded once
//   max_of(a, b) min_of(a, b)                    a > b ? a : b; a < b ? a : b
//   negate abs round                             sign bit; to the nearest integer, ties to even
//   if_less(a, b, x, y) if_nan(a, x, y)          a < b ? x : y; a is NaN ? x : y
//   keep_first(a, n, rest)                       n lanes of a, then those of `rest`
//   even_lanes odd_lanes(a, b)                   of the 2 · kLanes values a, b: kLanes each
//   interleave_low interleave_high(a, b)         a0 b0 a1 b1 …: the first kLanes of these, the rest
//   first_lane fold_sum fold_max                 to one number; lane j takes lane j + w for w = kLanes/2, …, 1
//   load_f16 load_bf16 store_f16                 kLanes halves ↔ f32; narrowing rounds to nearest even
//   load_first_f16(p, n)                         n halves of memory, the other lanes are zero
//   as_f as_i to_f to_i                          the same bits; conversions i32 ↔ f32, to nearest even
//   zero_i set_i32 set_i8 load_i store_i         bytes
//   store_i8                                     kLanes i32 that fit, as bytes
//   load_u8 load_i8 load_u16                     kLanes small integers, widened to i32
//   broadcast4(p)                                the four bytes at p in every lane
//   table16(table, index)                        byte-wise table[index], index below 16
//   add_i mul_i max_i min_i fold_sum_i fold_max_i   i32
//   and_bits or_bits xor_bits                    bits
//   shift_right16<n> shift_left16<n>             of 16-bit units; shift_right32 shift_left32: of i32, logical
//   or_where_bit(v, bits, bit, value)            byte-wise v | (bits & bit ? value : 0); `bit` has one bit a byte
//   pair_products(a, b)                          a0·b0 + a1·b1 per lane, i16 pairs
//   Dot start accumulate<bits, step, n> finish   a sum of byte products per lane, in n steps: codes below 2^bits times
//                                                signed x; bits = 8: codes from unsigned_code
//   unsigned_code kSignedOffset                  a signed code as accumulate<8> takes it, and what that adds to it
//   prefetch                                     a hint; any address
//   kMaxRows                                     activation rows that fit the registers beside the accumulators
#pragma once

#include MINFER_ISA_HEADER

namespace minfer::cpu::MINFER_ISA {
namespace {

using F = Isa::F;
using I = Isa::I;

template <int value_>
struct Index {
  static constexpr int value = value_;
};

// fn(Index<0>), fn(Index<1>), … fn(Index<n - 1>), each compiled in place.
template <int n, typename Fn>
[[gnu::always_inline]] inline void unroll(Fn fn) {
  if constexpr (n > 0) {
    unroll<n - 1>(fn);
    fn(Index<n - 1>());
  }
}

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
