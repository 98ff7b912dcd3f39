// One pass over the words, led by the settings table.
#include "base/argv.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/settings.h"

namespace minfer {

namespace {

// A word taken apart at its first '='.
struct Word {
  std::string_view spelling;
  std::optional<std::string_view> value;
};

Word take_apart(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return {word, std::nullopt};
  return {word.substr(0, equals), word.substr(equals + 1)};
}

bool is_choice(const SettingRow& row, std::string_view word) {
  return std::ranges::count(row.choices(), word) != 0;
}

std::string switch_value(const SettingMatch& match, const Word& word) {
  if (!word.value) return match.negated ? "off" : "on";
  if (match.negated) fail(ErrorCode::kInvalidArgument, "{} takes no value", word.spelling);
  return std::get<bool>(parse_setting(*match.row, word.spelling, *word.value)) ? "on" : "off";
}

}  // namespace

std::vector<std::string> rewrite_argv(std::span<const std::string> args, unsigned commands) {
  std::vector<std::string> out;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--") {
      out.insert(out.end(), args.begin() + static_cast<std::ptrdiff_t>(i), args.end());
      break;
    }
    const Word word = take_apart(args[i]);
    const SettingMatch match = find_setting_flag(word.spelling, commands);
    if (match.row == nullptr) {
      out.push_back(args[i]);
      continue;
    }
    const SettingRow& row = *match.row;
    std::string value;
    if (!row.takes_value()) {
      value = switch_value(match, word);
    } else if (word.value) {
      value = *word.value;
    } else if (row.type == SettingType::kEnumOptional && (i + 1 == args.size() || !is_choice(row, args[i + 1]))) {
      value = row.choices().front();
    } else if (i + 1 < args.size()) {
      value = args[++i];
    } else {
      fail(ErrorCode::kInvalidArgument, "missing value for {}", word.spelling);
    }
    // Checked here, so that the message names the flag as it was typed.
    parse_setting(row, word.spelling, value);
    const std::string flag(row.canonical_flag());
    if (value.empty()) {
      out.push_back(flag);
      out.push_back(value);
    } else {
      out.push_back(flag + "=" + value);
    }
  }
  return out;
}

}  // namespace minfer
