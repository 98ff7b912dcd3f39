// Files on disk: split sets, and things that are not files.
#include "gguf/gguf_model.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "gguf/split_name.h"
#include "gguf/writer.h"

namespace minfer {
namespace {

class Model : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("gguf_") + info->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // A part with one tensor; no keys about the set when count is 0.
  void write_part(const std::string& name, uint16_t number, uint16_t count, const std::string& tensor) const {
    GgufWriter writer;
    if (count != 0) {
      writer.add_u16("split.no", number);
      writer.add_u16("split.count", count);
    }
    const std::vector<std::byte> data(32, static_cast<std::byte>(number));
    writer.add_tensor(tensor, {DType::kI8, {32}}, data);
    writer.write_file(path(name));
  }

  std::string refusal(const std::string& name) const {
    try {
      GgufModel::open(path(name));
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(Model, OpensASingleFile) {
  write_part("m.gguf", 0, 0, "w");
  const GgufModel model = GgufModel::open(path("m.gguf"));
  EXPECT_EQ(model.parts().size(), 1u);
  ASSERT_NE(model.find_tensor("w"), nullptr);
  EXPECT_EQ(model.find_tensor("v"), nullptr);
  EXPECT_EQ(model.tensor_bytes(), 32u);
  EXPECT_EQ(model.file_bytes(), std::filesystem::file_size(path("m.gguf")));
}

TEST_F(Model, MergesThePartsOfASet) {
  for (uint16_t i = 0; i < 3; ++i) {
    write_part(split_path("m", i + 1u, 3), i, 3, "w" + std::to_string(i));
  }
  const GgufModel model = GgufModel::open(path("m-00001-of-00003.gguf"));
  ASSERT_EQ(model.tensors().size(), 3u);
  for (uint32_t i = 0; i < 3; ++i) {
    const GgufTensor* tensor = model.find_tensor("w" + std::to_string(i));
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(tensor->part, i);
    EXPECT_EQ(tensor->data[31], static_cast<std::byte>(i));
  }
}

TEST_F(Model, MustBeOpenedAtItsFirstPart) {
  write_part("m-00001-of-00002.gguf", 0, 2, "a");
  write_part("m-00002-of-00002.gguf", 1, 2, "b");
  EXPECT_EQ(refusal("m-00002-of-00002.gguf"), "GGUF: split.no = 1 — must load the first split (00001-of-00002)");
}

TEST_F(Model, RefusesACountThatDisagreesWithTheName) {
  write_part("m-00001-of-00002.gguf", 0, 3, "a");
  EXPECT_EQ(refusal("m-00001-of-00002.gguf"), "GGUF: split count mismatch: filename implies 2 parts, split.count = 3");
  write_part("n-00001-of-00002.gguf", 0, 0, "a");
  EXPECT_EQ(refusal("n-00001-of-00002.gguf"), "GGUF: split count mismatch: filename implies 2 parts, split.count = 1");
}

TEST_F(Model, RefusesASetThatWasRenamed) {
  write_part("renamed.gguf", 0, 2, "a");
  EXPECT_NE(refusal("renamed.gguf").find("does not end in -00001-of-00002.gguf"), std::string::npos);
  write_part("m-00002-of-00002.gguf", 0, 2, "a");
  EXPECT_NE(refusal("m-00002-of-00002.gguf").find("is named part 2"), std::string::npos);
}

TEST_F(Model, RefusesAPartOfAnotherPlace) {
  write_part("m-00001-of-00002.gguf", 0, 2, "a");
  write_part("m-00002-of-00002.gguf", 0, 2, "b");
  EXPECT_EQ(refusal("m-00001-of-00002.gguf"),
            "GGUF: split " + path("m-00002-of-00002.gguf") + " has split.no=0, expected 1");
}

TEST_F(Model, RefusesAMissingPart) {
  write_part("m-00001-of-00002.gguf", 0, 2, "a");
  EXPECT_NE(refusal("m-00001-of-00002.gguf").find("m-00002-of-00002.gguf"), std::string::npos);
  EXPECT_THROW(GgufModel::open(path("m-00001-of-00002.gguf")), Error);
}

TEST_F(Model, RefusesTheSameTensorInTwoParts) {
  write_part("m-00001-of-00002.gguf", 0, 2, "a");
  write_part("m-00002-of-00002.gguf", 1, 2, "a");
  EXPECT_EQ(refusal("m-00001-of-00002.gguf"), "GGUF: duplicate tensor name 'a' in parts 0 and 1 of the split set");
}

TEST_F(Model, RefusesASetWithoutAllItsTensors) {
  write_part("m-00002-of-00002.gguf", 1, 2, "b");
  for (const int32_t stated : {2, 3}) {
    GgufWriter writer;
    writer.add_u16("split.no", 0);
    writer.add_u16("split.count", 2);
    writer.add_i32("split.tensors.count", stated);
    const std::vector<std::byte> data(32);
    writer.add_tensor("a", {DType::kI8, {32}}, data);
    writer.write_file(path("m-00001-of-00002.gguf"));
    const std::string expected =
        stated == 2 ? "no error"
                    : "GGUF: split.tensors.count = 3, but 2 tensors were found in 2 file(s); a part is damaged";
    EXPECT_EQ(refusal("m-00001-of-00002.gguf"), expected);
  }
}

TEST_F(Model, RefusesWhatIsNotAFile) {
  EXPECT_THROW(GgufModel::open(path("")), Error);
  EXPECT_THROW(GgufModel::open(path("absent.gguf")), Error);
  ASSERT_EQ(mkfifo(path("pipe.gguf").c_str(), 0600), 0);
  EXPECT_THROW(GgufModel::open(path("pipe.gguf")), Error);
}

TEST_F(Model, NamesTheFileBehindTheMessage) {
  write_part("m.gguf", 0, 0, "w");
  std::filesystem::resize_file(path("m.gguf"), 0);
  EXPECT_EQ(refusal("m.gguf"), "GGUF: the file is empty (offset 0) in '" + path("m.gguf") + "'");
}

TEST(SplitName, FollowsThePatternExactly) {
  const auto name = parse_split_name("/models/a-b-00002-of-00010.gguf");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->prefix, "/models/a-b");
  EXPECT_EQ(name->number, 2u);
  EXPECT_EQ(name->count, 10u);
  EXPECT_EQ(split_path(name->prefix, 3, name->count), "/models/a-b-00003-of-00010.gguf");
  for (const char* wrong :
       {"m.gguf", "m-0001-of-0002.gguf", "m-00000-of-00002.gguf", "m-00003-of-00002.gguf", "m-00001-of-00002.bin",
        "m-00001_of-00002.gguf", "m-0000a-of-00002.gguf", "m00001-of-00002.gguf", "-00001-of-00002.gguf", ""}) {
    EXPECT_FALSE(parse_split_name(wrong).has_value()) << wrong;
  }
}

}  // namespace
}  // namespace minfer
