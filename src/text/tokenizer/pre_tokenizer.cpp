#include "text/tokenizer/pre_tokenizer.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"

namespace minfer {
namespace {

constexpr PreTokenizerRule kRules[] = {
#define MINFER_PRE_TOKENIZER(name, aliases, normalization, ignore_merges, ...) \
  PreTokenizerRule{name, aliases, Normalization::normalization, ignore_merges, {__VA_ARGS__}},
#include "text/tokenizer/pre_tokenizer_list.inc"
#undef MINFER_PRE_TOKENIZER
};

// What a name in braces stands for inside a bracket expression. The reference tokenizers know Unicode 16 (digits: 17);
// PCRE2 10.42 knows 14, so the later characters are named here. A newer PCRE2 finds nothing new in them.
struct CharacterClass {
  std::string_view name;
  std::string_view members;
};

#define MINFER_LATER_NUMBERS                                                                           \
  R"(\x{10D40}-\x{10D49}\x{116D0}-\x{116E3}\x{11BF0}-\x{11BF9}\x{11F50}-\x{11F59}\x{16130}-\x{16139})" \
  R"(\x{16D70}-\x{16D79}\x{1CCF0}-\x{1CCF9}\x{1D2C0}-\x{1D2D3}\x{1E4F0}-\x{1E4F9}\x{1E5F1}-\x{1E5FA})"

constexpr CharacterClass kClasses[] = {
    {"{L}", R"(\p{L}\x{1C89}-\x{1C8A}\x{A7CB}-\x{A7CD}\x{A7DA}-\x{A7DC}\x{105C0}-\x{105F3}\x{10D4A}-\x{10D65})"
            R"(\x{10D6F}-\x{10D85}\x{10EC2}-\x{10EC4}\x{1123F}-\x{11240}\x{11380}-\x{11389}\x{1138B}\x{1138E})"
            R"(\x{11390}-\x{113B5}\x{113B7}\x{113D1}\x{113D3}\x{11BC0}-\x{11BE0}\x{11F02}\x{11F04}-\x{11F10})"
            R"(\x{11F12}-\x{11F33}\x{1342F}\x{13441}-\x{13446}\x{13460}-\x{143FA}\x{16100}-\x{1611D})"
            R"(\x{16D40}-\x{16D6C}\x{18CFF}\x{1B132}\x{1B155}\x{1DF25}-\x{1DF2A}\x{1E030}-\x{1E06D})"
            R"(\x{1E4D0}-\x{1E4EB}\x{1E5D0}-\x{1E5ED}\x{1E5F0}\x{2B739}\x{2EBF0}-\x{2EE5D}\x{31350}-\x{323AF})"},
    {"{M}", R"(\p{M}\x{897}\x{CF3}\x{ECE}\x{10D69}-\x{10D6D}\x{10EFC}-\x{10EFF}\x{11241}\x{113B8}-\x{113C0})"
            R"(\x{113C2}\x{113C5}\x{113C7}-\x{113CA}\x{113CC}-\x{113D0}\x{113D2}\x{113E1}-\x{113E2})"
            R"(\x{11F00}-\x{11F01}\x{11F03}\x{11F34}-\x{11F3A}\x{11F3E}-\x{11F42}\x{11F5A}\x{13440})"
            R"(\x{13447}-\x{13455}\x{1611E}-\x{1612F}\x{1E08F}\x{1E4EC}-\x{1E4EF}\x{1E5EE}-\x{1E5EF})"},
    {"{N}", R"(\p{N})" MINFER_LATER_NUMBERS},
    {"{D}", R"(\p{N})" MINFER_LATER_NUMBERS R"(\x{11DE0}-\x{11DE9}\x{16FF4}-\x{16FF6})"},
    // The property White_Space. PCRE2's \s has U+180E as well.
    {"{S}", R"(\t-\r \x{85}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000})"},
};

std::string with_classes(std::string_view expression) {
  std::string out(expression);
  for (const CharacterClass& character_class : kClasses) {
    for (size_t at = out.find(character_class.name); at != std::string::npos; at = out.find(character_class.name, at)) {
      out.replace(at, character_class.name.size(), character_class.members);
      at += character_class.members.size();
    }
  }
  return out;
}

pcre2_code* compile(std::string_view expression) {
  const std::string pattern = with_classes(expression);
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), PCRE2_UTF | PCRE2_UCP,
                                   &error, &offset, nullptr);
  check(code != nullptr, "[tokenizer] PCRE2 error {} at {} of the expression {}", error, offset, pattern);
  // Where executable memory is forbidden this fails, and the expression is interpreted: slower, same pieces.
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);
  return code;
}

// Splits a space-separated list.
std::vector<std::string_view> words(std::string_view list) {
  std::vector<std::string_view> out;
  while (!list.empty()) {
    const size_t space = std::min(list.find(' '), list.size());
    out.push_back(list.substr(0, space));
    list.remove_prefix(std::min(space + 1, list.size()));
  }
  return out;
}

bool answers_to(const PreTokenizerRule& rule, std::string_view name) {
  if (rule.name == name) return true;
  for (const std::string_view alias : words(rule.aliases)) {
    if (alias == name) return true;
  }
  return false;
}

