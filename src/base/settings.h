// The values of all settings of one engine or one call of the program, each with where it came from. The table they
// obey is settings_list.inc.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/env.h"
#include "base/settings_table.h"

namespace minfer {

// Later sources win over earlier ones.
enum class SettingSource { kDefault, kEnvironment, kFlag };

// monostate stands for "unset" and for the word auto; uint64_t for sizes.
using SettingValue = std::variant<std::monostate, bool, int64_t, uint64_t, double, std::string,
                                  std::vector<std::string>, std::vector<int64_t>>;

// Reads `text` as the row's type, in its range; `name` is the flag or variable to blame. kInvalidArgument:
// "invalid --temp 'x': expected a number from 0 to 100". Independent of the locale.
SettingValue parse_setting(const SettingRow& row, std::string_view name, std::string_view text);

// What parse_setting accepts, in words: "a number from 0 to 100", "one of f16, f32, q8_0".
std::string describe_domain(const SettingRow& row);

class Settings {
 public:
  Settings();  // every default

  // Typed reading. A type that is not the row's, or a value that is unset, is kInternal.
  bool boolean(SettingId id) const;
  int64_t integer(SettingId id) const;
  std::optional<int64_t> integer_or_auto(SettingId id) const;  // nothing for auto
  double number(SettingId id) const;
  const std::string& text(SettingId id) const;  // kString and the enum types; "" when unset
  const std::vector<std::string>& list(SettingId id) const;
  const std::vector<int64_t>& integers(SettingId id) const;
  uint64_t size_bytes(SettingId id) const;

  SettingSource source(SettingId id) const { return at(id).source; }
  bool is_set(SettingId id) const { return source(id) != SettingSource::kDefault; }
  // "--temp" as the user typed it, "MINFER_CACHE_TYPE", or "default".
  const std::string& origin(SettingId id) const { return at(id).origin; }

  // Parses and stores. A value of a weaker source than the present one is checked and dropped; lists of the same source
  // append. `name` is the flag or variable as written; `negated` turns a kBool around.
  void set(SettingId id, SettingSource source, std::string_view name, std::string_view text, bool negated = false);

  // Applies the variables that belong to one of `commands`. An empty variable counts as off for kBool, else as not set.
  void read_environment(const EnvReader& env, unsigned commands);

  // One line for each setting in use that is accepted without effect: "-fa has no effect: …".
  std::vector<std::string> notes() const;

 private:
  struct Entry {
    SettingValue value;
    SettingSource source = SettingSource::kDefault;
    std::string origin = "default";
  };

  const Entry& at(SettingId id) const { return entries_[static_cast<size_t>(id)]; }
  template <typename T>
  const T& get(SettingId id, SettingType type) const;

  std::vector<Entry> entries_;  // [SettingId]
};

}  // namespace minfer
