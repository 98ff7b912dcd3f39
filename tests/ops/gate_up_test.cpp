// silu(gate·x + bg) · (up·x + bu), as f32 or in blocks: the bits of matmuls, silu, mul and quantize.
#include "graph/ops/gate_up.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "graph/ops/matmul.h"
#include "graph/ops/mul.h"
#include "graph/ops/quantize.h"
#include "graph/ops/silu.h"
#include "tests/ops/conformance.h"
#include "tests/ops/gate_rule.h"
#include "tests/ops/rules.h"
#include "tests/ops/weight_data.h"

namespace minfer::ops_test {
namespace {

struct GateUpShape {
  int64_t capacity;
  int64_t rows;
  int64_t n_in;
  int64_t n_ff;
  DType gate;
  DType up;
  bool has_bias = false;
  Fill fill = Fill::kPlain;
};

// One row and several, more rows than a tile of scratch holds, more threads than units, two types at once.
constexpr GateUpShape kShapes[] = {
    {1, 1, 64, 32, DType::kQ4_0, DType::kQ4_0},     {4, 3, 32, 96, DType::kQ8_0, DType::kQ5_1, true},
    {1, 1, 256, 160, DType::kQ4_K, DType::kQ6_K},   {80, 67, 64, 64, DType::kQ5_0, DType::kQ5_0, true},
    {130, 129, 32, 32, DType::kQ4_1, DType::kQ4_1}, {2, 2, 64, 64, DType::kF16, DType::kBF16},
    {3, 2, 19, 96, DType::kF32, DType::kF32, true}, {5, 4, 64, 64, DType::kQ8_0, DType::kQ8_0, true, Fill::kHostile},
};

// One case, with its input fed.
struct Case {
  OpCase c;
  GateUpWeights w;
  ValueId x;

  Case(const char* name, const GateUpShape& s)
      : c(fmt::format("{} {} {}x{}x{}", name, dtype_name(s.gate), s.rows, s.n_in, s.n_ff), s.capacity) {
    w.gate = c.weight("gate", s.gate, {s.n_ff, s.n_in}, weight_rows(s.gate, 40, s.n_ff, s.n_in));
    w.up = c.weight("up", s.up, {s.n_ff, s.n_in}, weight_rows(s.up, 41, s.n_ff, s.n_in));
    if (s.has_bias) {
      w.gate_bias = c.weight("gate_bias", DType::kF32, {s.n_ff}, to_bytes(random_floats(42, s.n_ff, s.fill)));
      w.up_bias = c.weight("up_bias", DType::kF32, {s.n_ff}, to_bytes(random_floats(43, s.n_ff, s.fill)));
    }
    x = c.input("x", matmul_activation_dtype(s.gate), {s.n_in});
    const std::vector<float> data = random_floats(44, s.rows * s.n_in);
    c.step(s.rows);
    c.feed(x, matmul_activation_dtype(s.gate) == DType::kF32 ? to_bytes(data) : to_bytes(act_blocks(data)));
  }
};

void check_gate_up(const GateUpShape& shape, DType dtype, const Bytes& expected) {
  Case t("gate_up", shape);
  GateUpParams params;
  params.dtype = dtype;
  t.c.expect(gate_up(t.c.builder(), t.x, t.w, params, "y"), expected);
  t.c.check();
}

TEST(GateUpOp, GivesTheBitsOfItsParts) {
  for (const GateUpShape& shape : kShapes) {
    Case plain("parts of gate_up", shape);
    GraphBuilder& b = plain.c.builder();
    const ValueId gate = silu(b, matmul(b, plain.x, plain.w.gate, plain.w.gate_bias, "gate"), "silu");
    const ValueId product = mul(b, gate, matmul(b, plain.x, plain.w.up, plain.w.up_bias, "up"), "product");
    const ValueId rounded = quantize(b, product, "rounded");
    check_gate_up(shape, DType::kQ8A, plain.c.reference(rounded));
    check_gate_up(shape, DType::kF32, plain.c.reference(product));
  }
}

TEST(GateUpOp, TakesAnyWidthWhenNothingIsRounded) {
  // One weight per output: gate o is o·x, up is 2·x.
  constexpr int64_t kWidth = 37;
  OpCase c("gate_up of 37", 2);
  GateUpWeights w;
  std::vector<float> gates;
  std::vector<float> expected;
  for (int64_t o = 0; o < kWidth; ++o) {
    const auto gate = static_cast<float>(o);
    gates.push_back(gate);
    expected.push_back(silu_rule(gate * 0.5F) * 1.0F);
  }
  w.gate = c.weight("gate", DType::kF32, {kWidth, 1}, to_bytes(gates));
  w.up = c.weight("up", DType::kF32, {kWidth, 1}, to_bytes(std::vector<float>(kWidth, 2.0F)));
  const ValueId x = c.input("x", DType::kF32, {1});
  GateUpParams params;
  params.dtype = DType::kF32;
  c.expect(gate_up(c.builder(), x, w, params, "y"), to_bytes(expected));
  c.step(1);
  c.feed(x, to_bytes<float>({0.5F}));
  c.check();
}

}  // namespace
}  // namespace minfer::ops_test
