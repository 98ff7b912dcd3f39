// From text to a setting's value, with the range in every refusal.
#include <fmt/format.h>
#include <charconv>
#include <cmath>

#include <limits>

#include "base/error.h"
#include "base/settings.h"

namespace minfer {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

// The whole of `text` as a number; a leading plus is allowed.
template <typename T>
std::optional<T> whole(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<bool> parse_bool(std::string_view text) {
  const std::string word = lower(text);
  if (word == "1" || word == "true" || word == "yes" || word == "on") return true;
  if (word.empty() || word == "0" || word == "false" || word == "no" || word == "off") return false;
  return std::nullopt;
}

std::optional<int64_t> parse_int(const SettingDomain& domain, std::string_view text) {
  const auto value = whole<int64_t>(text);
  if (!value || (domain.has_range && (*value < domain.lowest || *value > domain.highest))) return std::nullopt;
  return value;
}

// Every part between two commas is a number: an empty one is none.
std::optional<std::vector<int64_t>> parse_ints(const SettingDomain& domain, std::string_view text) {
  std::vector<int64_t> values;
  while (true) {
    const size_t comma = text.find(',');
    const auto value = parse_int(domain, text.substr(0, comma));
    if (!value) return std::nullopt;
    values.push_back(*value);
    if (comma == std::string_view::npos) return values;
    text.remove_prefix(comma + 1);
  }
}

std::optional<double> parse_float(const SettingDomain& domain, std::string_view text) {
  const auto value = whole<double>(text);
  if (!value || !std::isfinite(*value)) return std::nullopt;
  if (domain.has_range &&
      (*value < static_cast<double>(domain.lowest) || *value > static_cast<double>(domain.highest))) {
    return std::nullopt;
  }
  return value;
}

std::optional<uint64_t> parse_size(std::string_view text) {
  std::string word = lower(text);
  if (word.ends_with("ib")) word.resize(word.size() - 2);  // KiB, MiB, GiB
  int shift = 0;
  constexpr std::string_view kSuffixes = "kmgt";
  const size_t suffix = word.empty() ? std::string_view::npos : kSuffixes.find(word.back());
  if (suffix != std::string_view::npos) {
    shift = 10 * (static_cast<int>(suffix) + 1);
    word.pop_back();
  }
  const auto value = whole<uint64_t>(word);
  if (!value || *value > (std::numeric_limits<uint64_t>::max() >> shift)) return std::nullopt;
  return *value << shift;
}

bool is_choice(const SettingRow& row, std::string_view word) {
  for (const std::string_view choice : row.choices()) {
    if (choice == word) return true;
  }
  return false;
}

// Moves a parsed value into `out`; false when there is none.
template <typename T>
bool store(const std::optional<T>& parsed, SettingValue& out) {
  if (parsed) out = *parsed;
  return parsed.has_value();
}

// False when the text is not acceptable.
bool parse(const SettingRow& row, std::string_view text, SettingValue& out) {
  switch (row.type) {
    case SettingType::kBool: return store(parse_bool(text), out);
    case SettingType::kInt: return store(parse_int(row.domain, text), out);
    case SettingType::kIntOrAuto: return lower(text) == "auto" || store(parse_int(row.domain, text), out);
    case SettingType::kIntList: return store(parse_ints(row.domain, text), out);
    case SettingType::kFloat: return store(parse_float(row.domain, text), out);
    case SettingType::kSize: return store(parse_size(text), out);
    case SettingType::kString: out = std::string(text); return true;
    case SettingType::kList: out = std::vector<std::string>{std::string(text)}; return true;
    case SettingType::kEnum:
    case SettingType::kEnumOptional: out = lower(text); return is_choice(row, lower(text));
  }
  return false;
}

std::string range_text(const SettingRow& row) {
  if (!row.domain.has_range) return {};
  return fmt::format(" from {} to {}", row.domain.lowest, row.domain.highest);
}

}  // namespace

std::string describe_domain(const SettingRow& row) {
  switch (row.type) {
    case SettingType::kBool: return "on (1, true, yes) or off (0, false, no)";
    case SettingType::kInt: return "a whole number" + range_text(row);
    case SettingType::kIntOrAuto: return "a whole number" + range_text(row) + " or auto";
    case SettingType::kIntList: return fmt::format("whole numbers{}, separated by commas", range_text(row));
    case SettingType::kFloat: return "a number" + range_text(row);
    case SettingType::kSize: return "a number of bytes, or of K, M, G or T bytes such as 512M";
    case SettingType::kString:
    case SettingType::kList: return "any text";
    case SettingType::kEnum:
    case SettingType::kEnumOptional: return fmt::format("one of {}", fmt::join(row.choices(), ", "));
  }
  return {};
}

SettingValue parse_setting(const SettingRow& row, std::string_view name, std::string_view text) {
  SettingValue value;
  if (!parse(row, text, value)) {
    fail(ErrorCode::kInvalidArgument, "invalid {} '{}': expected {}", name, printable(text, 60), describe_domain(row));
  }
  return value;
}

}  // namespace minfer
