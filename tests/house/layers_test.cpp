// Includes and link dependencies follow the table of layers; there is no list of exceptions.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <regex>
#include <sstream>

#include "tests/house/layer_table.h"
#include "tests/house/source_tree.h"

namespace minfer::house {
namespace {

constexpr std::string_view kSrc = "src/";

std::optional<std::string> project_include(const std::string& line) {
  static const std::regex kInclude(R"rx(^\s*#\s*include\s*"([^"]+)".*)rx");
  std::smatch match;
  if (!std::regex_match(line, match, kInclude)) return std::nullopt;
  return match[1];
}

std::string layer_of_file(const std::string& path) {
  return path.starts_with(kSrc) ? layer_of(path.substr(kSrc.size())) : layer_of(path);
}

TEST(Layers, FormNoCycle) {
  std::map<std::string, int> state;  // 1: being visited, 2: done
  const std::function<void(const std::string&)> visit = [&](const std::string& layer) {
    ASSERT_NE(state[layer], 1) << "a cycle through " << layer;
    if (state[layer] == 2) return;
    state[layer] = 1;
    for (const std::string& used : layer_table().at(layer)) visit(used);
    state[layer] = 2;
  };
  for (const auto& [layer, uses] : layer_table()) visit(layer);
}

TEST(Layers, HoldEveryFileUnderSrc) {
  for (const SourceFile& file : read_sources({"src"})) {
    EXPECT_NE(layer_of_file(file.path), "") << file.path << " lies in no layer of the table";
  }
}

TEST(Layers, IncludeOnlyWhatTheTableAllows) {
  const std::filesystem::path src = std::filesystem::path(MINFER_SOURCE_DIR) / "src";
  size_t n_includes = 0;
  for (const SourceFile& file : read_sources({"src", "apps"})) {
    const std::string layer = layer_of_file(file.path);
    for (size_t i = 0; i < file.lines.size(); ++i) {
      const auto include = project_include(file.lines[i]);
      if (!include) continue;
      ++n_includes;
      const std::string used = layer_of(*include);
      // A program's own headers lie beside src/, not in it.
      const std::filesystem::path folder = used == "apps" ? src.parent_path() : src;
      EXPECT_TRUE(std::filesystem::exists(folder / *include))
          << place(file, i) << ": \"" << *include << "\" is not a path from src/";
      EXPECT_TRUE(used == layer || layer_table().at(layer).contains(used))
          << place(file, i) << ": " << layer << " may not include " << *include;
    }
  }
  EXPECT_GT(n_includes, 100U) << "the test no longer reads includes";
}

TEST(Layers, HaveHeadersWithoutCycles) {
  std::map<std::string, std::vector<std::string>> includes;
  for (const SourceFile& file : read_sources({"src"})) {
    for (const std::string& line : file.lines) {
      if (const auto include = project_include(line)) includes[file.path.substr(kSrc.size())].push_back(*include);
    }
  }
  std::map<std::string, int> state;
  const std::function<void(const std::string&)> visit = [&](const std::string& header) {
    EXPECT_NE(state[header], 1) << "a cycle of includes through " << header;
    if (state[header] != 0) return;
    state[header] = 1;
    for (const std::string& included : includes[header]) visit(included);
    state[header] = 2;
  };
  for (const SourceFile& file : read_sources({"src"})) visit(file.path.substr(kSrc.size()));
}

// The layers named after DEPS in minfer_layer(name DEPS … SOURCES …), by layer.
std::map<std::string, std::set<std::string>> linked_layers(const SourceFile& cmake) {
  std::string text;
  for (const std::string& line : cmake.lines) text += line.substr(0, line.find('#')) + "\n";
  static const std::regex kCall(R"rx(minfer_layer\(([^)]*)\))rx");
  std::map<std::string, std::set<std::string>> linked;
  for (std::sregex_iterator call(text.begin(), text.end(), kCall), end; call != end; ++call) {
    std::istringstream words((*call)[1]);
    std::string name, word, part;
    words >> name;
    std::set<std::string>& deps = linked[name];
    while (words >> word) {
      if (word == "DEPS" || word == "SOURCES") {
        part = word;
      } else if (part == "DEPS") {
        const size_t underscore = word.find("backend_") == 0 ? word.find('_') : std::string::npos;
        if (underscore != std::string::npos) word[underscore] = '/';
        if (layer_table().contains(word)) deps.insert(word);
      }
    }
  }
  return linked;
}

TEST(Layers, LinkExactlyWhatTheTableSays) {
  size_t n_layers = 0;
  for (const SourceFile& file : read_named("src", "CMakeLists.txt")) {
    for (const auto& [layer, deps] : linked_layers(file)) {
      ++n_layers;
      ASSERT_TRUE(layer_table().contains(layer)) << file.path << ": " << layer << " is not in the table";
      std::set<std::string> expected = layer_table().at(layer);
      // Which devices builtin links is CMake's choice: those that the options turn on.
      if (layer == "builtin") {
        for (const std::string& device : device_layers()) expected.erase(device);
      }
      EXPECT_EQ(deps, expected) << file.path << ": DEPS of " << layer;
    }
  }
  EXPECT_GE(n_layers, 10U) << "the test no longer reads minfer_layer calls";
}

}  // namespace
}  // namespace minfer::house
