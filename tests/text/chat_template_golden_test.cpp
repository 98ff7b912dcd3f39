// The project's own templates render as jinja2, set up as transformers does, renders them.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tests/text/chat_template_golden_file.h"

namespace minfer::test {
namespace {

TEST(ChatTemplateGolden, EveryCaseEqualsJinja2) {
  int files = 0;
  int cases = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MINFER_SOURCE_DIR "/tests/data/chat_template")) {
    if (entry.path().extension() != ".json") continue;
    const TemplateGoldenResult result = check_template_golden(entry.path());
    for (const std::string& mismatch : result.mismatches) {
      ADD_FAILURE() << entry.path().filename().string() << ": " << mismatch;
    }
    ++files;
    cases += result.cases;
  }
  EXPECT_GE(files, 3);
  EXPECT_GE(cases, 300);
}

}  // namespace
}  // namespace minfer::test
