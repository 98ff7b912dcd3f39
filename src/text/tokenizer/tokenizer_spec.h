// What a tokenizer is built from: the tokenizer.ggml.* metadata of a file, in plain form. The caller fills it from the
// file; the text layer knows no file format.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace minfer {

using TokenId = int32_t;

// The values of tokenizer.ggml.token_type.
enum class TokenType : uint8_t {
  kUndefined = 0,
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,      // shapes a conversation; never part of plain text
  kUserDefined = 4,  // plain text that is one token whatever stands around it
  kUnused = 5,
  kByte = 6,
};

// Views need to live only while the Tokenizer is constructed.
struct TokenizerSpec {
  std::optional<std::string> model;      // .model; absent means "gpt2"
  std::optional<std::string> pre;        // .pre
  std::vector<std::string_view> tokens;  // .tokens, by id
  std::vector<int32_t> token_types;      // .token_type: empty (all normal) or one per token
  std::vector<float> scores;             // .scores: empty or one per token; byte-level BPE has no use for them
  std::vector<std::string_view> merges;  // .merges: "left right", best first

  std::optional<int64_t> bos_id;  // .bos_token_id, …
  std::optional<int64_t> eos_id;
  std::optional<int64_t> eot_id;
  std::optional<int64_t> eom_id;
  std::optional<int64_t> unk_id;
  std::optional<int64_t> pad_id;
  std::optional<int64_t> fim_pre_id;  // .fim_pre_token_id, …: what a fill-in-the-middle prompt is made of
  std::optional<int64_t> fim_suf_id;
  std::optional<int64_t> fim_mid_id;

  std::optional<bool> add_bos;  // .add_bos_token
  std::optional<bool> add_eos;  // .add_eos_token

  std::optional<bool> add_space_prefix;          // .add_space_prefix; these two for SentencePiece
  std::optional<bool> remove_extra_whitespaces;  // .remove_extra_whitespaces
};

}  // namespace minfer
