#include "text/tokenizer/special_tokens.h"

#include <algorithm>

#include "base/error.h"

namespace minfer {
namespace {

// Bounds the work at one place of the text. Real ones are below 100 bytes.
constexpr size_t kMaxSpecialBytes = 1024;

}  // namespace

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary) {
  for (size_t i = 0; i < vocabulary.size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    const std::string_view text = vocabulary.text(id);
    const bool is_control = vocabulary.is_control(id);
    if (text.empty() || (!is_control && vocabulary.type(id) != TokenType::kUserDefined)) continue;
    if (text.size() > kMaxSpecialBytes) {
      fail(ErrorCode::kBadFile, "[tokenizer] special token {} has {} bytes: expected at most {}", i, text.size(),
           kMaxSpecialBytes);
    }
    entries_.push_back({text, id, is_control});
    is_first_byte_[static_cast<uint8_t>(text[0])] = true;
  }
  std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.text < b.text; });
}

std::optional<SpecialTokens::Match> SpecialTokens::find(std::string_view text, size_t from,
                                                        std::span<const TextRange> trusted) const {
  auto range = std::partition_point(trusted.begin(), trusted.end(), [&](TextRange r) { return r.end <= from; });
  for (size_t at = from; at < text.size(); ++at) {
    if (!is_first_byte_[static_cast<uint8_t>(text[at])]) continue;
    while (range != trusted.end() && range->end <= at) ++range;
    const bool is_trusted = range != trusted.end() && range->begin <= at;
    if (const auto match = match_at(text, at, is_trusted ? range->end : at)) return match;
  }
  return std::nullopt;
}

std::optional<SpecialTokens::Match> SpecialTokens::match_at(std::string_view text, size_t at,
                                                            size_t trusted_end) const {
  std::optional<Match> best;
  auto begin = entries_.begin();
  auto end = entries_.end();
  // [begin, end) are the entries that start with the `depth` bytes at `at`; the one that is no longer comes first.
  for (size_t depth = 0; begin != end; ++depth) {
    if (begin->text.size() == depth) {
      if (!begin->is_control || at + depth <= trusted_end) best = {{at, at + depth}, begin->id};
      ++begin;
    }
    if (at + depth == text.size()) break;
    const auto byte = static_cast<uint8_t>(text[at + depth]);
    const auto byte_of = [depth](const Entry& e) { return static_cast<uint8_t>(e.text[depth]); };
    begin = std::partition_point(begin, end, [&](const Entry& e) { return byte_of(e) < byte; });
    end = std::partition_point(begin, end, [&](const Entry& e) { return byte_of(e) == byte; });
  }
  return best;
}

}  // namespace minfer
