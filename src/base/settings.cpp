// Storing and reading values; the parsing of text is in settings_parse.cpp.
#include "base/settings.h"

#include <utility>

#include "base/error.h"

namespace minfer {

namespace {

SettingValue default_value(const SettingRow& row) {
  if (!row.default_text.empty()) return parse_setting(row, row.display_name(), row.default_text);
  switch (row.type) {
    case SettingType::kString:
    case SettingType::kEnum:
    case SettingType::kEnumOptional: return std::string();
    case SettingType::kIntList: return std::vector<int64_t>();
    case SettingType::kList: return std::vector<std::string>();
    default: return std::monostate();
  }
}

// Puts the elements of a list behind those that are there; false when the value is no list of T.
template <typename T>
bool append(SettingValue& present, const SettingValue& value) {
  const auto* added = std::get_if<std::vector<T>>(&value);
  if (added == nullptr) return false;
  auto& list = std::get<std::vector<T>>(present);
  list.insert(list.end(), added->begin(), added->end());
  return true;
}

}  // namespace

Settings::Settings() {
  for (const SettingRow& row : setting_rows())
    entries_.push_back({default_value(row), SettingSource::kDefault, "default"});
}

template <typename T>
const T& Settings::get(SettingId id, SettingType type) const {
  const SettingRow& row = setting_row(id);
  const T* value = std::get_if<T>(&at(id).value);
  check(row.type == type && value != nullptr, "[settings] {} was read as another type or is unset", row.display_name());
  return *value;
}

bool Settings::boolean(SettingId id) const {
  return get<bool>(id, SettingType::kBool);
}

int64_t Settings::integer(SettingId id) const {
  return get<int64_t>(id, SettingType::kInt);
}

std::optional<int64_t> Settings::integer_or_auto(SettingId id) const {
  if (std::holds_alternative<std::monostate>(at(id).value)) return std::nullopt;
  return get<int64_t>(id, SettingType::kIntOrAuto);
}

double Settings::number(SettingId id) const {
  return get<double>(id, SettingType::kFloat);
}

const std::string& Settings::text(SettingId id) const {
  return get<std::string>(id, setting_row(id).type);
}

const std::vector<std::string>& Settings::list(SettingId id) const {
  return get<std::vector<std::string>>(id, SettingType::kList);
}

const std::vector<int64_t>& Settings::integers(SettingId id) const {
  return get<std::vector<int64_t>>(id, SettingType::kIntList);
}

uint64_t Settings::size_bytes(SettingId id) const {
  return get<uint64_t>(id, SettingType::kSize);
}

void Settings::set(SettingId id, SettingSource source, std::string_view name, std::string_view text, bool negated) {
  SettingValue value = parse_setting(setting_row(id), name, text);
  if (negated) {
    if (bool* on = std::get_if<bool>(&value)) *on = !*on;
  }
  Entry& entry = entries_[static_cast<size_t>(id)];
  if (source < entry.source) return;
  const bool appended =
      source == entry.source && (append<std::string>(entry.value, value) || append<int64_t>(entry.value, value));
  if (!appended) entry.value = std::move(value);
  entry.source = source;
  entry.origin = name;
}

void Settings::read_environment(const EnvReader& env, unsigned commands) {
  for (const SettingRow& row : setting_rows()) {
    if (row.variable().empty() || (row.commands & commands) == 0) continue;
    const std::optional<std::string> text = env(std::string(row.variable()));
    if (!text || (text->empty() && row.type != SettingType::kBool)) continue;
    set(row.id, SettingSource::kEnvironment, row.variable(), *text, row.variable_negated());
  }
}

std::vector<std::string> Settings::notes() const {
  std::vector<std::string> lines;
  for (const SettingRow& row : setting_rows()) {
    if (row.note.empty() || !is_set(row.id)) continue;
    lines.push_back(fmt::format("{} has no effect: {}", origin(row.id), row.note));
  }
  return lines;
}

}  // namespace minfer
