// Numbers and text by format specification.
#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "text/chat_template/failure.h"
#include "text/chat_template/format.h"
#include "text/chat_template/printing.h"
#include "text/chat_template/text_tools.h"
#include "text/chat_template/unicode.h"

namespace minfer::jinja {
namespace {

std::string pad(const std::string& sign, const std::string& body, const FormatSpec& spec, char default_align) {
  const char align = spec.align != '\0' ? spec.align : default_align;
  const auto used = static_cast<int64_t>(unicode::length(sign) + unicode::length(body));
  const int64_t missing = spec.width - used;
  if (missing <= 0) return sign + body;
  const auto fill = [&](int64_t n) { return padded("", n, spec.fill, true); };
  switch (align) {
    case '<': return sign + body + fill(missing);
    case '^': return fill(missing / 2) + sign + body + fill(missing - missing / 2);
    case '=': return sign + fill(missing) + body;
    default: return fill(missing) + sign + body;
  }
}

std::string sign_text(bool negative, char sign) {
  if (negative) return "-";
  return sign == '-' ? "" : std::string(1, sign);
}

// Puts the separator between groups of digits before the point.
std::string grouped(const std::string& digits, char separator, size_t group) {
  if (separator == '\0') return digits;
  const size_t end = std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
  std::string out;
  for (size_t i = 0; i < end; ++i) {
    if (i > 0 && (end - i) % group == 0) out += separator;
    out += digits[i];
  }
  return out + digits.substr(end);
}

// %g with a point kept when '#' asks for it is rare enough to be refused.
std::string real_digits(double magnitude, const FormatSpec& spec) {
  const int precision = spec.precision < 0 ? 6 : static_cast<int>(spec.precision);
  if (spec.alternate) fail_unsupported("the format flag # with a float");
  if (std::isnan(magnitude)) return "nan";
  if (std::isinf(magnitude)) return "inf";
  switch (spec.type) {
    case 'e':
    case 'E': return fmt::format("{:.{}e}", magnitude, precision);
    case 'f':
    case 'F': return fmt::format("{:.{}f}", magnitude, precision);
    case '%': return fmt::format("{:.{}f}%", magnitude * 100, precision);
    case '\0': {
      if (spec.precision < 0) return float_text(magnitude);
      std::string text = fmt::format("{:.{}g}", magnitude, precision);
      const bool plain = text.find_first_of(".e") == text.npos;
      return plain ? text + ".0" : text;
    }
    default: return fmt::format("{:.{}g}", magnitude, precision);
  }
}

std::string upper_ascii(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

}  // namespace

std::string format_whole(int64_t value, const FormatSpec& spec) {
  const uint64_t magnitude = value < 0 ? ~static_cast<uint64_t>(value) + 1 : static_cast<uint64_t>(value);
  std::string digits, prefix;
  switch (spec.type) {
    case 'x':
    case 'X': digits = fmt::format("{:x}", magnitude), prefix = "0x"; break;
    case 'o': digits = fmt::format("{:o}", magnitude), prefix = "0o"; break;
    case 'b': digits = fmt::format("{:b}", magnitude), prefix = "0b"; break;
    default: digits = fmt::format("{}", magnitude);
  }
  if (!spec.alternate) prefix.clear();
  if (spec.precision > static_cast<int64_t>(digits.size())) digits = padded(digits, spec.precision, "0", false);
  digits = grouped(digits, spec.grouping, prefix.empty() && spec.type != 'x' && spec.type != 'X' ? 3 : 4);
  if (spec.type == 'X') {
    digits = upper_ascii(digits);
    prefix = upper_ascii(prefix);
  }
  return pad(sign_text(value < 0, spec.sign) + prefix, digits, spec, '>');
}

std::string format_real(double value, const FormatSpec& spec) {
  std::string digits = grouped(real_digits(std::abs(value), spec), spec.grouping, 3);
  if (spec.type == 'E' || spec.type == 'G' || spec.type == 'F') digits = upper_ascii(digits);
  return pad(sign_text(std::signbit(value) && !std::isnan(value), spec.sign), digits, spec, '>');
}

std::string format_text(std::string_view value, const FormatSpec& spec) {
  std::string text(value);
  if (spec.precision >= 0 && static_cast<int64_t>(unicode::length(text)) > spec.precision) {
    text = unicode::encode(unicode::decode(text).substr(0, static_cast<size_t>(spec.precision)));
  }
  if (spec.align == '=') fail_render("'=' alignment not allowed in string format specifier");
  return pad("", text, spec, '<');
}

}  // namespace minfer::jinja
