#include "text/tokenizer/tokenizer.h"

#include <algorithm>

#include "base/error.h"
#include "text/tokenizer/byte_level_bpe.h"
#include "text/tokenizer/sentencepiece_bpe.h"

namespace minfer {
namespace {

// Texts of control tokens that end a turn in some family of models.
constexpr std::string_view kEndTexts[] = {
    "<|eot_id|>",
    "<|eom_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<EOT>",
    "<|EOT|>",
    "[EOS]",
    "<eos>",
    "</s>",
    "<end_of_utterance>",
    "<｜end▁of▁sentence｜>",
};

// Texts of tokens that end what a model fills in; some files call them user-defined.
constexpr std::string_view kFillInEndTexts[] = {"<|fim_pad|>", "<|repo_name|>", "<|file_sep|>", "<fim_pad>",
                                                "<file_sep>"};

TokenLetters letters_of(const TokenizerSpec& spec) {
  if (!spec.model || *spec.model == "gpt2") return TokenLetters::kByteAlphabet;
  if (*spec.model == "llama") return TokenLetters::kSentencePiece;
  fail(ErrorCode::kUnsupported,
       "tokenizer.ggml.model = \"{}\" is not a byte-level BPE (\"gpt2\") or a SentencePiece BPE (\"llama\"); minfer's "
       "tokenizer implements these only",
       printable(*spec.model));
}

std::unique_ptr<TextEncoder> make_encoder(const TokenizerSpec& spec, const Vocabulary& vocabulary) {
  if (letters_of(spec) == TokenLetters::kByteAlphabet) return std::make_unique<ByteLevelBpe>(spec, vocabulary);
  return std::make_unique<SentencePieceBpe>(spec, vocabulary);
}

// Files with a SentencePiece vocabulary that say nothing come from models that want a begin token.
bool adds_bos_by_default(const TokenizerSpec& spec) {
  return letters_of(spec) == TokenLetters::kSentencePiece && spec.bos_id;
}

std::vector<TokenId> find_end_of_generation(const Vocabulary& vocabulary) {
  std::vector<TokenId> ids;
  const NamedTokens& named = vocabulary.named();
  for (const auto& id : {named.eos, named.eot, named.eom}) {
    if (id) ids.push_back(*id);
  }
  for (const std::string_view text : kEndTexts) {
    const auto id = vocabulary.find(text);
    if (id && vocabulary.is_control(*id)) ids.push_back(*id);
  }
  for (const std::string_view text : kFillInEndTexts) {
    const auto id = vocabulary.find(text);
    if (id && !vocabulary.is_plain(*id)) ids.push_back(*id);
  }
  // Where these exist, <|end|> closes a part of an answer and not the answer.
  if (const auto part_end = vocabulary.find("<|end|>"); part_end && vocabulary.find("<|return|>")) {
    std::erase(ids, *part_end);
  }
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace

Tokenizer::Tokenizer(const TokenizerSpec& spec)
    : vocabulary_(spec, letters_of(spec)),
      special_(vocabulary_),
      encoder_(make_encoder(spec, vocabulary_)),
      end_of_generation_(find_end_of_generation(vocabulary_)),
      adds_bos_(spec.add_bos.value_or(adds_bos_by_default(spec))),
      adds_eos_(spec.add_eos.value_or(false)) {
  if (adds_bos_ && !named().bos) {
    fail(ErrorCode::kBadFile,
         "[tokenizer] tokenizer.ggml.add_bos_token is true, but tokenizer.ggml.bos_token_id is missing");
  }
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, ControlText control) const {
  const TextRange all{0, text.size()};
  return encode_text(text, std::span(&all, control == ControlText::kParse ? 1 : 0));
}

std::vector<TokenId> Tokenizer::encode(std::span<const TextSegment> segments) const {
  std::string text;
  std::vector<TextRange> trusted;
  for (const TextSegment& segment : segments) {
    const size_t begin = text.size();
    text.append(segment.text);
    if (segment.control == ControlText::kAsPlain || segment.text.empty()) continue;
    if (!trusted.empty() && trusted.back().end == begin) {
      trusted.back().end = text.size();
    } else {
      trusted.push_back({begin, text.size()});
    }
  }
  return encode_text(text, trusted);
}

std::vector<TokenId> Tokenizer::encode_text(std::string_view text, std::span<const TextRange> trusted) const {
  std::vector<TextPart> parts;
  size_t done = 0;
  while (const auto match = special_.find(text, done, trusted)) {
    if (match->range.begin > done) parts.push_back({text.substr(done, match->range.begin - done)});
    parts.push_back({text.substr(match->range.begin, match->range.end - match->range.begin), match->id});
    done = match->range.end;
  }
  if (done < text.size()) parts.push_back({text.substr(done)});
  std::vector<TokenId> ids;
  encoder_->encode(parts, ids);
  return ids;
}

std::vector<TokenId> Tokenizer::encode_fill_in(std::string_view before, std::string_view after) const {
  const NamedTokens& names = named();
  if (!names.fim_pre || !names.fim_suf || !names.fim_mid) {
    fail(ErrorCode::kUnsupported,
         "[tokenizer] this model has no fill-in-the-middle tokens (tokenizer.ggml.fim_pre_token_id, fim_suf_token_id "
         "and "
         "fim_mid_token_id): it was not trained to fill in text");
  }
  std::vector<TokenId> ids{*names.fim_pre};
  const auto append = [&](std::string_view text) {
    const std::vector<TokenId> more = encode(text, ControlText::kAsPlain);
    ids.insert(ids.end(), more.begin(), more.end());
  };
  append(before);
  ids.push_back(*names.fim_suf);
  append(after);
  ids.push_back(*names.fim_mid);
  return ids;
}

void Tokenizer::add_bos(std::vector<TokenId>& ids) const {
  if (!adds_bos_ || (!ids.empty() && ids.front() == *named().bos)) return;
  ids.insert(ids.begin(), *named().bos);
}

std::string Tokenizer::token_bytes(TokenId id) const {
  std::string bytes;
  if (vocabulary_.contains(id)) vocabulary_.append_bytes(id, bytes);
  return bytes;
}

std::string Tokenizer::decode(std::span<const TokenId> ids, ControlOutput control) const {
  std::string out;
  for (const TokenId id : ids) {
    if (control == ControlOutput::kHide && is_control(id)) continue;
    if (vocabulary_.contains(id)) vocabulary_.append_bytes(id, out);
  }
  return out;
}

bool Tokenizer::is_end_of_generation(TokenId id) const {
  return std::binary_search(end_of_generation_.begin(), end_of_generation_.end(), id);
}

std::string StreamDetokenizer::push(TokenId id) {
  if (control_ == ControlOutput::kHide && tokenizer_->is_control(id)) return {};
  return stream_.push(tokenizer_->token_bytes(id));
}

}  // namespace minfer
