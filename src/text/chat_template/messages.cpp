#include "text/chat_template/messages.h"

#include <algorithm>

namespace minfer {
namespace {

using Json = nlohmann::ordered_json;

// What the template makes of one conversation; empty when it fails.
std::string rendered(const ChatTemplate& chat_template, Json messages) {
  ChatInputs inputs;
  inputs.messages = std::move(messages);
  inputs.add_generation_prompt = false;
  try {
    return chat_template.render(inputs);
  } catch (const TemplateError&) {
    return "";
  }
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != text.npos;
}

std::string with_content(const ChatTemplate& chat_template, Json content) {
  return rendered(chat_template, {{{"role", "user"}, {"content", std::move(content)}}});
}

std::string with_arguments(const ChatTemplate& chat_template, Json arguments) {
  const Json function = {{"name", "probe"}, {"arguments", std::move(arguments)}};
  const Json call = {{"id", "000000001"}, {"type", "function"}, {"function", function}};
  return rendered(chat_template, {{{"role", "user"}, {"content", "Hello"}},
                                  {{"role", "assistant"}, {"content", ""}, {"tool_calls", Json::array({call})}}});
}

std::string part_text(const Json& part, size_t message) {
  const std::string type = part.is_object() && part.contains("type") && part["type"].is_string() ? part["type"] : "";
  if (type != "text" && type != "input_text") {
    fail(ErrorCode::kInvalidArgument, "[messages] message {}: expected parts of type text, got '{}'", message,
         printable(type));
  }
  if (!part.contains("text") || !part["text"].is_string()) {
    fail(ErrorCode::kInvalidArgument, "[messages] message {}: a text part without its text", message);
  }
  return part["text"];
}

class Adapter {
 public:
  explicit Adapter(const MessageForms& forms) : forms_(forms) {}

  AdaptedMessages run(Json messages) {
    if (!messages.is_array())
      fail(ErrorCode::kInvalidArgument, "[messages] expected a list, got {}", messages.type_name());
    for (; index_ < messages.size(); ++index_) adapt(messages[index_]);
    return {std::move(messages), std::move(notes_)};
  }

 private:
  void adapt(Json& message) {
    if (!message.is_object()) bad("expected an object, got", message.type_name());
    if (!message.contains("role") || !message["role"].is_string()) bad("expected a role that is a string, got", "none");
    if (message.contains("content")) content(message["content"]);
    if (message.contains("tool_calls") && message["tool_calls"].is_array()) {
      for (Json& call : message["tool_calls"]) arguments(call);
    }
  }

  void content(Json& value) {
    if (value.is_null()) return;
    if (value.is_string()) {
      if (forms_.text_content || !forms_.part_content) return;
      value = Json::array({{{"type", "text"}, {"text", value}}});
      return note("content given as text was passed as a list of one part, the form that this template takes");
    }
    if (!value.is_array()) bad("expected content that is text, null or a list of parts, got", value.type_name());
    std::string joined;
    for (size_t i = 0; i < value.size(); ++i) joined += (i > 0 ? "\n" : "") + part_text(value[i], index_);
    if (forms_.part_content) return;
    value = joined;
    note("content given as parts was joined to one text, since this template takes no parts");
  }

  void arguments(Json& call) {
    if (forms_.text_arguments || !forms_.object_arguments || !call.is_object() || !call.contains("function")) return;
    Json& function = call["function"];
    if (!function.is_object() || !function.contains("arguments") || !function["arguments"].is_string()) return;
    Json parsed = Json::parse(function["arguments"].get_ref<const std::string&>(), nullptr, false);
    if (!parsed.is_object()) return;
    function["arguments"] = std::move(parsed);
    note("arguments of tool calls given as text were parsed, since this template takes objects");
  }

  [[noreturn]] void bad(const char* what, const char* got) const {
    fail(ErrorCode::kInvalidArgument, "[messages] message {}: {} {}", index_, what, got);
  }

  void note(const char* sentence) {
    if (std::find(notes_.begin(), notes_.end(), sentence) == notes_.end()) notes_.emplace_back(sentence);
  }

  const MessageForms& forms_;
  size_t index_ = 0;
  std::vector<std::string> notes_;
};

}  // namespace

MessageForms probe_message_forms(const ChatTemplate& chat_template) {
  MessageForms forms;
  forms.text_content = holds(with_content(chat_template, "canary text"), "canary text");
  const std::string parts = with_content(chat_template, {{{"type", "text"}, {"text", "canary part"}}});
  // A template that knows no parts prints the list as Python or JSON would.
  forms.part_content =
      holds(parts, "canary part") && !holds(parts, "'canary part'") && !holds(parts, "\"canary part\"");
  const std::string as_object = with_arguments(chat_template, {{"canary_key", 1}});
  const std::string as_text = with_arguments(chat_template, "{\"canary_key\": 1}");
  forms.object_arguments = holds(as_object, "canary_key");
  // A string that is dumped as JSON once more shows its quotes escaped.
  forms.text_arguments = holds(as_text, "canary_key") && !holds(as_text, "\\\"canary_key");
  return forms;
}

AdaptedMessages adapt_messages(Json messages, const MessageForms& forms) {
  return Adapter(forms).run(std::move(messages));
}

}  // namespace minfer
