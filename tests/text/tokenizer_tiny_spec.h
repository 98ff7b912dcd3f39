// A vocabulary small enough to merge by hand.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer_spec.h"

namespace minfer::test {

// The 256 byte tokens (id = byte), then what a test adds. Owns the texts of spec().
class TinySpec {
 public:
  TinySpec();

  // Adds a token; returns its id.
  TokenId add(std::string_view text, TokenType type = TokenType::kNormal);

  // Adds the merge "left right" and, if it is new, the token that results; returns its id.
  TokenId merge(std::string_view left, std::string_view right);

  // The merge alone, as it is written.
  void add_merge(std::string_view merge);

  TokenizerSpec spec;

 private:
  std::deque<std::string> texts_;  // a deque: views into it stay valid
};

}  // namespace minfer::test
