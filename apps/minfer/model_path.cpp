#include "apps/minfer/model_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/minfer/exit_codes.h"
#include "apps/minfer/suggest.h"
#include "base/error.h"
#include "gguf/split_name.h"

namespace minfer::app {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_directory(const std::string& path) {
  std::vector<std::string> candidates;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (entry.path().extension() == ".gguf") candidates.push_back(entry.path().string());
  }
  std::sort(candidates.begin(), candidates.end());
  constexpr size_t kShown = 20;
  std::string list = candidates.empty() ? "\n  (it holds no .gguf file)" : "\n.gguf files in it:";
  for (size_t i = 0; i < std::min(candidates.size(), kShown); ++i) list += "\n  " + printable(candidates[i], 500);
  if (candidates.size() > kShown) list += fmt::format("\n  and {} more", candidates.size() - kShown);
  fail(ErrorCode::kInvalidArgument, "{} is a directory — minfer needs a .gguf file path{}", printable(path, 500), list);
}

// A mistyped command ends up here as the model of `minfer MODEL`.
[[noreturn]] void refuse_missing(const Invocation& call, const std::string& path) {
  const bool is_plain_word = path.find_first_of("/.") == std::string::npos && !call.settings.is_set(SettingId::kModel);
  if (is_plain_word && call.is_implied) {
    if (const Command* command = find_command(path)) {
      throw UsageError(fmt::format("the command '{}' comes first, before all options", path),
                       fmt::format("Usage: minfer {} {}", command->name, command->synopsis));
    }
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    throw UsageError(
        fmt::format("'{}' is neither a command nor a file{}", printable(path, 60), did_you_mean(path, names)),
        "Try: minfer --help");
  }
  fail(ErrorCode::kNotFound, "file not found: {}", printable(path, 500));
}

// The model's file, or all parts of the split set that its name belongs to.
std::vector<std::string> files_of(const std::string& model_path) {
  const std::optional<SplitName> name = parse_split_name(model_path);
  if (!name) return {model_path};
  std::vector<std::string> files;
  for (uint32_t part = 1; part <= name->count; ++part) files.push_back(split_path(name->prefix, part, name->count));
  return files;
}

// Writing to a file that is mapped destroys it.
void check_outputs(const Settings& settings, const std::string& model_path) {
  for (const SettingId id : {SettingId::kLogits, SettingId::kDumpGraph, SettingId::kDumpGraphJson}) {
    if (!settings.is_set(id)) continue;
    const std::string& path = settings.text(id);
    if (path.empty()) throw UsageError(fmt::format("{} is empty: expected the path of a file", settings.origin(id)));
    std::error_code error;  // a file that is not there is no model
    if (!fs::exists(path, error)) continue;
    for (const std::string& file : files_of(model_path)) {
      if (!fs::equivalent(path, file, error)) continue;
      throw UsageError(fmt::format("{} would replace the model: '{}' is {}", settings.origin(id), printable(path, 500),
                                   file == model_path ? "the model itself" : "a part of it"));
    }
  }
}

}  // namespace

ModelAndWords take_model(const Invocation& call) {
  ModelAndWords result{call.settings.text(SettingId::kModel), call.words};
  if (!call.settings.is_set(SettingId::kModel)) {
    if (result.words.empty()) {
      throw UsageError("no model was given",
                       fmt::format("Usage: minfer {} {}\nTry: minfer {} --help", call.command->name,
                                   call.command->synopsis, call.command->name));
    }
    result.path = result.words.front();
    result.words.erase(result.words.begin());
  }
  if (result.path.empty()) throw UsageError("the path of the model is empty");
  std::error_code error;
  const fs::file_status status = fs::status(result.path, error);
  if (fs::is_directory(status)) refuse_directory(result.path);
  if (status.type() == fs::file_type::not_found) refuse_missing(call, result.path);
  check_outputs(call.settings, result.path);
  return result;
}

void refuse_words(const Invocation& call, const std::vector<std::string>& words) {
  if (words.empty()) return;
  throw UsageError(fmt::format("unexpected word '{}'", printable(words.front(), 60)),
                   fmt::format("Usage: minfer {} {}", call.command->name, call.command->synopsis));
}

}  // namespace minfer::app
