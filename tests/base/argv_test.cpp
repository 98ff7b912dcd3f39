#include "base/argv.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/settings_table.h"

namespace minfer {
namespace {

using namespace setting_commands;
using Words = std::vector<std::string>;

Words rewritten(const Words& words, unsigned command = kRun) {
  return rewrite_argv(words, command);
}

std::string refusal(const Words& words) {
  try {
    rewritten(words);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(RewriteArgv, TurnsLlamaCppSpellingsIntoTheLongForm) {
  EXPECT_EQ(rewritten({"-ngl", "99", "-tb", "4", "-ub", "256", "-ctk", "f32", "-sys", "Be brief.", "-mli", "-st"}),
            (Words{"--gpu-layers=99", "--threads-batch=4", "--ubatch-size=256", "--cache-type-k=f32",
                   "--system-prompt=Be brief.", "--multiline-input=on", "--single-turn=on"}));
  EXPECT_EQ(rewritten({"-c", "512", "-n", "-1", "-t=2", "-s", "7", "--temperature", "0", "-no-cnv"}),
            (Words{"--ctx-size=512", "--n-predict=-1", "--threads=2", "--seed=7", "--temp=0", "--single-turn=on"}));
}

TEST(RewriteArgv, KeepsPositionalWordsAndUnknownFlags) {
  EXPECT_EQ(rewritten({"model.gguf", "why", "-", "--what", "-x", "-5"}),
            (Words{"model.gguf", "why", "-", "--what", "-x", "-5"}));
  EXPECT_EQ(rewritten({"--", "-ngl", "3"}), (Words{"--", "-ngl", "3"}));
}

TEST(RewriteArgv, TakesAValueThatLooksLikeAFlag) {
  EXPECT_EQ(rewritten({"-p", "-st", "-p", "- a list", "--stop", "a=b", "--stop=--x=y"}),
            (Words{"--prompt=-st", "--prompt=- a list", "--stop=a=b", "--stop=--x=y"}));
  EXPECT_EQ(rewritten({"--stop", ""}), (Words{"--stop", ""}));
}

TEST(RewriteArgv, FillsAnOptionalValue) {
  EXPECT_EQ(rewritten({"-fa", "model.gguf"}), (Words{"--flash-attn=on", "model.gguf"}));
  EXPECT_EQ(rewritten({"-fa", "off", "-fa"}), (Words{"--flash-attn=off", "--flash-attn=on"}));
}

TEST(RewriteArgv, TurnsNegatedSwitchesAround) {
  EXPECT_EQ(rewritten({"--no-mmap", "--mmap", "--mmap=0", "--no-template"}),
            (Words{"--mmap=off", "--mmap=on", "--mmap=off", "--raw=on"}));
  EXPECT_EQ(refusal({"--no-mmap=1"}), "--no-mmap takes no value");
}

TEST(RewriteArgv, ReadsASpellingAsTheCommandMeansIt) {
  EXPECT_EQ(rewritten({"--file", "a"}, kRun), (Words{"--prompt-file=a"}));
  EXPECT_EQ(rewritten({"--file", "a"}, kTokenize), (Words{"--file=a"}));
  EXPECT_EQ(rewritten({"-ngl", "3"}, kTokenize), (Words{"-ngl", "3"}));
}

TEST(RewriteArgv, NamesTheFlagAsTyped) {
  EXPECT_EQ(refusal({"-ngl"}), "missing value for -ngl");
  EXPECT_EQ(refusal({"-t", "1000000"}), "invalid -t '1000000': expected a whole number from 1 to 1024 or auto");
  EXPECT_EQ(refusal({"-t="}), "invalid -t '': expected a whole number from 1 to 1024 or auto");
}

}  // namespace
}  // namespace minfer
