#include "tests/text/tokenizer_tiny_spec.h"

#include <algorithm>

#include "text/tokenizer/byte_alphabet.h"

namespace minfer::test {

TinySpec::TinySpec() {
  spec.pre = "gpt-2";
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    std::string letter;
    append_letters(std::string_view(&c, 1), letter);
    add(letter);
  }
}

TokenId TinySpec::add(std::string_view text, TokenType type) {
  texts_.emplace_back(text);
  spec.tokens.push_back(texts_.back());
  spec.token_types.push_back(static_cast<int32_t>(type));
  return static_cast<TokenId>(spec.tokens.size() - 1);
}

TokenId TinySpec::merge(std::string_view left, std::string_view right) {
  add_merge(std::string(left).append(" ").append(right));
  const std::string joined = std::string(left).append(right);
  const auto it = std::find(spec.tokens.begin(), spec.tokens.end(), joined);
  return it == spec.tokens.end() ? add(joined) : static_cast<TokenId>(it - spec.tokens.begin());
}

void TinySpec::add_merge(std::string_view merge) {
  texts_.emplace_back(merge);
  spec.merges.push_back(texts_.back());
}

}  // namespace minfer::test
