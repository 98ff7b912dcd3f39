// minfer tokenize, detokenize and template.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/program.h"

namespace minfer::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(Tokenize, ReadsVocabularyOnlyFilesOfAnyArchitecture) {
  const TemporaryFolder folder;
  const std::string file = write_vocabulary_only(folder);
  EXPECT_EQ(run({"tokenize", "-m", file, "hello<s>"}).out, "[256,257,111,258]\n");
  EXPECT_EQ(run({"tokenize", file, "hello<s>", "--json"}).out, "[256,257,111,258]\n");
  EXPECT_EQ(run({"tokenize", file, "he<s>", "--no-parse-special"}).out, "[256,60,115,62]\n");
  EXPECT_EQ(run({"tokenize", file, "a", "b"}).out, "[97,32,98]\n");
}

TEST(Tokenize, TakesTheRuleThatCutsTextFromTheCaller) {
  const TemporaryFolder folder;
  const std::string file = write_vocabulary_only(folder);
  EXPECT_EQ(run({"tokenize", file, "--tokenizer-pre", "qwen2", "a"}).out, "[97]\n");
  const auto refused = run({"tokenize", file, "--tokenizer-pre", "no-such-rule", "a"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("\"no-such-rule\""));
}

TEST(Tokenize, TakesFilesAndStandardInputByteForByte) {
  const TemporaryFolder folder;
  const std::string file = write_vocabulary_only(folder);
  RunOptions piped;
  piped.input = std::string("a\0\xff\r\n", 5);
  EXPECT_EQ(run({"tokenize", file}, piped).out, "[97,0,255,13,10]\n");
  EXPECT_EQ(run({"tokenize", file, "-"}, piped).out, "[97,0,255,13,10]\n");
  EXPECT_EQ(run({"tokenize", file, "--file", folder.write("t", piped.input)}).out, "[97,0,255,13,10]\n");
  EXPECT_EQ(run({"tokenize", file}).out, "[]\n");
  EXPECT_EQ(run({"tokenize", file, "--file", folder.path("t"), "x"}).code, 2);
  EXPECT_EQ(run({"tokenize", file, "--file", "/no/such"}).err, "Error: file not found: /no/such\n");
}

TEST(Tokenize, NotesBytesThatHaveNoToken) {
  const TemporaryFolder folder;
  const std::string file = write_vocabulary_only(folder, false);
  RunOptions piped;
  piped.input =
      "a\xff"
      "b\xff";
  const Outcome outcome = run({"tokenize", file}, piped);
  EXPECT_EQ(outcome.out, "[97,98]\n");
  EXPECT_EQ(outcome.err,
            "notice: 2 bytes of the text have no token in this vocabulary and were left out (first: 0xFF at byte 1)\n");
  EXPECT_EQ(run({"tokenize", file, "ab"}).err, "");
}

TEST(Detokenize, GivesBackTheBytes) {
  const TemporaryFolder folder;
  const std::string file = write_vocabulary_only(folder);
  EXPECT_EQ(run({"detokenize", file, "256,257,111,258"}).out, "hello<s>");
  EXPECT_EQ(run({"detokenize", file, "97", "0", "255"}).out, std::string("a\0\xff", 3));
  EXPECT_EQ(run({"detokenize", file, "--tokens", "[97, 98]"}).out, "ab");
  EXPECT_EQ(run({"detokenize", file, "--tokens-file", folder.write("ids", "97\n98\n")}).out, "ab");
  RunOptions piped;
  std::string text = "every byte: ";
  for (int byte = 0; byte < 256; ++byte) text += static_cast<char>(byte);
  piped.input = text;
  piped.input = run({"tokenize", file}, piped).out;
  EXPECT_EQ(run({"detokenize", file}, piped).out, text);
}

TEST(Detokenize, RefusesWhatIsNoId) {
  const std::string file = model("qwen2-f32");
  const Outcome outside = run({"detokenize", file, "1,300"});
  EXPECT_EQ(outside.code, 1);
  EXPECT_EQ(outside.out, "");
  EXPECT_EQ(outside.err, "Error: token 300 lies outside the vocabulary of 300\n");
  EXPECT_EQ(run({"detokenize", file, "one"}).code, 1);
  EXPECT_EQ(run({"detokenize", file, "1", "--tokens", "1"}).code, 2);
}

TEST(Template, RendersTheModelsTemplateToTheByte) {
  const TemporaryFolder folder;
  const std::string messages =
      folder.write("m.json", R"([{"role":"user","content":" Why? "},{"role":"assistant","content":"Därum"}])");
  const std::string conversation = "<|im_start|>user\nWhy?<|im_end|>\n<|im_start|>assistant\nDärum<|im_end|>\n";
  EXPECT_EQ(run({"template", "-m", model("qwen2-f32"), "--messages", messages}).out,
            conversation + "<|im_start|>assistant\n");
  EXPECT_EQ(run({"template", model("qwen2-f32"), "--messages", messages, "--no-generation-prompt"}).out, conversation);
  RunOptions piped;
  piped.input = read_file(messages);
  EXPECT_EQ(run({"template", model("qwen2-f32"), "--messages", "-", "--no-generation-prompt"}, piped).out,
            conversation);
}

TEST(Template, GivesVariablesToolsAndSpecialTokens) {
  const TemporaryFolder folder;
  const std::string messages = folder.write("m.json", R"([{"role":"user","content":"x"}])");
  const std::string tools = folder.write("t.json", R"([{"type":"function","function":{"name":"f"}}])");
  const std::string jinja = folder.write(
      "t.jinja",
      "{{ bos_token }}|{{ tools[0].function.name if tools else 'none' }}|{{ n + 1 }}|{{ add_generation_prompt }}");
  EXPECT_EQ(run({"template", "--template", jinja, "--messages", messages, "--var", "n=1"}).out, "|none|2|True");
  EXPECT_EQ(run({"template", "--template", jinja, "--messages", messages, "--tools", tools, "--var", "n=2", "--var",
                 "bos_token=\"<b>\"", "--no-generation-prompt"})
                .out,
            "<b>|f|3|False");
  EXPECT_EQ(
      run({"template", write_vocabulary_only(folder), "--template", jinja, "--messages", messages, "--var", "n=1"}).out,
      "<s>|none|2|True");
}

TEST(Template, FilesWithoutOneGetChatMlAndANotice) {
  const TemporaryFolder folder;
  const std::string messages = folder.write("m.json", R"([{"role":"user","content":"x"}])");
  const Outcome outcome = run({"template", write_vocabulary_only(folder), "--messages", messages});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out, "<|im_start|>user\nx<|im_end|>\n<|im_start|>assistant\n");
  EXPECT_THAT(outcome.err, StartsWith("notice: this GGUF has no tokenizer.chat_template"));
}

