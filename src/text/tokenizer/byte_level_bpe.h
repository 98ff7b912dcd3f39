// Byte-level byte-pair encoding ("gpt2" in GGUF): plain text to token ids. Text is normalized, cut into pieces, and
// within a piece the two neighbours of the lowest rank are joined until no merge applies (Sennrich et al. 2016;
// on bytes: Radford et al. 2019).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokenizer/merge_table.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/text_encoder.h"
#include "text/tokenizer/tokenizer_spec.h"
#include "text/tokenizer/vocabulary.h"

namespace minfer {

class ByteLevelBpe : public TextEncoder {
 public:
  // `vocabulary` must outlive this object. Errors: the ones of find_pre_tokenizer_rule and MergeTable; no token for a
  // byte that ordinary text needs.
  ByteLevelBpe(const TokenizerSpec& spec, const Vocabulary& vocabulary);

  // A byte that belongs to no well-formed character becomes its byte token, and the text before it and the text after
  // it are encoded each by itself. Time n log n in the longest piece.
  void encode(std::span<const TextPart> parts, std::vector<TokenId>& ids) const override;

  // Only control characters and bytes of no assigned character. The reference tokenizers leave them out as well.
  std::vector<uint8_t> missing_bytes() const override;

  std::string_view pre_tokenizer() const override { return pre_tokenizer_.rule().name; }
  size_t size_bytes() const override { return merges_.size_bytes(); }

 private:
  class Run;

  const Vocabulary& vocabulary_;
  PreTokenizer pre_tokenizer_;
  MergeTable merges_;
  std::array<TokenId, 256> byte_tokens_{};
};

}  // namespace minfer
