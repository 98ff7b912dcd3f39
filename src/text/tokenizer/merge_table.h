// The merges of byte-level BPE: which two neighbouring tokens become which one, and in what order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/flat_index.h"
#include "text/tokenizer/vocabulary.h"

namespace minfer {

class MergeTable {
 public:
  struct Merge {
    uint32_t rank;  // its place in the file; lower ones go first; kNoRank: the two do not join
    TokenId merged;

    explicit operator bool() const { return rank != kNoRank; }
  };
  static constexpr uint32_t kNoRank = FlatIndex::kNone;

  // `merges` are "left right" in the letters of the byte alphabet. A merge into a control token is left out, so that
  // plain text cannot become one. Errors (kBadFile): an empty list (in the contract's words), an entry that is not two
  // texts, a text or the joined text without a token, the same pair twice, pairs made to collide (FlatIndex).
  MergeTable(std::span<const std::string_view> merges, const Vocabulary& vocabulary);

  // The merge of two neighbours.
  Merge find(TokenId left, TokenId right) const {
    const uint32_t rank = ranks_.find(hash_number(pair_key(left, right)), [&](uint32_t position) {
      return rows_[position].left == left && rows_[position].right == right;
    });
    if (rank == kNoRank || rows_[rank].merged == kNotMerged) return {kNoRank, kNotMerged};
    return {rank, rows_[rank].merged};
  }

  // Heap memory that it holds.
  size_t size_bytes() const { return rows_.capacity() * sizeof(rows_[0]) + ranks_.size_bytes(); }

 private:
  static constexpr TokenId kNotMerged = -1;

  struct Row {
    TokenId left;
    TokenId right;
    TokenId merged;  // kNotMerged: into a control token
  };

  static uint64_t pair_key(TokenId left, TokenId right) {
    return static_cast<uint64_t>(left) << 32 | static_cast<uint32_t>(right);
  }
  void read_rows(std::span<const std::string_view> merges, const Vocabulary& vocabulary);
  void set_index(std::span<const std::string_view> merges);

  std::vector<Row> rows_;  // by rank
  FlatIndex ranks_;        // by pair
};

}  // namespace minfer
