// The tokens of a model: texts, bytes, types and named ids, checked once and owned from then on.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "text/tokenizer/tokenizer_spec.h"

namespace minfer {

// Ids that the file names. All are in range.
struct NamedTokens {
  std::optional<TokenId> bos, eos, eot, eom, unk, pad;
};

class Vocabulary {
 public:
  // Errors (kBadFile): no tokens, arrays of other lengths, a token over 64 KiB, two tokens with one text, a type or a
  // named id out of range.
  explicit Vocabulary(const TokenizerSpec& spec);
  Vocabulary(const Vocabulary&) = delete;
  Vocabulary& operator=(const Vocabulary&) = delete;

  size_t size() const { return types_.size(); }
  bool contains(TokenId id) const { return id >= 0 && static_cast<size_t>(id) < size(); }

  // The token as it is written in the file: normal tokens in the letters of the byte alphabet. Like the next two, for
  // ids of this vocabulary only.
  std::string_view text(TokenId id) const { return texts_[static_cast<size_t>(id)]; }

  // The bytes that the token stands for.
  std::string_view bytes(TokenId id) const { return bytes_[static_cast<size_t>(id)]; }

  // The type in the file, except that some tokens are control tokens whatever the file says: <|im_start|>, <|im_end|>,
  // the end-of-sequence token when its text starts with '<', and a named id that is typed user-defined.
  TokenType type(TokenId id) const { return types_[static_cast<size_t>(id)]; }

  // Control or unknown: a token that plain text must never turn into.
  bool is_control(TokenId id) const { return type(id) == TokenType::kControl || type(id) == TokenType::kUnknown; }

  // Normal or byte: written in the byte alphabet.
  bool is_plain(TokenId id) const;

  // The token with this text as written in the file, of any type.
  std::optional<TokenId> find(std::string_view text) const;

  const NamedTokens& named() const { return named_; }

  // Heap memory that it holds, hash nodes estimated.
  size_t size_bytes() const;

 private:
  void check_arrays(const TokenizerSpec& spec) const;
  void set_texts(const TokenizerSpec& spec);
  void set_types(const TokenizerSpec& spec);
  void set_named(const TokenizerSpec& spec);
  void mark_control_tokens();
  void set_bytes();

  std::string text_storage_;
  std::string byte_storage_;
  std::vector<std::string_view> texts_;  // [n_vocab], into text_storage_
  std::vector<std::string_view> bytes_;  // [n_vocab], into either storage
  std::vector<TokenType> types_;         // [n_vocab]
  std::unordered_map<std::string_view, TokenId> ids_;
  NamedTokens named_;
};

}  // namespace minfer
