// Finds the tokens in a text that are matched as a whole before anything else: control and user-defined ones.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/vocabulary.h"

namespace minfer {

// A part of a text, [begin, end) in bytes.
struct TextRange {
  size_t begin;
  size_t end;
};

class SpecialTokens {
 public:
  struct Match {
    TextRange range;
    TokenId id;
  };

  // `vocabulary` must outlive this object. Errors (kBadFile): a control or user-defined token over 1 KiB.
  explicit SpecialTokens(const Vocabulary& vocabulary);

  // The first special token at or after `from`; of several at one place, the longest. Control tokens count only where
  // they lie within one of the `trusted` ranges (ascending, not touching); user-defined ones count everywhere.
  std::optional<Match> find(std::string_view text, size_t from, std::span<const TextRange> trusted) const;

 private:
  struct Entry {
    std::string_view text;
    TokenId id;
    bool is_control;
  };

  std::optional<Match> match_at(std::string_view text, size_t at, size_t trusted_end) const;

  std::vector<Entry> entries_;             // sorted by text
  std::array<bool, 256> is_first_byte_{};  // whether some entry starts with the byte
};

}  // namespace minfer
