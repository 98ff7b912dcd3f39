// Files written by scripts/golden/template_golden.py: templates, inputs, and what jinja2 made of them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace minfer::test {

struct TemplateGoldenResult {
  int cases = 0;
  std::vector<std::string> mismatches;  // one text for each case that differs
};

// Renders every case of the file and compares: the text to the byte; of an error its kind, its line, and its words
// where they are the template's or jinja2's own.
TemplateGoldenResult check_template_golden(const std::filesystem::path& file);

}  // namespace minfer::test
