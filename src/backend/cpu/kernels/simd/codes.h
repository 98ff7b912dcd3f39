// How the codes of the block types are unpacked from panels: pieces that several types share.
#pragma once

#include "backend/cpu/kernels/simd/isa.h"
#include "quant/iq4_table.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

// Vector `v` of a code area: the words `v` of sixteen rows.
[[gnu::always_inline]] inline I code_vector(const uint8_t* codes, int v) {
  return Isa::load_i(codes + v * 64);
}

// The low or the high four bits of every byte.
template <bool high>
[[gnu::always_inline]] inline I nibbles(I v) {
  if constexpr (high) v = Isa::template shift_right16<4>(v);
  return Isa::and_bits(v, Isa::set_i8(0x0F));
}

// Bits `from` and `from` + 1 of every byte.
template <int from>
[[gnu::always_inline]] inline I two_bits(I v) {
  if constexpr (from > 0) v = Isa::template shift_right16<from>(v);
  return Isa::and_bits(v, Isa::set_i8(3));
}

// Groups of 32 elements in 16 bytes: elements 0 … 15 in the low nibbles, 16 … 31 in the high ones.
template <int group>
[[gnu::always_inline]] inline I split_nibbles(const uint8_t* codes) {
  return nibbles<(group >= 4)>(code_vector(codes, group % 4));
}

constexpr int8_t iq4_entry(int i, int offset) {
  return static_cast<int8_t>(static_cast<uint8_t>(kIq4Table[i] + offset));
}

// The sixteen values of IQ4_NL and IQ4_XS (quant/iq4_table.h), as accumulate<8> takes them.
[[gnu::always_inline]] inline I iq4_code(I index) {
  constexpr int k = Isa::kSignedOffset;
  static constexpr int8_t kTable[16] = {iq4_entry(0, k),  iq4_entry(1, k),  iq4_entry(2, k),  iq4_entry(3, k),
                                        iq4_entry(4, k),  iq4_entry(5, k),  iq4_entry(6, k),  iq4_entry(7, k),
                                        iq4_entry(8, k),  iq4_entry(9, k),  iq4_entry(10, k), iq4_entry(11, k),
                                        iq4_entry(12, k), iq4_entry(13, k), iq4_entry(14, k), iq4_entry(15, k)};
  return Isa::table16(kTable, index);
}

// The eight scales and eight minimums of Q4_K and Q5_K (quant/k_scales.h) of sixteen rows, one byte each, from the
// twelve bytes of each row.
struct KScales16 {
  alignas(64) uint8_t scale[8][16];
  alignas(64) uint8_t minimum[8][16];

  [[gnu::always_inline]] explicit KScales16(const uint8_t* packed) {
    for (int i = 0; i < 64; i += 4 * Isa::kLanes) {
      const I first = Isa::load_i(packed + i);
      const I second = Isa::load_i(packed + 64 + i);
      const I third = Isa::load_i(packed + 128 + i);
      Isa::store_i(scale[0] + i, Isa::and_bits(first, Isa::set_i8(0x3F)));
      Isa::store_i(minimum[0] + i, Isa::and_bits(second, Isa::set_i8(0x3F)));
      Isa::store_i(scale[4] + i, Isa::or_bits(nibbles<false>(third), top_bits(first)));
      Isa::store_i(minimum[4] + i, Isa::or_bits(nibbles<true>(third), top_bits(second)));
    }
  }

 private:
  // Bits 6 and 7 of every byte, moved to 4 and 5.
  [[gnu::always_inline]] static I top_bits(I v) {
    return Isa::and_bits(Isa::template shift_right16<2>(v), Isa::set_i8(0x30));
  }
};

}  // namespace
}  // namespace minfer::cpu::MINFER_ISA
