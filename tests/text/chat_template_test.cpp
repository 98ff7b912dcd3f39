// The template's interface: ChatML, errors and their words, the check at load.
#include <gtest/gtest.h>

#include "text/chat_template/chat_template.h"

namespace minfer::test {
namespace {

using Json = nlohmann::ordered_json;

std::string render(const std::string& source, const ChatInputs& inputs = {}) {
  return ChatTemplate::parse(source).render(inputs);
}

// The error of rendering, which must come.
TemplateError error_of(const std::string& source, const ChatInputs& inputs = {}) {
  try {
    const std::string text = render(source, inputs);
    ADD_FAILURE() << "no error but: " << text;
  } catch (const TemplateError& error) {
    return error;
  }
  return TemplateError(TemplateErrorKind::kRender, "none", 0);
}

TEST(ChatTemplate, ChatMlRendersRolesContentsAndPrompt) {
  ChatInputs inputs;
  inputs.messages = Json::parse(R"([{"role":"system","content":"S"},{"role":"user","content":" u "},
                                    {"role":"assistant","content":null},{"role":"tool"}])");
  EXPECT_EQ(ChatTemplate::chatml().render(inputs),
            "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\n u <|im_end|>\n<|im_start|>assistant\n<|im_end|>\n"
            "<|im_start|>tool\n<|im_end|>\n<|im_start|>assistant\n");
  inputs.add_generation_prompt = false;
  inputs.messages =
      Json::parse(R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}])");
  EXPECT_EQ(ChatTemplate::chatml().render(inputs), "<|im_start|>user\nab<|im_end|>\n");
}

TEST(ChatTemplate, ErrorsNameKindDetailAndLine) {
  const TemplateError render_error = error_of("a\n{{ nothing.here }}");
  EXPECT_STREQ(render_error.what(), "chat template error — render error: 'nothing' is undefined (template line 2)");
  EXPECT_EQ(render_error.line(), 2);
  EXPECT_FALSE(render_error.raised_by_template());
  EXPECT_STREQ(error_of("{{ 1 +").what(),
               "chat template error — syntax error: unexpected 'end of template' (template line 1)");
  EXPECT_STREQ(error_of("\n\n{% include 'x' %}").what(),
               "chat template error — unsupported template construct: the tag 'include' (template line 3)");
  EXPECT_STREQ(error_of("{{ 'a'.translate({}) }}").what(),
               "chat template error — unsupported template construct: unsupported Python str method `translate` "
               "(template line 1)");
}

TEST(ChatTemplate, TheTemplatesOwnMessageStandsAlone) {
  const TemplateError error = error_of("{% if true %}\n{{ raise_exception('No \"tools\"!\n') }}{% endif %}");
  EXPECT_TRUE(error.raised_by_template());
  EXPECT_EQ(error.detail(), "No \"tools\"!\n");
  EXPECT_EQ(error.line(), 2);
  EXPECT_EQ(error.kind(), TemplateErrorKind::kRender);
}

TEST(ChatTemplate, ControlCharactersOfATemplateDoNotReachTheMessageRaw) {
  const TemplateError error = error_of("{{ raise_exception('\\x1b[31m') }}");
  EXPECT_EQ(error.detail(), "\x1b[31m");
  EXPECT_EQ(std::string(error.what()).find('\x1b'), std::string::npos);
}

TEST(ChatTemplate, ExtraVariablesWinOverTheBuiltInOnes) {
  ChatInputs inputs;
  inputs.bos_token = "<s>";
  inputs.extra = {{"bos_token", "<b>"}, {"enable_thinking", false}};
  EXPECT_EQ(render("{{ bos_token }}{{ enable_thinking }}{{ eos_token }}", inputs), "<b>False");
}

TEST(ChatTemplate, InvalidUtf8PassesThroughUnchanged) {
  ChatInputs inputs;
  inputs.messages = Json::array({{{"role", "user"}, {"content", "a\xFF\xC3z\xE6\x97"}}});
  EXPECT_EQ(render("{{ messages[0].content.upper()[::-1][::-1] }}|{{ messages[0].content|length }}", inputs),
            "A\xFF\xC3Z\xE6\x97|6");
}

TEST(ChatTemplate, RendersTheSameTwice) {
  const ChatTemplate parsed = ChatTemplate::parse("{% set ns = namespace(n=0) %}{% set ns.n = ns.n + 1 %}{{ ns.n }}");
  EXPECT_EQ(parsed.render({}), "1");
  EXPECT_EQ(parsed.render({}), "1");
}

TEST(ChatTemplate, CheckFailsForATemplateThatCannotRenderThoughts) {
  const char* source =
      "{% for m in messages %}{% if '<think>' in m.content %}{{ m.nothing.here }}{% endif %}{% endfor %}";
  EXPECT_THROW(ChatTemplate::parse(source).check_renders(), TemplateError);
  EXPECT_NO_THROW(ChatTemplate::chatml().check_renders());
}

TEST(ChatTemplate, CheckPassesForATemplateThatRefusesASystemMessage) {
  const char* source =
      "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('No system role') }}{% endif %}"
      "{{ m.content }}{% endfor %}";
  EXPECT_NO_THROW(ChatTemplate::parse(source).check_renders());
}

TEST(ChatTemplate, LoadSaysThatThereIsNoFallBack) {
  try {
    ChatTemplate::load("{{ messages[0].content.encode() }}");
    FAIL();
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_TRUE(text.starts_with(
        "chat template error — unsupported template construct: unsupported Python str method `encode` (template line "
        "1); minfer refuses to fall back to a generic ChatML prompt. Supported Python str methods: capitalize, "))
        << text;
    EXPECT_TRUE(text.ends_with("title, upper, zfill")) << text;
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
  }
}

TEST(ChatTemplate, IntegersBeyond64BitsAreRefused) {
  ChatInputs inputs;
  inputs.extra = Json::parse(R"({"n": 18446744073709551615})");
  EXPECT_THROW(render("{{ n }}", inputs), TemplateError);
  EXPECT_THROW(render("{{ 9223372036854775807 + 1 }}"), TemplateError);
  EXPECT_THROW(render("{{ 9223372036854775808 }}"), TemplateError);
}

}  // namespace
}  // namespace minfer::test
