// Files stay short: half of them below 120 lines, nine in ten below 400, none above 800 without a reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/house/source_tree.h"

namespace minfer::house {
namespace {

constexpr size_t kLongest = 800;

// Path -> why the file is better whole.
const std::map<std::string, std::string> kLongForAReason = {};

TEST(Lengths, NoFileIsLongWithoutAReason) {
  for (const SourceFile& file : read_sources({"src", "apps", "tests", "bench", "examples"})) {
    if (kLongForAReason.contains(file.path)) continue;
    EXPECT_LE(file.lines.size(), kLongest) << file.path << ": split it, or give the reason in lengths_test.cpp";
  }
}

TEST(Lengths, EveryReasonIsStillNeeded) {
  const auto files = read_sources({"src", "apps", "tests", "bench", "examples"});
  for (const auto& [path, reason] : kLongForAReason) {
    const auto file = std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.path == path; });
    ASSERT_NE(file, files.end()) << path << " does not exist";
    EXPECT_GT(file->lines.size(), kLongest) << path << " is short now: take it off the list";
    EXPECT_FALSE(reason.empty()) << path;
  }
}

TEST(Lengths, MostSourceFilesAreShort) {
  std::vector<size_t> lengths;
  for (const SourceFile& file : read_sources({"src"})) lengths.push_back(file.lines.size());
  ASSERT_FALSE(lengths.empty());
  std::sort(lengths.begin(), lengths.end());
  const size_t median = lengths[lengths.size() / 2];
  const size_t nine_in_ten = lengths[lengths.size() * 9 / 10];
  RecordProperty("files", static_cast<int>(lengths.size()));
  RecordProperty("median", static_cast<int>(median));
  RecordProperty("nine_in_ten", static_cast<int>(nine_in_ten));
  RecordProperty("longest", static_cast<int>(lengths.back()));
  EXPECT_LT(median, 120U);
  EXPECT_LT(nine_in_ten, 400U);
}

}  // namespace
}  // namespace minfer::house
