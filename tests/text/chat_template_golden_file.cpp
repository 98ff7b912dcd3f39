#include "tests/text/chat_template_golden_file.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "text/chat_template/chat_template.h"

namespace minfer::test {
namespace {

using Json = nlohmann::ordered_json;

// `extra`: variables that every case of the file shares.
ChatInputs inputs_of(const Json& json, const Json& extra) {
  ChatInputs inputs;
  inputs.messages = json.value("messages", Json::array());
  inputs.tools = json.value("tools", Json());
  inputs.add_generation_prompt = json.value("add_generation_prompt", false);
  inputs.bos_token = json.value("bos_token", "");
  inputs.eos_token = json.value("eos_token", "");
  inputs.extra = json.value("extra", extra);
  // 2024-07-05 09:08:07, a Friday: the clock of the golden script.
  std::tm now{};
  now.tm_year = 124;
  now.tm_mon = 6;
  now.tm_mday = 5;
  now.tm_hour = 9;
  now.tm_min = 8;
  now.tm_sec = 7;
  now.tm_wday = 5;
  now.tm_yday = 186;
  inputs.now = now;
  return inputs;
}

// Empty when the error is the expected one.
std::string compare_error(const TemplateError& error, const Json& expected) {
  const std::string type = expected.at("type");
  const bool at_parsing = type == "TemplateSyntaxError" || type == "TemplateAssertionError" || type == "SyntaxError";
  const bool is_render = error.kind() == TemplateErrorKind::kRender;
  const bool refused = expected.value("unsupported", false);
  if (refused != (error.kind() == TemplateErrorKind::kUnsupported) || (!refused && is_render == at_parsing)) {
    return fmt::format("another kind of error than {}: {}", type, error.what());
  }
  if (expected.contains("line") && expected["line"] != error.line()) {
    return fmt::format("the error stands in line {} and not {}: {}", expected["line"].get<int>(), error.line(),
                       error.what());
  }
  if (expected.contains("message") && expected["message"] != error.detail()) {
    return fmt::format("the error says \"{}\" and not \"{}\"", error.detail(), expected["message"].get<std::string>());
  }
  return "";
}

std::string first_difference(const std::string& expected, const std::string& got) {
  size_t i = 0;
  while (i < expected.size() && i < got.size() && expected[i] == got[i]) ++i;
  const size_t from = i < 60 ? 0 : i - 60;
  return fmt::format("differs at byte {}\n  expected …{}\n  got      …{}", i,
                     Json(expected.substr(from, 160)).dump(-1, ' ', false, Json::error_handler_t::replace),
                     Json(got.substr(from, 160)).dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Empty when the case gives what is expected.
std::string check_case(const std::string& source, const Json& golden, const Json& extra) {
  try {
    const std::string text =
        ChatTemplate::parse(source).render(inputs_of(golden.value("inputs", Json::object()), extra));
    if (golden.contains("error")) return fmt::format("no error, but \"{}\"", text);
    return text == golden.at("expected") ? "" : first_difference(golden.at("expected"), text);
  } catch (const TemplateError& error) {
    if (!golden.contains("error")) return error.what();
    return compare_error(error, golden["error"]);
  }
}

}  // namespace

TemplateGoldenResult check_template_golden(const std::filesystem::path& file) {
  std::ifstream stream(file);
  const Json json = Json::parse(stream);
  TemplateGoldenResult result;
  for (const Json& entry : json.at("templates")) {
    for (const Json& golden : entry.at("cases")) {
      ++result.cases;
      const std::string problem = check_case(entry.at("template"), golden, json.value("extra", Json::object()));
      if (problem.empty()) continue;
      const std::string name = entry.value("name", entry.at("template").get<std::string>());
      result.mismatches.push_back(fmt::format("{} / {}: {}", name, golden.value("name", ""), problem));
    }
  }
  return result;
}

}  // namespace minfer::test
