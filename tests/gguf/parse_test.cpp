// Well-formed files, spelled byte by byte.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "gguf/gguf_file.h"
#include "tests/gguf/byte_builder.h"

namespace minfer {
namespace {

using test::ByteBuilder;

TEST(GgufFile, ReadsATensorWithItsShapeTurnedAround) {
  ByteBuilder b;
  b.header(2, 1).key("general.architecture", 8).str("qwen2");
  b.tensor("a", {64, 3}, 8, 0).tensor("b", {5}, 0, 224).pad();
  const size_t data = b.bytes().size();
  b.zeros(204).zeros(20).put(1.5f).zeros(16);
  const GgufFile file = GgufFile::parse(test::as_span(b.bytes()));

  ASSERT_EQ(file.tensors().size(), 2u);
  const GgufTensor& first = file.tensors()[0];
  EXPECT_EQ(first.name, "a");
  EXPECT_EQ(first.desc, (TensorDesc{DType::kQ8_0, {3, 64}}));
  EXPECT_EQ(first.size_bytes(), 204u);
  EXPECT_EQ(first.file_offset, data);
  const GgufTensor& second = file.tensors()[1];
  EXPECT_EQ(second.file_offset, data + 224);
  float value = 0;
  std::memcpy(&value, second.data.data(), sizeof(value));
  EXPECT_EQ(value, 1.5f);
  EXPECT_EQ(file.metadata().get_string("general.architecture"), "qwen2");
}

TEST(GgufFile, AcceptsVersionTwo) {
  ByteBuilder b;
  b.header(0, 0, 2);
  EXPECT_EQ(GgufFile::parse(test::as_span(b.bytes())).version(), 2u);
}

TEST(GgufFile, AcceptsAVocabularyOnlyFileWithoutPadding) {
  ByteBuilder b;
  b.header(0, 1).key("k", 0).u8(9);
  const GgufFile file = GgufFile::parse(test::as_span(b.bytes()));
  EXPECT_EQ(file.metadata().get_u64("k"), 9u);
  EXPECT_TRUE(file.tensors().empty());
}

TEST(GgufFile, AcceptsALastTensorWithoutPaddingAndBytesBehindIt) {
  for (size_t extra : {size_t{0}, size_t{3}, size_t{1000}}) {
    ByteBuilder b;
    b.header(1, 0).tensor("w", {5}, 0, 0).pad().zeros(20 + extra);
    EXPECT_EQ(GgufFile::parse(test::as_span(b.bytes())).tensors()[0].size_bytes(), 20u);
  }
}

TEST(GgufFile, HonoursTheFilesAlignment) {
  ByteBuilder b;
  b.header(2, 1).key("general.alignment", 4).u32(128);
  b.tensor("a", {1}, 0, 0).tensor("b", {1}, 0, 128).pad(128).zeros(128 + 4);
  const GgufFile file = GgufFile::parse(test::as_span(b.bytes()));
  EXPECT_EQ(file.alignment(), 128u);
  EXPECT_EQ(file.tensors()[1].file_offset % 128, 0u);
}

TEST(GgufFile, KnowsEveryLiveTypeOfTheFormat) {
  for (const DTypeInfo& info : all_dtypes()) {
    if (!info.is_file_type()) continue;
    ByteBuilder b;
    b.header(1, 0).tensor("w", {static_cast<uint64_t>(info.block_elements)}, info.id(), 0).pad();
    b.zeros(static_cast<size_t>(info.block_bytes));
    EXPECT_EQ(GgufFile::parse(test::as_span(b.bytes())).tensors()[0].desc.dtype, info.dtype) << info.name;
  }
}

TEST(GgufFile, ReadsALargeVocabularyWithoutCopyingIt) {
  ByteBuilder b;
  constexpr uint64_t kTokens = 150000;
  b.header(0, 1).key("tokenizer.ggml.tokens", 9).u32(8).u64(kTokens);
  for (uint64_t i = 0; i < kTokens; ++i) b.str("token" + std::to_string(i));
  const GgufFile file = GgufFile::parse(test::as_span(b.bytes()));
  const auto tokens = file.metadata().get_string_array("tokenizer.ggml.tokens");
  ASSERT_EQ(tokens.size(), kTokens);
  EXPECT_EQ(tokens.back(), "token149999");
  EXPECT_GE(tokens[7].data(), b.bytes().data());
  EXPECT_LT(tokens[7].data(), b.bytes().data() + b.bytes().size());
}

}  // namespace
}  // namespace minfer
