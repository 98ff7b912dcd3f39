#include "tests/text/tokenizer_golden_file.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace minfer::test {

TokenizerSpec TokenizerGolden::spec() const {
  TokenizerSpec spec;
  spec.model = "gpt2";
  spec.pre = pre;
  spec.tokens.assign(tokens.begin(), tokens.end());
  spec.merges.assign(merges.begin(), merges.end());
  spec.token_types = token_types;
  return spec;
}

TokenizerGolden read_tokenizer_golden(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const nlohmann::json json = nlohmann::json::parse(file);
  TokenizerGolden golden;
  golden.source = json.at("source");
  golden.pre = json.at("pre");
  golden.tokens = json.at("tokens");
  golden.merges = json.at("merges");
  golden.token_types.assign(golden.tokens.size(), static_cast<int32_t>(TokenType::kNormal));
  for (const size_t id : json.at("control")) golden.token_types.at(id) = static_cast<int32_t>(TokenType::kControl);
  for (const size_t id : json.at("user_defined")) {
    golden.token_types.at(id) = static_cast<int32_t>(TokenType::kUserDefined);
  }
  for (const nlohmann::json& entry : json.at("cases")) {
    TokenizerCase one{entry.at("text"), entry.at("ids"), {}};
    one.ids_as_plain = entry.contains("ids_as_plain") ? entry["ids_as_plain"].get<std::vector<TokenId>>() : one.ids;
    golden.cases.push_back(std::move(one));
  }
  return golden;
}

}  // namespace minfer::test
