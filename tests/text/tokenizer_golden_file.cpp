#include "tests/text/tokenizer_golden_file.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace minfer::test {

TokenizerSpec TokenizerGolden::spec() const {
  TokenizerSpec spec;
  spec.model = model;
  spec.pre = pre;
  spec.tokens.assign(tokens.begin(), tokens.end());
  spec.merges.assign(merges.begin(), merges.end());
  spec.token_types = token_types;
  spec.scores = scores;
  spec.unk_id = unk;
  spec.add_space_prefix = add_space_prefix;
  return spec;
}

TokenizerGolden read_tokenizer_golden(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const nlohmann::json json = nlohmann::json::parse(file);
  TokenizerGolden golden;
  golden.source = json.at("source");
  golden.pre = json.at("pre");
  golden.tokens = json.at("tokens");
  golden.model = json.value("model", "gpt2");
  if (json.contains("merges")) golden.merges = json["merges"];
  if (json.contains("scores")) golden.scores = json["scores"].get<std::vector<float>>();
  if (json.contains("unk")) golden.unk = json["unk"].get<int64_t>();
  if (json.contains("add_space_prefix")) golden.add_space_prefix = json["add_space_prefix"].get<bool>();
  golden.token_types.assign(golden.tokens.size(), static_cast<int32_t>(TokenType::kNormal));
  for (const size_t id : json.at("control")) golden.token_types.at(id) = static_cast<int32_t>(TokenType::kControl);
  for (const size_t id : json.at("user_defined")) {
    golden.token_types.at(id) = static_cast<int32_t>(TokenType::kUserDefined);
  }
  for (size_t i = 0; golden.model == "llama" && i < golden.tokens.size(); ++i) {
    const bool is_byte = golden.tokens[i].size() == 6 && golden.tokens[i].starts_with("<0x");
    if (is_byte) golden.token_types[i] = static_cast<int32_t>(TokenType::kByte);
  }
  for (const nlohmann::json& entry : json.at("cases")) {
    TokenizerCase one{entry.at("text"), entry.at("ids"), {}};
    one.ids_as_plain = entry.contains("ids_as_plain") ? entry["ids_as_plain"].get<std::vector<TokenId>>() : one.ids;
    golden.cases.push_back(std::move(one));
  }
  return golden;
}

}  // namespace minfer::test
