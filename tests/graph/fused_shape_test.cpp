// The shape rules of the ops that fusion makes: what they refuse, by the op's name.
#include <gtest/gtest.h>

#include "graph/ops/add_rms_norm.h"
#include "graph/ops/gate_up.h"
#include "graph/ops/qkv.h"
#include "graph/ops/rms_norm_quantize.h"
#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

struct Bench {
  WeightTable weights;
  WeightId gain64 = weights.add("gain64", f32({64}), kNone);
  WeightId gain16 = weights.add("gain16", f32({16}), kNone);
  WeightId w64 = weights.add("w64", {DType::kQ4_0, {64, 64}}, kNone);
  WeightId w32 = weights.add("w32", {DType::kQ8_0, {32, 64}}, kNone);
  WeightId f16 = weights.add("f16", {DType::kF16, {64, 64}}, kNone);
  GraphBuilder b{&weights, 8};
  ValueId x64 = b.input("x64", f32({8, 64}));
  ValueId x16 = b.input("x16", f32({8, 16}));
  ValueId q8 = b.input("q8", {DType::kQ8A, {8, 64}});
  KvRows rows = kv_rows(b);

  QkvParams params() {
    QkvParams p;
    p.n_heads = 4;
    p.n_kv_heads = 2;
    p.head_dim = 16;
    return p;
  }
  AddRmsNormParams norm(DType dtype) {
    AddRmsNormParams p;
    p.dtype = dtype;
    return p;
  }
  GateUpParams rounded() { return {}; }
};

TEST(FusedShapeRules, ResultsAreAsStated) {
  Bench t;
  const AddRmsNormResult norm = add_rms_norm(t.b, t.x64, t.x64, t.gain64, t.norm(DType::kQ8A), "n");
  EXPECT_EQ(t.b.desc(norm.sum).to_string(), "F32 [8, 64]");
  EXPECT_EQ(t.b.desc(norm.y).to_string(), "Q8A [8, 64]");
  EXPECT_EQ(t.b.desc(rms_norm_quantize(t.b, t.x64, t.gain64, 0, "n")).to_string(), "Q8A [8, 64]");
  EXPECT_EQ(t.b.desc(gate_up(t.b, t.q8, {t.w64, t.w64, kNone, kNone}, t.rounded(), "n")).to_string(), "Q8A [8, 64]");
  const QkvResult qkv_result = qkv(t.b, t.q8, t.x16, t.rows, {t.w64, t.w32, t.w32}, t.params(), "n");
  EXPECT_EQ(t.b.desc(qkv_result.q).to_string(), "F32 [8, 64]");
  EXPECT_EQ(t.b.desc(qkv_result.kv).to_string(), "F16 [64, 2, 32]");
}

struct Refused {
  const char* text;  // a part of the message
  std::function<void(Bench&)> build;
};

TEST(FusedShapeRules, RefuseByNameAndShapes) {
  const Refused refused[] = {
      {"[add_rms_norm] both inputs must be alike, got F32 [8, 64] and F32 [8, 16]",
       [](Bench& t) { add_rms_norm(t.b, t.x64, t.x16, t.gain64, t.norm(DType::kF32), "n"); }},
      {"[add_rms_norm] gain: expected F32 [64], got F32 [16]",
       [](Bench& t) { add_rms_norm(t.b, t.x64, t.x64, t.gain16, t.norm(DType::kF32), "n"); }},
      {"[add_rms_norm] rows of 16 values are not whole blocks of 32",
       [](Bench& t) { add_rms_norm(t.b, t.x16, t.x16, t.gain16, t.norm(DType::kQ8A), "n"); }},
      {"[add_rms_norm] result: expected F32 or Q8A, got F16",
       [](Bench& t) { add_rms_norm(t.b, t.x16, t.x16, t.gain16, t.norm(DType::kF16), "n"); }},
      {"[rms_norm_quantize] gain: expected F32 [64], got F32 [16]",
       [](Bench& t) { rms_norm_quantize(t.b, t.x64, t.gain16, 0, "n"); }},
      {"[gate_up] up weight: expected [64, in], got Q8_0 [32, 64]",
       [](Bench& t) {
         gate_up(t.b, t.q8, {t.w64, t.w32, kNone, kNone}, t.rounded(), "n");
       }},
      {"[gate_up] input: expected F32 [rows, 64], got Q8A [8, 64]",
       [](Bench& t) {
         gate_up(t.b, t.q8, {t.w64, t.f16, kNone, kNone}, t.rounded(), "n");
       }},
      {"[gate_up] gate bias: expected F32 [64], got F32 [16]",
       [](Bench& t) {
         gate_up(t.b, t.q8, {t.w64, t.w64, t.gain16, t.gain64}, t.rounded(), "n");
       }},
      {"[qkv] k weight: expected [32, in], got Q4_0 [64, 64]",
       [](Bench& t) {
         qkv(t.b, t.q8, t.x16, t.rows, {t.w64, t.w64, t.w32}, t.params(), "n");
       }},
      {"[qkv] angles: expected F32 [rows, 16], got F32 [8, 64]",
       [](Bench& t) {
         qkv(t.b, t.q8, t.x64, t.rows, {t.w64, t.w32, t.w32}, t.params(), "n");
       }},
      {"[qkv] takes 5 inputs and 8 weights, got 5 and 3",
       [](Bench& t) {
         QkvParams p = t.params();
         p.has_bias = p.has_norm = true;
         qkv(t.b, t.q8, t.x16, t.rows, {t.w64, t.w32, t.w32}, p, "n");
       }},
      {"[qkv] cannot store Q8_0",
       [](Bench& t) {
         QkvParams p = t.params();
         p.kv_dtype = DType::kQ8_0;
         qkv(t.b, t.q8, t.x16, t.rows, {t.w64, t.w32, t.w32}, p, "n");
       }},
  };
  for (const Refused& r : refused) {
    Bench bench;
    EXPECT_NE(internal_error([&] { r.build(bench); }).find(r.text), std::string::npos)
        << r.text << "\n"
        << internal_error([&] { r.build(bench); });
  }
}

}  // namespace
}  // namespace minfer
