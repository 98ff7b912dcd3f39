#include "base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/process_memory.h"

namespace minfer {
namespace {

class MappedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "minfer_file_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, std::string_view text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  static Error error_of(const std::string& path) {
    try {
      MappedFile::open(path);
    } catch (const Error& error) {
      return error;
    }
    return {ErrorCode::kInternal, "no error"};
  }

  std::string folder_;
};

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST_F(MappedFileTest, MapsTheBytesAndReadsAtAnOffset) {
  const MappedFile file = MappedFile::open(write("a", "hello world"));
  EXPECT_EQ(text_of(file.bytes()), "hello world");
  file.advise_sequential();
  file.advise_random();
  std::array<std::byte, 5> part{};
  file.read_at(6, part);
  EXPECT_EQ(text_of(part), "world");
}

TEST_F(MappedFileTest, MovesWithoutLosingTheMapping) {
  MappedFile first = MappedFile::open(write("a", "abc"));
  MappedFile second = std::move(first);
  EXPECT_EQ(text_of(second.bytes()), "abc");
  second = MappedFile::open(write("b", "xy"));
  EXPECT_EQ(text_of(second.bytes()), "xy");
}

TEST_F(MappedFileTest, GivesAnEmptySpanForAnEmptyFile) {
  const MappedFile file = MappedFile::open(write("empty", ""));
  EXPECT_TRUE(file.bytes().empty());
  file.read_at(0, {});
}

TEST_F(MappedFileTest, RefusesADirectory) {
  const Error error = error_of(folder_);
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(std::string(error.what()).find("is a directory"), std::string::npos);
}

TEST_F(MappedFileTest, RefusesAPipeWithoutWaitingForAWriter) {
  const std::string path = folder_ + "/pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(std::string(error_of(path).what()).find("not a regular file"), std::string::npos);
  EXPECT_NE(std::string(error_of("/dev/null").what()).find("not a regular file"), std::string::npos);
}

TEST_F(MappedFileTest, NamesAMissingFileInPrintableForm) {
  const Error error = error_of(folder_ + "/no\x1b[31m");
  EXPECT_EQ(error.code(), ErrorCode::kNotFound);
  EXPECT_NE(std::string(error.what()).find("no\\x1B[31m': No such file"), std::string::npos) << error.what();
  EXPECT_EQ(error_of(folder_ + std::string("/a\0b", 4)).code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error_of("").code(), ErrorCode::kNotFound);
}

TEST_F(MappedFileTest, ReadOutsideTheFileIsAnError) {
  const MappedFile file = MappedFile::open(write("a", "abc"));
  std::array<std::byte, 2> out{};
  EXPECT_THROW(file.read_at(2, out), Error);
  EXPECT_THROW(file.read_at(~uint64_t{0}, out), Error);
}

TEST_F(MappedFileTest, ShortReadOfACutFileIsAnError) {
  const std::string path = write("a", "abcdef");
  const MappedFile file = MappedFile::open(path);
  std::filesystem::resize_file(path, 3);
  std::array<std::byte, 4> out{};
  try {
    file.read_at(1, out);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_NE(std::string(error.what()).find("ends at offset 3"), std::string::npos) << error.what();
  }
}

TEST_F(MappedFileTest, TellsWhenTheFileIsNoLongerTheSame) {
  const std::string path = write("a", "abcdef");
  const MappedFile file = MappedFile::open(path);
  EXPECT_NO_THROW(file.check_unchanged());
  const auto complaint = [&]() -> std::string {
    try {
      file.check_unchanged();
      return "none";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kIo);
      return error.what();
    }
  };
  const auto time = std::filesystem::last_write_time(path);
  std::filesystem::last_write_time(path, time + std::chrono::seconds(1));
  EXPECT_NE(complaint().find("it was written to after it had been opened"), std::string::npos) << complaint();
  std::filesystem::resize_file(path, 3);
  EXPECT_NE(complaint().find("it had 6 bytes, now it has 3"), std::string::npos) << complaint();
  std::filesystem::remove(path);
  write("a", "xyz");  // another file of that name is not this one
  EXPECT_NE(complaint().find("now it has 3"), std::string::npos) << complaint();
}

TEST_F(MappedFileTest, DropsPagesThatComeBackFromTheFile) {
  const std::string text(100000, 'x');
  const MappedFile file = MappedFile::open(write("a", text));
  EXPECT_EQ(text_of(file.bytes()), text);
  EXPECT_GT(resident_bytes(file.bytes().data(), file.size_bytes()), 0u);
  file.drop_pages();
  EXPECT_EQ(resident_bytes(file.bytes().data(), file.size_bytes()), 0u);
  EXPECT_EQ(text_of(file.bytes()), text);
}

}  // namespace
}  // namespace minfer
