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

// A name in braces and what it stands for: the rows of pre_tokenizer_parts.inc.
struct Part {
  std::string_view name;
  std::string_view text;
};

constexpr Part kParts[] = {
#define MINFER_PRE_TOKENIZER_PART(name, text) {name, text},
#include "text/tokenizer/pre_tokenizer_parts.inc"
#undef MINFER_PRE_TOKENIZER_PART
};

constexpr std::string_view kOnBytes = "{bytes}";

std::string with_parts(std::string_view expression) {
  std::string out(expression);
  for (const Part& part : kParts) {
    for (size_t at = out.find(part.name); at != std::string::npos; at = out.find(part.name, at + part.text.size())) {
      out.replace(at, part.name.size(), part.text);
    }
  }
  return out;
}

pcre2_code* compile(std::string_view expression) {
  const bool is_on_bytes = expression.starts_with(kOnBytes);
  if (is_on_bytes) expression.remove_prefix(kOnBytes.size());
  const std::string pattern = with_parts(expression);
  const uint32_t options = is_on_bytes ? 0 : PCRE2_UTF | PCRE2_UCP;
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options, &error, &offset, nullptr);
  if (error == PCRE2_ERROR_HEAP_FAILED) fail(ErrorCode::kOutOfMemory, "[tokenizer] no memory for its expressions");
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

std::span<const PreTokenizerRule> pre_tokenizer_rules() {
  return kRules;
}

const PreTokenizerRule& find_pre_tokenizer_rule(std::optional<std::string_view> pre) {
  if (!pre) {
    fail(ErrorCode::kUnsupported,
         "tokenizer.ggml.pre is missing, so the pre-tokenization rule is unknown; minfer refuses to guess "
         "(supported: {}). Name one with --tokenizer-pre if you know which is right",
         supported_names());
  }
  for (const PreTokenizerRule& rule : kRules) {
    if (answers_to(rule, *pre)) return rule;
  }
  fail(ErrorCode::kUnsupported,
       "tokenizer.ggml.pre = \"{}\" is not supported by minfer's byte-level BPE pre-tokenizer (supported: {}). "
       "Another rule would change token ids in silence, so none is tried; name one with --tokenizer-pre if you know "
       "that "
       "it is right",
       printable(*pre), supported_names());
}

void PreTokenizer::FreeExpression::operator()(void* code) const {
  pcre2_code_free(static_cast<pcre2_code*>(code));
}

PreTokenizer::PreTokenizer(const PreTokenizerRule& rule) : rule_(&rule) {
  for (const std::string_view expression : rule.expressions) {
    if (expression.empty()) continue;
    expressions_.emplace_back();  // first, so that no compiled expression is lost when the vector cannot grow
    expressions_.back().reset(compile(expression));
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
