// q, k and v of a step: the bits of matmuls, norms per head, ropes and kv_store.
#include "graph/ops/qkv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/ops/kv_store.h"
#include "graph/ops/matmul.h"
#include "graph/ops/rms_norm.h"
#include "tests/ops/kv_data.h"
#include "tests/ops/rules.h"
#include "tests/ops/weight_data.h"

namespace minfer::ops_test {
namespace {

constexpr int64_t kMaxBlocks = 3;

struct QkvCase {
  int n_heads;
  int n_kv_heads;
  int head_dim;
  int64_t n_in;
  std::array<DType, 3> dtypes;
  DType kv_dtype = DType::kF16;
  bool has_bias = false;
  bool has_norm = false;
  RopePairs pairs = RopePairs::kHalves;
  int64_t rows = 1;
};

constexpr std::array<DType, 3> all(DType dtype) {
  return {dtype, dtype, dtype};
}

// Grouped heads, types that differ, both pairings, rows beyond a tile of scratch.
constexpr QkvCase kCases[] = {
    {1, 1, 16, 32, all(DType::kQ4_0)},
    {4, 2, 16, 64, all(DType::kQ8_0), DType::kF32, true},
    {3, 1, 32, 256, {DType::kQ4_K, DType::kQ4_K, DType::kQ6_K}, DType::kF16, false, true},
    {2, 2, 64, 64, {DType::kQ5_0, DType::kQ4_1, DType::kQ8_0}, DType::kF16, true, true, RopePairs::kAdjacent, 7},
    {2, 1, 16, 19, {DType::kF32, DType::kF16, DType::kBF16}, DType::kF32, false, false, RopePairs::kAdjacent, 3},
    {3, 1, 16, 32, all(DType::kQ5_1), DType::kF16, true, false, RopePairs::kHalves, 70},
    {2, 1, 128, 32, all(DType::kQ8_0), DType::kF16, false, true, RopePairs::kHalves, 130},
};

QkvParams params_of(const QkvCase& q) {
  QkvParams p;
  p.n_heads = q.n_heads;
  p.n_kv_heads = q.n_kv_heads;
  p.head_dim = q.head_dim;
  p.pairs = q.pairs;
  p.kv_dtype = q.kv_dtype;
  p.has_bias = q.has_bias;
  p.has_norm = q.has_norm;
  p.eps = q.has_norm ? 1e-6F : 0.0F;
  return p;
}

// One case, with its inputs fed: rows of two sequences in turn, the first one longer by what an odd number leaves.
struct Case {
  OpCase c;
  QkvParams params;
  std::vector<WeightId> weights;
  ValueId x;
  ValueId angles;
  KvRows rows;

  Case(const char* name, const QkvCase& q)
      : c(fmt::format("{} {} {}+{}x{}", name, q.rows, q.n_heads, q.n_kv_heads, q.head_dim), q.rows + 2),
        params(params_of(q)) {
    const DType x_dtype = matmul_activation_dtype(q.dtypes[0]);
    const int64_t widths[] = {params.q_width(), params.kv_width(), params.kv_width()};
    for (size_t i = 0; i < 3; ++i) {
      weights.push_back(c.weight(fmt::format("w{}", i), q.dtypes[i], {widths[i], q.n_in},
                                 weight_rows(q.dtypes[i], 50 + i, widths[i], q.n_in)));
    }
    for (size_t i = 0; q.has_bias && i < 3; ++i) {
      weights.push_back(
          c.weight(fmt::format("b{}", i), DType::kF32, {widths[i]}, to_bytes(random_floats(53 + i, widths[i]))));
    }
    for (size_t i = 0; q.has_norm && i < 2; ++i) {
      weights.push_back(
          c.weight(fmt::format("n{}", i), DType::kF32, {q.head_dim}, to_bytes(random_floats(56 + i, q.head_dim))));
    }
    x = c.input("x", x_dtype, {q.n_in});
    angles = c.input("angles", DType::kF32, {q.head_dim});
    rows.positions = c.input("positions", DType::kI32, {});
    rows.sequences = c.input("sequences", DType::kI32, {});
    rows.block_tables = c.input("block_tables", DType::kI32, {kMaxBlocks});
    c.set_kv_blocks(2 * kMaxBlocks);
    c.step(q.rows);
    const std::vector<float> data = random_floats(58, q.rows * q.n_in);
    c.feed(x, x_dtype == DType::kF32 ? to_bytes(data) : to_bytes(act_blocks(data)));
    c.feed(angles, to_bytes(random_floats(59, q.rows * q.head_dim)));
    feed_rows(q.rows);
  }

