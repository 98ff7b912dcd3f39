// Projections of every weight type: the chain of fused multiply-adds over blocks of 32 (or over single weights), bit
// for bit, and the real product within a bound.
#include "graph/ops/matmul.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "quant/codec.h"
#include "tests/ops/conformance.h"
#include "tests/ops/matmul_formats.h"
#include "tests/ops/rules.h"
#include "tests/support/memory_weights.h"

namespace minfer::ops_test {
namespace {

// Every type that weights may have: block-quantized ones, or plain ones.
std::vector<DType> weight_dtypes(bool quantized) {
  std::vector<DType> dtypes;
  for (const DTypeInfo& info : all_dtypes()) {
    if (info.has_codec && info.is_quantized() == quantized) dtypes.push_back(info.dtype);
  }
  return dtypes;
}

struct MatmulShape {
  int64_t capacity;
  int64_t rows;
  int64_t out;
  int64_t in_blocks;  // of the type's block; of one element for the plain types
  bool has_bias;
  Fill fill;
};

// Outputs that no register width and no number of threads divides, more threads than outputs, one row and several.
constexpr MatmulShape kShapes[] = {
    {1, 1, 1, 1, false, Fill::kPlain},   {1, 1, 37, 3, true, Fill::kPlain},    {4, 3, 16, 2, false, Fill::kPlain},
    {9, 7, 5, 4, true, Fill::kPlain},    {3, 2, 2, 7, false, Fill::kPlain},    {2, 1, 64, 1, true, Fill::kPlain},
    {5, 4, 19, 2, true, Fill::kHostile}, {18, 17, 33, 1, false, Fill::kPlain},
};

struct Problem {
  DType dtype;
  MatmulShape shape;
  int64_t n_in;
  Bytes weights;            // [out][row]
  std::vector<float> bias;  // empty, or [out]
  std::vector<float> x;     // [rows][n_in]

