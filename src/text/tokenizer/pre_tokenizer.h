// Cuts text into the pieces within which byte-level BPE merges. The rules are the rows of pre_tokenizer_list.inc; their
// expressions are run by PCRE2.
#pragma once

#include <array>
#include <memory>
#include <optional>
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
  std::array<std::string_view, 3> expressions;  // unused ones are empty
};

// The rule that tokenizer.ggml.pre names. A missing or unknown name is refused: a guess would change ids in silence.
const PreTokenizerRule& find_pre_tokenizer_rule(const std::optional<std::string>& pre);

class PreTokenizer {
 public:
  explicit PreTokenizer(const PreTokenizerRule& rule);

  const PreTokenizerRule& rule() const { return *rule_; }

  // The pieces of `text` (well-formed UTF-8), in order, without gaps; they are views into it. May be called from
  // several threads at once.
  std::vector<std::string_view> split(std::string_view text) const;

 private:
  struct FreeExpression {
    void operator()(void* code) const;
  };

  const PreTokenizerRule* rule_;
  std::vector<std::unique_ptr<void, FreeExpression>> expressions_;  // pcre2_code
};

}  // namespace minfer
