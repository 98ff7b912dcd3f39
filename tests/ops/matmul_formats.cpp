#include "tests/ops/matmul_formats.h"

#include <cmath>

#include "base/error.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

// Bytes of one block.
struct Reader {
  const std::byte* bytes;

  int u8(int64_t at) const { return std::to_integer<int>(bytes[at]); }
  int i8(int64_t at) const { return u8(at) < 128 ? u8(at) : u8(at) - 256; }
  uint16_t u16(int64_t at) const { return static_cast<uint16_t>(u8(at) + 256 * u8(at + 1)); }
  float f16(int64_t at) const { return static_cast<float>(f16_value(u16(at))); }
  int bit(int64_t at, int64_t i) const { return u8(at + i / 8) >> (i % 8) & 1; }
  // `width` bits of the byte at `at`, from bit `from` on.
  int bits(int64_t at, int from, int width) const { return (u8(at) >> from) % (1 << width); }
};

// 4-bit codes of the types with 32 weights: element i < 16 in the low nibble of byte i, the others in the high ones.
int small_code(const Reader& r, int64_t at, int i) {
  return i < 16 ? r.bits(at + i, 0, 4) : r.bits(at + i - 16, 4, 4);
}

Part read_q4_0(const Reader& r) {
  Part p;
  p.scale = r.f16(0);
  for (int i = 0; i < 32; ++i) p.q[i] = small_code(r, 2, i) - 8;
  return p;
}

Part read_q4_1(const Reader& r) {
  Part p;
  p.scale = r.f16(0);
  p.minimum = Minimum::kOne;
  p.m = r.f16(2);
  for (int i = 0; i < 32; ++i) p.q[i] = small_code(r, 4, i);
  return p;
}

Part read_q5_0(const Reader& r) {
  Part p;
  p.scale = r.f16(0);
  for (int i = 0; i < 32; ++i) p.q[i] = small_code(r, 6, i) + 16 * r.bit(2, i) - 16;
  return p;
}

Part read_q5_1(const Reader& r) {
  Part p;
  p.scale = r.f16(0);
  p.minimum = Minimum::kOne;
  p.m = r.f16(2);
  for (int i = 0; i < 32; ++i) p.q[i] = small_code(r, 8, i) + 16 * r.bit(4, i);
  return p;
}

Part read_q8_0(const Reader& r) {
  Part p;
  p.scale = r.f16(0);
  for (int i = 0; i < 32; ++i) p.q[i] = r.i8(2 + i);
  return p;
}

// The values behind the codes of IQ4_NL and IQ4_XS, and twice those of MXFP4.
constexpr int kIq4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
constexpr int kTwiceE2m1[16] = {0, 1, 2, 3, 4, 6, 8, 12, 0, -1, -2, -3, -4, -6, -8, -12};

Part read_iq4_nl(const Reader& r) {
  Part p;
  p.scale = r.f16(0);
  for (int i = 0; i < 32; ++i) p.q[i] = kIq4Values[small_code(r, 2, i)];
  return p;
}

Part read_mxfp4(const Reader& r) {
  Part p;
  p.scale = std::ldexp(1.0F, r.u8(0) - 128);
  for (int i = 0; i < 32; ++i) p.q[i] = kTwiceE2m1[small_code(r, 1, i)];
  return p;
}

Part read_iq4_xs(const Reader& r, int part) {
  Part p;
  const int low = r.bits(4 + part / 2, part % 2 * 4, 4);
  const int high = r.u16(2) >> (2 * part) & 3;
  p.scale = r.f16(0) * static_cast<float>(low + 16 * high - 32);
  for (int i = 0; i < 32; ++i) p.q[i] = kIq4Values[small_code(r, 8 + 16 * part, i)];
  return p;
}

// Two bits of element 32·part + i in Q2_K and Q3_K: four elements 32 apart share a byte, 32 bytes for 128 elements.
int two_bits(const Reader& r, int64_t at, int part, int i) {
  return r.bits(at + part / 4 * 32 + i, 2 * (part % 4), 2);
}

Part read_q2_k(const Reader& r, int part) {
  Part p;
  p.scale = r.f16(80);
  p.dmin = r.f16(82);
  p.minimum = Minimum::kPer16;
  for (int h = 0; h < 2; ++h) {
    p.sc[h] = r.bits(2 * part + h, 0, 4);
    p.mn[h] = r.bits(2 * part + h, 4, 4);
  }
  for (int i = 0; i < 32; ++i) p.q[i] = two_bits(r, 16, part, i);
  return p;
}

Part read_q3_k(const Reader& r, int part) {
  Part p;
  p.scale = r.f16(108);
  for (int h = 0; h < 2; ++h) {
    const int i = 2 * part + h;
    const int low = r.bits(96 + i % 8, i < 8 ? 0 : 4, 4);
    const int high = r.bits(104 + i % 4, i / 4 * 2, 2);
    p.sc[h] = low + 16 * high - 32;
  }
  for (int i = 0; i < 32; ++i) p.q[i] = two_bits(r, 32, part, i) - (r.bits(i, part, 1) == 1 ? 0 : 4);
  return p;
}

