// Joins the tokens of one word as byte-pair encoding asks: again and again the two neighbours of the lowest rank, of
// equal ones the leftmost, until none join.
#pragma once

#include <cstdint>
#include <vector>

#include "text/tokenizer/merge_table.h"

namespace minfer {

// Keeps its memory from word to word.
class WordMerger {
 public:
  // `merges` must outlive this object.
  explicit WordMerger(const MergeTable& merges) : merges_(merges) {}

  // Replaces ids[first] and what follows by what they are joined to. Time n log n. Error (kInvalidArgument): 2^32 - 1
  // tokens or more.
  void merge(std::vector<TokenId>& ids, size_t first);

 private:
  struct Symbol {
    TokenId id;
    uint32_t previous;
    uint32_t next;
  };

  void merge_short(std::vector<TokenId>& ids, size_t first);
  void merge_long(std::vector<TokenId>& ids, size_t first);
  void start_long(const std::vector<TokenId>& ids, size_t first);
  void offer(uint32_t left);
  void apply(uint32_t rank, uint32_t left);

  const MergeTable& merges_;
  // Of long words: a linked list in an array, and a heap of the merges that were possible when they were entered.
  std::vector<Symbol> symbols_;
  std::vector<uint64_t> heap_;  // rank in the high half, left symbol in the low half; smallest on top
};

}  // namespace minfer
