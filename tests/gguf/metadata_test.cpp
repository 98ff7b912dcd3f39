// The typed getters: what they accept, and what they say about the rest.
#include "gguf/metadata.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "base/error.h"
#include "gguf/gguf_file.h"
#include "gguf/writer.h"

namespace minfer {
namespace {

class Metadata : public testing::Test {
 protected:
  // The file outlives the metadata that the test looks at.
  const GgufMetadata& read() {
    bytes_ = writer_.to_bytes();
    file_.emplace(GgufFile::parse(bytes_));
    return file_->metadata();
  }

  GgufWriter writer_;

 private:
  std::vector<std::byte> bytes_;
  std::optional<GgufFile> file_;
};

template <typename Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kBadFile);
    return error.what();
  }
  return "no error";
}

TEST_F(Metadata, IntegerGettersAcceptEveryWidthAndBool) {
  writer_.add_u8("u8", 200);
  writer_.add_i8("i8", 100);
  writer_.add_u16("u16", 60000);
  writer_.add_i16("i16", 30000);
  writer_.add_u32("u32", 4000000000u);
  writer_.add_i32("i32", 2000000000);
  writer_.add_u64("u64", 18000000000000000000u);
  writer_.add_i64("i64", 9000000000000000000);
  writer_.add_bool("bool", true);
  const GgufMetadata& m = read();
  EXPECT_EQ(m.get_u64("u8"), 200u);
  EXPECT_EQ(m.get_u64("i8"), 100u);
  EXPECT_EQ(m.get_u64("u16"), 60000u);
  EXPECT_EQ(m.get_u64("i16"), 30000u);
  EXPECT_EQ(m.get_u64("u32"), 4000000000u);
  EXPECT_EQ(m.get_u64("i32"), 2000000000u);
  EXPECT_EQ(m.get_u64("u64"), 18000000000000000000u);
  EXPECT_EQ(m.get_u64("i64"), 9000000000000000000u);
  EXPECT_EQ(m.get_u64("bool"), 1u);
  EXPECT_EQ(m.get_i64("u32"), 4000000000);
  EXPECT_EQ(m.get_i64("bool"), 1);
}

TEST_F(Metadata, IntegerGettersRefuseWhatDoesNotFit) {
  writer_.add_i32("minus", -5);
  writer_.add_u64("big", std::numeric_limits<uint64_t>::max());
  const GgufMetadata& m = read();
  EXPECT_EQ(m.get_i64("minus"), -5);
  EXPECT_EQ(message_of([&] { m.get_u64("minus"); }),
            "GGUF: key 'minus' is out of range: expected an unsigned integer, found -5");
  EXPECT_EQ(message_of([&] { m.get_i64("big"); }),
            "GGUF: key 'big' is out of range: expected at most 63 bits, found 18446744073709551615");
}

TEST_F(Metadata, FloatGettersAcceptBothWidths) {
  writer_.add_f32("f32", 0.1f);
  writer_.add_f64("f64", 0.1);
  const GgufMetadata& m = read();
  EXPECT_EQ(m.get_f32("f32"), 0.1f);
  EXPECT_EQ(m.get_f32("f64"), 0.1f);
  EXPECT_EQ(m.get_f64("f64"), 0.1);
}

TEST_F(Metadata, NamesKeyExpectedAndFoundType) {
  writer_.add_string("s", "text");
  writer_.add_u32("n", 1);
  writer_.add_u32_array("a", std::vector<uint32_t>{1, 2});
  const GgufMetadata& m = read();
  EXPECT_EQ(message_of([&] { m.get_u64("s"); }),
            "GGUF: key 's' has the wrong type: expected an unsigned integer, found string");
  EXPECT_EQ(message_of([&] { m.get_string("n"); }), "GGUF: key 'n' has the wrong type: expected a string, found u32");
  EXPECT_EQ(message_of([&] { m.get_f32("n"); }), "GGUF: key 'n' has the wrong type: expected a float, found u32");
  EXPECT_EQ(message_of([&] { m.get_bool("n"); }), "GGUF: key 'n' has the wrong type: expected a bool, found u32");
  EXPECT_EQ(message_of([&] { m.get_i64("a"); }),
            "GGUF: key 'a' has the wrong type: expected an integer, found array of u32");
  EXPECT_EQ(message_of([&] { m.get_string_array("a"); }),
            "GGUF: key 'a' has the wrong type: expected an array of string, found array of u32");
  EXPECT_EQ(message_of([&] { m.get_f32_array("n"); }),
            "GGUF: key 'n' has the wrong type: expected an array of floats, found u32");
  EXPECT_EQ(message_of([&] { m.get_u64("absent"); }), "GGUF: key 'absent' is missing: expected an unsigned integer");
}

TEST_F(Metadata, FindersGiveNothingForAnAbsentKeyButStillCheckTypes) {
  writer_.add_string("s", "text");
  const GgufMetadata& m = read();
  EXPECT_FALSE(m.find_u64("absent"));
  EXPECT_FALSE(m.find_string("absent"));
  EXPECT_FALSE(m.find_array_size("absent"));
  EXPECT_THROW(m.find_u64("s"), Error);
  EXPECT_THROW(m.find_array_size("s"), Error);
}

TEST_F(Metadata, ReadsArrays) {
  writer_.add_i32_array("i", std::vector<int32_t>{-1, 0, 7});
  writer_.add_f32_array("f", std::vector<float>{0.5f, -2.0f});
  writer_.add_string_array("s", std::vector<std::string>{"", "a", std::string("b\0c", 3)});
  writer_.add_string_array("none", std::vector<std::string>{});
  const GgufMetadata& m = read();
  EXPECT_EQ(m.get_i64_array("i"), (std::vector<int64_t>{-1, 0, 7}));
  EXPECT_EQ(m.get_f32_array("f"), (std::vector<float>{0.5f, -2.0f}));
  EXPECT_EQ(m.get_string_array("s"), (std::vector<std::string_view>{"", "a", std::string_view("b\0c", 3)}));
  EXPECT_TRUE(m.get_string_array("none").empty());
  EXPECT_EQ(m.find_array_size("s"), 3u);
}

TEST_F(Metadata, GivesAStretchOfAnArray) {
  writer_.add_string_array("s", std::vector<std::string>{"a", "b", "c", "d"});
  const GgufMetadata& m = read();
  const auto last = m.find("s")->elements(2, 2);
  ASSERT_EQ(last.size(), 2u);
  EXPECT_EQ(std::get<std::string_view>(last[0]), "c");
  EXPECT_EQ(std::get<std::string_view>(last[1]), "d");
  EXPECT_THROW(m.find("s")->elements(3, 2), Error);
}

TEST_F(Metadata, KeepsTheOrderOfTheFile) {
  writer_.add_u8("z", 1);
  writer_.add_u8("a", 2);
  const GgufMetadata& m = read();
  ASSERT_EQ(m.entries().size(), 2u);
  EXPECT_EQ(m.entries()[0].key, "z");
  EXPECT_EQ(m.entries()[1].key, "a");
}

}  // namespace
}  // namespace minfer
