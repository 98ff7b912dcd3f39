// A file cut short is refused, wherever the cut is: at every byte of a small file, at 200 places of a real one.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "base/mapped_file.h"
#include "gguf/gguf_file.h"
#include "gguf/writer.h"

namespace minfer {
namespace {

std::vector<std::byte> small_file(const std::vector<std::byte>& data) {
  GgufWriter writer;
  writer.add_string("general.architecture", "llama");
  writer.add_u32("llama.block_count", 2);
  writer.add_f32("llama.rope.freq_base", 10000.0f);
  writer.add_string_array("tokenizer.ggml.tokens", std::vector<std::string>{"<s>", "a", "bc"});
  writer.add_i32_array("tokenizer.ggml.token_type", std::vector<int32_t>{3, 1, 1});
  writer.add_tensor("token_embd.weight", {DType::kQ8_0, {3, 32}}, std::span(data).first(102));
  writer.add_tensor("output_norm.weight", {DType::kF32, {32}}, std::span(data).first(128));
  return writer.to_bytes();
}

// Expects a clear refusal of the first `n` bytes.
void expect_refused(std::span<const std::byte> bytes, size_t n) {
  try {
    GgufFile::parse(bytes.first(n));
    FAIL() << "accepted when cut at " << n << " of " << bytes.size();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadFile);
    EXPECT_EQ(std::string_view(error.what()).substr(0, 6), "GGUF: ") << error.what();
  }
}

TEST(TruncatedGguf, IsRefusedAtEveryByte) {
  const std::vector<std::byte> data(128, std::byte{1});
  const std::vector<std::byte> bytes = small_file(data);
  ASSERT_NO_THROW(GgufFile::parse(bytes));
  for (size_t n = 0; n < bytes.size(); ++n) {
    // A copy of exactly that size, so that a sanitizer sees a read beyond it.
    const std::vector<std::byte> cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    expect_refused(cut, n);
  }
}

TEST(TruncatedGguf, SurvivesEveryChangedByte) {
  const std::vector<std::byte> data(128, std::byte{1});
  std::vector<std::byte> bytes = small_file(data);
  for (std::byte& byte : bytes) {
    const std::byte original = byte;
    for (int value : {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
      byte = static_cast<std::byte>(value);
      try {
        GgufFile::parse(bytes);
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kBadFile) << error.what();
      }
    }
    byte = original;
  }
}

// Of a model file that another writer made.
TEST(TruncatedGguf, IsRefusedAt200PlacesOfARealFile) {
  const MappedFile file = MappedFile::open(MINFER_SOURCE_DIR "/tests/data/models/qwen3-q4_k.gguf");
  const GgufFile whole = GgufFile::parse(file.bytes());
  const size_t front = whole.data_offset();
  // A hundred cuts in the small front part, a hundred over the data.
  const GgufTensor& last = whole.tensors().back();
  const size_t end = last.file_offset + last.size_bytes();
  for (size_t i = 0; i < 100; ++i) {
    expect_refused(file.bytes(), front * i / 100);
    expect_refused(file.bytes(), front + (end - 1 - front) * i / 99);
  }
}

}  // namespace
}  // namespace minfer
