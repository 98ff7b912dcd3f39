// What happens when the streams fail and when signals come.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

using testing::HasSubstr;

// Goes on until the context of 1024 positions is full.
const std::vector<std::string> kLongRun{"run", model("qwen2-q6_k"), "--raw", "hello", "-n", "-1", "--ignore-eos"};

TEST(Streams, AFullDiskIsAnErrorForEveryCommand) {
  const TemporaryFolder folder;
  const std::string messages = folder.write("m.json", R"([{"role":"user","content":"x"}])");
  const std::vector<std::vector<std::string>> kCalls{{"run", model("qwen2-f32"), "hi", "-n", "4"},
                                                     {"run", model("qwen2-f32"), "hi", "-n", "4", "--json"},
                                                     {"eval", model("qwen2-f32"), "--tokens", "1,2"},
                                                     {"info", model("qwen2-f32")},
                                                     {"explain", model("qwen2-f32")},
                                                     {"tokenize", model("qwen2-f32"), "hi"},
                                                     {"detokenize", model("qwen2-f32"), "1,2"},
                                                     {"template", model("qwen2-f32"), "--messages", messages},
                                                     {"--help"}};
  RunOptions full;
  full.out_path = "/dev/full";
  RunOptions closed;
  closed.close_out = true;
  for (const std::vector<std::string>& call : kCalls) {
    const Outcome outcome = run(call, full);
    EXPECT_EQ(outcome.code, 1) << call[0];
    EXPECT_THAT(outcome.err, HasSubstr("Error: cannot write to standard output: No space left on device")) << call[0];
    EXPECT_EQ(run(call, closed).code, 1) << call[0];
  }
}

TEST(Streams, ControlCharactersReachNoTerminal) {
  const TemporaryFolder folder;
  const std::string file = write_vocabulary_only(folder);
  // a ESC [ tab line end DEL CR ä (two bytes) C1 CSI (two bytes) 0x9B alone
  const std::vector<std::string> call{"detokenize", file, "97,27,91,9,10,127,13,195,164,194,155,155"};
  EXPECT_EQ(run(call).out, "a\x1b[\t\n\x7f\r\u00e4\u009b\x9b");
  RunOptions terminal;
  terminal.terminal_out = true;
  EXPECT_EQ(run(call, terminal).out, "a\\x1B[\t\n\\x7F\\x0D\u00e4\\xC2\\x9B\\x9B");
}

TEST(Streams, ALimitOfFileSizesIsAnErrorThatLeavesNoFile) {
  const TemporaryFolder folder;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Outcome outcome = run({"eval", model("qwen2-f32"), "--tokens", "1,2,3", "--logits", folder.path("out.npy")});
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("File too large"));
  EXPECT_TRUE(folder.file_names().empty());
}

TEST(Streams, AModelThatIsCutWhileInUseIsNamed) {
  const TemporaryFolder folder;
  const std::string copy = folder.write("m.gguf", read_file(model("qwen2-q6_k")));
  std::vector<std::string> args(kLongRun);
  args[1] = copy;
  args.push_back("--no-repack");
  RunningProgram program(args);
  EXPECT_NE(program.read_some(), "");
  ASSERT_EQ(truncate(copy.c_str(), 0), 0);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "Error: the model file was changed or cut while it was in use\n");
}

TEST(Streams, AClosedStandardInputIsNoEmptyText) {
  RunOptions closed;
  closed.close_in = true;
  for (const std::vector<std::string>& call : {std::vector<std::string>{"run", model("qwen2-f32"), "-"},
                                               {"tokenize", model("qwen2-f32")},
                                               {"eval", model("qwen2-f32"), "--file", "-"},
                                               {"detokenize", model("qwen2-f32"), "-"}}) {
    const Outcome outcome = run(call, closed);
    EXPECT_EQ(outcome.code, 1) << call[0];
    EXPECT_EQ(outcome.err, "Error: cannot read standard input: Bad file descriptor\n") << call[0];
  }
  EXPECT_EQ(run({"tokenize", model("qwen2-f32"), "\x01"}, closed).code, 0);
}

TEST(Streams, AFileTakesTheAnswer) {
  const TemporaryFolder folder;
  RunOptions options;
  options.out_path = folder.write("out", "");
  EXPECT_EQ(run({"tokenize", model("qwen2-f32"), "\x01"}, options).code, 0);
  EXPECT_EQ(read_file(options.out_path).front(), '[');
}

TEST(Streams, AReaderThatGoesAwayEndsTheRunSilently) {
  RunningProgram program(kLongRun);
  EXPECT_NE(program.read_some(), "");
  program.close_output();
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "");
}

// A thousand positions, one at a time.
std::vector<std::string> long_evaluation(const TemporaryFolder& folder) {
  std::string tokens = "0";
  for (int i = 1; i < 1024; ++i) tokens += ",1";
  return {"eval", model("qwen2-q6_k"), "--tokens", tokens, "--chunk", "1", "--logits", folder.path("out.npy")};
}

// Nothing is written before the end: the closing itself has to be noticed.
TEST(Streams, AReaderThatGoesAwayBeforeAnyOutputEndsTheWork) {
  const TemporaryFolder folder;
  std::vector<std::string> args = long_evaluation(folder);
  args.emplace_back("--nll");
  RunningProgram program(args);
  program.close_output();
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "");
  EXPECT_TRUE(folder.file_names().empty()) << "the evaluation went on to its end";
}

TEST(Signals, TheFirstInterruptEndsTheAnswerAndPrintsTheTimings) {
  RunningProgram program(kLongRun);
  EXPECT_NE(program.read_some(), "");
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_THAT(outcome.err, HasSubstr("prefill:"));
  EXPECT_THAT(outcome.err, HasSubstr("finish:      cancelled"));
}

// The program waits for a reader that never reads: only the second signal can end it.
TEST(Signals, TheSecondInterruptEndsTheProgramAtOnce) {
  std::vector<std::string> args(kLongRun);
  args.insert(args.end(), {"--mlock"});
  RunningProgram program(args, true);
  EXPECT_THAT(program.read_error(), HasSubstr("notice: --mlock"));  // it is about to compute
  usleep(300'000);
  program.send(SIGINT);
  usleep(100'000);
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.err, "");
}

TEST(Signals, AnInterruptedEvaluationLeavesNoFile) {
  const TemporaryFolder folder;
  std::vector<std::string> args = long_evaluation(folder);
  args.insert(args.end(), {"--top", "1"});
  RunningProgram program(args);
  EXPECT_NE(program.read_some(), "");
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_TRUE(folder.file_names().empty());
}

}  // namespace
}  // namespace minfer::test
