// minfer run: prompts, settings, what stands on which stream.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> greedy(std::initializer_list<std::string> more) {
  std::vector<std::string> args{"run", model("qwen2-f32"), "--temp", "0", "-n", "6"};
  args.insert(args.end(), more);
  return args;
}

json answer(const std::vector<std::string>& args, const RunOptions& options = {}) {
  std::vector<std::string> all(args);
  all.insert(all.begin() + 1, {"--json", "-q"});  // words may stand behind "--"
  const Outcome outcome = run(all, options);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  return json::parse(outcome.out);
}

TEST(Run, StandardOutputIsTheAnswerAlone) {
  const Outcome outcome = run(greedy({"--raw", "hello"}));
  EXPECT_EQ(outcome.code, 0);
  const json object = answer(greedy({"--raw", "hello"}));
  EXPECT_EQ(outcome.out, object["text"].get<std::string>());
  for (const char* part : {"prefill:", "decode:", "tok/s", "first token:", "memory:", "finish:      length"}) {
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
}

TEST(Run, QuietLeavesStandardErrorEmpty) {
  const Outcome outcome = run(greedy({"--raw", "hello", "--quiet", "--mlock"}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
}

TEST(Run, JsonIsOneObject) {
  const json object = answer(greedy({"--raw", "-p", "\x01\x02\x03\x04"}));
  EXPECT_EQ(object["model"], model("qwen2-f32"));
  EXPECT_EQ(object["n_prompt"], 4);
  EXPECT_EQ(object["tokens"].size(), 6U);
  EXPECT_EQ(object["finish_reason"], "length");
  EXPECT_EQ(object["stop"], nullptr);
  EXPECT_EQ(object["logit_hash"], nullptr);
  for (const char* key : {"load_s", "prefill_s", "prefill_tokens_per_s", "first_token_s", "decode_s"}) {
    EXPECT_TRUE(object["timings"].contains(key)) << key;
  }
  EXPECT_GT(object["memory"]["peak_resident_bytes"].get<int64_t>(), 1 << 20);
}

// The template of the tiny models, written out by hand.
TEST(Run, ThePromptGoesThroughTheChatTemplate) {
  const std::string rendered =
      "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhy is the sky blue?<|im_end|>\n"
      "<|im_start|>assistant\n";
  const json chat = answer(greedy({"-sys", "Be brief.", "Why is the", "sky blue?"}));
  const json raw = answer(greedy({"--raw", "-p", rendered}));
  EXPECT_EQ(chat["n_prompt"], raw["n_prompt"]);
  EXPECT_EQ(chat["tokens"], raw["tokens"]);
}

TEST(Run, AnotherTemplateReplacesTheModels) {
  const TemporaryFolder folder;
  const std::string file = folder.write("t.jinja", "{{ messages[0].content }} is what{{ eos_token }}");
  EXPECT_EQ(answer(greedy({"--chat-template-file", file, "it"}))["tokens"],
            answer(greedy({"--raw", "it is what<|im_end|>"}))["tokens"]);
  const std::string broken = folder.write("b.jinja", "{% if %}");
  const Outcome outcome = run(greedy({"--chat-template-file", broken, "it"}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, StartsWith("Error: chat template error"));
}

TEST(Run, EveryWayToGiveAPromptIsTheSamePrompt) {
  const TemporaryFolder folder;
  const json expected = answer(greedy({"--raw", "the sky is blue"}))["tokens"];
  EXPECT_EQ(answer(greedy({"--raw", "the", "sky is", "blue"}))["tokens"], expected);
  EXPECT_EQ(answer(greedy({"--raw", "-p", "the sky is blue"}))["tokens"], expected);
  EXPECT_EQ(answer(greedy({"--raw", "-f", folder.write("p.txt", "the sky is blue\n")}))["tokens"], expected);
  EXPECT_EQ(answer(greedy({"--raw", "--", "the", "sky is blue"}))["tokens"], expected);
  RunOptions piped;
  piped.input = "the sky is blue\r\n";
  EXPECT_EQ(answer(greedy({"--raw"}), piped)["tokens"], expected);
  EXPECT_EQ(answer(greedy({"--raw", "-"}), piped)["tokens"], expected);
  EXPECT_EQ(answer(greedy({"--raw", "-f", "-"}), piped)["tokens"], expected);
  const std::vector<std::string> short_form{model("qwen2-f32"), "the", "sky is blue", "--raw", "--greedy", "-n", "6"};
  EXPECT_EQ(answer(short_form)["tokens"], expected);
  EXPECT_EQ(answer({"--greedy", "-m", model("qwen2-f32"), "the sky is blue", "--raw", "-n", "6"})["tokens"], expected);
}

TEST(Run, BracketsInAPromptStay) {
  EXPECT_EQ(answer(greedy({"--raw", "[a,b]", "{}", "c=d"}))["tokens"],
            answer(greedy({"--raw", "-p", "[a,b] {} c=d"}))["tokens"]);
}

TEST(Run, PromptsThatAreNotOneAreRefused) {
  const Outcome none = run(greedy({}));
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("Example: minfer run MODEL"));
  EXPECT_EQ(run(greedy({"-p", "a", "b"})).code, 2);
  const Outcome mixed = run(greedy({"Summarize:", "-"}));
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err, StartsWith("Error: more than one prompt: "));
  EXPECT_EQ(run(greedy({"hello", "--stop", ""})).code, 2);
  EXPECT_EQ(run(greedy({"--raw", "-sys", "a", "b"})).code, 2);
  const Outcome missing = run(greedy({"-f", "/no/such/file"}));
  EXPECT_EQ(missing.code, 1);
  EXPECT_EQ(missing.err, "Error: file not found: /no/such/file\n");
  EXPECT_THAT(run(greedy({"-f", "/"})).err, HasSubstr("is a directory"));
  const Outcome empty = run(greedy({"--raw", "-p", ""}));
  EXPECT_EQ(empty.code, 1);
  EXPECT_THAT(empty.err, HasSubstr("the prompt is empty"));
  EXPECT_EQ(run(greedy({"-p", ""})).code, 0);
}

TEST(Run, APromptThatDoesNotFitIsRefusedWithBothNumbers) {
  const Outcome outcome = run(greedy({"--raw", "-c", "4", "-p", "\x01\x02\x03\x04\x05\x06"}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("the prompt has 6 tokens"));
  EXPECT_THAT(outcome.err, HasSubstr("room for 4 of its 4"));
}

TEST(Run, ALongPromptIsRefusedToo) {
  RunOptions options;
  options.input = std::string(10'000'000, '\x01');
  const Outcome outcome = run(greedy({"--raw"}), options);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("the prompt has 10000000 tokens"));
}

TEST(Run, BytesThatAreNotUtf8AreAccepted) {
  const Outcome chat = run(greedy({"-p", "a\xff\xfe"}));
  EXPECT_EQ(chat.code, 0);
  EXPECT_THAT(chat.err, HasSubstr("notice: the prompt is not UTF-8 everywhere"));
  EXPECT_EQ(answer(greedy({"--raw", "-p", "a\xff\xfe"}))["n_prompt"], 3);
}

TEST(Run, GenerationEndsForTheReasonThatItNames) {
  EXPECT_EQ(answer(greedy({"--raw", "hello", "-n", "0"}))["tokens"].size(), 0U);
  const json context = answer(greedy({"--raw", "-p", "\x01\x02", "-n", "-1", "-c", "10", "--ignore-eos"}));
  EXPECT_EQ(context["finish_reason"], "context");
  EXPECT_EQ(context["tokens"].size(), 9U);  // the last one is not fed any more
  const std::string text = answer(greedy({"--raw", "hello", "-n", "12"}))["text"];
  ASSERT_GT(text.size(), 4U);
  const json stopped = answer(greedy({"--raw", "hello", "-n", "12", "--stop", text.substr(2, 2)}));
  EXPECT_EQ(stopped["finish_reason"], "stop");
  EXPECT_EQ(stopped["stop"], text.substr(2, 2));
  EXPECT_EQ(stopped["text"], text.substr(0, text.find(text.substr(2, 2))));
}

TEST(Run, TheSeedDecides) {
  const auto drawn = [](const std::string& seed) {
    return answer({"run", model("qwen2-f32"), "--raw", "hello", "-n", "16", "--temp", "1.5", "-s", seed})["tokens"];
  };
  EXPECT_EQ(drawn("1"), drawn("1"));
  EXPECT_NE(drawn("1"), drawn("2"));
}

TEST(Run, ADrawnSeedIsNamedAndRepeatsTheRun) {
  const std::vector<std::string> args{"run", model("qwen2-f32"), "--raw", "hello", "-n", "16", "--temp", "1.5", "-s"};
  const auto with_seed = [&](const std::string& seed) {
    std::vector<std::string> all(args);
    all.push_back(seed);
    return run(all);
  };
  const Outcome first = with_seed("-1");
  ASSERT_THAT(first.err, StartsWith("notice: seed "));
  EXPECT_EQ(with_seed(first.err.substr(13, first.err.find('\n') - 13)).out, first.out);
  EXPECT_NE(with_seed("-1").err.substr(0, 20), first.err.substr(0, 20));
}

TEST(Run, AContextBeyondTheModelsIsNotedWithBothNumbers) {
  EXPECT_THAT(
      run(greedy({"hi", "-c", "5000"})).err,
      HasSubstr("notice: --ctx-size 5000 is more than the model was trained for; the context has 1024 positions"));
  EXPECT_THAT(run(greedy({"hi", "-c", "1024"})).err, Not(HasSubstr("notice")));
}

TEST(Run, TheLogitHashDependsOnNothingButTheModelAndThePrompt) {
  const auto hash = [](std::initializer_list<std::string> more) {
    const Outcome outcome = run(greedy(more));
    const size_t at = outcome.err.find("logit hash: ");
    return at == std::string::npos ? "none" : outcome.err.substr(at + 12, 16);
  };
  const std::string expected = hash({"--raw", "the sky is blue", "--logit-hash"});
  EXPECT_EQ(expected.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(hash({"--raw", "the sky is blue", "--logit-hash", "-t", "3"}), expected);
  EXPECT_EQ(hash({"--raw", "the sky is blue", "--logit-hash", "--chunk", "1", "--no-fuse"}), expected);
  EXPECT_NE(hash({"--raw", "the sky is blue", "--logit-hash", "-ctk", "f32", "-ctv", "f32"}), expected);
}

TEST(Run, LlamaCppSpellingsAreHonouredOrExplained) {
  const Outcome outcome = run(greedy({"--raw", "hi", "-fa", "-b", "64", "-ub", "64", "-tb", "2", "--mlock", "--no-mmap",
                                      "--jinja", "-st", "-ngl", "99"}));
  EXPECT_EQ(outcome.code, 0);
  for (const char* flag : {"--flash-attn", "--batch-size", "--ubatch-size", "--threads-batch", "--mlock", "--mmap",
                           "--jinja", "--single-turn", "--gpu-layers"}) {
    EXPECT_THAT(outcome.err, HasSubstr(std::string("notice: ") + flag + " has no effect: "));
  }
  EXPECT_THAT(run(greedy({"--raw", "hi", "-ngl", "0"})).err, Not(HasSubstr("notice")));
}

TEST(Run, AValueOfFlashAttentionIsNoPrompt) {
  const json expected = answer(greedy({"--raw", "hi"}))["tokens"];
  for (const char* value : {"on", "off", "auto", "1", "0", "true", "false"}) {
    EXPECT_EQ(answer(greedy({"--raw", "-fa", value, "hi"}))["tokens"], expected) << value;
  }
}

TEST(Run, KvFormatsThatCannotBeAreRefusedByName) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"-ctk", "q8_0"}, {"--cache-type", "q8_0"}, {"-ctk", "q8_0", "-ctv", "q8_0"}}) {
    std::vector<std::string> args{"run", model("qwen2-f32"), "hi"};
    args.insert(args.end(), flags.begin(), flags.end());
    const Outcome outcome = run(args);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_THAT(outcome.err, HasSubstr("Q8_0 KV cache"));
  }
  const Outcome mixed = run(greedy({"hi", "-ctk", "f32"}));
  EXPECT_EQ(mixed.code, 2);
  EXPECT_THAT(mixed.err, HasSubstr("keys in f32 and values in f16"));
  EXPECT_THAT(mixed.err, HasSubstr("--cache-type f32 sets both"));
}

