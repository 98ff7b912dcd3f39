// What a damaged file may cost: each is refused, or opened, in under a second and under 100 MB. Every file is opened in
// a child process, whose peak of memory is its own.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include "base/error.h"
#include "gguf/describe.h"
#include "gguf/gguf_model.h"
#include "tests/gguf/byte_builder.h"

namespace minfer {
namespace {

using test::ByteBuilder;

// Sanitizers make code several times slower and keep shadow memory and freed blocks.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kFactor = 8.0;
#else
constexpr double kFactor = 1.0;
#endif
constexpr double kMaxSeconds = 1.0 * kFactor;
constexpr double kMaxBytes = 100e6 * kFactor;

constexpr uint32_t kTagBool = 7;
constexpr uint32_t kTagString = 8;
constexpr uint32_t kTagArray = 9;
constexpr uint64_t kGiB = uint64_t{1} << 30;

struct Case {
  std::string name;
  std::function<void(const std::string& path)> write;
  std::string outcome;  // beginning of the error, or "opened"
};

// `front`, then zeros up to `size` bytes, which take no room on the disk.
void write_sparse(const std::string& path, const ByteBuilder& front, uint64_t size) {
  std::ofstream(path, std::ios::binary) << front.bytes();
  std::filesystem::resize_file(path, std::max<uint64_t>(size, front.bytes().size()));
}

void write_array(const std::string& path, uint32_t tag, uint64_t count, uint64_t bytes) {
  ByteBuilder front;
  front.header(0, 1).key("a", kTagArray).u32(tag).u64(count);
  write_sparse(path, front, front.bytes().size() + bytes);
}

// Arrays of empty strings at the limit of one array, several of them.
void write_many_arrays(const std::string& path) {
  constexpr uint64_t kArrays = 20;
  std::ofstream out(path, std::ios::binary);
  out << ByteBuilder().header(0, kArrays).bytes();
  for (uint64_t i = 0; i < kArrays; ++i) {
    out << ByteBuilder().key("a" + std::to_string(i), kTagArray).u32(kTagString).u64(kMaxGgufArrayStrings).bytes();
    out.seekp(static_cast<std::streamoff>(8 * kMaxGgufArrayStrings), std::ios::cur);
  }
  out << std::string(8, '\0');
}

// Strings so long that every length lies on another page.
void write_long_strings(const std::string& path) {
  constexpr uint64_t kStrings = 4096;
  constexpr uint64_t kBytes = 64 * 1024;
  std::ofstream out(path, std::ios::binary);
  out << ByteBuilder().header(0, 1).key("a", kTagArray).u32(kTagString).u64(kStrings).bytes();
  for (uint64_t i = 0; i < kStrings; ++i) {
    out << ByteBuilder().u64(kBytes).bytes();
    out.seekp(static_cast<std::streamoff>(kBytes), std::ios::cur);
  }
  out << std::string(8, '\0');
}

// As many tensors as a file may have, without their data.
void write_many_tensors(const std::string& path) {
  ByteBuilder front;
  front.header(kMaxGgufTensors, 0);
  for (uint64_t i = 0; i < kMaxGgufTensors; ++i) front.tensor("blk." + std::to_string(i), {4}, 0, i * 32);
  write_sparse(path, front, 0);
}

void write_half_a_model(const std::string& path) {
  std::filesystem::copy_file(MINFER_SOURCE_DIR "/tests/data/models/llama-f32.gguf", path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
}

void write_string(const std::string& path, uint64_t bytes) {
  ByteBuilder front;
  front.header(0, 1).key("tokenizer.chat_template", kTagString).u64(bytes);
  write_sparse(path, front, front.bytes().size() + bytes);
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"HugeCounts",
       [](const std::string& path) { write_sparse(path, ByteBuilder().header(uint64_t{1} << 40, kMaxGgufKeys), kGiB); },
       "GGUF: the number of tensors is 1099511627776"},
      {"EmptyStrings", [](const std::string& path) { write_array(path, kTagString, 600'000'000, 4'800'000'000); },
       "GGUF: the length of array key 'a' is 600000000, expected at most 4194304"},
      {"EmptyStringsAtTheLimit",
       [](const std::string& path) { write_array(path, kTagString, kMaxGgufArrayStrings, 8 * kMaxGgufArrayStrings); },
       "opened"},
      {"StringsCutOff",
       [](const std::string& path) { write_array(path, kTagString, kMaxGgufArrayStrings, 4 * kMaxGgufArrayStrings); },
       "GGUF: the length of array key 'a' is 4194304, but only 16777216 bytes follow"},
      {"ManyArraysOfStrings", write_many_arrays, "GGUF: the metadata is longer than 67108864 bytes"},
      {"LongStrings", write_long_strings, "GGUF: the metadata is longer than 67108864 bytes"},
      {"Booleans", [](const std::string& path) { write_array(path, kTagBool, kGiB, kGiB); },
       "GGUF: the metadata is longer than 67108864 bytes"},
      {"LongTemplate", [](const std::string& path) { write_string(path, 500'000'000); },
       "GGUF: key 'tokenizer.chat_template' has 500000000 bytes, expected at most 16777216"},
      {"TemplateAtTheLimit", [](const std::string& path) { write_string(path, kMaxGgufStringBytes); }, "opened"},
      {"ManyTensorsWithoutData", write_many_tensors, "GGUF: tensor 'blk.0' needs 16 bytes of data at offset 0"},
      {"HalfAModel", write_half_a_model, "GGUF: tensor '"},
  };
  return all;
}

// What the child hands back, in memory both processes share.
struct Report {
  double seconds;
  double bytes;
  char outcome[256];
};

// Of the processor, so that a busy machine does not count.
double seconds_of(const rusage& usage) {
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void open_and_report(const std::string& path, Report* report) {
  rusage before{};
  rusage after{};
  getrusage(RUSAGE_SELF, &before);
  std::string outcome = "opened";
  try {
    // A file that is accepted must be cheap to show as well.
    describe_text(GgufModel::open(path), DescribeOptions{});
  } catch (const std::exception& error) {
    outcome = error.what();
  }
  getrusage(RUSAGE_SELF, &after);
  report->seconds = seconds_of(after) - seconds_of(before);
  report->bytes = 1024.0 * static_cast<double>(after.ru_maxrss - before.ru_maxrss);
  std::snprintf(report->outcome, sizeof(report->outcome), "%s", outcome.c_str());
}

class CostOfGguf : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("gguf_cost_" + GetParam().name + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_P(CostOfGguf, StaysUnderASecondAnd100Megabytes) {
  const std::string path = (folder_ / "m.gguf").string();
  GetParam().write(path);
  void* shared = mmap(nullptr, sizeof(Report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto* report = static_cast<Report*>(shared);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    open_and_report(path, report);
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(std::string_view(report->outcome).substr(0, GetParam().outcome.size()), GetParam().outcome)
      << report->outcome;
  EXPECT_LT(report->seconds, kMaxSeconds);
  EXPECT_LT(report->bytes, kMaxBytes);
  RecordProperty("seconds", std::to_string(report->seconds));
  RecordProperty("bytes", std::to_string(report->bytes));
  munmap(shared, sizeof(Report));
}

std::string case_name(const testing::TestParamInfo<Case>& param) {
  return param.param.name;
}

INSTANTIATE_TEST_SUITE_P(Damaged, CostOfGguf, testing::ValuesIn(cases()), case_name);

}  // namespace
}  // namespace minfer
