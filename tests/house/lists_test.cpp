// The rows of every *_list.inc are sorted: by name, or by the pinned id where ids are a contract.
#include <gtest/gtest.h>

#include <charconv>
#include <filesystem>
#include <map>

#include "tests/house/source_tree.h"

namespace minfer::house {
namespace {

// Lists sorted by an id, and which field of the row holds it.
const std::map<std::string, size_t> kSortedById = {{"backend_list.inc", 0}, {"dtype_list.inc", 1}};

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\"");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\"") + 1 - begin);
}

// Field `index` of "MACRO(a, b, c" (the row may go on in the next line), without quotes around it.
std::string field(const std::string& row, size_t index) {
  size_t begin = row.find('(') + 1;
  for (; index > 0; --index) begin = row.find(',', begin) + 1;
  return trimmed(row.substr(begin, row.find_first_of(",)", begin) - begin));
}

struct Row {
  size_t line;
  std::string key;
};

std::vector<Row> rows_of(const SourceFile& list, size_t key_field) {
  std::vector<Row> rows;
  for (size_t i = 0; i < list.lines.size(); ++i) {
    const std::string& line = list.lines[i];
    if (line.starts_with("MINFER_") && line.find('(') != std::string::npos) rows.push_back({i, field(line, key_field)});
  }
  return rows;
}

long number(const std::string& text) {
  long value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::vector<SourceFile> lists() {
  std::vector<SourceFile> found;
  for (SourceFile& file : read_sources({"src", "apps"})) {
    if (file.path.ends_with("_list.inc")) found.push_back(std::move(file));
  }
  return found;
}

TEST(Lists, AreSortedWithoutDoubles) {
  size_t n_rows = 0;
  for (const SourceFile& list : lists()) {
    const auto by_id = kSortedById.find(std::filesystem::path(list.path).filename().string());
    const auto rows = rows_of(list, by_id == kSortedById.end() ? 0 : by_id->second);
    EXPECT_FALSE(rows.empty()) << list.path << " has no rows";
    n_rows += rows.size();
    for (size_t i = 1; i < rows.size(); ++i) {
      const std::string &before = rows[i - 1].key, &key = rows[i].key;
      const bool ordered = by_id == kSortedById.end() ? before < key : number(before) < number(key);
      EXPECT_TRUE(ordered) << place(list, rows[i].line) << ": " << key << " stands behind " << before;
    }
  }
  EXPECT_GT(n_rows, 40U) << "the test no longer reads rows";
}

}  // namespace
}  // namespace minfer::house
