// Threads by default and on demand, and interrupts that come while a model loads or inside a long prefill.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <chrono>
#include <csignal>

#include "base/cpu_info.h"
#include "tests/app/program.h"
#include "tests/support/model_recipe.h"

namespace minfer::test {
namespace {

using testing::HasSubstr;

// Lets this process, and the programs that it starts, use one of its cores only.
class OneCore {
 public:
  OneCore() {
    sched_getaffinity(0, sizeof before_, &before_);
    int first = 0;
    while (!CPU_ISSET(first, &before_)) ++first;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneCore() { sched_setaffinity(0, sizeof before_, &before_); }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

 private:
  cpu_set_t before_;
};

TEST(Threads, AreAsManyAsTheCoresOfTheAffinityMask) {
  const std::vector<std::string> call{"eval", model("qwen2-f32"), "--tokens", "1,2", "-v"};
  {
    const OneCore core;
    EXPECT_THAT(run(call).err, HasSubstr("threads: 1 (1 core in the affinity mask)\n"));
  }
  EXPECT_THAT(run(call).err, HasSubstr("threads: " + std::to_string(usable_cores().count) + " ("));
}

TEST(Threads, AreMoreThanCoresWhenAskedForAndChangeNothing) {
  std::vector<std::string> call{"eval", model("qwen3-q4_k"), "--tokens", "1,2,3,4,5,6,7,8", "--logit-hash", "-t", "1"};
  const Outcome one = run(call);
  EXPECT_EQ(one.code, 0) << one.err;
  call.back() = "64";
  const OneCore core;
  EXPECT_EQ(run(call).err, one.err);
}

// 9 MB; scalar kernels take seconds for a chunk of 512 rows.
std::string slow_model() {
  ModelRecipe recipe("llama");
  recipe.set("llama.embedding_length", uint32_t{512});
  recipe.set("llama.feed_forward_length", uint32_t{2048});
  recipe.set("llama.context_length", uint32_t{1024});
  recipe.set("llama.attention.head_count", uint32_t{8});
  recipe.set("llama.attention.head_count_kv", uint32_t{8});
  recipe.add_tensor("token_embd.weight", {20, 512});
  recipe.add_tensor("output_norm.weight", {512});
  for (const std::string block : {"blk.0.", "blk.1."}) {
    for (const char* norm : {"attn_norm", "ffn_norm"}) recipe.add_tensor(block + norm + ".weight", {512});
    for (const char* square : {"attn_q", "attn_k", "attn_v", "attn_output"}) {
      recipe.add_zeros(block + square + ".weight", {DType::kQ8_0, {512, 512}});
    }
    for (const char* wide : {"ffn_gate", "ffn_up"}) {
      recipe.add_zeros(block + wide + ".weight", {DType::kQ8_0, {2048, 512}});
    }
    recipe.add_zeros(block + "ffn_down.weight", {DType::kQ8_0, {512, 2048}});
  }
  return recipe.write();
}

std::string tokens(int n) {
  std::string text = "0";
  for (int i = 1; i < n; ++i) text += ",1";
  return text;
}

// How many tiles still run is counted by the engine's tests; this is the whole program, with time to spare.
TEST(Interrupts, AreHonouredInsideALongPrefill) {
  const std::string model = slow_model();
  RunningProgram program(
      {"eval", model, "--tokens", tokens(1000), "--cpu-isa", "scalar", "-t", "1", "-v", "--top", "1"});
  EXPECT_THAT(program.read_error(), HasSubstr("threads: 1"));
  usleep(300'000);  // loaded by now, and far from done
  const auto start = std::chrono::steady_clock::now();
  program.send(SIGINT);
  const Outcome outcome = program.finish();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_THAT(outcome.out, Not(HasSubstr("511 ")));
}

// Sent as soon as the program has said how many threads it takes, which is before it opens the model.
TEST(Interrupts, EndALoadOrWhatFollowsIt) {
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningProgram program({"eval", slow_model(), "--tokens", tokens(1000), "--cpu-isa", "scalar", "-t", "1", "-v"});
    EXPECT_THAT(program.read_error(), HasSubstr("threads: 1"));
    program.send(signal);
    const Outcome outcome = program.finish();
    EXPECT_EQ(outcome.code, 128 + signal) << outcome.err;
    EXPECT_EQ(outcome.signal, 0);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, Not(HasSubstr("Error")));
  }
  RunningProgram program({"eval", slow_model(), "--tokens", tokens(1000), "--cpu-isa", "scalar", "-t", "1", "-v"});
  EXPECT_THAT(program.read_error(), HasSubstr("threads: 1"));
  program.close_output();
  const Outcome outcome = program.finish();
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, Not(HasSubstr("Error")));
}

}  // namespace
}  // namespace minfer::test
