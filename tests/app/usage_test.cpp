// Help, version, unknown words, and the fence, for every command.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::vector<std::string> kCommands{"run",     "eval",     "bench",      "info",
                                         "explain", "tokenize", "detokenize", "template"};

TEST(Help, OfTheProgramNamesEveryCommand) {
  for (const char* flag : {"--help", "-h", "help"}) {
    const Outcome outcome = run({flag});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, HasSubstr("--backend"));
    for (const std::string& command : kCommands) EXPECT_THAT(outcome.out, HasSubstr("\n  " + command + " "));
  }
}

TEST(Help, OfACommandHasUsageExamplesAndBackend) {
  for (const std::string& command : kCommands) {
    const Outcome outcome = run({command, "--help"});
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_EQ(outcome.err, "");
    EXPECT_THAT(outcome.out, StartsWith("Usage: minfer " + command + " "));
    EXPECT_THAT(outcome.out, HasSubstr("\nExamples:\n  minfer " + command + " "));
    EXPECT_THAT(outcome.out, HasSubstr("--backend NAME"));
    EXPECT_EQ(run({"help", command}).out, outcome.out);
  }
}

TEST(Help, NoProgramWithoutWords) {
  const Outcome outcome = run({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("Usage: minfer MODEL"));
}

TEST(Version, SaysBuildIsaAndBackends) {
  const Outcome outcome = run({"--version"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, StartsWith("minfer v"));
  for (const char* part : {"\nbuild: ", "\nfeatures: ", "(chosen)", "\nbackends:  cpu"}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  EXPECT_EQ(run({"info", "-V"}).out, outcome.out);
}

TEST(Usage, UnknownWordsAreRefusedWithAHint) {
  EXPECT_EQ(run({"tokenise"}).code, 2);
  EXPECT_THAT(run({"tokenise"}).err, HasSubstr("did you mean 'tokenize'?"));
  const Outcome flag = run({"run", model("qwen2-f32"), "--tmp", "1", "hi"});
  EXPECT_EQ(flag.code, 2);
  EXPECT_EQ(flag.out, "");
  EXPECT_THAT(flag.err, StartsWith("Error: unknown option '--tmp'; did you mean '--temp'?\n"));
  for (const char* word : {"-hf", "-hx", "-Vx"}) {
    const Outcome bundled = run({"run", model("qwen2-f32"), word});
    EXPECT_EQ(bundled.code, 2);
    EXPECT_THAT(bundled.err, StartsWith(std::string("Error: unknown option '") + word + "'"));
  }
  const Outcome late = run({"--temp", "0", "run", model("qwen2-f32"), "hi"});
  EXPECT_EQ(late.code, 2);
  EXPECT_THAT(late.err, StartsWith("Error: the command 'run' comes first"));
  EXPECT_EQ(run({"run", "-m", "", "hi"}).code, 2);
  const Outcome elsewhere = run({"info", model("qwen2-f32"), "--temp", "1"});
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_THAT(elsewhere.err, HasSubstr("'--temp' for minfer info; it belongs to: run"));
  EXPECT_THAT(run({"info", model("qwen2-f32"), "more"}).err, HasSubstr("unexpected word 'more'"));
}

TEST(Usage, ValuesOutOfRangeNameTheFlagAsTyped) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> kCases{
      {{"-t", "0"}, "Error: invalid -t '0': expected a whole number from 1 to 1024 or auto\n"},
      {{"--temp", "warm"}, "Error: invalid --temp 'warm': expected a number from 0 to 100\n"},
      {{"-n", "-2"}, "Error: invalid -n '-2': expected a whole number from -1 to 2147483647\n"},
      {{"--chunk=513"}, "Error: invalid --chunk '513': expected a whole number from 1 to 512\n"},
      {{"-ctk", "q5"}, "Error: invalid -ctk 'q5': expected one of f16, f32, q8_0\n"},
      {{"--temp"}, "Error: missing value for --temp\n"}};
  for (const auto& [words, message] : kCases) {
    std::vector<std::string> args{"run", model("qwen2-f32"), "hi"};
    args.insert(args.end(), words.begin(), words.end());
    const Outcome outcome = run(args);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, StartsWith(message));
  }
}

TEST(Fence, StandsBeforeTheModelIsLookedForInEveryCommand) {
  for (const std::string& command : kCommands) {
    const Outcome unknown = run({command, "missing.gguf", "--backend", "cpu,GPU2"});
    EXPECT_EQ(unknown.code, 2) << command;
    EXPECT_THAT(unknown.err, HasSubstr("unknown backend 'GPU2'"));
    EXPECT_THAT(unknown.err, HasSubstr("known backends are: cpu, metal, cuda"));
    const Outcome not_compiled = run({"--backend=cuda", command, "missing.gguf"});
    EXPECT_EQ(not_compiled.code, 2) << command;
    EXPECT_THAT(not_compiled.err, HasSubstr("backend 'cuda' is known but not compiled into this build"));
    const Outcome allowed = run({command, "missing.gguf", "--backend", "CPU", "--backend", "cpu"});
    EXPECT_EQ(allowed.code, 1) << command;
    EXPECT_EQ(allowed.err, "Error: file not found: missing.gguf\n");
  }
}

TEST(Fence, TheFlagWinsOverTheVariable) {
  RunOptions options;
  options.environment = {{"MINFER_BACKENDS", "gpu2"}};
  for (const std::string& command : kCommands) {
    EXPECT_THAT(run({command, "missing.gguf"}, options).err, HasSubstr("unknown backend 'gpu2'")) << command;
    EXPECT_EQ(run({command, "missing.gguf", "--backend", "cpu"}, options).err, "Error: file not found: missing.gguf\n");
  }
}

TEST(Fence, ReadsADisablingVariableByItsValue) {
  for (const char* value : {"1", "TRUE", "on", "0", "no", ""}) {
    RunOptions options;
    options.environment = {{"MINFER_DISABLE_CUDA", value}};
    EXPECT_EQ(run({"info", model("qwen2-f32")}, options).code, 0) << value;
  }
  RunOptions options;
  options.environment = {{"MINFER_DISABLE_CUDA", "maybe"}};
  const Outcome outcome = run({"info", model("qwen2-f32")}, options);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("invalid MINFER_DISABLE_CUDA 'maybe'"));
}

TEST(ModelPath, DirectoriesListTheirModels) {
  const TemporaryFolder folder;
  folder.write("b.gguf", "");
  folder.write("a.gguf", "");
  folder.write("notes.txt", "");
  const std::string path = folder.path("");
  const Outcome outcome = run({"run", path, "hi"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "Error: " + path + " is a directory — minfer needs a .gguf file path\n.gguf files in it:\n  " +
                             folder.path("a.gguf") + "\n  " + folder.path("b.gguf") + "\n");
}

TEST(ModelPath, WhatIsNoModelIsRefused) {
  const TemporaryFolder folder;
  const std::string empty = folder.write("empty.gguf", "");
  for (const std::string& path : {empty, std::string("/dev/null")}) {
    const Outcome outcome = run({"info", path});
    EXPECT_EQ(outcome.code, 1) << path;
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, StartsWith("Error: ")) << path;
    EXPECT_THAT(outcome.err, HasSubstr(path));
  }
}

}  // namespace
}  // namespace minfer::test
