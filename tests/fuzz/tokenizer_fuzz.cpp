// libFuzzer target of the tokenizer: metadata made from the input's first lines, then a text to encode and decode.
//
// Lines up to an empty one (unknown ones are skipped); everything behind it is the text, parts of it cut by byte 0x1E:
//   model NAME, pre NAME, bos ID, eos ID, eot ID, eom ID, unk ID, pad ID, fim_pre ID, fim_suf ID, fim_mid ID
//   add_bos, add_eos, no_space_prefix, remove_spaces
//   token TYPE TEXT     one more token
//   retype ID TYPE      the type of a token that is there
//   rename ID TEXT      its text
//   merge LEFT RIGHT    a merge and the token that it makes
//   rule TEXT           a line of the merges as it stands
//   scores N            N scores
//   bytes               without the 256 tokens of single bytes, which are there otherwise
//   sentencepiece       the tokens that a SentencePiece model starts with, in their place
//   piece SCORE TEXT    one more token of such a model, U+2581 for a space
#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>

#include "tests/fuzz/fuzz_input.h"
#include "text/tokenizer/byte_alphabet.h"
#include "text/tokenizer/pre_tokenizer.h"
#include "text/tokenizer/tokenizer.h"

namespace minfer::fuzz {
namespace {

int64_t number(std::string_view text) {
  int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The metadata that the lines describe. Owns the texts of spec().
class SpecReader {
 public:
  explicit SpecReader(Lines& lines) {
    spec_.pre = "gpt-2";
    for (int byte = 0; byte < 256; ++byte) {
      const char c = static_cast<char>(byte);
      std::string letter;
      append_letters(std::string_view(&c, 1), letter);
      add(letter, 1);
    }
    while (!lines.empty()) {
      const std::string_view line = lines.next();
      if (line.empty()) break;
      read(line);
    }
  }

  const TokenizerSpec& spec() const { return spec_; }

 private:
  void add(std::string_view text, int64_t type) {
    spec_.tokens.push_back(keep(text));
    spec_.token_types.push_back(static_cast<int32_t>(type));
    if (spec_.model == "llama") spec_.scores.push_back(0.0F);
  }

  void start_sentencepiece() {
    spec_.tokens.clear();
    spec_.token_types.clear();
    spec_.scores.clear();
    spec_.model = "llama";
    spec_.pre.reset();
    add("<unk>", 2);
    add("<s>", 3);
    add("</s>", 3);
    for (size_t byte = 0; byte < 256; ++byte) {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      add("<0x" + std::string{kDigits[byte / 16], kDigits[byte % 16]} + ">", 6);
    }
  }

  void add_piece(std::string_view line) {
    const int64_t score = number(cut(line, " "));
    add(line, 1);
    if (!spec_.scores.empty()) spec_.scores.back() = static_cast<float>(score);
  }

  std::string_view keep(std::string_view text) { return texts_.emplace_back(text); }

  void read(std::string_view line) {
    const std::string_view word = cut(line, " ");
    if (word == "model") spec_.model = std::string(line);
    if (word == "pre") spec_.pre = std::string(line);
    if (word == "bytes") spec_.tokens.clear(), spec_.token_types.clear();
    if (word == "rule") spec_.merges.push_back(keep(line));
    if (word == "merge") merge(line);
    if (word == "scores") spec_.scores.assign(static_cast<size_t>(std::clamp<int64_t>(number(line), 0, 4096)), 0.5F);
    if (word == "add_bos") spec_.add_bos = true;
    if (word == "add_eos") spec_.add_eos = true;
    if (word == "no_space_prefix") spec_.add_space_prefix = false;
    if (word == "remove_spaces") spec_.remove_extra_whitespaces = true;
    if (word == "sentencepiece") start_sentencepiece();
    if (word == "piece") add_piece(line);
    read_id(word, line);
    read_token(word, line);
  }

  void read_id(std::string_view word, std::string_view value) {
    const std::map<std::string_view, std::optional<int64_t>*> ids = {
        {"bos", &spec_.bos_id},         {"eos", &spec_.eos_id},         {"eot", &spec_.eot_id},
        {"eom", &spec_.eom_id},         {"unk", &spec_.unk_id},         {"pad", &spec_.pad_id},
        {"fim_pre", &spec_.fim_pre_id}, {"fim_suf", &spec_.fim_suf_id}, {"fim_mid", &spec_.fim_mid_id}};
    if (const auto found = ids.find(word); found != ids.end()) *found->second = number(value);
  }

  void read_token(std::string_view word, std::string_view line) {
    if (word == "token") {
      const int64_t type = number(cut(line, " "));
      add(line, type);
    }
    if (word != "retype" && word != "rename") return;
    const auto id = static_cast<uint64_t>(number(cut(line, " ")));
    if (id >= spec_.tokens.size()) return;
    if (word == "retype") spec_.token_types[id] = static_cast<int32_t>(number(line));
    if (word == "rename") spec_.tokens[id] = keep(line);
  }

  void merge(std::string_view line) {
    spec_.merges.push_back(keep(line));
    const std::string_view left = cut(line, " ");
    const std::string joined = std::string(left).append(line);
    if (std::find(spec_.tokens.begin(), spec_.tokens.end(), joined) == spec_.tokens.end()) add(joined, 1);
  }

  TokenizerSpec spec_;
  std::deque<std::string> texts_;  // a deque: views into it stay valid
};

std::vector<TextSegment> segments_of(std::string_view text, const std::function<ControlText(size_t)>& control) {
  std::vector<TextSegment> segments;
  while (!text.empty()) {
    const std::string_view part = cut(text, "\x1e");
    segments.push_back({part, control(segments.size())});
  }
  return segments;
}

std::string joined(std::span<const TextSegment> segments) {
  std::string text;
  for (const TextSegment& segment : segments) text += segment.text;
  return text;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Step step = utf8_step(text);
    if (step.kind != Utf8Kind::kCharacter) return false;
    text.remove_prefix(step.length);
  }
  return true;
}

// Every id exists, decoding gives the same bytes in one piece and token by token, and no byte is lost where the rule
// changes none.
void check_ids(const Tokenizer& tokenizer, const std::vector<TokenId>& ids, std::string_view text, bool keeps_bytes) {
  std::string bytes;
  for (const TokenId id : ids) {
    require(tokenizer.vocabulary().contains(id), "ids lie in the vocabulary");
    bytes += tokenizer.token_bytes(id);
  }
  require(tokenizer.decode(ids, ControlOutput::kShow) == bytes, "decode() joins the tokens' bytes");
  if (keeps_bytes) require(bytes == text, "no byte is lost");
  StreamDetokenizer stream(tokenizer, ControlOutput::kShow);
  std::string streamed;
  for (const TokenId id : ids) streamed += stream.push(id);
  streamed += stream.finish();
  require(is_utf8(streamed), "streamed text is UTF-8");
  if (is_utf8(bytes)) require(streamed == bytes, "streamed text is the decoded one");
}

// Byte-level models without normalization and with a token for each byte lose nothing.
bool keeps_all_bytes(const Tokenizer& tokenizer) {
  if (tokenizer.pre_tokenizer().empty() || !tokenizer.missing_bytes().empty()) return false;
  return find_pre_tokenizer_rule(tokenizer.pre_tokenizer()).normalization == Normalization::kIdentity;
}

void check_text(const Tokenizer& tokenizer, std::string_view input) {
  const auto plain = segments_of(input, [](size_t) { return ControlText::kAsPlain; });
  const auto parsed = segments_of(input, [](size_t) { return ControlText::kParse; });
  const auto mixed = segments_of(input, [](size_t i) { return i % 2 ? ControlText::kParse : ControlText::kAsPlain; });
  const std::string text = joined(plain);
  // SentencePiece, which has no such rule, adds spaces.
  const bool keeps_bytes = keeps_all_bytes(tokenizer);
  const std::vector<TokenId> as_plain = tokenizer.encode(text, ControlText::kAsPlain);
  const std::vector<TokenId> as_control = tokenizer.encode(text, ControlText::kParse);
  for (const TokenId id : as_plain) {
    require(!tokenizer.is_control(id) || id == tokenizer.named().unk, "plain text gives no control token");
  }
  require(tokenizer.encode(plain) == as_plain, "borders of plain segments cut no word");
  require(tokenizer.encode(parsed) == as_control, "borders of trusted segments hide no control text");
  check_ids(tokenizer, as_plain, text, keeps_bytes);
  check_ids(tokenizer, as_control, text, keeps_bytes);
  check_ids(tokenizer, tokenizer.encode(mixed), text, keeps_bytes);
  std::vector<TokenId> with_bos = as_control;
  tokenizer.add_bos(with_bos);
  require(with_bos.size() <= as_control.size() + 1, "one begin token at most");
  attempt({ErrorCode::kUnsupported}, [&] { tokenizer.encode_fill_in(text, input); });
}

}  // namespace
}  // namespace minfer::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace minfer;
  using namespace minfer::fuzz;
  Lines lines(as_text(data, size));
  const SpecReader reader(lines);
  attempt({ErrorCode::kBadFile, ErrorCode::kUnsupported}, [&] {
    const Tokenizer tokenizer(reader.spec());
    check_text(tokenizer, lines.rest());
    for (const TokenId id : {-1, 0, 255, 256, 1 << 30}) tokenizer.token_bytes(id);
    for (const TokenId id : tokenizer.end_of_generation()) {
      require(tokenizer.is_end_of_generation(id), "ids that end a generation say so");
    }
  });
  return 0;
}
