// libFuzzer target of chat templates: a template, a line "=====", and a JSON object with what it is rendered with
// (messages, tools, extra, add_generation_prompt; all optional). Any input gives a text within the limits, or an Error,
// and never holds more memory than the limits say.
#include <cstddef>
#include <cstdint>

#include "tests/fuzz/fuzz_input.h"
#include "tests/fuzz/heap_peak.h"
#include "text/chat_template/chat_template.h"
#include "text/chat_template/messages.h"

namespace minfer::fuzz {
namespace {

using Json = nlohmann::ordered_json;

Json default_messages() {
  return {{{"role", "system"}, {"content", "Be brief."}},
          {{"role", "user"}, {"content", "What is 2 + 2?"}},
          {{"role", "assistant"}, {"content", "<think>\nTwo.\n</think>\n\nFour."}},
          {{"role", "user"}, {"content", "And 3 + 3?"}}};
}

Json value_or(const Json& object, const char* key, Json fallback) {
  const auto found = object.find(key);
  return found == object.end() ? fallback : *found;
}

// The JSON of this input. Text that is none counts as an empty object, so that templates alone are inputs too.
ChatInputs inputs_of(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) json = Json::object();
  ChatInputs inputs;
  inputs.messages = value_or(json, "messages", default_messages());
  inputs.tools = value_or(json, "tools", nullptr);
  inputs.extra = value_or(json, "extra", Json::object());
  if (!inputs.extra.is_object()) inputs.extra = Json::object();
  inputs.add_generation_prompt = value_or(json, "add_generation_prompt", true) == true;
  inputs.bos_token = "<s>";
  inputs.eos_token = "</s>";
  inputs.now = std::tm{};  // the same text every time
  inputs.now->tm_mday = 1;
  return inputs;
}

// Low enough for thousands of renderings in a second.
jinja::Limits small_limits() {
  jinja::Limits limits;
  limits.max_steps = 100'000;
  limits.max_bytes = uint64_t{1} << 22;
  limits.max_memory = uint64_t{1} << 20;
  limits.max_output = uint64_t{1} << 18;
  return limits;
}

// What a rendering may hold: the values that count, the output, and what growing them takes for a moment.
constexpr uint64_t kMostHeapBytes = uint64_t{6} << 20;

void check_rendering(const ChatTemplate& chat_template, const ChatInputs& inputs) {
  const HeapPeak peak;
  const std::string text = chat_template.render(inputs);
  require(peak.bytes() <= kMostHeapBytes, "the memory of a rendering is bounded");
  require(text.size() <= small_limits().max_output, "the output is bounded");
  require(chat_template.render(inputs) == text, "rendering twice gives the same text");
}

void check_messages(const ChatInputs& inputs, uint8_t bits) {
  MessageForms forms;
  forms.text_content = (bits & 1) != 0;
  forms.part_content = (bits & 2) != 0;
  forms.text_arguments = (bits & 4) != 0;
  forms.object_arguments = (bits & 8) != 0;
  const AdaptedMessages adapted = adapt_messages(inputs.messages, forms);
  require(adapted.messages.size() == inputs.messages.size(), "adapting keeps the number of messages");
}

}  // namespace
}  // namespace minfer::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace minfer;
  using namespace minfer::fuzz;
  std::string_view input = as_text(data, size);
  const std::string source(cut(input, "\n=====\n"));
  const ChatInputs inputs = inputs_of(input);
  attempt({ErrorCode::kInvalidArgument}, [&] { check_messages(inputs, static_cast<uint8_t>(source.size())); });
  attempt({ErrorCode::kInvalidArgument, ErrorCode::kBadFile, ErrorCode::kUnsupported}, [&] {
    const ChatTemplate chat_template = ChatTemplate::parse(source, small_limits());
    const HeapPeak peak;
    try {
      check_rendering(chat_template, inputs);
    } catch (const TemplateError&) {
      require(peak.bytes() <= kMostHeapBytes, "the memory of a rendering that fails is bounded");
      throw;
    }
  });
  return 0;
}
