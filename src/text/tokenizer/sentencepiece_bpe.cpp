#include "text/tokenizer/sentencepiece_bpe.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "text/tokenizer/utf8.h"
#include "text/tokenizer/word_cache.h"

namespace minfer {
namespace {

constexpr std::string_view kSpace = "\u2581";
constexpr uint32_t kEnd = std::numeric_limits<uint32_t>::max();

// Larger for lower scores; the order of all finite floats.
uint32_t rank_of(float score) {
  const auto bits = std::bit_cast<uint32_t>(score + 0.0F);  // -0 is 0
  const uint32_t ascending = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
  return ~ascending;
}

// The next space sign from `from` on that follows another character; the size of the text if there is none.
size_t find_space_behind(std::string_view text, size_t from) {
  size_t at = text.find(kSpace, std::max<size_t>(from, 1));
  while (at != std::string_view::npos && text.substr(0, at).ends_with(kSpace)) at = text.find(kSpace, at + 1);
  return std::min(at, text.size());
}

// Without spaces in front, behind, and beside another space.
std::string without_extra_spaces(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  }
  if (out.ends_with(' ')) out.pop_back();
  return out;
}

}  // namespace

// One text at work: the symbols of a word as a linked list in an array, and a heap of possible joins.
class SentencePieceBpe::Run {
 public:
  Run(const SentencePieceBpe& bpe, size_t n_bytes, std::vector<TokenId>& ids) : bpe_(bpe), ids_(ids), cache_(n_bytes) {}

  void encode(std::string_view text) {
    set_text(text);
    std::string_view rest = text_;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, bpe_.word_end(rest));
      rest.remove_prefix(word.size());
      // An unknown token goes on from word to word, so that what a word gives depends on what is before it.
      if (bpe_.has_byte_tokens_ && cache_.append_known(word, ids_)) continue;
      const size_t first = ids_.size();
      encode_word(word);
      if (bpe_.has_byte_tokens_) cache_.remember(word, first, ids_);
    }
    is_after_unknown_ = false;
  }

 private:
  struct Symbol {
    uint32_t begin;
    uint32_t length;  // bytes; 0: joined to the one before
    uint32_t previous;
    uint32_t next;
  };

  struct Join {
    uint32_t rank;
    uint32_t left;
    uint32_t length;  // of both together when it was entered

    bool operator>(const Join& other) const { return rank != other.rank ? rank > other.rank : left > other.left; }
  };

  void set_text(std::string_view text) {
    std::string trimmed;
    if (bpe_.removes_extra_spaces_) text = trimmed = without_extra_spaces(text);
    text_.clear();
    if (text.empty()) return;
    if (bpe_.adds_space_prefix_) text_ += kSpace;
    for (size_t space = text.find(' '); space != std::string_view::npos; space = text.find(' ')) {
      text_.append(text.substr(0, space)).append(kSpace);
      text.remove_prefix(space + 1);
    }
    text_.append(text);
  }

  void encode_word(std::string_view word) {
    if (word.size() >= kEnd) {
      fail(ErrorCode::kInvalidArgument, "[tokenizer] one word of {} bytes: expected less than 4 GiB", word.size());
    }
    word_ = word;
    start();
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const Join join = heap_.back();
      heap_.pop_back();
      apply(join);
    }
    for (uint32_t i = 0; i != kEnd; i = symbols_[i].next) append(word_.substr(symbols_[i].begin, symbols_[i].length));
  }

  void start() {
    symbols_.clear();
    for (size_t begin = 0; begin < word_.size(); begin += symbols_.back().length) {
      const Utf8Step step = utf8_step(word_.substr(begin));
      const size_t length = step.kind == Utf8Kind::kCharacter ? step.length : 1;
      const auto i = static_cast<uint32_t>(symbols_.size());
      symbols_.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(length), i == 0 ? kEnd : i - 1, i + 1});
    }
    symbols_.back().next = kEnd;
    heap_.clear();
    for (uint32_t i = 0; i < symbols_.size(); ++i) offer(i);
  }

  void offer(uint32_t left) {
    if (left == kEnd || symbols_[left].next == kEnd) return;
    const uint32_t length = symbols_[left].length + symbols_[symbols_[left].next].length;
    const std::optional<TokenId> id = bpe_.vocabulary_.find(word_.substr(symbols_[left].begin, length));
    if (!id || !bpe_.is_joinable(static_cast<size_t>(*id))) return;
    heap_.push_back({bpe_.ranks_[static_cast<size_t>(*id)], left, length});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  void apply(const Join& join) {
    Symbol& symbol = symbols_[join.left];
    if (symbol.length == 0 || symbol.next == kEnd) return;
    Symbol& neighbour = symbols_[symbol.next];
    if (symbol.length + neighbour.length != join.length) return;
    symbol.length = join.length;
    symbol.next = neighbour.next;
    neighbour.length = 0;
    if (symbol.next != kEnd) symbols_[symbol.next].previous = join.left;
    offer(symbol.previous);
    offer(join.left);
  }

  void append(std::string_view text) {
    const std::optional<TokenId> id = bpe_.vocabulary_.find(text);
    if (id && bpe_.is_joinable(static_cast<size_t>(*id))) {
      ids_.push_back(*id);
      is_after_unknown_ = false;
    } else if (bpe_.has_byte_tokens_) {
      for (const char c : text) ids_.push_back(bpe_.byte_tokens_[static_cast<uint8_t>(c)]);
    } else if (!is_after_unknown_) {
      ids_.push_back(*bpe_.vocabulary_.named().unk);
      is_after_unknown_ = true;
    }
  }

  const SentencePieceBpe& bpe_;
  std::vector<TokenId>& ids_;
  WordCache cache_;
  std::string text_;       // normalized
  std::string_view word_;  // of text_
  std::vector<Symbol> symbols_;
  std::vector<Join> heap_;  // smallest on top
  bool is_after_unknown_ = false;
};

