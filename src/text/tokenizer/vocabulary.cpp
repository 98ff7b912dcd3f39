#include "text/tokenizer/vocabulary.h"

#include <array>
#include <charconv>
#include <limits>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"

namespace minfer {
namespace {

constexpr size_t kMaxTokenBytes = 64 * 1024;
constexpr size_t kMaxTokens = static_cast<size_t>(std::numeric_limits<TokenId>::max());

// Texts of the tokens of fill-in-the-middle prompts in some families of models.
struct FimTexts {
  std::string_view prefix;
  std::string_view suffix;
  std::string_view middle;
};

constexpr FimTexts kFimTexts[] = {
    {"<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"},
    {"<fim_prefix>", "<fim_suffix>", "<fim_middle>"},
    {"<fim-prefix>", "<fim-suffix>", "<fim-middle>"},
    {"<｜fim▁begin｜>", "<｜fim▁hole｜>", "<｜fim▁end｜>"},
    {"<PRE>", "<SUF>", "<MID>"},
    {"▁<PRE>", "▁<SUF>", "▁<MID>"},
    {"<|code_prefix|>", "<|code_suffix|>", "<|code_middle|>"},
};

std::optional<TokenId> checked_id(std::string_view key, std::optional<int64_t> id, size_t n_vocab) {
  if (!id) return std::nullopt;
  if (*id < 0 || static_cast<uint64_t>(*id) >= n_vocab) {
    fail(ErrorCode::kBadFile, "[tokenizer] tokenizer.ggml.{} = {} is out of range: expected 0 to {}", key, *id,
         n_vocab - 1);
  }
  return static_cast<TokenId>(*id);
}

// The number of tokens, when the arrays fit each other.
size_t checked_size(const TokenizerSpec& spec) {
  const size_t n = spec.tokens.size();
  if (n == 0) fail(ErrorCode::kBadFile, "[tokenizer] tokenizer.ggml.tokens is missing or empty");
  if (n > kMaxTokens) fail(ErrorCode::kBadFile, "[tokenizer] {} tokens: expected at most {}", n, kMaxTokens);
  const auto check_length = [n](std::string_view key, size_t got) {
    if (got == 0 || got == n) return;
    fail(ErrorCode::kBadFile, "[tokenizer] tokenizer.ggml.{} has {} entries: expected {}, one per token", key, got, n);
  };
  check_length("token_type", spec.token_types.size());
  check_length("scores", spec.scores.size());
  return n;
}

// The byte that "<0x0A>" stands for.
std::optional<char> byte_of(std::string_view text) {
  if (text.size() != 6 || !text.starts_with("<0x") || text[5] != '>') return std::nullopt;
  uint8_t byte = 0;
  const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 5, byte, 16);
  if (error != std::errc() || end != text.data() + 5) return std::nullopt;
  return static_cast<char>(byte);
}

void append_with_spaces(std::string_view text, std::string& out) {
  constexpr std::string_view kSpace = "\u2581";
  for (size_t at = text.find(kSpace); at != std::string_view::npos; at = text.find(kSpace)) {
    out.append(text.substr(0, at)) += ' ';
    text.remove_prefix(at + kSpace.size());
  }
  out.append(text);
}

}  // namespace

Vocabulary::Vocabulary(const TokenizerSpec& spec, TokenLetters letters) : letters_(letters), ids_(checked_size(spec)) {
  set_types(spec);
  set_texts(spec);
  set_index();
  set_named(spec);
  find_fim_tokens();
  mark_control_tokens();
}

void Vocabulary::append_bytes(TokenId id, std::string& out) const {
  if (letters_ == TokenLetters::kByteAlphabet) {
    if (is_plain(id)) {
      minfer::append_bytes(text(id), out);
    } else {
      out.append(text(id));
    }
  } else if (const std::optional<char> byte = type(id) == TokenType::kByte ? byte_of(text(id)) : std::nullopt) {
    out += *byte;
  } else if (is_control(id)) {
    out.append(text(id));
  } else {
    append_with_spaces(text(id), out);
  }
}

bool Vocabulary::is_plain(TokenId id) const {
  const TokenType t = type(id);
  return t == TokenType::kNormal || t == TokenType::kByte || t == TokenType::kUndefined;
}

std::optional<TokenId> Vocabulary::find(std::string_view text, uint64_t hash) const {
  const uint32_t id = ids_.find(hash, [&](uint32_t position) { return texts_[position] == text; });
  return id == FlatIndex::kNone ? std::nullopt : std::optional(static_cast<TokenId>(id));
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
  if (total > std::numeric_limits<uint32_t>::max()) {
    fail(ErrorCode::kBadFile, "[tokenizer] the tokens have {} bytes in all: expected less than 4 GiB", total);
  }
  texts_.reserve(spec.tokens.size(), total);
  for (const std::string_view token : spec.tokens) texts_.append(token);
}

void Vocabulary::set_index() {
  // Memory is asked for some entries ahead of its use; the table is larger than the nearer caches.
  constexpr size_t kAhead = 16;
  std::array<uint64_t, kAhead> hashes{};
  const auto look_ahead = [&](size_t i) {
    if (i >= texts_.size()) return;
    hashes[i % kAhead] = hash_text(texts_[i]);
    ids_.prefetch(hashes[i % kAhead]);
  };
  for (size_t i = 0; i < kAhead; ++i) look_ahead(i);
  for (size_t i = 0; i < texts_.size(); ++i) {
    const std::string_view text = texts_[i];
    const uint64_t hash = hashes[i % kAhead];
    look_ahead(i + kAhead);
    if (text.empty()) continue;  // unreachable, and files have several
    const uint32_t other =
        ids_.insert(hash, static_cast<uint32_t>(i), [&](uint32_t position) { return texts_[position] == text; });
    if (other != FlatIndex::kNone) {
      fail(ErrorCode::kBadFile, "[tokenizer] tokens {} and {} have the same text \"{}\"", other, i, printable(text));
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
  named_.fim_pre = checked_id("fim_pre_token_id", spec.fim_pre_id, size());
  named_.fim_suf = checked_id("fim_suf_token_id", spec.fim_suf_id, size());
  named_.fim_mid = checked_id("fim_mid_token_id", spec.fim_mid_id, size());
}

void Vocabulary::find_fim_tokens() {
  if (named_.fim_pre || named_.fim_suf || named_.fim_mid) return;
  const auto find_special = [this](std::string_view text) {
    const std::optional<TokenId> id = find(text);
    return id && !is_plain(*id) ? id : std::nullopt;
  };
  for (const FimTexts& texts : kFimTexts) {
    const auto prefix = find_special(texts.prefix);
    const auto suffix = find_special(texts.suffix);
    const auto middle = find_special(texts.middle);
    if (!prefix || !suffix || !middle) continue;
    named_.fim_pre = prefix;
    named_.fim_suf = suffix;
    named_.fim_mid = middle;
    return;
  }
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

size_t Vocabulary::size_bytes() const {
  return texts_.size_bytes() + types_.capacity() * sizeof(types_[0]) + ids_.size_bytes();
}

}  // namespace minfer
