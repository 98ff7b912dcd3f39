// Compares our ids with the ones in files of scripts/golden/tokenizer_golden.py: tokenizer_check FILE…
// Prints the first differences and a count per file; exits 1 if there are any.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <chrono>
#include <exception>

#include "base/error.h"
#include "tests/text/tokenizer_golden_file.h"
#include "text/tokenizer/tokenizer.h"

namespace {

using namespace minfer;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

bool is_equal(const Tokenizer& tokenizer, std::string_view text, ControlText control, std::span<const TokenId> expected,
              bool print) {
  const std::vector<TokenId> got = tokenizer.encode(text, control);
  if (std::equal(got.begin(), got.end(), expected.begin(), expected.end())) return true;
  if (print) {
    fmt::print("  {} \"{}\"\n    expected {}\n    got      {}\n", control == ControlText::kParse ? "parsed" : "plain",
               printable(text), fmt::join(expected, " "), fmt::join(got, " "));
  }
  return false;
}

size_t count_differences(const std::string& path) {
  const test::TokenizerGolden golden = test::read_tokenizer_golden(path);
  const TokenizerSpec spec = golden.spec();
  auto start = Clock::now();
  const Tokenizer tokenizer(spec);
  const double load_ms = ms_since(start);
  start = Clock::now();
  size_t n_different = 0;
  size_t n_bytes = 0;
  for (const test::TokenizerCase& one : golden.cases) {
    n_bytes += one.text.size();
    const bool print = n_different < 5;
    const bool parsed = is_equal(tokenizer, one.text, ControlText::kParse, one.ids, print);
    const bool plain = is_equal(tokenizer, one.text, ControlText::kAsPlain, one.ids_as_plain, print);
    if (!parsed || !plain) ++n_different;
  }
  fmt::print("{}: pre {}, {} tokens loaded in {:.1f} ms; {} of {} strings ({} bytes) differ from {}; {:.1f} ms\n", path,
             golden.pre, golden.tokens.size(), load_ms, n_different, golden.cases.size(), n_bytes, golden.source,
             ms_since(start));
  return n_different;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    size_t n_different = 0;
    for (int i = 1; i < argc; ++i) n_different += count_differences(argv[i]);
    return argc > 1 && n_different == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tokenizer_check: {}\n", error.what());
    return 1;
  }
}
