// SentencePiece byte-pair encoding ("llama" in GGUF): spaces become U+2581, and of all neighbours whose joined text is
// a token, those of the highest score are joined first (Kudo and Richardson 2018). Characters without a token become
// byte tokens.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokenizer/text_encoder.h"
#include "text/tokenizer/tokenizer_spec.h"
#include "text/tokenizer/vocabulary.h"

namespace minfer {

class SentencePieceBpe : public TextEncoder {
 public:
  // `vocabulary` must outlive this object. Errors (kBadFile): no scores, a score that is no number, neither all 256
  // byte tokens nor an unknown token.
  SentencePieceBpe(const TokenizerSpec& spec, const Vocabulary& vocabulary);

  // Each stretch between special tokens gets a space in front if the file wants one (add_space_prefix, the default).
  // Bytes that belong to no well-formed character become byte tokens; where the vocabulary has none, they and
  // characters without a token become one unknown token for as many as follow each other. Time n log n.
  void encode(std::span<const TextPart> parts, std::vector<TokenId>& ids) const override;

  // None: every byte has its token, or becomes the unknown one.
  std::vector<uint8_t> missing_bytes() const override { return {}; }
  std::string_view pre_tokenizer() const override { return {}; }
  size_t size_bytes() const override { return ranks_.capacity() * sizeof(ranks_[0]); }

 private:
  class Run;

  void set_ranks(const TokenizerSpec& spec);
  void set_byte_tokens();
  size_t word_end(std::string_view text) const;
  bool is_joinable(size_t id) const { return ranks_[id] != kNotJoined; }

  static constexpr uint32_t kNotJoined = UINT32_MAX;

  const Vocabulary& vocabulary_;
  std::vector<uint32_t> ranks_;  // [n_vocab], of normal and user-defined tokens; the lower the score, the higher
  std::array<TokenId, 256> byte_tokens_{};
  bool has_byte_tokens_ = true;
  bool adds_space_prefix_;
  bool removes_extra_spaces_;
  // Whether some token has a space behind a character that ends with the byte; elsewhere text is cut into words in
  // front of a space.
  std::array<bool, 256> is_joined_to_space_{};
};

}  // namespace minfer
