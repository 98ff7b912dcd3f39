#include "text/chat_template/chat_template.h"

#include "text/chat_template/builtins.h"
#include "text/chat_template/interpreter.h"
#include "text/chat_template/json.h"
#include "text/chat_template/parser.h"

namespace minfer {
namespace {

constexpr const char* kChatMl =
    "{% for message in messages %}"
    "{{ '<|im_start|>' ~ message.role ~ '\\n' }}"
    "{% if message.content is string %}"
    "{{ message.content }}"
    "{% elif message.content %}"
    "{% for part in message.content %}{{ part.text if part.text is string else '' }}{% endfor %}"
    "{% endif %}"
    "{{ '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

std::tm local_time() {
  const std::time_t seconds = std::time(nullptr);
  std::tm out{};
  localtime_r(&seconds, &out);
  return out;
}

using Variables = std::vector<std::pair<std::string, jinja::Value>>;

// Later ones replace earlier ones of the same name.
Variables variables_of(const ChatInputs& inputs) {
  Variables out = {{"messages", jinja::from_json(inputs.messages)},
                   {"tools", jinja::from_json(inputs.tools)},
                   {"documents", jinja::Value::none()},
                   {"add_generation_prompt", jinja::Value::boolean(inputs.add_generation_prompt)},
                   {"bos_token", jinja::Value::text(inputs.bos_token)},
                   {"eos_token", jinja::Value::text(inputs.eos_token)}};
  for (const auto& [name, value] : inputs.extra.items()) out.emplace_back(name, jinja::from_json(value));
  return out;
}

using Json = nlohmann::ordered_json;

Json message(const char* role, const char* content) {
  return {{"role", role}, {"content", content}};
}

void render_canary(const ChatTemplate& chat_template, Json messages, bool add_generation_prompt) {
  ChatInputs inputs;
  inputs.messages = std::move(messages);
  inputs.add_generation_prompt = add_generation_prompt;
  try {
    chat_template.render(inputs);
  } catch (const TemplateError& error) {
    if (!error.raised_by_template()) throw;
  }
}

}  // namespace

struct ChatTemplate::Parsed {
  jinja::Template tree;
};

ChatTemplate::ChatTemplate(std::string source, std::shared_ptr<const Parsed> parsed, const jinja::Limits& limits)
    : source_(std::move(source)), limits_(limits), parsed_(std::move(parsed)) {}

ChatTemplate ChatTemplate::parse(std::string source, const jinja::Limits& limits) {
  auto parsed = std::make_shared<const Parsed>(Parsed{jinja::parse(source)});
  return ChatTemplate(std::move(source), std::move(parsed), limits);
}

ChatTemplate ChatTemplate::chatml() {
  return parse(kChatMl);
}

ChatTemplate ChatTemplate::load(std::string source, const jinja::Limits& limits) {
  try {
    ChatTemplate out = parse(std::move(source), limits);
    out.check_renders();
    return out;
  } catch (const TemplateError& error) {
    throw Error(
        error.code(),
        fmt::format("{}; minfer refuses to fall back to a generic ChatML prompt. Supported Python str methods: {}",
                    error.what(), jinja::text_method_names()));
  }
}

std::string ChatTemplate::render(const ChatInputs& inputs) const {
  jinja::Interpreter interpreter(limits_, inputs.now ? *inputs.now : local_time());
  Variables variables;
  try {
    variables = variables_of(inputs);
  } catch (const jinja::Failure& failure) {
    throw TemplateError(failure.kind, failure.detail, 0);
  }
  return interpreter.render(parsed_->tree, variables);
}

void ChatTemplate::check_renders() const {
  const char* thought = "<think>\nTwo and two.\n</think>\n\nFour.";
  render_canary(*this,
                {message("system", "Be brief."), message("user", "What is 2 + 2?"), message("assistant", thought),
                 message("user", "And 3 + 3?")},
                true);
  render_canary(*this, {message("user", "What is 2 + 2?"), message("assistant", thought)}, false);
}

}  // namespace minfer
