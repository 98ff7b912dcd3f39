#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/lanes16.h"
#include "quant/block_io.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

constexpr int kHalfBlock = 16;  // elements of a sum
constexpr int kVectors = kActBlockElements / Isa::kLanes;

// The bits of max|x|; those of an infinity or more where a value is not finite. Bits of magnitudes order as they do.
[[gnu::always_inline]] inline int32_t largest_magnitude(const F (&x)[kVectors]) {
  I most = Isa::zero_i();
  for (const F& v : x) most = Isa::max_i(most, Isa::as_i(Isa::abs(v)));
  return Isa::fold_max_i(most);
}

// rint(x·id) within ±127: the product is below 128, so that the order of rounding and limiting does not matter.
[[gnu::always_inline]] inline I code(F x, F id) {
  const I q = Isa::to_i(Isa::mul(x, id));
  return Isa::max_i(Isa::min_i(q, Isa::set_i32(127)), Isa::set_i32(-127));
}

[[gnu::always_inline]] inline void write_codes(const F (&x)[kVectors], F id, ActBlock& block) {
  for (int half = 0; half < kActBlockElements / kHalfBlock; ++half) {
    I sum = Isa::zero_i();
    for (int v = half * kVectors16; v < (half + 1) * kVectors16; ++v) {
      const I q = code(x[v], id);
      Isa::store_i8(block.q + v * Isa::kLanes, q);
      sum = Isa::add_i(sum, q);
    }
    block.sum[half] = static_cast<int16_t>(Isa::fold_sum_i(sum));
  }
}

[[gnu::always_inline]] inline void quantize_block(const float* from, ActBlock& block) {
  F x[kVectors];
  for (int v = 0; v < kVectors; ++v) x[v] = Isa::load(from + v * Isa::kLanes);
  const int32_t bits = largest_magnitude(x);
  const auto amax = __builtin_bit_cast(float, bits);
  if (bits >= __builtin_bit_cast(int32_t, __builtin_inff())) {
    block = ActBlock{};
    block.dx = __builtin_nanf("");
  } else if (amax < kTinyBlock) {
    block = ActBlock{};
  } else {
    block.dx = amax / 127.0F;
    write_codes(x, Isa::set(127.0F / amax), block);
  }
}

}  // namespace

void quantize(const float* x, ActBlock* blocks, int64_t n) {
  for (int64_t b = 0; b < n / kActBlockElements; ++b) quantize_block(x + b * kActBlockElements, blocks[b]);
}

}  // namespace minfer::cpu::MINFER_ISA
