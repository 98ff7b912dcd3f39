// Every flag of every command, in each spelling, and every variable: once with a value that it takes and once with one
// that it does not, as a process with a tiny model. The settings table says which there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/settings.h"
#include "tests/app/program.h"

namespace minfer::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

using Words = std::vector<std::string>;

// The files that flags name, and command lines that succeed.
class FlagsTest : public testing::Test {
 protected:
  FlagsTest()
      : messages_(folder_.write("messages.json", R"([{"role": "user", "content": "Hi."}])")),
        template_(folder_.write("template.jinja", "{{ messages[0].content }}")),
        text_(folder_.write("text.txt", "hello")),
        ids_(folder_.write("ids.txt", "1, 2, 3")),
        tools_(folder_.write("tools.json", "[]")) {}

  // A command line of the command that ends well, without what `id` gives itself.
  Words command_line(std::string_view command, SettingId id) const {
    const auto unless = [id](std::initializer_list<SettingId> ids, Words words) {
      return std::count(ids.begin(), ids.end(), id) != 0 ? Words{} : words;
    };
    Words words{std::string(command)};
    const auto add = [&](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
    if (command != "template") add(unless({SettingId::kModel}, {"-m", model("qwen2-f32")}));
    if (command == "run") {
      add(unless({SettingId::kNPredict}, {"-n", "1"}));
      add(unless({SettingId::kPrompt, SettingId::kPromptFile, SettingId::kFimPrefix, SettingId::kFimSuffix}, {"hi"}));
    } else if (command == "eval") {
      add(unless({SettingId::kTokens, SettingId::kTokensFile, SettingId::kTextFile}, {"--tokens", "1,2,3"}));
    } else if (command == "tokenize") {
      add(unless({SettingId::kTextFile}, {"hi"}));
    } else if (command == "detokenize") {
      add(unless({SettingId::kTokens, SettingId::kTokensFile}, {"1"}));
    } else if (command == "template") {
      add(unless({SettingId::kTemplateFile, SettingId::kModel}, {"--template", template_}));
      add(unless({SettingId::kMessages}, {"--messages", messages_}));
    } else if (command == "bench") {
      add({"-p", "2", "-n", "1", "-r", "1"});
    }
    return words;
  }

  // Values that the setting takes: both ends of its range or all its choices, or the one that texts name below.
  Words good_values(const SettingRow& row) const {
    static const std::set<SettingId> kOnlyLowest{SettingId::kBenchThreads,
                                                 SettingId::kThreads};  // the highest starts a thousand threads
    const std::map<SettingId, Words> texts{
        {SettingId::kBackend, {"cpu"}},
        {SettingId::kBenchDepth, {"0", "3,1"}},  // the highest do not fit the model's context
        {SettingId::kBenchGenerate, {"0", "2,1"}},
        {SettingId::kBenchPrompt, {"0", "2,1"}},
        {SettingId::kBenchPromptGenerate, {"2,1"}},
        {SettingId::kBenchRepetitions, {"1", "3"}},
        {SettingId::kCacheType, {"f16", "f32"}},  // q8_0 is for devices that this build lacks
        {SettingId::kCacheTypeK, {"f16"}},        // keys and values have one format
        {SettingId::kCacheTypeV, {"f16"}},
        {SettingId::kChatTemplateFile, {template_}},
        {SettingId::kCpuIsa, {"scalar", "auto"}},
        {SettingId::kDumpGraph, {folder_.path("graph.dot")}},
        {SettingId::kDumpGraphJson, {folder_.path("graph.json")}},
        {SettingId::kFimPrefix, {"a"}},
        {SettingId::kFimSuffix, {"b"}},
        {SettingId::kLogits, {folder_.path("logits.npy")}},
        {SettingId::kMemoryLimit, {"1G", "512MiB", "0"}},
        {SettingId::kMessages, {messages_}},
        {SettingId::kModel, {model("qwen2-f32")}},
        {SettingId::kNPredict, {"0", "2"}},  // -1 goes on to the end of the context
        {SettingId::kPrompt, {"hi"}},
        {SettingId::kPromptFile, {text_}},
        {SettingId::kStop, {"END"}},
        {SettingId::kSystemPrompt, {"Be brief."}},
        {SettingId::kTemplateFile, {template_}},
        {SettingId::kTemplateMemory, {"64K"}},
        {SettingId::kTextFile, {text_}},
        {SettingId::kTokenizerPre, {"gpt-2"}},
        {SettingId::kTokenizerPre, {"qwen2"}},
        {SettingId::kTokens, {"1,2"}},
        {SettingId::kTokensFile, {ids_}},
        {SettingId::kTools, {tools_}},
        {SettingId::kVar, {"x=1"}},
        {SettingId::kWhy, {"blk.0.attn_q"}},
    };
    if (const auto found = texts.find(row.id); found != texts.end()) return found->second;
    if (const auto choices = row.choices(); !choices.empty()) return Words(choices.begin(), choices.end());
    EXPECT_TRUE(row.domain.has_range) << "give a value of " << row.display_name() << " in " << __FILE__;
    Words values{std::to_string(row.domain.lowest)};
    if (!kOnlyLowest.contains(row.id)) values.push_back(std::to_string(row.domain.highest));
    if (row.type == SettingType::kIntOrAuto) values.emplace_back("auto");
    return values;
  }

  // Values that the setting does not take; none for those that take any text.
  static Words bad_values(const SettingRow& row) {
    if (row.type == SettingType::kString || row.type == SettingType::kList) return {};
    Words values{"nonsense"};
    if (row.type == SettingType::kSize) values.insert(values.end(), {"-1", "16777216T"});
    if (!row.domain.has_range) return values;
    values.push_back(std::to_string(row.domain.lowest - 1));
    if (row.domain.highest < std::numeric_limits<int64_t>::max()) {
      values.push_back(std::to_string(row.domain.highest + 1));
    }
    if (row.type == SettingType::kFloat) values.insert(values.end(), {"nan", "1e999"});
    return values;
  }

  // Calls `check` for each setting of each command.
  template <typename Check>
  static void for_each_setting(const Check& check) {
    for (const SettingCommandName& command : setting_command_names()) {
      for (const SettingRow& row : setting_rows()) {
        if ((row.commands & command.command) != 0) check(command.name, row);
      }
    }
  }

  static Outcome run_with(Words words, const Words& more, const Environment& environment = {}) {
    words.insert(words.begin() + 1, more.begin(), more.end());
    RunOptions options;
    options.environment = environment;
    return run(words, options);
  }

  static void expect_success(const Outcome& outcome, const std::string& what) {
    EXPECT_EQ(outcome.code, 0) << what << "\n" << outcome.err;
    EXPECT_EQ(outcome.signal, 0) << what;
  }

  static void expect_usage_error(const Outcome& outcome, const std::string& message, const std::string& what) {
    EXPECT_EQ(outcome.code, 2) << what;
    EXPECT_EQ(outcome.out, "") << what;
    EXPECT_THAT(outcome.err, StartsWith("Error: " + message + "\n")) << what;
  }

  const TemporaryFolder folder_;
  const std::string messages_, template_, text_, ids_, tools_;
};

TEST_F(FlagsTest, EveryFlagTakesWhatItsRangeSays) {
  for_each_setting([&](std::string_view command, const SettingRow& row) {
    for (const SettingFlag& flag : row.flags()) {
      const std::string spelling(flag.spelling);
      const Words values = row.takes_value() ? good_values(row) : Words{""};
      // Other spellings are rewritten to the same one before anything reads them: one value is enough for them.
      const size_t n = spelling == row.canonical_flag() ? values.size() : 1;
      for (size_t i = 0; i < n; ++i) {
        const Words more = row.takes_value() ? Words{spelling, values[i]} : Words{spelling};
        const Outcome outcome = run_with(command_line(command, row.id), more);
        const std::string what = fmt::format("minfer {} {}", command, fmt::join(more, " "));
        if (row.id == SettingId::kFimPrefix || row.id == SettingId::kFimSuffix) {  // the model lacks the tokens
          EXPECT_THAT(outcome.err, HasSubstr("no fill-in-the-middle tokens")) << what;
          continue;
        }
        expect_success(outcome, what);
        if (row.note.empty()) continue;
        EXPECT_THAT(outcome.err, HasSubstr(" has no effect: ")) << what;
      }
    }
  });
}

TEST_F(FlagsTest, EveryFlagRefusesTheRestAndSaysWhatItTakes) {
  for_each_setting([&](std::string_view command, const SettingRow& row) {
    for (const SettingFlag& flag : row.flags()) {
      const std::string spelling(flag.spelling);
      for (const std::string& value : bad_values(row)) {
        const std::string what = fmt::format("minfer {} {}={}", command, spelling, value);
        const Outcome outcome = run_with(command_line(command, row.id), {spelling + "=" + value});
        const std::string message =
            flag.negated ? fmt::format("{} takes no value", spelling)
                         : fmt::format("invalid {} '{}': expected {}", spelling, value, describe_domain(row));
        expect_usage_error(outcome, message, what);
      }
      if (!row.takes_value() || row.type == SettingType::kEnumOptional) continue;
      const Outcome bare = run({std::string(command), spelling});
      expect_usage_error(bare, "missing value for " + spelling, fmt::format("minfer {} {}", command, spelling));
    }
  });
}

TEST_F(FlagsTest, EveryVariableIsReadLikeItsFlag) {
  for_each_setting([&](std::string_view command, const SettingRow& row) {
    if (row.variable().empty()) return;
    const std::string name(row.variable());
    const auto with = [&](const std::string& value) {
      return run_with(command_line(command, row.id), {}, {{name, value}});
    };
    for (const std::string& value : row.takes_value() ? good_values(row) : Words{"on", "off", ""}) {
      expect_success(with(value), fmt::format("{}={} minfer {}", name, value, command));
    }
    for (const std::string& value : bad_values(row)) {
      expect_usage_error(with(value), fmt::format("invalid {} '{}': expected {}", name, value, describe_domain(row)),
                         fmt::format("{}={} minfer {}", name, value, command));
    }
  });
}

}  // namespace
}  // namespace minfer::test
