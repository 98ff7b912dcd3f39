#include "text/tokenizer/byte_level_bpe.h"

#include <optional>
#include <string>

#include "base/error.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/utf8.h"
#include "text/tokenizer/word_cache.h"
#include "text/tokenizer/word_merger.h"

namespace minfer {
namespace {

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

}  // namespace

// One text at work: what is kept from piece to piece.
class ByteLevelBpe::Run {
 public:
  Run(const ByteLevelBpe& bpe, size_t n_bytes, std::vector<TokenId>& ids)
      : bpe_(bpe), ids_(ids), reader_(bpe.pre_tokenizer_), merger_(bpe.merges_), cache_(n_bytes) {}

  void encode(std::string_view text) {
    while (!text.empty()) {
      const size_t n_valid = utf8_prefix(text);
      encode_utf8(text.substr(0, n_valid));
      text.remove_prefix(n_valid);
      if (text.empty()) break;
      append_bytes(text.substr(0, 1));
      text.remove_prefix(1);
    }
  }

 private:
  void encode_utf8(std::string_view text) {
    if (bpe_.pre_tokenizer_.rule().normalization == Normalization::kNfc) text = to_nfc(text, normalized_);
    reader_.start(text);
    std::string_view piece;
    while (reader_.next(piece)) {
      if (cache_.append_known(piece, ids_)) continue;
      const size_t first = ids_.size();
      if (!bpe_.pre_tokenizer_.rule().ignore_merges || !append_whole(piece)) {
        append_bytes(piece);
        merger_.merge(ids_, first);
      }
      cache_.remember(piece, first, ids_);
    }
  }

  void append_bytes(std::string_view bytes) {
    for (const char c : bytes) {
      const TokenId id = bpe_.byte_tokens_[static_cast<uint8_t>(c)];
      if (id != kNoToken) ids_.push_back(id);
    }
  }

  // The piece as one token, if it is one.
  bool append_whole(std::string_view piece) {
    letters_.clear();
    append_letters(piece, letters_);
    const std::optional<TokenId> id = bpe_.vocabulary_.find(letters_);
    if (!id || !bpe_.vocabulary_.is_plain(*id)) return false;
    ids_.push_back(*id);
    return true;
  }

  const ByteLevelBpe& bpe_;
  std::vector<TokenId>& ids_;
  PieceReader reader_;
  WordMerger merger_;
  WordCache cache_;
  std::string normalized_;
  std::string letters_;
};

ByteLevelBpe::ByteLevelBpe(const TokenizerSpec& spec, const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      pre_tokenizer_(find_pre_tokenizer_rule(spec.pre)),
      merges_(spec.merges, vocabulary),
      byte_tokens_(find_byte_tokens(vocabulary)) {}

void ByteLevelBpe::encode(std::span<const TextPart> parts, std::vector<TokenId>& ids) const {
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

std::vector<uint8_t> ByteLevelBpe::missing_bytes() const {
  std::vector<uint8_t> bytes;
  for (size_t byte = 0; byte < byte_tokens_.size(); ++byte) {
    if (byte_tokens_[byte] == kNoToken) bytes.push_back(static_cast<uint8_t>(byte));
  }
  return bytes;
}

}  // namespace minfer
