// Rows of the embedding table, widened to f32, for every type that has a codec.
#include "graph/ops/embed.h"

#include <gtest/gtest.h>

#include "quant/codec.h"
#include "tests/ops/elementwise.h"

namespace minfer::ops_test {
namespace {

constexpr int64_t kVocab = 11;
constexpr int64_t kWidth = 512;

struct Table {
  OpCase c;
  ValueId tokens;
  ValueId out;

  Table(DType dtype, int64_t capacity, const Bytes& data) : c(fmt::format("embed {}", dtype_name(dtype)), capacity) {
    const WeightId table = c.weight("token_embd.weight", dtype, {kVocab, kWidth}, data);
    tokens = c.input("tokens", DType::kI32, {});
    out = embed(c.builder(), tokens, table, "embed");
  }
};

TEST(EmbedOp, WidensTheRowOfEachToken) {
  const std::vector<int32_t> tokens{0, 10, 3, 3};
  for (const DTypeInfo& info : all_dtypes()) {
    if (!info.has_codec) continue;
    const TensorDesc desc{info.dtype, {kVocab, kWidth}};
    const Bytes data = random_bytes(10, desc.size_bytes());
    std::vector<float> table(kVocab * kWidth);
    dequantize(info.dtype, data, table);
    std::vector<float> expected;
    for (int32_t token : tokens) {
      expected.insert(expected.end(), table.begin() + token * kWidth, table.begin() + (token + 1) * kWidth);
    }
    Table t(info.dtype, 6, data);
    t.c.step(4);
    t.c.feed(t.tokens, to_bytes(tokens));
    t.c.expect(t.out, to_bytes(expected));
    t.c.check();
  }
}

TEST(EmbedOp, RefusesATokenOutsideTheTable) {
  for (const int32_t token : {-1, 11, 2147483647, -2147483647 - 1}) {
    Table t(DType::kF32, 5, Bytes(kVocab * kWidth * 4));
    t.c.step(5);
    t.c.feed(t.tokens, to_bytes<int32_t>({0, 1, 2, 3, token}));
    t.c.expect_error(ErrorCode::kInvalidArgument, fmt::format("node 'embed': [embed] token {} lies outside", token));
    t.c.check();
  }
}

}  // namespace
}  // namespace minfer::ops_test