  void feed_rows(int64_t n) {
    std::vector<int32_t> positions;
    std::vector<int32_t> sequences;
    for (int32_t i = 0; i < n; ++i) {
      positions.push_back(60 + i / 2);
      sequences.push_back(i % 2);
    }
    c.feed(rows.positions, to_bytes(positions));
    c.feed(rows.sequences, to_bytes(sequences));
    std::vector<int32_t> tables{5, 0, 3, 1, 4, 2};
    tables.resize(static_cast<size_t>(std::min<int64_t>(n, 2) * kMaxBlocks));
    c.feed(rows.block_tables, to_bytes(tables));
  }
};

// Projection i of the unfused graph, up to the rotation.
ValueId part(Case& t, size_t i, bool rotates) {
  GraphBuilder& b = t.c.builder();
  const QkvParams& p = t.params;
  const std::string name = fmt::format("part{}", i);
  ValueId y = matmul(b, t.x, t.weights[i], p.has_bias ? t.weights[p.bias_index(i)] : kNone, name);
  if (!rotates) return y;
  if (p.has_norm) y = rms_norm(b, y, t.weights[p.norm_index(i)], p.eps, name + "_norm");
  return rope(b, y, t.angles, p.head_dim, p.pairs, name + "_rope");
}

TEST(QkvOp, GivesTheBitsOfItsParts) {
  for (const QkvCase& q : kCases) {
    Case plain("parts of qkv", q);
    const ValueId q_value = part(plain, 0, true);
    const ValueId k_value = part(plain, 1, true);
    KvStoreParams store;
    store.n_kv_heads = q.n_kv_heads;
    store.head_dim = q.head_dim;
    store.dtype = q.kv_dtype;
    const ValueId cache = kv_store(plain.c.builder(), k_value, part(plain, 2, false), plain.rows, store, "kv");

    Case fused("qkv", q);
    const QkvResult result =
        qkv(fused.c.builder(), fused.x, fused.angles, fused.rows, fused.weights, fused.params, "y");
    fused.c.expect(result.q, plain.c.reference(q_value));
    fused.c.expect(result.kv, plain.c.reference(cache));
    fused.c.check();
  }
}

// Identity matrices, one head of 16, a quarter turn, position 1: every number can be said by hand.
TEST(QkvOp, TurnsQAndKAndStoresKTransposed) {
  OpCase c("qkv by hand", 1);
  std::vector<float> eye(256, 0.0F);
  for (size_t i = 0; i < 16; ++i) eye[17 * i] = 1.0F;
  std::vector<WeightId> weights;
  for (const char* name : {"q", "k", "v"}) weights.push_back(c.weight(name, DType::kF32, {16, 16}, to_bytes(eye)));
  const ValueId x = c.input("x", DType::kF32, {16});
  const ValueId angles = c.input("angles", DType::kF32, {16});
  KvRows rows;
  rows.positions = c.input("positions", DType::kI32, {});
  rows.sequences = c.input("sequences", DType::kI32, {});
  rows.block_tables = c.input("block_tables", DType::kI32, {1});
  QkvParams params;
  params.n_heads = params.n_kv_heads = 1;
  params.head_dim = 16;
  params.kv_dtype = DType::kF32;
  const QkvResult result = qkv(c.builder(), x, angles, rows, weights, params, "y");
  c.set_kv_blocks(1);
  c.step(1);
  std::vector<float> values;
  std::vector<float> turned;
  std::vector<float> quarter;
  for (int i = 0; i < 16; ++i) {
    values.push_back(static_cast<float>(i + 1));
    turned.push_back(i < 8 ? -static_cast<float>(i + 9) : static_cast<float>(i - 7));
    quarter.push_back(i < 8 ? 0.0F : 1.0F);  // cosines, then sines
  }
  Bytes cache(static_cast<size_t>(64 * 2 * 16 * 4), kPoison);
  for (size_t d = 0; d < 16; ++d) {
    std::memcpy(cache.data() + 4 * (16 * d + 1), &turned[d], 4);        // K: tile 0, dimension d, position 1
    std::memcpy(cache.data() + 4 * (64 * 16 + 16 + d), &values[d], 4);  // V: position 1, dimension d
  }
  c.feed(x, to_bytes(values));
  c.feed(angles, to_bytes(quarter));
  c.feed(rows.positions, to_bytes<int32_t>({1}));
  c.feed(rows.sequences, to_bytes<int32_t>({0}));
  c.feed(rows.block_tables, to_bytes<int32_t>({0}));
  c.expect(result.q, to_bytes(turned));
  c.expect(result.kv, cache);
  c.check();
}

TEST(QkvOp, RefusesAPositionOutsideTheContext) {
  Case t("qkv outside", kCases[0]);
  qkv(t.c.builder(), t.x, t.angles, t.rows, t.weights, t.params, "y");
  t.c.feed(t.rows.positions, to_bytes<int32_t>({int32_t{kMaxBlocks} * 64}));
  t.c.expect_error(ErrorCode::kInternal, "position 192 lies outside the context of 192");
  t.c.check();
}

TEST(QkvOp, IsNotClaimedByTheCpuForHeadsThatArePartsOfAPanel) {
  Case t("qkv of 8", {2, 1, 8, 32, all(DType::kF32)});
  qkv(t.c.builder(), t.x, t.angles, t.rows, t.weights, t.params, "y");
  for (const Subject& subject : open_subjects()) {
    if (subject.device->backend() != kBackendCpu) continue;
    t.c.register_weights(*subject.device);
    const Graph& graph = t.c.builder().graph();
    EXPECT_EQ(subject.device->supports(graph, graph.node(0)).reason, Reason::kShape) << subject.name;
  }
}

}  // namespace
}  // namespace minfer::ops_test