TEST(Run, AMemoryLimitRefusesWithNumbers) {
  const Outcome outcome = run(greedy({"hi", "--memory-limit", "1000"}));
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.err, HasSubstr("1000 bytes"));
}

TEST(Run, MemoryIsExplainedByTagOnStandardError) {
  const Outcome outcome = run(greedy({"--raw", "hi", "-n", "1", "-q", "--memory"}));
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"memory (MiB)", "weights", "KV", "activations", "tokenizer", "program", "explained",
                           "not explained", "peak of the process"}) {
    EXPECT_THAT(outcome.err, HasSubstr(part));
  }
  EXPECT_THAT(run(greedy({"--raw", "hi", "-n", "1", "-q"})).err, Not(HasSubstr("explained")));
}

TEST(Run, EveryInstructionSetAndLayoutGiveTheSameAnswer) {
  const auto expected = answer(greedy({"--raw", "hi", "-n", "3", "--cpu-isa", "scalar"}))["tokens"];
  const Outcome refused = run(greedy({"hi", "--cpu-isa", "abacus"}));
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("instruction set 'abacus' is not available here: expected auto, "));
  for (const char* isa : {"avx512vnni", "avxvnni", "avx2", "scalar"}) {
    if (refused.err.find(std::string(" ") + isa) == std::string::npos) {
      EXPECT_EQ(run(greedy({"hi", "--cpu-isa", isa})).code, 2) << isa;
      continue;
    }
    EXPECT_EQ(answer(greedy({"--raw", "hi", "-n", "3", "--cpu-isa", isa}))["tokens"], expected) << isa;
    EXPECT_EQ(answer(greedy({"--raw", "hi", "-n", "3", "--cpu-isa", isa, "--no-repack"}))["tokens"], expected) << isa;
  }
  const Outcome said = run(greedy({"--raw", "hi", "-n", "1", "-v", "--no-repack"}));
  EXPECT_THAT(said.err, HasSubstr("weights: 0.0 MiB interleaved"));
}

