// The shape rule of every op: what it makes of good inputs, and what it refuses by its name.
#include <gtest/gtest.h>

#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

// A builder for 8 rows with a value of each kind that the rules ask for.
struct Bench {
  WeightTable weights;
  WeightId q4 = weights.add("q4", {DType::kQ4_0, {16, 64}}, kNone);
  WeightId f16 = weights.add("f16", {DType::kF16, {16, 64}}, kNone);
  WeightId cube = weights.add("cube", f32({2, 16, 64}), kNone);
  WeightId vector16 = weights.add("vector16", f32({16}), kNone);
  WeightId vector2 = weights.add("vector2", f32({2}), kNone);
  WeightId half_vector = weights.add("half_vector", {DType::kF16, {16}}, kNone);
  GraphBuilder b{&weights, 8};
  ValueId x64 = b.input("x64", f32({8, 64}));
  ValueId x16 = b.input("x16", f32({8, 16}));
  ValueId x4 = b.input("x4", f32({8, 4}));
  ValueId tokens = b.input("tokens", i32({8}));
  KvRows rows = kv_rows(b);
  ValueId q8 = quantize(b, x64, "q8");

  RopeAnglesParams angles(int head_dim) {
    RopeAnglesParams params;
    params.head_dim = head_dim;
    return params;
  }
  KvStoreParams store(int n_kv_heads, int head_dim, DType dtype) {
    KvStoreParams params;
    params.n_kv_heads = n_kv_heads;
    params.head_dim = head_dim;
    params.dtype = dtype;
    return params;
  }
  AttentionParams heads(int n_heads, int n_kv_heads, int head_dim) {
    AttentionParams params;
    params.n_heads = n_heads;
    params.n_kv_heads = n_kv_heads;
    params.head_dim = head_dim;
    return params;
  }
  ValueId cache() { return kv_store(b, x16, x16, rows, store(4, 4, DType::kF16), "cache"); }
  std::string type(ValueId id) { return b.desc(id).to_string(); }
};

TEST(ShapeRules, ResultsAreAsStated) {
  Bench t;
  EXPECT_EQ(t.type(add(t.b, t.x64, t.x64, "n")), "F32 [8, 64]");
  EXPECT_EQ(t.type(mul(t.b, t.x16, t.x16, "n")), "F32 [8, 16]");
  EXPECT_EQ(t.type(silu(t.b, t.x16, "n")), "F32 [8, 16]");
  EXPECT_EQ(t.type(swiglu(t.b, t.x16, t.x16, "n")), "F32 [8, 16]");
  EXPECT_EQ(t.type(t.q8), "Q8A [8, 64]");
  EXPECT_EQ(t.type(embed(t.b, t.tokens, t.q4, "n")), "F32 [8, 64]");
  EXPECT_EQ(t.type(matmul(t.b, t.q8, t.q4, kNone, "n")), "F32 [8, 16]");
  EXPECT_EQ(t.type(matmul(t.b, t.x64, t.f16, t.vector16, "n")), "F32 [8, 16]");
  EXPECT_EQ(t.type(rms_norm(t.b, t.x64, t.vector16, 1e-6F, "n")), "F32 [8, 64]");
  const ValueId angles = rope_angles(t.b, t.rows.positions, t.vector2, t.angles(4), "n");
  EXPECT_EQ(t.type(angles), "F32 [8, 4]");
  EXPECT_EQ(t.type(rope(t.b, t.x16, angles, 4, RopePairs::kAdjacent, "n")), "F32 [8, 16]");
  EXPECT_EQ(t.type(t.cache()), "F16 [64, 2, 16]");
  EXPECT_EQ(t.type(kv_store(t.b, t.x16, t.x16, t.rows, t.store(1, 16, DType::kF32), "n")), "F32 [64, 2, 16]");
  EXPECT_EQ(t.type(attention(t.b, t.x64, t.cache(), t.rows, t.heads(16, 4, 4), "n")), "F32 [8, 64]");
}

TEST(ShapeRules, ActivationTypeFollowsTheWeight) {
  EXPECT_EQ(matmul_activation_dtype(DType::kQ4_0), DType::kQ8A);
  EXPECT_EQ(matmul_activation_dtype(DType::kQ6_K), DType::kQ8A);
  EXPECT_EQ(matmul_activation_dtype(DType::kF32), DType::kF32);
  EXPECT_EQ(matmul_activation_dtype(DType::kF16), DType::kF32);
  EXPECT_EQ(matmul_activation_dtype(DType::kBF16), DType::kF32);
}

struct Refused {
  const char* text;  // a part of the message
  std::function<void(Bench&)> build;
};

