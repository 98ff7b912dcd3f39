// Rules that a compiler does not check: where the environment is read, who names a device, who may print.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <regex>
#include <sstream>

#include "tests/house/source_tree.h"

namespace minfer::house {
namespace {

// Fails for every line of code (comments removed) that matches, in files for which `exempt` is false.
void expect_nowhere(const std::vector<std::string>& folders, const std::string& pattern,
                    const std::function<bool(const std::string& path)>& exempt, const std::string& rule) {
  const std::regex expression(pattern);
  for (const SourceFile& file : read_sources(folders)) {
    if (exempt(file.path)) continue;
    std::istringstream code(without_comments(file));
    std::string line;
    for (size_t i = 0; std::getline(code, line); ++i) {
      EXPECT_FALSE(std::regex_search(line, expression)) << place(file, i) << ": " << rule << "\n  " << line;
    }
  }
}

bool nothing(const std::string& /*path*/) {
  return false;
}

TEST(Rules, OnlyOneFileReadsTheEnvironment) {
  expect_nowhere(
      {"src", "apps"}, R"(\b(secure_)?getenv\s*\(|\benviron\b)",
      [](const std::string& path) { return path == "src/base/env.cpp"; },
      "the environment is read in src/base/env.cpp alone");
}

std::string option_of(std::string name) {
  std::ranges::transform(name, name.begin(), [](char c) { return c >= 'a' && c <= 'z' ? char(c - 'a' + 'A') : c; });
  return "MINFER_" + name;
}

// "MINFER_CPU|MINFER_METAL|…": the options of all devices.
std::string device_options() {
  std::string options;
#define MINFER_BACKEND(id, Name, name, printed, priority, not_compiled, not_available) \
  options += (options.empty() ? "" : "|") + option_of(name);
#include "backend/backend_list.inc"
#undef MINFER_BACKEND
  return options;
}

TEST(Rules, OnlyBuiltinAsksWhichDevicesWereBuilt) {
  expect_nowhere(
      {"src", "apps"}, R"(^\s*#.*\b()" + device_options() + R"()\b)",
      [](const std::string& path) { return path.starts_with("src/builtin/"); },
      "only builtin/ and CMake know which devices a build contains");
}

TEST(Rules, TheLibraryPrintsNothingAndNeverEndsTheProcess) {
  expect_nowhere({"src"}, R"(\bstd::(cout|cerr|clog)\b|\b(printf|puts|putchar|vprintf)\s*\(|\bfmt::print\s*\()",
                 nothing, "the library prints nothing; use base/log.h or return the text");
  expect_nowhere({"src"}, R"(\b(abort|_exit|quick_exit|terminate)\s*\(|\bstd::exit\s*\()", nothing,
                 "the library never ends the process; throw minfer::Error");
}

// Their functions would be compiled for the instruction set, and the linker might use them elsewhere.
TEST(Rules, VectorKernelsUseNoContainersOrAlgorithms) {
  const auto exempt = [](const std::string& path) { return path.ends_with("simd/table.cpp"); };  // for any CPU
  const std::vector<std::string> folders{"src/backend/cpu/kernels/simd", "src/backend/cpu/kernels/x86"};
  const std::string rule = "vector kernels use the compiler's builtins and Isa alone";
  expect_nowhere(folders, R"(#include <(?!cstddef>|cstdint>|immintrin\.h>))", exempt, rule);
  expect_nowhere(folders, R"(\bstd::(?!byte\b))", exempt, rule);
}

TEST(Rules, NothingIsLeftUnfinished) {
  expect_nowhere({"src", "apps"}, R"(not (yet )?implemented)", nothing, "leave a seam, not a stub");
  for (const SourceFile& file : read_sources({"src", "apps", "tests"})) {
    if (file.path == "tests/house/rules_test.cpp") continue;
    for (size_t i = 0; i < file.lines.size(); ++i) {
      EXPECT_EQ(file.lines[i].find("TODO"), std::string::npos) << place(file, i);
      EXPECT_EQ(file.lines[i].find("FIXME"), std::string::npos) << place(file, i);
    }
  }
}

TEST(Rules, EveryHeaderSaysWhatItIsForAndIsReadOnce) {
  for (const SourceFile& file : read_sources({"src", "apps", "tests"})) {
    if (!file.path.ends_with(".h") && !file.path.ends_with(".cuh")) continue;
    ASSERT_FALSE(file.lines.empty()) << file.path;
    EXPECT_TRUE(file.lines[0].starts_with("// ")) << file.path << ": the first line says what the file is for";
    const auto& lines = file.lines;
    EXPECT_NE(std::find(lines.begin(), lines.end(), "#pragma once"), lines.end()) << file.path;
  }
}

TEST(Rules, ReadCodeWithoutItsComments) {
  const SourceFile file{"x.cpp",
                        {"a; // getenv(", "/* b", "c */ d;", R"(e = "// no comment"; f = '"'; // g)", "1'000;"}};
  EXPECT_EQ(without_comments(file), "a; \n\n d;\ne = \"// no comment\"; f = '\"'; \n1'000;\n");
}

}  // namespace
}  // namespace minfer::house
