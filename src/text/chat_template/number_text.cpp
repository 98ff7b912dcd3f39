#include "text/chat_template/number_text.h"

#include <charconv>
#include <limits>
#include <string>

#include "text/chat_template/failure.h"
#include "text/chat_template/text_tools.h"

namespace minfer::jinja {
namespace {

bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Drops underscores; false when one is not between two digits.
bool drop_underscores(std::string_view text, std::string& out) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      out += text[i];
    } else if (i == 0 || i + 1 == text.size() || !is_word(text[i - 1]) || !is_word(text[i + 1])) {
      return false;
    }
  }
  return true;
}

int prefix_base(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 0;
  switch (text[1] | 0x20) {
    case 'x': return 16;
    case 'o': return 8;
    case 'b': return 2;
    default: return 0;
  }
}

}  // namespace

std::optional<int64_t> parse_integer(std::string_view text, int64_t base) {
  if (base != 0 && (base < 2 || base > 36)) fail_render("int() base must be >= 2 and <= 36, or 0");
  text = strip_space(text, true, true);
  const bool negative = !text.empty() && text[0] == '-';
  if (negative || (!text.empty() && text[0] == '+')) text.remove_prefix(1);
  const int prefixed = prefix_base(text);
  if (prefixed != 0 && (base == 0 || base == prefixed)) {
    base = prefixed;
    text.remove_prefix(2);
    if (!text.empty() && text[0] == '_') text.remove_prefix(1);
  }
  std::string digits;
  if (text.empty() || !is_word(text[0]) || !drop_underscores(text, digits)) return std::nullopt;
  uint64_t magnitude = 0;
  const char* last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, magnitude, base == 0 ? 10 : static_cast<int>(base));
  if (end != last && error == std::errc{}) return std::nullopt;
  const uint64_t limit = static_cast<uint64_t>(std::numeric_limits<int64_t>::max()) + (negative ? 1 : 0);
  if (error != std::errc{} || magnitude > limit) {
    if (error == std::errc::invalid_argument) return std::nullopt;
    fail_render("an integer does not fit in 64 bits");
  }
  return negative ? static_cast<int64_t>(~magnitude + 1) : static_cast<int64_t>(magnitude);
}

std::optional<double> parse_real(std::string_view text) {
  text = strip_space(text, true, true);
  std::string plain;
  if (!drop_underscores(text, plain)) return std::nullopt;
  std::string_view rest = plain;
  if (!rest.empty() && rest[0] == '+') rest.remove_prefix(1);
  if (rest.empty() || rest[0] == '+' || rest.find('(') != rest.npos) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (end != rest.data() + rest.size()) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // from_chars leaves the value alone: too large becomes infinite, too small zero.
    const bool tiny = rest.find("e-") != rest.npos || rest.find("E-") != rest.npos;
    value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    return rest[0] == '-' ? -value : value;
  }
  if (error != std::errc{}) return std::nullopt;
  return value;
}

}  // namespace minfer::jinja
