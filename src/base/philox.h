// Philox4x32-10: a counter-based random generator. The same key and counter give the same four words everywhere and in
// any order, which is what makes sampling repeatable.
#pragma once

#include <array>
#include <cstdint>

namespace minfer {

// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
inline std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t{0xD2511F53u} * counter[0];
    const uint64_t b = uint64_t{0xCD9E8D57u} * counter[2];
    counter = {static_cast<uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(b),
               static_cast<uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}

// A number in [0, 1) with 24 bits, exact in f32.
inline float unit_float(uint32_t random) {
  return static_cast<float>(random >> 8) * 0x1p-24f;
}

}  // namespace minfer