// Scale and minimum `part` out of the twelve bytes at 4 in Q4_K and Q5_K.
void read_k_scales(const Reader& r, int part, float d, float dmin, Part& p) {
  int sc = r.bits(4 + part, 0, 6);
  int mn = r.bits(8 + part % 4, 0, 6);
  if (part >= 4) {
    sc = r.bits(8 + part, 0, 4) + 16 * r.bits(part, 6, 2);
    mn = r.bits(8 + part, 4, 4) + 16 * r.bits(4 + part, 6, 2);
  }
  p.scale = d * static_cast<float>(sc);
  p.minimum = Minimum::kOne;
  p.m = -(dmin * static_cast<float>(mn));
}

Part read_q4_k(const Reader& r, int part) {
  Part p;
  read_k_scales(r, part, r.f16(0), r.f16(2), p);
  for (int i = 0; i < 32; ++i) p.q[i] = r.bits(16 + part / 2 * 32 + i, part % 2 == 0 ? 0 : 4, 4);
  return p;
}

Part read_q5_k(const Reader& r, int part) {
  Part p;
  read_k_scales(r, part, r.f16(0), r.f16(2), p);
  for (int i = 0; i < 32; ++i) {
    p.q[i] = r.bits(48 + part / 2 * 32 + i, part % 2 == 0 ? 0 : 4, 4) + 16 * r.bits(16 + i, part, 1);
  }
  return p;
}

Part read_q6_k(const Reader& r, int part) {
  Part p;
  p.scale = r.f16(208);
  const int half = part / 4;
  const int quarter = part % 4;
  for (int h = 0; h < 2; ++h) p.sc[h] = r.i8(192 + 2 * part + h);
  for (int i = 0; i < 32; ++i) {
    const int low = r.bits(64 * half + 32 * (quarter % 2) + i, quarter < 2 ? 0 : 4, 4);
    p.q[i] = low + 16 * r.bits(128 + 32 * half + i, 2 * quarter, 2) - 32;
  }
  return p;
}

}  // namespace

Part read_part(DType dtype, const std::byte* row, int64_t part) {
  const DTypeInfo& info = dtype_info(dtype);
  const int parts = info.block_elements / 32;
  const Reader r{row + part / parts * info.block_bytes};
  const auto inner = static_cast<int>(part % parts);
  switch (dtype) {
    case DType::kQ4_0: return read_q4_0(r);
    case DType::kQ4_1: return read_q4_1(r);
    case DType::kQ5_0: return read_q5_0(r);
    case DType::kQ5_1: return read_q5_1(r);
    case DType::kQ8_0: return read_q8_0(r);
    case DType::kQ2_K: return read_q2_k(r, inner);
    case DType::kQ3_K: return read_q3_k(r, inner);
    case DType::kQ4_K: return read_q4_k(r, inner);
    case DType::kQ5_K: return read_q5_k(r, inner);
    case DType::kQ6_K: return read_q6_k(r, inner);
    case DType::kIQ4_NL: return read_iq4_nl(r);
    case DType::kIQ4_XS: return read_iq4_xs(r, inner);
    case DType::kMXFP4: return read_mxfp4(r);
    default: fail(ErrorCode::kInternal, "[test] no layout of {}", dtype_name(dtype));
  }
}

std::vector<size_t> scale_offsets(DType dtype) {
  switch (dtype) {
    case DType::kQ4_1:
    case DType::kQ5_1:
    case DType::kQ4_K:
    case DType::kQ5_K: return {0, 2};
    case DType::kQ2_K: return {80, 82};
    case DType::kQ3_K: return {108};
    case DType::kQ6_K: return {208};
    default: return {0};
  }
}

Bytes plausible_row(DType dtype, uint64_t seed, int64_t n) {
  const DTypeInfo& info = dtype_info(dtype);
  const int64_t blocks = n / info.block_elements;
  Bytes row = random_bytes(seed, blocks * info.block_bytes);
  Random random(seed + 1);
  for (int64_t b = 0; b < blocks; ++b) {
    const auto first = static_cast<size_t>(b * info.block_bytes);
    for (size_t offset : scale_offsets(dtype)) {
      const uint16_t code = f16_code(random.uniform(-0.05F, 0.05F));
      row[first + offset] = static_cast<std::byte>(code & 0xFF);
      row[first + offset + 1] = static_cast<std::byte>(code >> 8);
    }
    if (dtype == DType::kMXFP4) row[first] = static_cast<std::byte>(120 + random.below(8));
  }
  return row;
}

}  // namespace minfer::ops_test
