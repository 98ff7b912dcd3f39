#include "base/settings.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/error.h"

namespace minfer {
namespace {

using namespace setting_commands;

EnvReader environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const std::string& name) -> std::optional<std::string> {
    const auto it = variables.find(name);
    if (it == variables.end()) return std::nullopt;
    return it->second;
  };
}

std::string refusal(SettingId id, std::string_view name, std::string_view text) {
  Settings settings;
  try {
    settings.set(id, SettingSource::kFlag, name, text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
    return error.what();
  }
  return "accepted";
}

TEST(SettingsTable, IsSortedAndComplete) {
  std::string_view last;
  const std::vector<std::string_view> names = {
#define MINFER_SETTING(id, ...) #id,
#include "base/settings_list.inc"
#undef MINFER_SETTING
  };
  for (const std::string_view name : names) {
    EXPECT_LT(last, name);
    last = name;
  }
  for (const SettingRow& row : setting_rows()) {
    EXPECT_EQ(&row, &setting_row(row.id));
    EXPECT_FALSE(row.sentence.empty());
    EXPECT_TRUE(row.sentence.ends_with('.')) << row.sentence;
    EXPECT_FALSE(row.note.ends_with('.')) << row.note;
    EXPECT_FALSE(row.display_name().empty());
    EXPECT_NE(row.commands, 0u) << row.display_name();
    EXPECT_EQ(row.takes_value(), !row.value_name.empty()) << row.display_name();
    const bool needs_choices = row.type == SettingType::kEnum || row.type == SettingType::kEnumOptional;
    EXPECT_EQ(needs_choices, !row.domain.choices.empty()) << row.display_name();
  }
}

TEST(SettingsTable, HasOneMeaningForEachFlagOfACommandAndEachVariable) {
  for (const SettingCommandName& command : setting_command_names()) {
    std::set<std::string_view> seen;
    for (const SettingRow& row : setting_rows()) {
      if ((row.commands & command.command) == 0) continue;
      for (const SettingFlag& flag : row.flags()) {
        EXPECT_TRUE(seen.insert(flag.spelling).second) << command.name << " " << flag.spelling;
        EXPECT_TRUE(flag.spelling.starts_with('-'));
        EXPECT_TRUE(!flag.negated || row.type == SettingType::kBool);
      }
    }
  }
  std::set<std::string_view> variables;
  for (const SettingRow& row : setting_rows()) {
    if (!row.flags_text.empty()) {
      EXPECT_FALSE(find_setting_flag(row.canonical_flag(), row.commands).negated) << row.canonical_flag();
    }
    if (row.variable().empty()) continue;
    EXPECT_TRUE(variables.insert(row.variable()).second) << row.variable();
    EXPECT_TRUE(row.variable().starts_with("MINFER_"));
  }
}

TEST(Settings, StartWithTheContractsDefaults) {
  const Settings s;
  EXPECT_EQ(s.number(SettingId::kTemp), 0.8);
  EXPECT_EQ(s.integer(SettingId::kTopK), 40);
  EXPECT_EQ(s.number(SettingId::kTopP), 0.95);
  EXPECT_EQ(s.number(SettingId::kMinP), 0.0);
  EXPECT_EQ(s.number(SettingId::kRepeatPenalty), 1.0);
  EXPECT_EQ(s.integer(SettingId::kRepeatLastN), 64);
  EXPECT_EQ(s.integer(SettingId::kSeed), 42);
  EXPECT_EQ(s.integer(SettingId::kNPredict), 512);
  EXPECT_EQ(s.integer(SettingId::kCtxSize), 4096);
  EXPECT_EQ(s.text(SettingId::kCacheType), "f16");
  EXPECT_EQ(s.text(SettingId::kCacheTypeK), "");
  EXPECT_EQ(s.integer_or_auto(SettingId::kThreads), std::nullopt);
  EXPECT_EQ(s.size_bytes(SettingId::kMemoryLimit), 0u);
  EXPECT_TRUE(s.boolean(SettingId::kFuse));
  EXPECT_TRUE(s.list(SettingId::kStop).empty());
  EXPECT_FALSE(s.is_set(SettingId::kTemp));
  EXPECT_EQ(s.origin(SettingId::kTemp), "default");
  EXPECT_TRUE(s.notes().empty());
}

TEST(Settings, RefuseWithNameValueAndRange) {
  EXPECT_EQ(refusal(SettingId::kTemp, "--temp", "x"), "invalid --temp 'x': expected a number from 0 to 100");
  EXPECT_EQ(refusal(SettingId::kTemp, "--temp", "-0.1"), "invalid --temp '-0.1': expected a number from 0 to 100");
  EXPECT_EQ(refusal(SettingId::kTemp, "--temp", "nan"), "invalid --temp 'nan': expected a number from 0 to 100");
  EXPECT_EQ(refusal(SettingId::kThreads, "-t", "0"), "invalid -t '0': expected a whole number from 1 to 1024 or auto");
  EXPECT_EQ(refusal(SettingId::kTopK, "--top-k", "4.5"),
            "invalid --top-k '4.5': expected a whole number from 0 to 2147483647");
  EXPECT_EQ(refusal(SettingId::kSeed, "-s", "99999999999999999999"),
            "invalid -s '99999999999999999999': expected a whole number from -1 to 9223372036854775807");
  EXPECT_EQ(refusal(SettingId::kCacheType, "MINFER_CACHE_TYPE", "q4\x1b"),
            "invalid MINFER_CACHE_TYPE 'q4\\x1B': expected one of f16, f32, q8_0");
  EXPECT_EQ(refusal(SettingId::kMemoryLimit, "--memory-limit", "1.5G"),
            "invalid --memory-limit '1.5G': expected a number of bytes, or of K, M, G or T bytes such as 512M");
  EXPECT_EQ(refusal(SettingId::kTopK, "--top-k", ""),
            "invalid --top-k '': expected a whole number from 0 to 2147483647");
  EXPECT_NE(refusal(SettingId::kMemoryLimit, "--memory-limit", "99999999T"), "accepted");
  EXPECT_NE(refusal(SettingId::kMemoryLimit, "--memory-limit", "M"), "accepted");
}

TEST(Settings, ReadTheFormsThatPeopleWrite) {
  Settings s;
  s.set(SettingId::kMemoryLimit, SettingSource::kFlag, "--memory-limit", "3g");
  EXPECT_EQ(s.size_bytes(SettingId::kMemoryLimit), uint64_t{3} << 30);
  s.set(SettingId::kMemoryLimit, SettingSource::kFlag, "--memory-limit", "512MiB");
  EXPECT_EQ(s.size_bytes(SettingId::kMemoryLimit), uint64_t{512} << 20);
  s.set(SettingId::kTemp, SettingSource::kFlag, "--temp", "1e-1");
  EXPECT_EQ(s.number(SettingId::kTemp), 0.1);
  s.set(SettingId::kThreads, SettingSource::kFlag, "-t", "AUTO");
  EXPECT_EQ(s.integer_or_auto(SettingId::kThreads), std::nullopt);
  s.set(SettingId::kThreads, SettingSource::kFlag, "-t", "+3");
  EXPECT_EQ(s.integer_or_auto(SettingId::kThreads), 3);
  s.set(SettingId::kCacheType, SettingSource::kFlag, "--cache-type", "F32");
  EXPECT_EQ(s.text(SettingId::kCacheType), "f32");
}

TEST(Settings, CollectTheNumbersOfListsOverAllUses) {
  Settings s;
  EXPECT_EQ(s.integers(SettingId::kBenchPrompt), (std::vector<int64_t>{512}));
  EXPECT_TRUE(s.integers(SettingId::kBenchThreads).empty());
  s.set(SettingId::kBenchPrompt, SettingSource::kFlag, "-p", "128,+7,0");
  s.set(SettingId::kBenchPrompt, SettingSource::kFlag, "-p", "16777216");
  EXPECT_EQ(s.integers(SettingId::kBenchPrompt), (std::vector<int64_t>{128, 7, 0, 16777216}));
}

TEST(Settings, RefuseListsWithAPartThatIsNoNumberInRange) {
  for (const char* text : {"", ",", "1,", ",1", "1,,2", "1;2", "1, 2", "-1", "1,16777217", "99999999999999999999"}) {
    EXPECT_EQ(refusal(SettingId::kBenchDepth, "-d", text),
              std::string("invalid -d '") + text + "': expected whole numbers from 0 to 16777216, separated by commas");
  }
}

TEST(Settings, FlagsWinOverVariablesInEitherOrder) {
  Settings s;
  s.set(SettingId::kBackend, SettingSource::kFlag, "--backend", "cpu");
  s.read_environment(environment({{"MINFER_BACKENDS", "cuda,metal"}, {"MINFER_CACHE_TYPE", "f32"}}), kRun);
  s.set(SettingId::kBackend, SettingSource::kFlag, "--backend", "metal");
  EXPECT_EQ(s.list(SettingId::kBackend), (std::vector<std::string>{"cpu", "metal"}));
  EXPECT_EQ(s.text(SettingId::kCacheType), "f32");
  EXPECT_EQ(s.source(SettingId::kCacheType), SettingSource::kEnvironment);
  EXPECT_EQ(s.origin(SettingId::kCacheType), "MINFER_CACHE_TYPE");
  s.set(SettingId::kCacheType, SettingSource::kFlag, "--cache-type", "f16");
  EXPECT_EQ(s.text(SettingId::kCacheType), "f16");

  Settings other;
  other.read_environment(environment({{"MINFER_BACKENDS", "cuda"}}), kRun);
  other.set(SettingId::kBackend, SettingSource::kFlag, "--backend", "cpu");
  EXPECT_EQ(other.list(SettingId::kBackend), (std::vector<std::string>{"cpu"}));
}

TEST(Settings, ReadADisablingVariableByItsWord) {
  const auto disabled = [](const std::string& value) {
    Settings s;
    s.read_environment(environment({{"MINFER_DISABLE_CUDA", value}}), kInfo);
    return s.boolean(SettingId::kDisableCuda);
  };
  for (const char* on : {"1", "true", "YES", "on"}) EXPECT_TRUE(disabled(on)) << on;
  for (const char* off : {"0", "false", "no", "OFF", ""}) EXPECT_FALSE(disabled(off)) << off;
  EXPECT_THROW(disabled("2"), Error);
  EXPECT_THROW(disabled("maybe"), Error);
}

TEST(Settings, ReadANegatedVariable) {
  Settings s;
  s.read_environment(environment({{"MINFER_NO_FUSE", "1"}}), kRun);
  EXPECT_FALSE(s.boolean(SettingId::kFuse));
}

TEST(Settings, IgnoreVariablesOfOtherCommandsAndEmptyOnes) {
  Settings s;
  s.read_environment(environment({{"MINFER_CACHE_TYPE", "nonsense"}}), kTokenize);
  s.read_environment(environment({{"MINFER_CACHE_TYPE", ""}}), kRun);
  EXPECT_EQ(s.text(SettingId::kCacheType), "f16");
  EXPECT_FALSE(s.is_set(SettingId::kCacheType));
  EXPECT_THROW(s.read_environment(environment({{"MINFER_CACHE_TYPE", "nonsense"}}), kRun), Error);
}

TEST(Settings, SayWhichUsedSettingsHaveNoEffect) {
  Settings s;
  s.set(SettingId::kFlashAttn, SettingSource::kFlag, "--flash-attn", "on");
  EXPECT_EQ(s.notes(),
            (std::vector<std::string>{"--flash-attn has no effect: attention always takes the exact block form, "
                                      "which needs no score matrix"}));
}

TEST(Settings, ReadingAsAnotherTypeIsABrokenInvariant) {
  const Settings s;
  EXPECT_THROW((void)s.integer(SettingId::kTemp), Error);
  EXPECT_THROW((void)s.boolean(SettingId::kTopK), Error);
  EXPECT_THROW((void)s.integer(SettingId::kThreads), Error);
}

}  // namespace
}  // namespace minfer
