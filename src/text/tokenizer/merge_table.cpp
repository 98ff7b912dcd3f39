#include "text/tokenizer/merge_table.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include "base/error.h"

namespace minfer {
namespace {

struct Row {
  TokenId left;
  MergeTable::Merge merge;
};

class RowReader {
 public:
  RowReader(std::string_view text, size_t rank, const Vocabulary& vocabulary)
      : text_(text), rank_(rank), vocabulary_(vocabulary) {}

  Row read() const {
    const size_t space = text_.find(' ');
    if (space == std::string_view::npos || space == 0 || space + 1 == text_.size() ||
        text_.find(' ', space + 1) != std::string_view::npos) {
      fail(ErrorCode::kBadFile, "[tokenizer] merge {} is \"{}\": expected two texts with one space between", rank_,
           printable(text_));
    }
    const std::string_view left = text_.substr(0, space);
    const std::string_view right = text_.substr(space + 1);
    const std::string joined = std::string(left).append(right);
    return {id_of(left), {static_cast<uint32_t>(rank_), id_of(right), id_of(joined)}};
  }

 private:
  TokenId id_of(std::string_view part) const {
    const std::optional<TokenId> id = vocabulary_.find(part);
    if (!id) {
      fail(ErrorCode::kBadFile, "[tokenizer] merge {} \"{}\": \"{}\" is not a token of the vocabulary", rank_,
           printable(text_), printable(part));
    }
    return *id;
  }

  std::string_view text_;
  size_t rank_;
  const Vocabulary& vocabulary_;
};

}  // namespace

MergeTable::MergeTable(std::span<const std::string_view> merges, const Vocabulary& vocabulary) {
  if (merges.empty()) {
    fail(ErrorCode::kBadFile, "tokenizer.ggml.merges is empty; byte-level BPE cannot join bytes to tokens without it");
  }
  if (merges.size() > std::numeric_limits<uint32_t>::max()) {
    fail(ErrorCode::kBadFile, "[tokenizer] {} merges: expected fewer than 2^32", merges.size());
  }
  std::vector<Row> rows;
  rows.reserve(merges.size());
  for (size_t rank = 0; rank < merges.size(); ++rank) {
    rows.push_back(RowReader(merges[rank], rank, vocabulary).read());
  }
  const auto pair_of = [](const Row& row) { return std::tuple(row.left, row.merge.right); };
  std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) {
    return std::tuple(pair_of(a), a.merge.rank) < std::tuple(pair_of(b), b.merge.rank);
  });
  const auto twice = std::adjacent_find(rows.begin(), rows.end(),
                                        [&](const Row& a, const Row& b) { return pair_of(a) == pair_of(b); });
  if (twice != rows.end()) {
    fail(ErrorCode::kBadFile, "[tokenizer] merges {} and {} are the same: \"{}\"", twice->merge.rank,
         std::next(twice)->merge.rank, printable(merges[twice->merge.rank]));
  }
  std::erase_if(rows, [&](const Row& row) { return vocabulary.is_control(row.merge.merged); });

  first_.assign(vocabulary.size() + 1, 0);
  for (const Row& row : rows) ++first_[static_cast<size_t>(row.left) + 1];
  for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  merges_.reserve(rows.size());
  for (const Row& row : rows) merges_.push_back(row.merge);
}

const MergeTable::Merge* MergeTable::find(TokenId left, TokenId right) const {
  const auto begin = merges_.begin() + first_[static_cast<size_t>(left)];
  const auto end = merges_.begin() + first_[static_cast<size_t>(left) + 1];
  const auto it = std::lower_bound(begin, end, right, [](const Merge& m, TokenId id) { return m.right < id; });
  return it != end && it->right == right ? &*it : nullptr;
}

}  // namespace minfer