SentencePieceBpe::SentencePieceBpe(const TokenizerSpec& spec, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      adds_space_prefix_(spec.add_space_prefix.value_or(true)),
      removes_extra_spaces_(spec.remove_extra_whitespaces.value_or(false)) {
  set_ranks(spec);
  set_byte_tokens();
}

void SentencePieceBpe::set_ranks(const TokenizerSpec& spec) {
  if (spec.scores.empty()) {
    fail(ErrorCode::kBadFile, "[tokenizer] tokenizer.ggml.scores is missing; SentencePiece BPE joins tokens by score");
  }
  ranks_.assign(vocabulary_.size(), kNotJoined);
  for (size_t i = 0; i < ranks_.size(); ++i) {
    if (!std::isfinite(spec.scores[i])) {
      fail(ErrorCode::kBadFile, "[tokenizer] the score of token {} is {}: expected a number", i, spec.scores[i]);
    }
    const auto id = static_cast<TokenId>(i);
    const TokenType type = vocabulary_.type(id);
    // User-defined ones that are written with U+2581 are met only here, where spaces have become that.
    const bool is_made_of_others = type == TokenType::kNormal || type == TokenType::kUndefined;
    if (!is_made_of_others && type != TokenType::kUserDefined) continue;
    ranks_[i] = rank_of(spec.scores[i]);
    const std::string_view text = vocabulary_.text(id);
    for (size_t at = find_space_behind(text, 0); at < text.size(); at = find_space_behind(text, at + 1)) {
      is_joined_to_space_[static_cast<uint8_t>(text[at - 1])] = true;
    }
  }
}

size_t SentencePieceBpe::word_end(std::string_view text) const {
  size_t at = find_space_behind(text, 0);
  while (at < text.size() && is_joined_to_space_[static_cast<uint8_t>(text[at - 1])]) {
    at = find_space_behind(text, at + 1);
  }
  return at;
}

void SentencePieceBpe::set_byte_tokens() {
  size_t n_missing = 0;
  size_t first_missing = 0;
  for (size_t byte = 0; byte < byte_tokens_.size(); ++byte) {
    const std::optional<TokenId> id = vocabulary_.find(fmt::format("<0x{:02X}>", byte));
    byte_tokens_[byte] = id && vocabulary_.type(*id) == TokenType::kByte ? *id : kNoToken;
    if (byte_tokens_[byte] == kNoToken && n_missing++ == 0) first_missing = byte;
  }
  has_byte_tokens_ = n_missing == 0;
  if (has_byte_tokens_ || vocabulary_.named().unk) return;
  fail(ErrorCode::kBadFile,
       "[tokenizer] {} of 256 byte tokens are missing (first: <0x{:02X}>), and so is tokenizer.ggml.unknown_token_id: "
       "characters without a token could not be encoded",
       n_missing, first_missing);
}

void SentencePieceBpe::encode(std::span<const TextPart> parts, std::vector<TokenId>& ids) const {
  size_t n_bytes = 0;
  for (const TextPart& part : parts) n_bytes += part.text.size();
  Run run(*this, n_bytes, ids);
  for (const TextPart& part : parts) {
    if (part.special != kNoToken) {
      ids.push_back(part.special);
    } else {
      run.encode(part.text);
    }
  }
}

}  // namespace minfer
