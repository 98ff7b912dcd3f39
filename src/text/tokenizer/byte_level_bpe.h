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
#include "text/tokenizer/tokenizer_spec.h"
#include "text/tokenizer/vocabulary.h"

namespace minfer {

class ByteLevelBpe {
 public:
  // `vocabulary` must outlive this object. Errors: the ones of find_pre_tokenizer_rule and MergeTable; no token for a
  // byte that ordinary text needs.
  ByteLevelBpe(const TokenizerSpec& spec, const Vocabulary& vocabulary);

  // Appends the ids of `text`, in which no token is special. Text need not be UTF-8: a byte that belongs to no
  // well-formed character becomes its byte token, and the text before it and the text after it are encoded each by
  // itself. Time n log n in the longest piece. May be called from several threads at once.
  void encode(std::string_view text, std::vector<TokenId>& ids) const;

  // Bytes without a token, ascending: only control characters and bytes of no assigned character. Encoding leaves them
  // out, as the reference tokenizers do.
  std::vector<uint8_t> missing_bytes() const;

  const PreTokenizerRule& rule() const { return pre_tokenizer_.rule(); }

  // Heap memory of the merges; the vocabulary counts its own.
  size_t size_bytes() const { return merges_.size_bytes(); }

 private:
  class Piece;

  void encode_utf8(std::string_view text, Piece& piece, std::vector<TokenId>& ids) const;
  bool append_whole(std::string_view piece, std::vector<TokenId>& ids) const;

  const Vocabulary& vocabulary_;
  PreTokenizer pre_tokenizer_;
  MergeTable merges_;
  std::array<TokenId, 256> byte_tokens_{};
};

}  // namespace minfer
