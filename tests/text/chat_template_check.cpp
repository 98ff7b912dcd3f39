// Compares files written by scripts/golden/template_golden.py with what this project renders: chat_template_check FILE…
// Prints every mismatch and a summary for each file; exits 1 when there is one.
#include <fmt/format.h>

#include "tests/text/chat_template_golden_file.h"

int main(int argc, char** argv) {
  bool all_equal = true;
  for (int i = 1; i < argc; ++i) {
    const minfer::test::TemplateGoldenResult result = minfer::test::check_template_golden(argv[i]);
    for (const std::string& mismatch : result.mismatches) fmt::print("{}\n", mismatch);
    fmt::print("{}: {} of {} cases equal\n", argv[i], result.cases - static_cast<int>(result.mismatches.size()),
               result.cases);
    all_equal = all_equal && result.mismatches.empty();
  }
  return all_equal ? 0 : 1;
}
