#include "text/tokenizer/byte_level_bpe.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/utf8.h"

namespace minfer {
namespace {

constexpr TokenId kNoToken = -1;

// Whether text that people write can do without this byte: control characters other than tab and line ends, and bytes
// that no assigned character has in UTF-8 (planes 4 to 11 are empty). Real vocabularies, SmolLM2's among them, lack
// some.
bool may_be_missing(size_t byte) {
  if (byte < 0x20) return byte != '\t' && byte != '\n' && byte != '\r';
  return byte == 0x7F || byte == 0xC0 || byte == 0xC1 || byte == 0xF1 || byte == 0xF2 || byte >= 0xF5;
}

std::array<TokenId, 256> find_byte_tokens(const Vocabulary& vocabulary) {
  std::array<TokenId, 256> tokens{};
  size_t n_missing = 0;
  size_t first_missing = 0;
  bool is_usable = true;
  for (size_t byte = 0; byte < tokens.size(); ++byte) {
    const char c = static_cast<char>(byte);
    std::string letter;
    append_letters(std::string_view(&c, 1), letter);
    const std::optional<TokenId> id = vocabulary.find(letter);
    tokens[byte] = id && vocabulary.is_plain(*id) ? *id : kNoToken;
    if (tokens[byte] != kNoToken) continue;
    if (n_missing++ == 0) first_missing = byte;
    is_usable = is_usable && may_be_missing(byte);
  }
  if (!is_usable) {
    fail(ErrorCode::kBadFile,
         "vocabulary is not byte-level complete: {} of 256 byte tokens are missing (first: <0x{:02X}>); ordinary text "
         "could not be encoded",
         n_missing, first_missing);
  }
  return tokens;
}

// Bytes at the start of `text` that are whole characters.
size_t utf8_prefix(std::string_view text) {
  size_t n = 0;
  while (n < text.size()) {
    const Utf8Step step = utf8_step(text.substr(n));
    if (step.kind != Utf8Kind::kCharacter) break;
    n += step.length;
  }
  return n;
}

}  // namespace

// The symbols of one piece while they are merged: a linked list in an array, and a heap of the merges that were
// possible when they were entered. Kept between pieces for its memory.
class ByteLevelBpe::Piece {
 public:
  explicit Piece(const MergeTable& merges) : merges_(merges) {}

  void encode(std::string_view bytes, const std::array<TokenId, 256>& byte_tokens, std::vector<TokenId>& ids) {
    start(bytes, byte_tokens);
    if (symbols_.empty()) return;
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const uint64_t entry = heap_.back();
      heap_.pop_back();
      apply(static_cast<uint32_t>(entry >> 32), static_cast<uint32_t>(entry));
    }
    for (uint32_t i = 0; i != kEnd; i = symbols_[i].next) ids.push_back(symbols_[i].id);
  }

 private:
  static constexpr uint32_t kEnd = std::numeric_limits<uint32_t>::max();
  static constexpr TokenId kGone = -1;

  struct Symbol {
    TokenId id;
    uint32_t previous;
    uint32_t next;
  };

  void start(std::string_view bytes, const std::array<TokenId, 256>& byte_tokens) {
    if (bytes.size() >= kEnd) {
      fail(ErrorCode::kInvalidArgument, "[tokenizer] one word of {} bytes: expected less than 4 GiB", bytes.size());
    }
    symbols_.clear();
    for (const char c : bytes) {
      const TokenId id = byte_tokens[static_cast<uint8_t>(c)];
      const auto i = static_cast<uint32_t>(symbols_.size());
      if (id != kNoToken) symbols_.push_back({id, i == 0 ? kEnd : i - 1, i + 1});
    }
    heap_.clear();
    if (symbols_.empty()) return;
    symbols_.back().next = kEnd;
    for (uint32_t i = 0; symbols_[i].next != kEnd; ++i) {
      if (const auto merge = merges_.find(symbols_[i].id, symbols_[i + 1].id)) heap_.push_back(entry(merge, i));
    }
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  // Lowest rank first, then the leftmost.
  static uint64_t entry(const MergeTable::Merge& merge, uint32_t left) { return uint64_t{merge.rank} << 32 | left; }

  void offer(uint32_t left) {
    if (left == kEnd || symbols_[left].next == kEnd) return;
    const auto merge = merges_.find(symbols_[left].id, symbols_[symbols_[left].next].id);
    if (!merge) return;
    heap_.push_back(entry(merge, left));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  // Joins the symbol at `left` with its neighbour if the two still are the pair of `rank`.
  void apply(uint32_t rank, uint32_t left) {
    Symbol& symbol = symbols_[left];
    if (symbol.id == kGone || symbol.next == kEnd) return;
    Symbol& neighbour = symbols_[symbol.next];
    const auto merge = merges_.find(symbol.id, neighbour.id);
    if (merge.rank != rank) return;
    symbol.id = merge.merged;
    symbol.next = neighbour.next;
    neighbour.id = kGone;
    if (symbol.next != kEnd) symbols_[symbol.next].previous = left;
    offer(symbol.previous);
    offer(left);
  }

  const MergeTable& merges_;
  std::vector<Symbol> symbols_;
  std::vector<uint64_t> heap_;  // rank in the high half, left symbol in the low half; smallest on top
};

ByteLevelBpe::ByteLevelBpe(const TokenizerSpec& spec, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      pre_tokenizer_(find_pre_tokenizer_rule(spec.pre)),
      merges_(spec.merges, vocabulary),
      byte_tokens_(find_byte_tokens(vocabulary)) {}

void ByteLevelBpe::encode(std::string_view text, std::vector<TokenId>& ids) const {
  Piece piece(merges_);
  while (!text.empty()) {
    const size_t n_valid = utf8_prefix(text);
    encode_utf8(text.substr(0, n_valid), piece, ids);
    text.remove_prefix(n_valid);
    if (text.empty()) break;
    piece.encode(text.substr(0, 1), byte_tokens_, ids);
    text.remove_prefix(1);
  }
}

void ByteLevelBpe::encode_utf8(std::string_view text, Piece& piece, std::vector<TokenId>& ids) const {
  std::string normalized;
  if (rule().normalization == Normalization::kNfc) text = to_nfc(text, normalized);
  for (const std::string_view bytes : pre_tokenizer_.split(text)) {
    if (rule().ignore_merges && append_whole(bytes, ids)) continue;
    piece.encode(bytes, byte_tokens_, ids);
  }
}

std::vector<uint8_t> ByteLevelBpe::missing_bytes() const {
  std::vector<uint8_t> bytes;
  for (size_t byte = 0; byte < byte_tokens_.size(); ++byte) {
    if (byte_tokens_[byte] == kNoToken) bytes.push_back(static_cast<uint8_t>(byte));
  }
  return bytes;
}

bool ByteLevelBpe::append_whole(std::string_view piece, std::vector<TokenId>& ids) const {
  std::string letters;
  append_letters(piece, letters);
  const std::optional<TokenId> id = vocabulary_.find(letters);
  if (!id || !vocabulary_.is_plain(*id)) return false;
  ids.push_back(*id);
  return true;
}

}  // namespace minfer