  int64_t row_bytes() const { return TensorDesc{dtype, {1, n_in}}.row_bytes(); }
  const std::byte* weight_row(int64_t o) const { return weights.data() + o * row_bytes(); }
};

Problem make_problem(DType dtype, const MatmulShape& shape) {
  const bool quantized = dtype_info(dtype).is_quantized();
  Problem p{dtype, shape, shape.in_blocks * (quantized ? dtype_info(dtype).block_elements : 19), {}, {}, {}};
  for (int64_t o = 0; o < shape.out; ++o) {
    const auto seed = static_cast<uint64_t>(100 + o);
    Bytes row;
    if (shape.fill == Fill::kHostile) {
      row = random_bytes(seed, p.row_bytes());  // any f16, NaN and infinities among them
    } else if (quantized) {
      row = plausible_row(dtype, seed, p.n_in);
    } else {
      row.resize(static_cast<size_t>(p.row_bytes()));
      quantize(dtype, random_floats(seed, p.n_in), row);
    }
    p.weights.insert(p.weights.end(), row.begin(), row.end());
  }
  if (shape.has_bias) p.bias = random_floats(13, shape.out, shape.fill);
  p.x = random_floats(14, shape.rows * p.n_in);
  if (shape.fill == Fill::kHostile) {  // one row of large numbers, one of tiny ones, a NaN in the last
    for (int64_t k = 0; k < p.n_in; ++k) p.x[static_cast<size_t>(k)] *= 0x1p125F;
    for (int64_t k = p.n_in; k < 2 * p.n_in; ++k) p.x[static_cast<size_t>(k)] *= 0x1p-98F;
    p.x.back() = std::numeric_limits<float>::quiet_NaN();
  }
  return p;
}

float add_part(const Part& w, const ActBlock& x, float acc) {
  int dots[2] = {0, 0};
  int sums[2] = {0, 0};
  for (int i = 0; i < 32; ++i) {
    dots[i / 16] += w.q[i] * x.q[i];
    sums[i / 16] += x.q[i];
  }
  acc = std::fmaf(static_cast<float>(w.sc[0] * dots[0] + w.sc[1] * dots[1]), w.scale * x.dx, acc);
  if (w.minimum == Minimum::kOne) acc = std::fmaf(w.m, static_cast<float>(sums[0] + sums[1]) * x.dx, acc);
  if (w.minimum == Minimum::kPer16) {
    acc = std::fmaf(-(w.dmin * x.dx), static_cast<float>(w.mn[0] * sums[0] + w.mn[1] * sums[1]), acc);
  }
  return acc;
}

float plain_weight(const Problem& p, int64_t o, int64_t k) {
  const std::byte* row = p.weight_row(o);
  uint32_t bits = 0;
  if (p.dtype == DType::kF32) std::memcpy(&bits, row + 4 * k, 4);
  if (p.dtype != DType::kF32) std::memcpy(&bits, row + 2 * k, 2);
  if (p.dtype == DType::kF16) return static_cast<float>(f16_value(static_cast<uint16_t>(bits)));
  return std::bit_cast<float>(p.dtype == DType::kBF16 ? bits << 16 : bits);
}

float rule(const Problem& p, const std::vector<ActBlock>& blocks, int64_t r, int64_t o) {
  float acc = 0.0F;
  if (dtype_info(p.dtype).is_quantized()) {
    const int64_t parts = p.n_in / 32;
    for (int64_t i = 0; i < parts; ++i) {
      acc = add_part(read_part(p.dtype, p.weight_row(o), i), blocks[static_cast<size_t>(r * parts + i)], acc);
    }
  } else {
    for (int64_t k = 0; k < p.n_in; ++k) {
      acc = std::fmaf(plain_weight(p, o, k), p.x[static_cast<size_t>(r * p.n_in + k)], acc);
    }
  }
  return p.bias.empty() ? acc : acc + p.bias[static_cast<size_t>(o)];
}

std::vector<float> rule(const Problem& p, const std::vector<ActBlock>& blocks) {
  std::vector<float> y;
  for (int64_t r = 0; r < p.shape.rows; ++r) {
    for (int64_t o = 0; o < p.shape.out; ++o) y.push_back(rule(p, blocks, r, o));
  }
  return y;
}

// The product in f64 of the dequantized weights and the rounded activations; f32 sums stay this close to it.
void expect_close(const Problem& p, const std::vector<ActBlock>& blocks, const std::vector<float>& y) {
  std::vector<float> w(static_cast<size_t>(p.shape.out * p.n_in));
  dequantize(p.dtype, p.weights, w);
  for (int64_t r = 0; r < p.shape.rows; ++r) {
    for (int64_t o = 0; o < p.shape.out; ++o) {
      double sum = p.bias.empty() ? 0.0 : p.bias[static_cast<size_t>(o)];
      double magnitude = std::fabs(sum);
      for (int64_t k = 0; k < p.n_in; ++k) {
        const auto at = static_cast<size_t>(r * p.n_in + k);
        const double x =
            blocks.empty() ? p.x[at] : static_cast<double>(blocks[at / 32].q[at % 32]) * blocks[at / 32].dx;
        const double term = w[static_cast<size_t>(o * p.n_in + k)] * x;
        sum += term;
        magnitude += std::fabs(term);
      }
      EXPECT_NEAR(y[static_cast<size_t>(r * p.shape.out + o)], sum, 2e-6 * magnitude)
          << dtype_name(p.dtype) << " row " << r << " output " << o;
    }
  }
}

void check_problem(const Problem& p) {
  const bool quantized = dtype_info(p.dtype).is_quantized();
  OpCase c(fmt::format("matmul {} {}x{}x{}", dtype_name(p.dtype), p.shape.rows, p.n_in, p.shape.out), p.shape.capacity);
  const WeightId w = c.weight("w", p.dtype, {p.shape.out, p.n_in}, p.weights);
  const WeightId bias = p.bias.empty() ? kNone : c.weight("b", DType::kF32, {p.shape.out}, to_bytes(p.bias));
  const ValueId x = c.input("x", matmul_activation_dtype(p.dtype), {p.n_in});
  const ValueId y = matmul(c.builder(), x, w, bias, "y");
  const std::vector<ActBlock> blocks = quantized ? act_blocks(p.x) : std::vector<ActBlock>();
  const std::vector<float> expected = rule(p, blocks);
  if (p.shape.fill == Fill::kPlain) expect_close(p, blocks, expected);
  c.step(p.shape.rows);
  c.feed(x, quantized ? to_bytes(blocks) : to_bytes(p.x));
  c.expect(y, to_bytes(expected));
  c.check();
}

TEST(MatmulOp, FollowsTheRuleForQuantizedWeights) {
  for (DType dtype : weight_dtypes(true)) {
    for (const MatmulShape& shape : kShapes) check_problem(make_problem(dtype, shape));
  }
}

TEST(MatmulOp, FollowsTheRuleForPlainWeights) {
  for (DType dtype : weight_dtypes(false)) {
    for (const MatmulShape& shape : kShapes) check_problem(make_problem(dtype, shape));
  }
}

// Every byte but those of the f16 numbers: all codes and integer scales alike.
void fill_codes(Problem& p, std::byte fill) {
  const auto block = static_cast<size_t>(dtype_info(p.dtype).block_bytes);
  for (size_t i = 0; i < p.weights.size(); ++i) {
    const bool in_scale =
        std::ranges::any_of(scale_offsets(p.dtype), [&](size_t at) { return i % block / 2 == at / 2; });
    if (!in_scale) p.weights[i] = fill;
  }
}

TEST(MatmulOp, StaysExactAtTheLargestIntegers) {
  for (DType dtype : weight_dtypes(true)) {
    for (const std::byte fill : {std::byte{0x00}, std::byte{0x80}, std::byte{0x7F}, std::byte{0xFF}}) {
      Problem p = make_problem(dtype, {1, 1, 2, 2, false, Fill::kPlain});
      fill_codes(p, fill);
      std::fill(p.x.begin(), p.x.end(), fill == std::byte{0x7F} ? -1.0F : 1.0F);
      check_problem(p);
    }
  }
}

// Q6_K codes of -32 times scales of -128 times activations of 127: the largest dot product of all types, 16646144.
TEST(MatmulOp, HoldsTheLargestDotProductExactly) {
  Bytes block(210, std::byte{0});
  std::fill(block.begin() + 192, block.begin() + 208, std::byte{0x80});
  block[209] = std::byte{0x3C};  // d = 1
  Problem p{DType::kQ6_K, {1, 1, 1, 1, false, Fill::kPlain}, 256, block, {}, std::vector<float>(256, 127.0F)};
  EXPECT_EQ(rule(p, act_blocks(p.x)), std::vector<float>{8.0F * 16646144.0F});
  check_problem(p);
}

TEST(MatmulOp, AddsTheBiasOnceAfterTheSum) {
  // 2^24 + 0.5 is not an f32: added to the sum, 0, the bias survives; at the start of the chain it would be lost.
  Problem p{DType::kF32,        {1, 1, 1, 2, true, Fill::kPlain}, 2, to_bytes<float>({1.0F, 1.0F}), {0.5F},
            {0x1p24F, -0x1p24F}};
  EXPECT_EQ(rule(p, {}), std::vector<float>{0.5F});
  check_problem(p);
}

// One graph with a weight of `dtype`, as a device sees it.
struct Question {
  WeightTable table;
  std::unique_ptr<GraphBuilder> builder;

