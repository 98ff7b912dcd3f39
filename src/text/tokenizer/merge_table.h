// The merges of byte-level BPE: which two neighbouring tokens become which one, and in what order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/vocabulary.h"

namespace minfer {

class MergeTable {
 public:
  struct Merge {
    uint32_t rank;  // its place in the file; lower ones go first
    TokenId right;
    TokenId merged;
  };

  // `merges` are "left right" in the letters of the byte alphabet. A merge into a control token is left out, so that
  // plain text cannot become one. Errors (kBadFile): an empty list (in the contract's words), an entry that is not two
  // texts, a text or the joined text without a token, the same pair twice.
  MergeTable(std::span<const std::string_view> merges, const Vocabulary& vocabulary);

  // The merge of two neighbours, or null.
  const Merge* find(TokenId left, TokenId right) const;

  // Heap memory that it holds.
  size_t size_bytes() const { return first_.capacity() * sizeof(first_[0]) + merges_.capacity() * sizeof(merges_[0]); }

 private:
  std::vector<uint32_t> first_;  // [n_vocab + 1], where a left token's merges start
  std::vector<Merge> merges_;    // grouped by left token, sorted by right token
};

}  // namespace minfer
