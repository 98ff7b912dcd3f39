#include "text/tokenizer/merge_table.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/error.h"

namespace minfer {
namespace {

// Reads a few merges at a time, so that the memory of one is on its way while another is looked at.
constexpr size_t kBlock = 32;

// "left right", not looked up yet.
struct Halves {
  std::string_view left;
  std::string_view right;
  uint64_t left_hash;
  uint64_t right_hash;
};

Halves split_merge(std::string_view text, size_t rank) {
  const size_t space = text.find(' ');
  if (space == std::string_view::npos || space == 0 || space + 1 == text.size() ||
      text.find(' ', space + 1) != std::string_view::npos) {
    fail(ErrorCode::kBadFile, "[tokenizer] merge {} is \"{}\": expected two texts with one space between", rank,
         printable(text));
  }
  const std::string_view left = text.substr(0, space);
  const std::string_view right = text.substr(space + 1);
  return {left, right, hash_text(left), hash_text(right)};
}

[[noreturn]] void refuse_part(std::string_view merge, size_t rank, std::string_view part) {
  fail(ErrorCode::kBadFile, "[tokenizer] merge {} \"{}\": \"{}\" is not a token of the vocabulary", rank,
       printable(merge), printable(part));
}

// Finds the token that is left + right. Vocabularies list most of these in the order of the merges, and some have
// several merges in a row for one token, so the last one found and the one behind it are tried first.
class JoinedTokens {
 public:
  explicit JoinedTokens(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Nothing if there is none; then text() tells what was looked for.
  std::optional<TokenId> find(std::string_view left, std::string_view right) {
    for (const TokenId id : {last_ + 1, last_}) {
      if (vocabulary_.contains(id) && is_joined(vocabulary_.text(id), left, right)) return last_ = id;
    }
    text_.assign(left).append(right);
    const std::optional<TokenId> id = vocabulary_.find(text_);
    if (id) last_ = *id;
    return id;
  }

  const std::string& text() const { return text_; }

 private:
  static bool is_joined(std::string_view text, std::string_view left, std::string_view right) {
    return text.size() == left.size() + right.size() && text.starts_with(left) && text.ends_with(right);
  }

  const Vocabulary& vocabulary_;
  TokenId last_ = -1;
  std::string text_;
};

}  // namespace

MergeTable::MergeTable(std::span<const std::string_view> merges, const Vocabulary& vocabulary)
    : ranks_(std::min<size_t>(merges.size(), kNoRank >> 1)) {
  if (merges.empty()) {
    fail(ErrorCode::kBadFile, "tokenizer.ggml.merges is empty; byte-level BPE cannot join bytes to tokens without it");
  }
  read_rows(merges, vocabulary);
  set_index(merges);
}

void MergeTable::read_rows(std::span<const std::string_view> merges, const Vocabulary& vocabulary) {
  rows_.reserve(merges.size());
  JoinedTokens joined(vocabulary);
  std::array<Halves, kBlock> block{};
  for (size_t begin = 0; begin < merges.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, merges.size());
    for (size_t rank = begin; rank < end; ++rank) {
      const Halves& halves = block[rank - begin] = split_merge(merges[rank], rank);
      vocabulary.prefetch(halves.left_hash);
      vocabulary.prefetch(halves.right_hash);
    }
    for (size_t rank = begin; rank < end; ++rank) {
      const Halves& halves = block[rank - begin];
      const std::optional<TokenId> left = vocabulary.find(halves.left, halves.left_hash);
      if (!left) refuse_part(merges[rank], rank, halves.left);
      const std::optional<TokenId> right = vocabulary.find(halves.right, halves.right_hash);
      if (!right) refuse_part(merges[rank], rank, halves.right);
      const std::optional<TokenId> merged = joined.find(halves.left, halves.right);
      if (!merged) refuse_part(merges[rank], rank, joined.text());
      rows_.push_back({*left, *right, vocabulary.is_control(*merged) ? kNotMerged : *merged});
    }
  }
}

void MergeTable::set_index(std::span<const std::string_view> merges) {
  constexpr size_t kAhead = 16;
  const auto hash_of = [&](size_t rank) { return hash_number(pair_key(rows_[rank].left, rows_[rank].right)); };
  for (size_t rank = 0; rank < rows_.size(); ++rank) {
    if (rank + kAhead < rows_.size()) ranks_.prefetch(hash_of(rank + kAhead));
    const uint32_t other = ranks_.insert(hash_of(rank), static_cast<uint32_t>(rank), [&](uint32_t position) {
      return rows_[position].left == rows_[rank].left && rows_[position].right == rows_[rank].right;
    });
    if (other != kNoRank) {
      fail(ErrorCode::kBadFile, "[tokenizer] merges {} and {} are the same: \"{}\"", other, rank,
           printable(merges[rank]));
    }
  }
}

}  // namespace minfer
