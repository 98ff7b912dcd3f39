#include "backend/cpu/interleave.h"

#include <array>
#include <cstring>
#include <span>

#include "base/error.h"

namespace minfer::cpu {
namespace {

enum class Area { kHeader, kCodes };

// Consecutive units of a block that are interleaved one by one.
struct Field {
  int offset;      // bytes, in the block
  int n_units;     //
  int unit_bytes;  // 1, 2 or 4
  Area area;
  bool spread = false;  // a unit of 4 whose bit 4·g + b moves to bit g of byte b
};

constexpr Area kHeader = Area::kHeader;
constexpr Area kCodes = Area::kCodes;

constexpr Field kF32[] = {{0, 1, 4, kCodes}};
constexpr Field kF16[] = {{0, 1, 2, kCodes}};
constexpr Field kQ4_0[] = {{0, 1, 2, kHeader}, {2, 4, 4, kCodes}};
constexpr Field kQ4_1[] = {{0, 2, 2, kHeader}, {4, 4, 4, kCodes}};
constexpr Field kQ5_0[] = {{0, 1, 2, kHeader}, {2, 1, 4, kCodes, true}, {6, 4, 4, kCodes}};
constexpr Field kQ5_1[] = {{0, 2, 2, kHeader}, {4, 1, 4, kCodes, true}, {8, 4, 4, kCodes}};
constexpr Field kQ8_0[] = {{0, 1, 2, kHeader}, {2, 8, 4, kCodes}};
constexpr Field kMxfp4[] = {{0, 1, 1, kHeader}, {1, 4, 4, kCodes}};
constexpr Field kQ2_K[] = {{80, 2, 2, kHeader}, {0, 16, 1, kHeader}, {16, 16, 4, kCodes}};
constexpr Field kQ3_K[] = {{108, 1, 2, kHeader}, {96, 12, 1, kHeader}, {0, 8, 4, kCodes}, {32, 16, 4, kCodes}};
constexpr Field kQ4_K[] = {{0, 2, 2, kHeader}, {4, 12, 1, kHeader}, {16, 32, 4, kCodes}};
constexpr Field kQ5_K[] = {{0, 2, 2, kHeader}, {4, 12, 1, kHeader}, {16, 8, 4, kCodes}, {48, 32, 4, kCodes}};
constexpr Field kQ6_K[] = {{208, 1, 2, kHeader}, {192, 16, 1, kHeader}, {128, 16, 4, kCodes}, {0, 32, 4, kCodes}};
constexpr Field kIq4_Xs[] = {{0, 2, 2, kHeader}, {4, 4, 1, kHeader}, {8, 32, 4, kCodes}};

// Empty for types without kernels.
std::span<const Field> fields_of(DType dtype) {
  switch (dtype) {
    case DType::kF32: return kF32;
    case DType::kF16:
    case DType::kBF16: return kF16;
    case DType::kQ4_0:
    case DType::kIQ4_NL: return kQ4_0;
    case DType::kQ4_1: return kQ4_1;
    case DType::kQ5_0: return kQ5_0;
    case DType::kQ5_1: return kQ5_1;
    case DType::kQ8_0: return kQ8_0;
    case DType::kQ2_K: return kQ2_K;
    case DType::kQ3_K: return kQ3_K;
    case DType::kQ4_K: return kQ4_K;
    case DType::kQ5_K: return kQ5_K;
    case DType::kQ6_K: return kQ6_K;
    case DType::kIQ4_XS: return kIq4_Xs;
    case DType::kMXFP4: return kMxfp4;
    default: return {};
  }
}

// Where the areas of a panel lie.
struct PanelLayout {
  int64_t n_blocks;
  int64_t header_stride = 0;  // bytes of sixteen blocks in the header area
  int64_t code_stride = 0;    // … in the code area
  int64_t codes_offset;       // start of the code area

  PanelLayout(DType dtype, int64_t n_in, std::span<const Field> fields)
      : n_blocks(n_in / dtype_info(dtype).block_elements) {
    check(!fields.empty(), "[cpu] {} has no interleaved form", dtype_name(dtype));
    for (const Field& field : fields) {
      int64_t& stride = field.area == kHeader ? header_stride : code_stride;
      stride += int64_t{field.n_units} * field.unit_bytes * kPanelRows;
    }
    codes_offset = aligned(n_blocks * header_stride);
  }

  int64_t size_bytes() const { return codes_offset + aligned(n_blocks * code_stride); }

