#include "text/tokenizer/vocabulary.h"

#include <limits>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"

namespace minfer {
namespace {

constexpr size_t kMaxTokenBytes = 64 * 1024;
constexpr size_t kMaxTokens = static_cast<size_t>(std::numeric_limits<TokenId>::max());

std::optional<TokenId> checked_id(std::string_view key, std::optional<int64_t> id, size_t n_vocab) {
  if (!id) return std::nullopt;
  if (*id < 0 || static_cast<uint64_t>(*id) >= n_vocab) {
    fail(ErrorCode::kBadFile, "[tokenizer] tokenizer.ggml.{} = {} is out of range: expected 0 to {}", key, *id,
         n_vocab - 1);
  }
  return static_cast<TokenId>(*id);
}

}  // namespace

Vocabulary::Vocabulary(const TokenizerSpec& spec) {
  check_arrays(spec);
  set_types(spec);
  set_texts(spec);
  set_named(spec);
  mark_control_tokens();
  set_bytes();
}

bool Vocabulary::is_plain(TokenId id) const {
  const TokenType t = type(id);
  return t == TokenType::kNormal || t == TokenType::kByte || t == TokenType::kUndefined;
}

std::optional<TokenId> Vocabulary::find(std::string_view text) const {
  const auto it = ids_.find(text);
  if (it == ids_.end()) return std::nullopt;
  return it->second;
}

void Vocabulary::check_arrays(const TokenizerSpec& spec) const {
  const size_t n = spec.tokens.size();
  if (n == 0) fail(ErrorCode::kBadFile, "[tokenizer] tokenizer.ggml.tokens is missing or empty");
  if (n > kMaxTokens) fail(ErrorCode::kBadFile, "[tokenizer] {} tokens: expected at most {}", n, kMaxTokens);
  const auto check_length = [n](std::string_view key, size_t got) {
    if (got == 0 || got == n) return;
    fail(ErrorCode::kBadFile, "[tokenizer] tokenizer.ggml.{} has {} entries: expected {}, one per token", key, got, n);
  };
  check_length("token_type", spec.token_types.size());
  check_length("scores", spec.scores.size());
}

void Vocabulary::set_types(const TokenizerSpec& spec) {
  types_.assign(spec.tokens.size(), TokenType::kNormal);
  for (size_t i = 0; i < spec.token_types.size(); ++i) {
    const int32_t type = spec.token_types[i];
    if (type < 0 || type > static_cast<int32_t>(TokenType::kByte)) {
      fail(ErrorCode::kBadFile, "[tokenizer] token {} has type {}: expected 0 to 6", i, type);
    }
    types_[i] = static_cast<TokenType>(type);
  }
}

void Vocabulary::set_texts(const TokenizerSpec& spec) {
  size_t total = 0;
  for (size_t i = 0; i < spec.tokens.size(); ++i) {
    if (spec.tokens[i].size() > kMaxTokenBytes) {
      fail(ErrorCode::kBadFile, "[tokenizer] token {} has {} bytes: expected at most {}", i, spec.tokens[i].size(),
           kMaxTokenBytes);
    }
    total += spec.tokens[i].size();
  }
  text_storage_.reserve(total);
  texts_.reserve(spec.tokens.size());
  ids_.reserve(spec.tokens.size());
  for (const std::string_view token : spec.tokens) {
    const size_t begin = text_storage_.size();
    text_storage_.append(token);
    texts_.push_back(std::string_view(text_storage_).substr(begin));
    if (token.empty()) continue;  // unreachable, and files have several
    const auto id = static_cast<TokenId>(texts_.size() - 1);
    const auto [it, is_new] = ids_.emplace(texts_.back(), id);
    if (!is_new) {
      fail(ErrorCode::kBadFile, "[tokenizer] tokens {} and {} have the same text \"{}\"", it->second, id,
           printable(token));
    }
  }
}

void Vocabulary::set_named(const TokenizerSpec& spec) {
  named_.bos = checked_id("bos_token_id", spec.bos_id, size());
  named_.eos = checked_id("eos_token_id", spec.eos_id, size());
  named_.eot = checked_id("eot_token_id", spec.eot_id, size());
  named_.eom = checked_id("eom_token_id", spec.eom_id, size());
  named_.unk = checked_id("unknown_token_id", spec.unk_id, size());
  named_.pad = checked_id("padding_token_id", spec.pad_id, size());
}

void Vocabulary::mark_control_tokens() {
  const auto mark = [this](TokenId id) { types_[static_cast<size_t>(id)] = TokenType::kControl; };
  for (const std::string_view name : {"<|im_start|>", "<|im_end|>"}) {
    if (const auto id = find(name)) mark(*id);
  }
  if (named_.eos && text(*named_.eos).starts_with('<')) mark(*named_.eos);
  for (const auto& id : {named_.bos, named_.eos, named_.eot, named_.eom, named_.unk, named_.pad}) {
    if (id && type(*id) == TokenType::kUserDefined) mark(*id);
  }
}

void Vocabulary::set_bytes() {
  byte_storage_.reserve(text_storage_.size());
  bytes_.reserve(size());
  for (size_t i = 0; i < size(); ++i) {
    if (!is_plain(static_cast<TokenId>(i))) {
      bytes_.push_back(texts_[i]);
      continue;
    }
    const size_t begin = byte_storage_.size();
    append_bytes(texts_[i], byte_storage_);
    bytes_.push_back(std::string_view(byte_storage_).substr(begin));
  }
}

size_t Vocabulary::size_bytes() const {
  constexpr size_t kNode = sizeof(std::pair<std::string_view, TokenId>) + 2 * sizeof(void*);
  return text_storage_.capacity() + byte_storage_.capacity() + texts_.capacity() * sizeof(std::string_view) +
         bytes_.capacity() * sizeof(std::string_view) + types_.capacity() * sizeof(TokenType) + ids_.size() * kNode +
         ids_.bucket_count() * sizeof(void*);
}

}  // namespace minfer
