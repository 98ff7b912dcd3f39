// Text to token ids and back, as the model's file says.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/special_tokens.h"
#include "text/tokenizer/text_encoder.h"
#include "text/tokenizer/tokenizer_spec.h"
#include "text/tokenizer/utf8.h"
#include "text/tokenizer/vocabulary.h"

namespace minfer {

// Whether the texts of control tokens become control tokens. User-defined tokens (type 4) are matched either way: they
// are ordinary text that the model has one id for, and its reference tokenizer does the same.
enum class ControlText {
  kParse,    // text written by a template or by a person who means it
  kAsPlain,  // text from elsewhere: encoded like any other characters
};

// A part of a prompt and what its control texts mean.
struct TextSegment {
  std::string_view text;
  ControlText control = ControlText::kAsPlain;
};

// Whether control tokens leave a trace in decoded text.
enum class ControlOutput { kHide, kShow };

// Immutable; may be used from several threads at once. Ids outside the vocabulary (a model's output may be wider) stand
// for no bytes.
class Tokenizer {
 public:
  // Errors: kUnsupported for a model other than byte-level or SentencePiece BPE or an unknown pre-tokenizer, kBadFile
  // for metadata that does not hold together (see Vocabulary, MergeTable, SpecialTokens, ByteLevelBpe,
  // SentencePieceBpe).
  explicit Tokenizer(const TokenizerSpec& spec);
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // The ids of `text` (any bytes; see TextEncoder::encode). Nothing is added.
  std::vector<TokenId> encode(std::string_view text, ControlText control) const;

  // The ids of the segments' joined text, in which control tokens are found only within neighbouring kParse segments.
  // Borders of segments cut no word: without control texts the ids are those of the joined text.
  std::vector<TokenId> encode(std::span<const TextSegment> segments) const;

  // The ids of a fill-in-the-middle prompt: prefix token, `before`, suffix token, `after`, middle token. Texts are
  // taken as plain. Error (kUnsupported): the model has no such tokens.
  std::vector<TokenId> encode_fill_in(std::string_view before, std::string_view after) const;

  // Puts the begin-of-sequence token in front, if the file asks for it (add_bos_token) and `ids` do not start with it.
  void add_bos(std::vector<TokenId>& ids) const;

  // The bytes that a token stands for; empty outside the vocabulary.
  std::string token_bytes(TokenId id) const;

  // The bytes of `ids` one after the other; they need not be UTF-8.
  std::string decode(std::span<const TokenId> ids, ControlOutput control) const;

  bool is_control(TokenId id) const { return vocabulary_.contains(id) && vocabulary_.is_control(id); }

  // Whether generation stops here: the file's eos, eot and eom ids, and control tokens that are known to end a turn.
  bool is_end_of_generation(TokenId id) const;
  std::span<const TokenId> end_of_generation() const { return end_of_generation_; }  // ascending

  size_t n_vocab() const { return vocabulary_.size(); }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const NamedTokens& named() const { return vocabulary_.named(); }
  bool adds_bos() const { return adds_bos_; }
  bool adds_eos() const { return adds_eos_; }  // what the file says; encode never adds it
  std::vector<uint8_t> missing_bytes() const { return encoder_->missing_bytes(); }  // see TextEncoder
  std::string_view pre_tokenizer() const { return encoder_->pre_tokenizer(); }
  // Heap memory that it holds: vocabulary and merges.
  size_t size_bytes() const { return vocabulary_.size_bytes() + encoder_->size_bytes(); }

 private:
  std::vector<TokenId> encode_text(std::string_view text, std::span<const TextRange> trusted) const;

  Vocabulary vocabulary_;
  SpecialTokens special_;
  std::unique_ptr<TextEncoder> encoder_;
  std::vector<TokenId> end_of_generation_;
  bool adds_bos_;
  bool adds_eos_;
};

// Turns generated ids into text as they come. What it hands out is always whole characters, and a character comes with
// the token that completes it. Copies continue on their own. The tokenizer must outlive it.
class StreamDetokenizer {
 public:
  StreamDetokenizer(const Tokenizer& tokenizer, ControlOutput control) : tokenizer_(&tokenizer), control_(control) {}

  // The characters that this token completes; U+FFFD for bytes that form none.
  std::string push(TokenId id);

  // After the last token: U+FFFD if the text ends inside a character.
  std::string finish() { return stream_.finish(); }

 private:
  const Tokenizer* tokenizer_;
  ControlOutput control_;
  Utf8Stream stream_;
};

}  // namespace minfer