void PrintTo(const Refused& refused, std::ostream* out) {
  *out << refused.text;
}

class ShapeRuleRefusal : public testing::TestWithParam<Refused> {};

TEST_P(ShapeRuleRefusal, NamesTheOpAndTheShapes) {
  Bench bench;
  const std::string message = internal_error([&] { GetParam().build(bench); });
  EXPECT_NE(message.find(GetParam().text), std::string::npos) << message;
}

const Refused kElementwise[] = {
    {"[add] both inputs must be alike, got F32 [8, 64] and F32 [8, 16]", [](Bench& t) { add(t.b, t.x64, t.x16, "n"); }},
    {"[add] input: expected F32 [rows, columns], got Q8A [8, 64]", [](Bench& t) { add(t.b, t.q8, t.q8, "n"); }},
    {"[add] takes 2 inputs and 0 weights, got 1 and 0", [](Bench& t) { t.b.node(OpId::kAdd, "n", {t.x16}); }},
    {"[mul] both inputs must be alike", [](Bench& t) { mul(t.b, t.x16, t.x4, "n"); }},
    {"[mul] input: expected F32 [rows, columns], got I32 [8]", [](Bench& t) { mul(t.b, t.tokens, t.tokens, "n"); }},
    {"[silu] input: expected F32", [](Bench& t) { silu(t.b, t.tokens, "n"); }},
    {"[silu] input: expected F32",
     [](Bench& t) {
       silu(t.b, t.b.input("none", f32({8, 0})), "n");
     }},
    {"[silu] takes 1 inputs and 0 weights, got 1 and 1",
     [](Bench& t) { t.b.node(OpId::kSilu, "n", {t.x16}, {t.vector16}); }},
    {"[swiglu] both inputs must be alike", [](Bench& t) { swiglu(t.b, t.x16, t.x64, "n"); }},
    {"[quantize] rows of 16 values are not whole blocks of 32", [](Bench& t) { quantize(t.b, t.x16, "n"); }},
    {"[quantize] input: expected F32", [](Bench& t) { quantize(t.b, t.q8, "n"); }},
    {"[rms_norm] a row of 4 values is not whole groups of 16",
     [](Bench& t) { rms_norm(t.b, t.x4, t.vector16, 1e-6F, "n"); }},
    {"[rms_norm] gain: expected F32 [16], got F16 [16]",
     [](Bench& t) { rms_norm(t.b, t.x16, t.half_vector, 1e-6F, "n"); }},
};

const Refused kProjections[] = {
    {"[matmul] input: expected Q8A [rows, 64], got F32 [8, 64]",
     [](Bench& t) { matmul(t.b, t.x64, t.q4, kNone, "n"); }},
    {"[matmul] input: expected F32 [rows, 64], got F32 [8, 16]",
     [](Bench& t) { matmul(t.b, t.x16, t.f16, kNone, "n"); }},
    {"[matmul] weight: expected [out, in], got F32 [2, 16, 64]",
     [](Bench& t) { matmul(t.b, t.x64, t.cube, kNone, "n"); }},
    {"[matmul] bias: expected F32 [16], got F32 [2]", [](Bench& t) { matmul(t.b, t.x64, t.f16, t.vector2, "n"); }},
    {"[matmul] bias: expected F32 [16], got F16 [16]", [](Bench& t) { matmul(t.b, t.x64, t.f16, t.half_vector, "n"); }},
    {"[matmul] takes 1 inputs and 1 weights, got 1 and 3",
     [](Bench& t) {
       t.b.node(OpId::kMatmul, "n", {t.x64}, {t.f16, t.vector16, t.vector16});
     }},
    {"[embed] tokens: expected I32 [rows], got F32 [8, 64]", [](Bench& t) { embed(t.b, t.x64, t.q4, "n"); }},
    {"[embed] table: expected [n_vocab, n_embd], got F32 [16]",
     [](Bench& t) { embed(t.b, t.tokens, t.vector16, "n"); }},
    {"[weights] no weight has the index 99", [](Bench& t) { embed(t.b, t.tokens, 99, "n"); }},
};

