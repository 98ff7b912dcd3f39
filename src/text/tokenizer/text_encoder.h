// What the kinds of tokenizer models have in common: plain text goes in, ids come out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/tokenizer_spec.h"

namespace minfer {

constexpr TokenId kNoToken = -1;

// A stretch of a text that was searched for special tokens: either one of these, or the plain text between two.
struct TextPart {
  std::string_view text;
  TokenId special = kNoToken;
};

class TextEncoder {
 public:
  virtual ~TextEncoder() = default;

  // Appends the ids of a whole text: those of the special tokens as they are. Text need not be UTF-8. May be called
  // from several threads at once.
  virtual void encode(std::span<const TextPart> parts, std::vector<TokenId>& ids) const = 0;

  // Bytes without a token, ascending: encoding leaves them out.
  virtual std::vector<uint8_t> missing_bytes() const = 0;

  // The rule that cuts text into words; "" where there is none.
  virtual std::string_view pre_tokenizer() const = 0;

  // Heap memory that it holds; the vocabulary counts its own.
  virtual size_t size_bytes() const = 0;
};

}  // namespace minfer
