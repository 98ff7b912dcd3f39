#include "apps/minfer/model_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/minfer/exit_codes.h"
#include "apps/minfer/suggest.h"
#include "base/error.h"

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
    std::vector<std::string> names;
    for (const Command& command : commands()) names.emplace_back(command.name);
    throw UsageError(
        fmt::format("'{}' is neither a command nor a file{}", printable(path, 60), did_you_mean(path, names)),
        "Try: minfer --help");
  }
  fail(ErrorCode::kNotFound, "file not found: {}", printable(path, 500));
}

}  // namespace

ModelAndWords take_model(const Invocation& call) {
  ModelAndWords result{call.settings.text(SettingId::kModel), call.words};
  if (result.path.empty()) {
    if (result.words.empty()) {
      throw UsageError("no model was given",
                       fmt::format("Usage: minfer {} {}\nTry: minfer {} --help", call.command->name,
                                   call.command->synopsis, call.command->name));
    }
    result.path = result.words.front();
    result.words.erase(result.words.begin());
  }
  std::error_code error;
  const fs::file_status status = fs::status(result.path, error);
  if (fs::is_directory(status)) refuse_directory(result.path);
  if (status.type() == fs::file_type::not_found) refuse_missing(call, result.path);
  return result;
}

void refuse_words(const Invocation& call, const std::vector<std::string>& words) {
  if (words.empty()) return;
  throw UsageError(fmt::format("unexpected word '{}'", printable(words.front(), 60)),
                   fmt::format("Usage: minfer {} {}", call.command->name, call.command->synopsis));
}

}  // namespace minfer::app
