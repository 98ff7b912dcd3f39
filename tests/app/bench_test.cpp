// minfer bench as a process: its flags, its refusals, and what it prints.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

// A short run and `more`.
Outcome bench(const std::vector<std::string>& more) {
  std::vector<std::string> args{"bench", "-m", model("qwen2-f32"), "-r", "1", "-t", "1"};
  args.insert(args.end(), more.begin(), more.end());
  return run(args);
}

json results(const std::vector<std::string>& more) {
  std::vector<std::string> args{"-o", "json"};
  args.insert(args.end(), more.begin(), more.end());
  const Outcome outcome = bench(args);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return json::parse(outcome.out);
}

// "n_prompt n_gen n_depth" of each result.
std::vector<std::string> tests_of(const json& rows) {
  std::vector<std::string> tests;
  for (const json& row : rows) {
    tests.push_back(row["n_prompt"].dump() + " " + row["n_gen"].dump() + " " + row["n_depth"].dump());
  }
  return tests;
}

TEST(Bench, PrintsATableOfPromptAndGeneration) {
  const Outcome outcome = bench({"-p", "8", "-n", "2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, StartsWith("model"));
  EXPECT_THAT(outcome.out, HasSubstr(" pp8 "));
  EXPECT_THAT(outcome.out, HasSubstr(" tg2 "));
  EXPECT_THAT(outcome.out, HasSubstr(" ± "));
  EXPECT_THAT(outcome.out, HasSubstr("\nbuild: "));
}

TEST(Bench, TakesTheModelAsAWordToo) {
  EXPECT_EQ(run({"bench", model("qwen2-f32"), "-p", "4", "-n", "0", "-r", "1"}).code, 0);
}

TEST(Bench, TimesEveryLengthAtEveryDepth) {
  EXPECT_THAT(tests_of(results({"-p", "4,8", "-n", "2", "-d", "0,16"})),
              ElementsAre("4 0 0", "8 0 0", "0 2 0", "4 0 16", "8 0 16", "0 2 16"));
  EXPECT_THAT(tests_of(results({"-p", "4", "-p", "8", "-n", "0", "--n-depth=3"})), ElementsAre("4 0 3", "8 0 3"));
  EXPECT_THAT(tests_of(results({"--n-prompt", "0", "--n-gen", "0", "-pg", "4,2", "--prompt-gen", "6,1"})),
              ElementsAre("4 2 0", "6 1 0"));
}

TEST(Bench, RunsWithEachNumberOfThreads) {
  const Outcome outcome =
      run({"bench", "-m", model("qwen2-f32"), "-p", "4", "-n", "1", "-r", "1", "--threads", "1,3", "-o", "json"});
  const json rows = json::parse(outcome.out);
  ASSERT_EQ(rows.size(), 4U);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(rows[i]["n_threads"], i < 2 ? 1 : 3);
}

TEST(Bench, CountsTheUsableCoresWithoutThreads) {
  const Outcome outcome = run({"bench", "-m", model("qwen2-f32"), "-p", "4", "-n", "0", "-r", "1", "-o", "json"});
  EXPECT_GE(json::parse(outcome.out)[0]["n_threads"], 1);
}

TEST(Bench, RepeatsAndSumsUp) {
  const json row = results({"-p", "0", "-n", "4", "-r", "3"})[0];
  ASSERT_EQ(row["samples_ns"].size(), 3U);
  double ns = 0, rate = 0;
  for (size_t i = 0; i < 3; ++i) {
    const double sample = row["samples_ns"][i];
    EXPECT_NEAR(row["samples_ts"][i], 4e9 / sample, 1e-6 * 4e9 / sample);
    ns += sample / 3;
    rate += 4e9 / sample / 3;
  }
  EXPECT_NEAR(row["avg_ns"], ns, 1);
  EXPECT_NEAR(row["avg_ts"], rate, 1e-6 * rate);
  EXPECT_GT(row["stddev_ts"], 0);
}

TEST(Bench, DescribesWhatRan) {
  const json row = results({"-p", "4", "-n", "0", "--chunk", "3", "-ctk", "f32", "-ctv", "f32"})[0];
  EXPECT_EQ(row["model_filename"], model("qwen2-f32"));
  EXPECT_THAT(row["model_type"].get<std::string>(), StartsWith("qwen2 "));
  EXPECT_EQ(row["backends"], "CPU");
  EXPECT_EQ(row["type_k"], "f32");
  EXPECT_EQ(row["type_v"], "f32");
  EXPECT_EQ(row["n_ubatch"], 3);
  EXPECT_GT(row["model_size"], 1000);
  EXPECT_EQ(row["model_size"], 4 * row["model_n_params"].get<int64_t>());
  EXPECT_GT(row["peak_resident_bytes"], 1 << 20);
  const json info = json::parse(run({"info", model("qwen2-f32"), "--json"}).out);
  EXPECT_EQ(row["model_n_params"], info["parameters"]);
  EXPECT_THAT(run({"--version"}).out, HasSubstr(row["build_commit"].get<std::string>()));
  EXPECT_THAT(run({"--version"}).out, HasSubstr(row["cpu_isa"].get<std::string>() + " (chosen)"));
  EXPECT_THAT(run({"--version"}).out, HasSubstr(row["cpu_info"].get<std::string>()));
}

TEST(Bench, WritesMarkdownAndCsv) {
  EXPECT_THAT(bench({"-p", "4", "-n", "0", "-o", "md"}).out, StartsWith("| model"));
  const std::string csv = bench({"-p", "4", "-n", "0", "--output", "csv"}).out;
  EXPECT_THAT(csv, StartsWith("build_commit,"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
}

TEST(Bench, TakesTheEnginesSettings) {
  const Outcome outcome = bench({"-p", "4", "-n", "1", "--no-warmup", "-q", "--no-fuse", "--memory-limit", "1G",
                                 "--backend", "cpu", "--repetitions", "2"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(bench({"-p", "4", "-n", "0", "-fa", "1"}).err, HasSubstr("notice: --flash-attn has no effect"));
  EXPECT_EQ(bench({"-p", "4", "-n", "0", "-fa", "1", "-q"}).err, "");
  const Outcome limited = bench({"-p", "4", "-n", "0", "--memory-limit", "1K", "-o", "json"});
  EXPECT_EQ(limited.code, 1);
  EXPECT_EQ(limited.out, "");
  EXPECT_THAT(limited.err, StartsWith("Error: "));
}

TEST(Bench, RefusesListsThatAreNone) {
  const std::string lengths = ": expected whole numbers from 0 to 16777216, separated by commas\n";
  const std::vector<std::pair<std::vector<std::string>, std::string>> kCases{
      {{"-p", ""}, "Error: invalid -p ''" + lengths},
      {{"-p", "8,"}, "Error: invalid -p '8,'" + lengths},
      {{"--n-prompt", "x"}, "Error: invalid --n-prompt 'x'" + lengths},
      {{"-n", "1,,2"}, "Error: invalid -n '1,,2'" + lengths},
      {{"-n", "1 2"}, "Error: invalid -n '1 2'" + lengths},
      {{"-d", "-1"}, "Error: invalid -d '-1'" + lengths},
      {{"-d", "16777217"}, "Error: invalid -d '16777217'" + lengths},
      {{"-pg", "[1,2]"}, "Error: invalid -pg '[1,2]'" + lengths},
      {{"-pg", "512"}, "Error: --prompt-gen needs two numbers for each test, such as 512,128; it has 1\n"},
      {{"-t", "0"}, "Error: invalid -t '0': expected whole numbers from 1 to 1024, separated by commas\n"},
      {{"-t", "2,1025"}, "Error: invalid -t '2,1025': expected whole numbers from 1 to 1024, separated by commas\n"},
      {{"-r", "0"}, "Error: invalid -r '0': expected a whole number from 1 to 1000\n"},
      {{"-r", "1001"}, "Error: invalid -r '1001': expected a whole number from 1 to 1000\n"},
      {{"-o", "sql"}, "Error: invalid -o 'sql': expected one of table, md, csv, json\n"},
      {{"-p"}, "Error: missing value for -p\n"},
      {{"-p", "0", "-n", "0"}, "Error: there is nothing to time: all lengths of prompts and of generation are 0\n"},
      {{"-p", "0", "-n", "0", "-pg", "0,0"}, "Error: there is nothing to time"},
      {{"word"}, "Error: unexpected word 'word'\n"},
      {{"-c", "4096"}, "Error: unknown option '-c' for minfer bench; it belongs to: run, eval, explain\n"}};
  for (const auto& [words, message] : kCases) {
    const Outcome outcome = bench(words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_EQ(outcome.out, "") << message;
    EXPECT_THAT(outcome.err, StartsWith(message));
  }
}

// The context is as long as the longest test, and no longer than the model's.
TEST(Bench, RefusesTestsThatAreTooLongForTheModelBeforeItRunsAny) {
  const json info = json::parse(run({"info", model("qwen2-f32"), "--json"}).out);
  const int64_t n_ctx = info["context_length"];
  const std::string depth = std::to_string(n_ctx - 4);
  EXPECT_EQ(tests_of(results({"-p", "4", "-n", "0", "-d", depth})).size(), 1U);
  const Outcome outcome = bench({"-p", "4", "-n", "5", "-d", "0," + depth, "-o", "json"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "Error: test tg5 @ d" + depth + " needs " + std::to_string(n_ctx + 1) +
                             " positions, and the context has " + std::to_string(n_ctx) + "\n");
}

TEST(Bench, AnInterruptKeepsTheResultsThatAreComplete) {
  RunningProgram program({"bench", "-m", model("qwen2-f32"), "-p", "4", "-n", "100", "-r", "1000", "-o", "json"});
  std::string out = program.read_some();
  while (out.find('}') == std::string::npos) {
    const std::string more = program.read_some();
    ASSERT_NE(more, "");
    out += more;
  }
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.err, "");
  const json rows = json::parse(out + outcome.out);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["n_prompt"], 4);
}

TEST(Bench, AReaderThatGoesAwayEndsItSilently) {
  RunningProgram program({"bench", "-m", model("qwen2-f32"), "-p", "0", "-n", "100", "-r", "1000"});
  EXPECT_NE(program.read_some(), "");
  program.close_output();
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "");
}

}  // namespace
}  // namespace minfer::test