TEST(Run, ManyThreadsGiveTheSameAnswer) {
  EXPECT_EQ(answer(greedy({"--raw", "hi", "-n", "1", "-t", "1000"}))["tokens"],
            answer(greedy({"--raw", "hi", "-n", "1", "-t", "1"}))["tokens"]);
}

TEST(Run, GraphsAreWrittenWithDevicesAndKernels) {
  const TemporaryFolder folder;
  const Outcome outcome = run(greedy(
      {"--raw", "hello there", "--dump-graph", folder.path("g.dot"), "--dump-graph-json", folder.path("g.json")}));
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("Graph DOT exported to " + folder.path("g.dot")));
  EXPECT_THAT(outcome.err, HasSubstr("nodes, prefill)"));
  EXPECT_THAT(read_file(folder.path("g.dot")), StartsWith("digraph"));
  const json graph = json::parse(read_file(folder.path("g.json")));
  ASSERT_GT(graph["nodes"].size(), 20U);
  EXPECT_EQ(graph["nodes"][0]["op"], "embed");
  EXPECT_EQ(graph["nodes"][0]["device"], "cpu");
  EXPECT_EQ(run(greedy({"hi", "--dump-graph", "/dev/full"})).code, 1);
}

}  // namespace
}  // namespace minfer::test