// "gpt-2"; "llama-bpe", aliases "llama-v3", "llama3"; …
std::string supported_names() {
  std::string out;
  for (const PreTokenizerRule& rule : kRules) {
    out += fmt::format("{}\"{}\"", out.empty() ? "" : "; ", rule.name);
    const auto aliases = words(rule.aliases);
    for (size_t i = 0; i < aliases.size(); ++i) {
      const std::string_view label = i > 0 ? "" : aliases.size() == 1 ? "alias " : "aliases ";
      out += fmt::format(", {}\"{}\"", label, aliases[i]);
    }
  }
  return out;
}

}  // namespace

const PreTokenizerRule& find_pre_tokenizer_rule(const std::optional<std::string>& pre) {
  if (!pre) {
    fail(ErrorCode::kUnsupported,
         "tokenizer.ggml.pre is missing, so the pre-tokenization rule is unknown; minfer refuses to guess "
         "(supported: {})",
         supported_names());
  }
  for (const PreTokenizerRule& rule : kRules) {
    if (answers_to(rule, *pre)) return rule;
  }
  fail(ErrorCode::kUnsupported,
       "tokenizer.ggml.pre = \"{}\" is not supported by minfer's byte-level BPE pre-tokenizer (supported: {}). "
       "Another rule would change token ids in silence, so none is tried",
       printable(*pre), supported_names());
}

void PreTokenizer::FreeExpression::operator()(void* code) const {
  pcre2_code_free(static_cast<pcre2_code*>(code));
}

PreTokenizer::PreTokenizer(const PreTokenizerRule& rule) : rule_(&rule) {
  for (const std::string_view expression : rule.expressions) {
    if (!expression.empty()) expressions_.emplace_back(compile(expression));
  }
}

// One expression at work on one text after the other.
class PieceReader::Level {
 public:
  explicit Level(const pcre2_code* code)
      : code_(code), data_(pcre2_match_data_create(1, nullptr)), context_(pcre2_match_context_create(nullptr)) {
    if (data_ == nullptr || context_ == nullptr) fail(ErrorCode::kOutOfMemory, "[tokenizer] no memory for matching");
    // The expressions are linear in the text; PCRE2's default limits would stop long ones.
    pcre2_set_match_limit(context_.get(), std::numeric_limits<uint32_t>::max());
    pcre2_set_heap_limit(context_.get(), std::numeric_limits<uint32_t>::max());
  }

  void start(std::string_view text) {
    text_ = text;
    done_ = 0;
    matched_end_ = 0;
  }

  bool is_at_end() const { return done_ == text_.size(); }

  // The next match, or what lies before it. Not at the end.
  std::string_view next() {
    size_t end = matched_end_;
    if (matched_end_ <= done_) end = find_match();
    const std::string_view piece = text_.substr(done_, end - done_);
    done_ = end;
    return piece;
  }

 private:
  // Where the next piece ends: at the end of a match that starts here, else at the start of the next match.
  size_t find_match() {
    if (!match()) return text_.size();
    const PCRE2_SIZE* range = pcre2_get_ovector_pointer(data_.get());
    check(range[1] > range[0], "[tokenizer] a pre-tokenizer expression matches nothing at byte {}", range[0]);
    matched_end_ = range[1];
    return range[0] > done_ ? range[0] : range[1];
  }

  bool match() {
    const auto* subject = reinterpret_cast<PCRE2_SPTR>(text_.data());
    int rc = pcre2_match(code_, subject, text_.size(), done_, PCRE2_NO_UTF_CHECK, data_.get(), context_.get());
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT) {
      rc = pcre2_match(code_, subject, text_.size(), done_, PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, data_.get(),
                       context_.get());
    }
    if (rc == PCRE2_ERROR_NOMATCH) return false;
    if (rc == PCRE2_ERROR_NOMEMORY) fail(ErrorCode::kOutOfMemory, "[tokenizer] no memory for matching");
    check(rc > 0, "[tokenizer] PCRE2 error {} at byte {} of {}", rc, done_, text_.size());
    return true;
  }

  struct FreeData {
    void operator()(pcre2_match_data* data) const { pcre2_match_data_free(data); }
  };
  struct FreeContext {
    void operator()(pcre2_match_context* context) const { pcre2_match_context_free(context); }
  };

  const pcre2_code* code_;
  std::unique_ptr<pcre2_match_data, FreeData> data_;
  std::unique_ptr<pcre2_match_context, FreeContext> context_;
  std::string_view text_;
  size_t done_ = 0;         // bytes handed out
  size_t matched_end_ = 0;  // beyond done_: the piece from there to here is a match
};

PieceReader::PieceReader(const PreTokenizer& pre_tokenizer) {
  levels_.reserve(pre_tokenizer.expressions_.size());
  for (const auto& code : pre_tokenizer.expressions_) levels_.emplace_back(static_cast<const pcre2_code*>(code.get()));
}

PieceReader::~PieceReader() = default;

void PieceReader::start(std::string_view text) {
  text_ = text;
  for (Level& level : levels_) level.start({});
}

bool PieceReader::next(std::string_view& piece) {
  // From the last level up to the first one that still has something, and down again.
  size_t level = levels_.size();
  while (level > 0 && levels_[level - 1].is_at_end()) --level;
  if (level == 0) {
    if (text_.empty()) return false;
    piece = std::exchange(text_, {});
  } else {
    piece = levels_[level - 1].next();
  }
  for (; level < levels_.size(); ++level) {
    levels_[level].start(piece);
    piece = levels_[level].next();
  }
  return true;
}

}  // namespace minfer
