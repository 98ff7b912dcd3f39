// Cuts text into the pieces within which byte-level BPE merges. The rules are the rows of pre_tokenizer_list.inc; their
// expressions are run by PCRE2.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/normalizer.h"

namespace minfer {

// A row of pre_tokenizer_list.inc.
struct PreTokenizerRule {
  std::string_view name;
  std::string_view aliases;  // with spaces between
  Normalization normalization;
  bool ignore_merges;
  std::array<std::string_view, 6> expressions;  // unused ones are empty
};

// All of them, sorted by name.
std::span<const PreTokenizerRule> pre_tokenizer_rules();

// The rule that tokenizer.ggml.pre names. A missing or unknown name is refused: a guess would change ids in silence.
const PreTokenizerRule& find_pre_tokenizer_rule(std::optional<std::string_view> pre);

class PreTokenizer {
 public:
  explicit PreTokenizer(const PreTokenizerRule& rule);

  const PreTokenizerRule& rule() const { return *rule_; }

 private:
  friend class PieceReader;

  struct FreeExpression {
    void operator()(void* code) const;
  };

  const PreTokenizerRule* rule_;
  std::vector<std::unique_ptr<void, FreeExpression>> expressions_;  // pcre2_code
};

// Reads the pieces of one text after the other. Not for several threads at once; each has its own.
class PieceReader {
 public:
  // `pre_tokenizer` must outlive this object.
  explicit PieceReader(const PreTokenizer& pre_tokenizer);
  ~PieceReader();

  // Goes to `text`, which is well-formed UTF-8 and lives as long as it is read.
  void start(std::string_view text);

  // The next piece, a view into the text; false at its end. The pieces are in order, without gaps.
  bool next(std::string_view& piece);

 private:
  class Level;

  std::vector<Level> levels_;  // one per expression; each cuts what the one before hands out
  std::string_view text_;      // not yet read by the first level
};

}  // namespace minfer