  static int64_t aligned(int64_t bytes) { return (bytes + kPanelAlignment - 1) / kPanelAlignment * kPanelAlignment; }
};

using Lanes = uint32_t __attribute__((vector_size(16)));  // of four rows

// Exchanges the bits under `mask` with those `shift` places above them.
Lanes exchange(Lanes bits, int shift, uint32_t mask) {
  const Lanes different = (bits >> shift ^ bits) & mask;
  return bits ^ different ^ different << shift;
}

// Bit 4·g + b to bit g of byte b: the two low bits of every bit's number become its highest ones, by exchanges of two
// bits of the number at a time.
Lanes spread_bits(Lanes bits) {
  bits = exchange(bits, 14, 0x0000CCCC);
  bits = exchange(bits, 7, 0x00AA00AA);
  bits = exchange(bits, 2, 0x0C0C0C0C);
  return exchange(bits, 1, 0x22222222);
}

uint32_t unspread_bits(uint32_t bytes) {
  uint32_t out = 0;
  for (int i = 0; i < 32; ++i) out |= (bytes >> (8 * (i % 4) + i / 4) & 1) << i;
  return out;
}

void spread_lanes(uint32_t* lane) {
  for (int row = 0; row < kPanelRows; row += 4) {
    Lanes bits;
    std::memcpy(&bits, lane + row, sizeof(bits));
    bits = spread_bits(bits);
    std::memcpy(lane + row, &bits, sizeof(bits));
  }
}

template <typename Unit>
void interleave_units(const std::byte* rows, int64_t row_bytes, const Field& field, std::byte* out) {
  for (int unit = 0; unit < field.n_units; ++unit) {
    Unit lane[kPanelRows];
    for (int row = 0; row < kPanelRows; ++row) {
      std::memcpy(&lane[row], rows + row * row_bytes + field.offset + unit * static_cast<int>(sizeof(Unit)),
                  sizeof(Unit));
    }
    if constexpr (sizeof(Unit) == 4) {
      if (field.spread) spread_lanes(lane);
    }
    std::memcpy(out + unit * sizeof(lane), lane, sizeof(lane));
  }
}

// Four units of four bytes, as transposed squares of 4 × 4: what makes up nearly all bytes of quantized weights.
void interleave_four(const std::byte* rows, int64_t row_bytes, std::byte* out) {
  for (int row = 0; row < kPanelRows; row += 4) {
    Lanes r[4];
    for (int i = 0; i < 4; ++i) std::memcpy(&r[i], rows + (row + i) * row_bytes, sizeof(Lanes));
    const Lanes low01 = __builtin_shufflevector(r[0], r[1], 0, 4, 1, 5);
    const Lanes high01 = __builtin_shufflevector(r[0], r[1], 2, 6, 3, 7);
    const Lanes low23 = __builtin_shufflevector(r[2], r[3], 0, 4, 1, 5);
    const Lanes high23 = __builtin_shufflevector(r[2], r[3], 2, 6, 3, 7);
    const Lanes units[4] = {
        __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
        __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
    for (int unit = 0; unit < 4; ++unit) {
      std::memcpy(out + (unit * kPanelRows + row) * 4, &units[unit], sizeof(Lanes));
    }
  }
}

void interleave_field(const std::byte* rows, int64_t row_bytes, const Field& field, std::byte* out) {
  if (field.unit_bytes == 4 && field.n_units % 4 == 0) {
    for (int unit = 0; unit < field.n_units; unit += 4) {
      interleave_four(rows + field.offset + unit * 4, row_bytes, out + unit * 4 * kPanelRows);
    }
    return;
  }
  switch (field.unit_bytes) {
    case 1: return interleave_units<uint8_t>(rows, row_bytes, field, out);
    case 2: return interleave_units<uint16_t>(rows, row_bytes, field, out);
    default: return interleave_units<uint32_t>(rows, row_bytes, field, out);
  }
}

// Calls fn(field, offset of the field of block `block` in the panel).
template <typename Fn>
void for_each_field(std::span<const Field> fields, const PanelLayout& layout, int64_t block, Fn fn) {
  int64_t at_header = block * layout.header_stride;
  int64_t at_codes = layout.codes_offset + block * layout.code_stride;
  for (const Field& field : fields) {
    int64_t& at = field.area == kHeader ? at_header : at_codes;
    fn(field, at);
    at += int64_t{field.n_units} * field.unit_bytes * kPanelRows;
  }
}

}  // namespace

bool can_interleave(DType dtype) {
  return !fields_of(dtype).empty();
}

int64_t panel_bytes(DType dtype, int64_t n_in) {
  return PanelLayout(dtype, n_in, fields_of(dtype)).size_bytes();
}

void interleave(DType dtype, int64_t n_in, const std::byte* rows, int n_rows, std::byte* panel) {
  const std::span<const Field> fields = fields_of(dtype);
  const PanelLayout layout(dtype, n_in, fields);
  const int64_t block_bytes = dtype_info(dtype).block_bytes;
  const int64_t row_bytes = layout.n_blocks * block_bytes;
  if (n_rows == kPanelRows) {
    for (int64_t b = 0; b < layout.n_blocks; ++b) {
      for_each_field(fields, layout, b, [&](const Field& field, int64_t at) {
        interleave_field(rows + b * block_bytes, row_bytes, field, panel + at);
      });
    }
    return;
  }
  // A short panel: block by block through sixteen rows of which the missing ones are zero.
  std::array<std::byte, kPanelRows * size_t{256}> blocks{};
  for (int64_t b = 0; b < layout.n_blocks; ++b) {
    for (int row = 0; row < n_rows; ++row) {
      std::memcpy(blocks.data() + row * block_bytes, rows + row * row_bytes + b * block_bytes,
                  static_cast<size_t>(block_bytes));
    }
    for_each_field(fields, layout, b, [&](const Field& field, int64_t at) {
      interleave_field(blocks.data(), block_bytes, field, panel + at);
    });
  }
}

void deinterleave(DType dtype, int64_t n_in, const std::byte* panel, int row, int64_t first_block, int64_t n_blocks,
                  std::byte* out) {
  const std::span<const Field> fields = fields_of(dtype);
  const PanelLayout layout(dtype, n_in, fields);
  for (int64_t b = 0; b < n_blocks; ++b, out += dtype_info(dtype).block_bytes) {
    for_each_field(fields, layout, first_block + b, [&](const Field& field, int64_t at) {
      for (int unit = 0; unit < field.n_units; ++unit) {
        const std::byte* lane = panel + at + (unit * kPanelRows + row) * field.unit_bytes;
        std::memcpy(out + field.offset + unit * field.unit_bytes, lane, static_cast<size_t>(field.unit_bytes));
        if (!field.spread) continue;
        uint32_t bits;
        std::memcpy(&bits, lane, sizeof(bits));
        bits = unspread_bits(bits);
        std::memcpy(out + field.offset, &bits, sizeof(bits));
      }
    });
  }
}

}  // namespace minfer::cpu