  explicit Question(DType dtype) {
    const WeightId w = table.add("blk.0.ffn_up.weight", {dtype, {4, 256}}, 0);
    builder = std::make_unique<GraphBuilder>(&table, 1);
    const ValueId x = builder->input("x", {matmul_activation_dtype(dtype), {1, 256}});
    builder->output(matmul(*builder, x, w, kNone, "y"));
  }

  Support ask(const Device& device) const { return device.supports(builder->graph(), builder->graph().node(0)); }
};

TEST(MatmulOp, IsRefusedForATypeWithoutAKernelByName) {
  for (DType dtype : {DType::kIQ2_XS, DType::kTQ1_0, DType::kQ8_K}) {
    const Question question(dtype);
    const Bytes data(static_cast<size_t>(question.table.at(0).desc.size_bytes()));
    test::MemoryWeights source;
    source.add(0, data);
    for (const Subject& subject : open_subjects()) {
      source.register_with(*subject.device, question.table);
      const Support support = question.ask(*subject.device);
      if (support.reason == Reason::kOp) continue;  // a device without matmuls
      EXPECT_EQ(support.reason, Reason::kType) << subject.name;
      EXPECT_EQ(support.detail, fmt::format("no kernel for {} weights", dtype_name(dtype)));
    }
  }
}

TEST(MatmulOp, IsRefusedWhereTheWeightIsNotRegistered) {
  const Question question(DType::kQ4_0);
  const Bytes data(static_cast<size_t>(question.table.at(0).desc.size_bytes()));
  test::MemoryWeights source;
  source.add(0, data);
  for (const Subject& subject : open_subjects()) {
    const Support support = question.ask(*subject.device);
    if (support.reason == Reason::kOp) continue;  // a device without matmuls
    EXPECT_EQ(support.reason, Reason::kWeight) << subject.name;
    EXPECT_NE(support.detail.find("blk.0.ffn_up.weight"), std::string::npos) << support.detail;
    EXPECT_FALSE(subject.device->has_weight(0));
    source.register_with(*subject.device, question.table);
    EXPECT_TRUE(question.ask(*subject.device).takes());
    EXPECT_TRUE(subject.device->has_weight(0));
    EXPECT_THROW(source.register_with(*subject.device, question.table), Error);
  }
}

}  // namespace
}  // namespace minfer::ops_test
