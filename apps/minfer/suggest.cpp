#include "apps/minfer/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace minfer::app {

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);  // distances of a's first i letters to each start of b
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> close_names(std::string_view word, std::span<const std::string> names, size_t n) {
  word = word.substr(0, 100);  // longer words are no misspellings
  const size_t limit = std::max<size_t>(1, word.size() / 3);
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& name : names) {
    const size_t distance = edit_distance(word, name);
    const bool contained = word.size() >= 3 && name.find(word) != std::string::npos;
    if (distance <= limit) {
      found.emplace_back(distance, name);
    } else if (contained) {
      found.emplace_back(limit + distance, name);
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> close;
  for (const auto& [distance, name] : found) {
    if (close.size() < n && (close.empty() || close.back() != name)) close.push_back(name);
  }
  return close;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> names, size_t n) {
  std::vector<std::string> quoted;
  for (const std::string& name : close_names(word, names, n)) quoted.push_back(fmt::format("'{}'", name));
  return quoted.empty() ? "" : fmt::format("; did you mean {}?", fmt::join(quoted, " or "));
}

}  // namespace minfer::app
