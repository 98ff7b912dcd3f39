// The tokens of a model: texts, bytes, types and named ids, checked once and owned from then on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/flat_index.h"
#include "text/tokenizer/text_list.h"
#include "text/tokenizer/tokenizer_spec.h"

namespace minfer {

// Ids that the file names. All are in range. Those of fill-in-the-middle prompts are found by the texts that families
// of models have for them, too.
struct NamedTokens {
  std::optional<TokenId> bos, eos, eot, eom, unk, pad;
  std::optional<TokenId> fim_pre, fim_suf, fim_mid;
};

// How the texts of tokens stand for bytes.
enum class TokenLetters {
  kByteAlphabet,   // normal and byte tokens in the letters of byte_alphabet.h
  kSentencePiece,  // all but control tokens with U+2581 for a space, byte tokens as "<0x0A>"
};

class Vocabulary {
 public:
  // Copies what it keeps. Errors (kBadFile): no tokens, arrays of other lengths, a token over 64 KiB, 4 GiB of texts,
  // two tokens with one text, a type or a named id out of range, texts made to collide (FlatIndex).
  Vocabulary(const TokenizerSpec& spec, TokenLetters letters);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  size_t size() const { return types_.size(); }
  bool contains(TokenId id) const { return id >= 0 && static_cast<size_t>(id) < size(); }

  // The token as it is written in the file: normal tokens in the letters of the byte alphabet. Like the next two, for
  // ids of this vocabulary only.
  std::string_view text(TokenId id) const { return texts_[static_cast<size_t>(id)]; }

  // Appends the bytes that the token stands for.
  void append_bytes(TokenId id, std::string& out) const;

  // The type in the file, except that some tokens are control tokens whatever the file says: <|im_start|>, <|im_end|>,
  // the end-of-sequence token when its text starts with '<', and a named id that is typed user-defined.
  TokenType type(TokenId id) const { return types_[static_cast<size_t>(id)]; }

  // Control or unknown: a token that plain text must never turn into.
  bool is_control(TokenId id) const { return type(id) == TokenType::kControl || type(id) == TokenType::kUnknown; }

  // Normal or byte: not written as the bytes that it stands for.
  bool is_plain(TokenId id) const;

  // The token with this text as written in the file, of any type.
  std::optional<TokenId> find(std::string_view text) const { return find(text, hash_text(text)); }

  // The same in two steps, for those who look up many: prefetch(hash_text(text)) for some, then find.
  void prefetch(uint64_t hash) const { ids_.prefetch(hash); }
  std::optional<TokenId> find(std::string_view text, uint64_t hash) const;

  const NamedTokens& named() const { return named_; }

  // Heap memory that it holds.
  size_t size_bytes() const;

 private:
  void set_texts(const TokenizerSpec& spec);
  void set_types(const TokenizerSpec& spec);
  void set_named(const TokenizerSpec& spec);
  void find_fim_tokens();
  void mark_control_tokens();
  void set_index();

  TokenLetters letters_;
  TextList texts_;                // [n_vocab]
  std::vector<TokenType> types_;  // [n_vocab]
  FlatIndex ids_;                 // by text; those without one are left out
  NamedTokens named_;
};

}  // namespace minfer