TEST(Template, TakesNoMoreMemoryThanTheSettingSays) {
  const TemporaryFolder folder;
  const std::string messages = folder.write("m.json", R"([{"role":"user","content":"x"}])");
  const std::string jinja = folder.write("t.jinja", "one\n{{ ('ab' * 100000)|length }}");
  EXPECT_EQ(run({"template", "--template", jinja, "--messages", messages}).out, "one\n200000");
  const Outcome outcome = run({"template", "--template", jinja, "--messages", messages, "--template-memory", "64K"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err,
              HasSubstr("needs more than 65536 bytes of memory at once (--template-memory), in the operator "
                        "'*' (template line 2)"));
  const Outcome answer =
      run({"run", model("qwen2-f32"), "hi", "-n", "1", "--chat-template-file", jinja, "--template-memory", "64K"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("needs more than 65536 bytes"));
}

TEST(Template, AFailureIsTheTemplatesOwnMessage) {
  const TemporaryFolder folder;
  const std::string messages = folder.write("m.json", R"([{"role":"user","content":"x"}])");
  const auto rendered = [&](const std::string& jinja) {
    return run({"template", "--template", folder.write("t.jinja", jinja), "--messages", messages});
  };
  const Outcome raised = rendered("a{{ raise_exception('roles must alternate') }}");
  EXPECT_EQ(raised.code, 1);
  EXPECT_EQ(raised.out, "");
  EXPECT_EQ(raised.err, "Error: roles must alternate\n");
  const Outcome syntax = rendered("a\n{% if %}");
  EXPECT_EQ(syntax.code, 1);
  EXPECT_THAT(syntax.err, StartsWith("Error: chat template error — syntax error: "));
  EXPECT_THAT(syntax.err, HasSubstr("(template line 2)"));
}

TEST(Template, BadInputsAreNamed) {
  const TemporaryFolder folder;
  const std::string jinja = folder.write("t.jinja", "x");
  const std::string messages = folder.write("m.json", "[]");
  const std::string broken = folder.write("b.json", "[{]");
  EXPECT_EQ(run({"template", "--messages", messages}).code, 2);
  EXPECT_EQ(run({"template", "--template", jinja}).code, 2);
  const Outcome json = run({"template", "--template", jinja, "--messages", broken});
  EXPECT_EQ(json.code, 1);
  EXPECT_THAT(json.err, StartsWith("Error: " + broken + " is not valid JSON: "));
  EXPECT_THAT(run({"template", "--template", jinja, "--messages", folder.write("o.json", "{}")}).err,
              HasSubstr("expected a list of messages, got object"));
  for (const char* bad : {"n", "=1", "n=", "n=text"}) {
    EXPECT_EQ(run({"template", "--template", jinja, "--messages", messages, "--var", bad}).code, 2) << bad;
  }
}

}  // namespace
}  // namespace minfer::test
