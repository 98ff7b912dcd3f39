// Reads the files that scripts/golden/tokenizer_golden.py writes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "text/tokenizer/tokenizer_spec.h"

namespace minfer::test {

struct TokenizerCase {
  std::string text;
  std::vector<TokenId> ids;
  std::vector<TokenId> ids_as_plain;  // control tokens not looked for
};

// Owns the texts; spec() has views into them.
struct TokenizerGolden {
  std::string source;
  std::string model;
  std::string pre;
  std::vector<std::string> tokens;
  std::vector<std::string> merges;
  std::vector<int32_t> token_types;
  std::vector<float> scores;
  std::optional<int64_t> unk;
  std::optional<bool> add_space_prefix;
  std::vector<TokenizerCase> cases;

  TokenizerSpec spec() const;
};

// Errors: whatever the JSON library throws.
TokenizerGolden read_tokenizer_golden(const std::string& path);

}  // namespace minfer::test