const Refused kAttention[] = {
    {"[rope_angles] positions: expected I32 [rows], got F32 [8, 4]",
     [](Bench& t) { rope_angles(t.b, t.x4, kNone, t.angles(4), "n"); }},
    {"[rope_angles] head size 5 is not even",
     [](Bench& t) { rope_angles(t.b, t.rows.positions, kNone, t.angles(5), "n"); }},
    {"[rope_angles] factors: expected F32 [4], got F32 [2]",
     [](Bench& t) { rope_angles(t.b, t.rows.positions, t.vector2, t.angles(8), "n"); }},
    {"[rope] angles: expected F32 [rows, 8], got F32 [8, 4]",
     [](Bench& t) { rope(t.b, t.x16, t.x4, 8, RopePairs::kHalves, "n"); }},
    {"[rope] a row of 4 values is not whole heads of 16",
     [](Bench& t) { rope(t.b, t.x4, t.x16, 16, RopePairs::kHalves, "n"); }},
    {"[kv_store] k: expected F32 [rows, 8], got F32 [8, 16]",
     [](Bench& t) { kv_store(t.b, t.x16, t.x16, t.rows, t.store(2, 4, DType::kF16), "n"); }},
    {"[kv_store] both inputs must be alike",
     [](Bench& t) { kv_store(t.b, t.x16, t.x4, t.rows, t.store(4, 4, DType::kF16), "n"); }},
    {"[kv_store] cannot store Q8_0",
     [](Bench& t) { kv_store(t.b, t.x16, t.x16, t.rows, t.store(4, 4, DType::kQ8_0), "n"); }},
    {"[kv_store] positions and sequences: expected I32 [8], got F32 [8, 4] and I32 [8]",
     [](Bench& t) {
       t.rows.positions = t.x4;
       t.cache();
     }},
    {"[kv_store] block tables: expected I32 [rows, columns], got I32 [8]",
     [](Bench& t) {
       t.rows.block_tables = t.tokens;
       t.cache();
     }},
    {"[kv_store] block tables: expected 8 rows, got I32 [9, 5]",
     [](Bench& t) {
       t.rows.block_tables = t.b.input("tables", i32({9, 5}));
       t.cache();
     }},
    {"[attention] 4 query heads are not whole groups of 3 key/value heads",
     [](Bench& t) { attention(t.b, t.x16, t.cache(), t.rows, t.heads(4, 3, 4), "n"); }},
    {"[attention] 4 query heads are not whole groups of 0 key/value heads",
     [](Bench& t) { attention(t.b, t.x16, t.cache(), t.rows, t.heads(4, 0, 4), "n"); }},
    {"[attention] q: expected F32 [rows, 16], got F32 [8, 64]",
     [](Bench& t) { attention(t.b, t.x64, t.cache(), t.rows, t.heads(4, 4, 4), "n"); }},
    {"[attention] cache: expected blocks of [64, 2, 8], got F16 [64, 2, 16]",
     [](Bench& t) { attention(t.b, t.x16, t.cache(), t.rows, t.heads(4, 2, 4), "n"); }},
    {"[attention] positions and sequences: expected I32 [8], got I32 [8] and I32 [9]",
     [](Bench& t) {
       const ValueId cache = t.cache();
       t.rows.sequences = t.b.input("sequences9", i32({9}));
       attention(t.b, t.x16, cache, t.rows, t.heads(4, 4, 4), "n");
     }},
    {"[graph] the node's parameters are missing",
     [](Bench& t) {
       t.b.node(OpId::kAttention, "n", {t.x16, t.cache(), t.tokens, t.tokens, t.tokens});
     }},
    {"[graph] the node's parameters are missing or another op's",
     [](Bench& t) {
       t.b.node(OpId::kRope, "n", {t.x16, t.x4}, {}, std::make_shared<AttentionParams>());
     }},
};

INSTANTIATE_TEST_SUITE_P(Elementwise, ShapeRuleRefusal, testing::ValuesIn(kElementwise));
INSTANTIATE_TEST_SUITE_P(Projections, ShapeRuleRefusal, testing::ValuesIn(kProjections));
INSTANTIATE_TEST_SUITE_P(Attention, ShapeRuleRefusal, testing::ValuesIn(kAttention));

TEST(OpParams, TextNamesEveryParameter) {
  Bench t;
  EXPECT_EQ(t.heads(4, 2, 16).text(), "n_heads=4, n_kv_heads=2, head_dim=16");
  EXPECT_EQ(t.store(2, 16, DType::kF16).text(), "n_kv_heads=2, head_dim=16, dtype=F16");
  EXPECT_EQ(t.angles(64).text(), "head_dim=64, base=10000, linear_factor=1");
  RmsNormParams norm;
  norm.eps = 1e-6F;
  EXPECT_EQ(norm.text(), "eps=1e-06");
  RopeParams rope;
  rope.head_dim = 64;
  EXPECT_EQ(rope.text(), "head_dim=64, pairs=halves");
  rope.pairs = RopePairs::kAdjacent;
  EXPECT_EQ(rope.text(), "head_dim=64, pairs=adjacent");
}

}  // namespace
}  // namespace minfer
