// Every pre-tokenizer rule cuts strings where the package `tokenizers` does.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "text/tokenizer/normalizer.h"
#include "text/tokenizer/pre_tokenizer.h"

namespace minfer {
namespace {

nlohmann::json read_pieces() {
  std::ifstream file(MINFER_SOURCE_DIR "/tests/data/tokenizer/pieces.json", std::ios::binary);
  return nlohmann::json::parse(file);
}

std::vector<size_t> piece_lengths(const PreTokenizerRule& rule, PieceReader& reader, std::string_view text) {
  std::string normalized;
  if (rule.normalization == Normalization::kNfc) text = to_nfc(text, normalized);
  std::vector<size_t> lengths;
  std::string_view piece;
  reader.start(text);
  while (reader.next(piece)) lengths.push_back(piece.size());
  return lengths;
}

TEST(PreTokenizerGolden, CutsWhereTheReferenceCuts) {
  const nlohmann::json golden = read_pieces();
  ASSERT_GE(golden.at("strings").size(), 250U);
  for (const auto& [name, expected] : golden.at("pieces").items()) {
    const PreTokenizer pre_tokenizer(find_pre_tokenizer_rule(name));
    PieceReader reader(pre_tokenizer);
    for (size_t i = 0; i < expected.size(); ++i) {
      const std::string text = golden.at("strings").at(i);
      EXPECT_EQ(piece_lengths(pre_tokenizer.rule(), reader, text), expected[i].get<std::vector<size_t>>())
          << name << ": " << text;
    }
  }
}

TEST(PreTokenizerGolden, CoversEveryRule) {
  const nlohmann::json golden = read_pieces();
  std::set<std::string> names;
  for (const auto& [name, expected] : golden.at("pieces").items()) names.insert(name);
  std::set<std::string> rules;
  for (const PreTokenizerRule& rule : pre_tokenizer_rules()) rules.insert(std::string(rule.name));
  EXPECT_EQ(names, rules);
}

}  // namespace
}  // namespace minfer
