// Keys and values in the CPU's blocks: per head K in tiles of 16 positions, transposed, then V by position; rounded to
// f16 or kept as f32.
#include "graph/ops/kv_store.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "tests/ops/kv_data.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

void put(Bytes& cache, DType dtype, int64_t index, float value) {
  if (dtype == DType::kF16) {
    const uint16_t code = f16_code(value);
    std::memcpy(cache.data() + 2 * index, &code, 2);
  } else {
    std::memcpy(cache.data() + 4 * index, &value, 4);
  }
}

// Writes what kv_store must leave of one row.
void put_row(Bytes& cache, const KvShape& shape, const Sequence& s, int64_t position) {
  const int64_t block = s.blocks[static_cast<size_t>(position / 64)] * 2 * 64 * shape.width();
  const int64_t inside = position % 64;
  for (int64_t head = 0; head < shape.n_kv_heads; ++head) {
    for (int64_t d = 0; d < shape.head_dim; ++d) {
      const auto from = static_cast<size_t>(position * shape.width() + head * shape.head_dim + d);
      const int64_t tile = head * 4 + inside / 16;
      put(cache, shape.dtype, block + (tile * shape.head_dim + d) * 16 + inside % 16, s.k[from]);
      const int64_t v_row = (shape.n_kv_heads + head) * 64 + inside;
      put(cache, shape.dtype, block + v_row * shape.head_dim + d, s.v[from]);
    }
  }
}

void check_store(const KvShape& shape, const std::vector<Sequence>& sequences, int64_t n_blocks,
                 const std::vector<KvRow>& rows, int64_t capacity) {
  OpCase c(fmt::format("kv_store {} {}x{}", dtype_name(shape.dtype), shape.n_kv_heads, shape.head_dim), capacity);
  const KvInputs in(c, shape, 3);
  KvStoreParams params;
  params.n_kv_heads = shape.n_kv_heads;
  params.head_dim = shape.head_dim;
  params.dtype = shape.dtype;
  const ValueId cache = kv_store(c.builder(), in.k, in.v, in.rows, params, "kv");
  c.set_kv_blocks(n_blocks);
  c.step(static_cast<int64_t>(rows.size()));
  in.feed(sequences, rows);
  Bytes expected(static_cast<size_t>(n_blocks * c.builder().desc(cache).size_bytes()), kPoison);
  for (const KvRow& row : rows) {
    put_row(expected, shape, sequences[static_cast<size_t>(row.sequence)], row.position);
  }
  c.expect(cache, expected);
  c.check();
}

TEST(KvStoreOp, PutsEachRowWhereItBelongsAndTouchesNothingElse) {
  const std::vector<int64_t> lengths{130, 1, 70};
  const std::vector<KvRow> rows{{0, 0}, {2, 63}, {0, 129}, {1, 0}, {2, 64}, {0, 15}, {0, 16}, {0, 127}};
  constexpr KvShape kShapes[] = {{1, 8, DType::kF32},  {2, 24, DType::kF16},  {3, 64, DType::kF16},
                                 {2, 64, DType::kF32}, {4, 128, DType::kF16}, {2, 6, DType::kF16},
                                 {1, 10, DType::kF32}, {1, 96, DType::kF16},  {1, 21, DType::kF16}};
  for (const KvShape& shape : kShapes) {
    for (const Fill fill : {Fill::kPlain, Fill::kHostile}) {
      check_store(shape, make_sequences(lengths, shape, 2, fill, 20), pool_blocks(lengths, 2), rows, 11);
    }
  }
}

TEST(KvStoreOp, RoundsToF16AtTheEdges) {
  const KvShape shape{1, 8, DType::kF16};
  std::vector<Sequence> sequences = make_sequences({1}, shape, 0, Fill::kPlain, 21);
  // Ties go to even codes; 65520 is the first that rounds to infinity; 2^-25 is half the smallest code.
  sequences[0].k = {65519.0F, 65520.0F, 0x1p-25F, 0x1.000002p-25F, 2049.0F, 2051.0F, -0.0F, -0x1.8p-24F};
  sequences[0].v = {1.0F, -65520.0F, 0x1.ff8p-15F, 0x1.ffcp-15F, 0x1.ff8p15F, 3e38F, 0x1p-149F, -0x1p-24F};
  const uint16_t k_codes[] = {0x7BFF, 0x7C00, 0x0000, 0x0001, 0x6800, 0x6802, 0x8000, 0x8002};
  const uint16_t v_codes[] = {0x3C00, 0xFC00, 0x03FF, 0x0400, 0x7BFE, 0x7C00, 0x0000, 0x8001};
  for (size_t i = 0; i < 8; ++i) {
    EXPECT_EQ(f16_code(sequences[0].k[i]), k_codes[i]) << i;
    EXPECT_EQ(f16_code(sequences[0].v[i]), v_codes[i]) << i;
  }
  check_store(shape, sequences, 1, {{0, 0}}, 1);
}

TEST(KvStoreOp, RefusesAPositionOutsideTheContext) {
  const KvShape shape{1, 8, DType::kF32};
  for (const int32_t position : {-1, 3 * 64, 2147483647}) {
    OpCase c("kv_store outside", 2);
    const KvInputs in(c, shape, 3);
    KvStoreParams params;
    params.n_kv_heads = 1;
    params.head_dim = 8;
    params.dtype = shape.dtype;
    kv_store(c.builder(), in.k, in.v, in.rows, params, "kv");
    c.set_kv_blocks(3);
    c.step(1);
    in.feed(make_sequences({1}, shape, 2, Fill::kPlain, 22), {{0, 0}});
    c.feed(in.rows.positions, to_bytes<int32_t>({position}));
    c.expect_error(ErrorCode::kInternal, fmt::format("position {} lies outside the context of 192", position));
    c.check();
  }
}

}  // namespace
}  // namespace minfer::ops_test
