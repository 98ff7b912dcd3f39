// The writer against bytes spelled by hand, and its refusals.
#include "gguf/writer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "gguf/gguf_file.h"
#include "tests/gguf/byte_builder.h"

namespace minfer {
namespace {

using test::ByteBuilder;

std::string as_string(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(GgufWriter, WritesTheLayoutOfTheFormat) {
  const std::vector<std::byte> data(20, std::byte{7});
  GgufWriter writer;
  writer.add_u32("n", 5);
  writer.add_string("s", "hi");
  writer.add_tensor("w", {DType::kF32, {1, 5}}, data);
  writer.add_tensor("v", {DType::kF32, {5, 1}}, data);

  ByteBuilder b;
  b.header(2, 2).key("n", 4).u32(5).key("s", 8).str("hi");
  b.tensor("w", {5}, 0, 0).tensor("v", {1, 5}, 0, 32).pad();
  b.raw(std::string(20, '\7')).zeros(12).raw(std::string(20, '\7')).zeros(12);
  EXPECT_EQ(as_string(writer.to_bytes()), b.bytes());
}

TEST(GgufWriter, WritesItsAlignment) {
  GgufWriter writer(64);
  const std::vector<std::byte> data(4);
  writer.add_tensor("w", {DType::kF32, {1}}, data);
  const auto bytes = writer.to_bytes();
  const GgufFile file = GgufFile::parse(bytes);
  EXPECT_EQ(file.alignment(), 64u);
  EXPECT_EQ(file.data_offset() % 64, 0u);
  EXPECT_EQ(bytes.size() % 64, 0u);
}

TEST(GgufWriter, CopiesValuesOfEveryTypeFromAnotherFile) {
  GgufWriter first;
  first.add_u8("1", 1);
  first.add_i8("2", -1);
  first.add_u16("3", 3);
  first.add_i16("4", -3);
  first.add_u32("5", 5);
  first.add_i32("6", -5);
  first.add_u64("7", 7);
  first.add_i64("8", -7);
  first.add_f32("9", 0.5f);
  first.add_f64("10", 0.25);
  first.add_bool("11", true);
  first.add_string("12", "text");
  first.add_string_array("13", std::vector<std::string>{"a", "bc"});
  first.add_f32_array("14", std::vector<float>{1, 2, 3});
  const auto bytes = first.to_bytes();
  const GgufFile file = GgufFile::parse(bytes);
  GgufWriter second;
  for (const auto& entry : file.metadata().entries()) second.add_value(entry.key, entry.value);
  EXPECT_EQ(second.to_bytes(), bytes);
}

TEST(GgufWriter, MakesDataWhenItsTurnComes) {
  GgufWriter writer;
  int calls = 0;
  writer.add_tensor("w", {DType::kI8, {3}}, [&calls] {
    ++calls;
    return std::vector<std::byte>(3, std::byte{9});
  });
  EXPECT_EQ(calls, 0);
  const auto bytes = writer.to_bytes();
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(GgufFile::parse(bytes).tensors()[0].data[2], std::byte{9});
}

TEST(GgufWriter, RefusesMisuse) {
  const std::vector<std::byte> data(16);
  const TensorDesc desc{DType::kF32, {4}};
  GgufWriter writer;
  writer.add_u8("k", 1);
  writer.add_tensor("w", desc, data);
  EXPECT_THROW(writer.add_u8("k", 2), Error);
  EXPECT_THROW(writer.add_u8("", 2), Error);
  EXPECT_THROW(writer.add_tensor("w", desc, data), Error);
  EXPECT_THROW(writer.add_tensor("", desc, data), Error);
  EXPECT_THROW(writer.add_tensor(std::string(64, 'x'), desc, data), Error);
  EXPECT_NO_THROW(writer.add_tensor(std::string(63, 'x'), desc, data));
  EXPECT_THROW(writer.add_tensor("short", desc, std::span(data).first(15)), Error);
  EXPECT_THROW(writer.add_tensor("internal", {DType::kQ8A, {32}}, data), Error);
  EXPECT_THROW(writer.add_tensor("empty", {DType::kF32, {0}}, std::span(data).first(0)), Error);
  EXPECT_THROW(GgufWriter(48), Error);
  EXPECT_THROW(GgufWriter(4), Error);
  writer.add_tensor("late", desc, [] { return std::vector<std::byte>(17); });
  EXPECT_THROW(writer.to_bytes(), Error);
}

TEST(GgufWriter, ReportsAFileThatCannotBeWritten) {
  GgufWriter writer;
  try {
    writer.write_file(testing::TempDir() + "no/such/folder/x.gguf");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
  }
}

}  // namespace
}  // namespace minfer
