// Messages in the forms that applications send, fitted to templates that take other forms.
#include <gtest/gtest.h>

#include "text/chat_template/messages.h"

namespace minfer::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTextOnly = "{% for m in messages %}{{ m.role + ':' + m.content + ';' }}{% endfor %}";
constexpr const char* kEither =
    "{% for m in messages %}{% if m.content is string %}{{ m.content }}{% else %}{% for p in m.content %}{{ p.text }}"
    "{% endfor %}{% endif %};{% endfor %}";
constexpr const char* kPartsOnly =
    "{% for m in messages %}{% for p in m.content %}{{ p.text }}{% endfor %};{% endfor %}";
constexpr const char* kPrintsAnything = "{% for m in messages %}{{ m.content }};{% endfor %}";

MessageForms forms_of(const char* source) {
  return probe_message_forms(ChatTemplate::parse(source));
}

Json parts_message() {
  return Json::parse(R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"input_text","text":"b"}]}])");
}

TEST(MessageForms, ContentIsProbed) {
  EXPECT_TRUE(forms_of(kTextOnly).text_content);
  EXPECT_FALSE(forms_of(kTextOnly).part_content);
  EXPECT_TRUE(forms_of(kEither).text_content);
  EXPECT_TRUE(forms_of(kEither).part_content);
  EXPECT_FALSE(forms_of(kPartsOnly).text_content);
  EXPECT_TRUE(forms_of(kPartsOnly).part_content);
  EXPECT_TRUE(forms_of(kPrintsAnything).text_content);
  EXPECT_FALSE(forms_of(kPrintsAnything).part_content) << "a printed Python list is not support";
}

TEST(MessageForms, ArgumentsAreProbed) {
  const MessageForms dumps = forms_of(
      "{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.function.arguments|tojson }}{% endfor %}{% endfor "
      "%}");
  EXPECT_TRUE(dumps.object_arguments);
  EXPECT_FALSE(dumps.text_arguments);
  const MessageForms prints = forms_of(
      "{% for m in messages %}{% for c in m.tool_calls or [] %}{{ c.function.arguments }}{% endfor %}{% endfor %}");
  EXPECT_TRUE(prints.text_arguments);
}

TEST(AdaptMessages, JoinsPartsForTemplatesThatTakeText) {
  const AdaptedMessages adapted = adapt_messages(parts_message(), forms_of(kTextOnly));
  EXPECT_EQ(adapted.messages[0]["content"], "a\nb");
  EXPECT_EQ(adapted.notes.size(), 1U);
}

TEST(AdaptMessages, PassesPartsToTemplatesThatTakeThem) {
  const AdaptedMessages adapted = adapt_messages(parts_message(), forms_of(kEither));
  EXPECT_EQ(adapted.messages, parts_message());
  EXPECT_TRUE(adapted.notes.empty());
}

TEST(AdaptMessages, MakesPartsForTemplatesThatTakeNothingElse) {
  const Json messages = Json::parse(R"([{"role":"user","content":"a"},{"role":"user","content":"b"}])");
  const AdaptedMessages adapted = adapt_messages(messages, forms_of(kPartsOnly));
  EXPECT_EQ(adapted.messages[0]["content"], Json::parse(R"([{"type":"text","text":"a"}])"));
  EXPECT_EQ(adapted.notes.size(), 1U) << "one note for both messages";
}

TEST(AdaptMessages, NullAndAbsentContentStay) {
  const Json messages = Json::parse(R"([{"role":"assistant","content":null},{"role":"assistant"}])");
  EXPECT_EQ(adapt_messages(messages, forms_of(kTextOnly)).messages, messages);
}

TEST(AdaptMessages, ParsesArgumentsWhenObjectsAreWanted) {
  MessageForms forms;
  forms.text_arguments = false;
  forms.object_arguments = true;
  const Json messages = Json::parse(
      R"([{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{\"b\":1,\"a\":2}"}},
          {"function":{"name":"g","arguments":"not JSON"}},{"function":{"name":"h","arguments":""}}]}])");
  const Json calls = adapt_messages(messages, forms).messages[0]["tool_calls"];
  EXPECT_EQ(calls[0]["function"]["arguments"].dump(), R"({"b":1,"a":2})");
  EXPECT_EQ(calls[1]["function"]["arguments"], "not JSON");
  EXPECT_EQ(calls[2]["function"]["arguments"], "");
}

TEST(AdaptMessages, RefusesWhatIsNoMessage) {
  const auto refusal = [](const char* messages) -> std::string {
    try {
      adapt_messages(Json::parse(messages), {});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal("{}"), "[messages] expected a list, got object");
  EXPECT_EQ(refusal("[1]"), "[messages] message 0: expected an object, got number");
  EXPECT_EQ(refusal(R"([{"role":"user"},{"content":"x"}])"),
            "[messages] message 1: expected a role that is a string, got none");
  EXPECT_EQ(refusal(R"([{"role":"user","content":5}])"),
            "[messages] message 0: expected content that is text, null or a list of parts, got number");
  EXPECT_EQ(refusal(R"([{"role":"user","content":[{"type":"image_url"}]}])"),
            "[messages] message 0: expected parts of type text, got 'image_url'");
}

}  // namespace
}  // namespace minfer::test
