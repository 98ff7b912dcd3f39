// What a file says about text: template, special texts, and the memory that the tables are accounted for.
#include "engine/text_model.h"

#include <gtest/gtest.h>

#include "gguf/gguf_model.h"
#include "tests/support/golden_models.h"
#include "tests/support/refusal.h"

namespace minfer::test {
namespace {

GgufModel tiny_model() {
  return GgufModel::open(golden_options(golden_case("qwen2-q4_0")).model_path);
}

TEST(TextModelTest, EntersItsTablesInTheLedgerForAsLongAsItLives) {
  const GgufModel file = tiny_model();
  size_t text_bytes = 0;
  for (std::string_view token : file.metadata().get_string_array("tokenizer.ggml.tokens")) text_bytes += token.size();
  MemoryLedger ledger;
  {
    const TextModel text(file.metadata(), &ledger);
    // At least the texts and, per token, where it starts, its type and its place in the index; at most some ten bytes a
    // token more, and twenty a merge.
    const size_t n_tokens = text.tokenizer().n_vocab();
    EXPECT_EQ(n_tokens, 300U);
    EXPECT_GE(ledger.bytes(MemoryTag::kTokenizer), text_bytes + n_tokens * 9);
    EXPECT_LE(ledger.bytes(MemoryTag::kTokenizer), n_tokens * 300);
    EXPECT_EQ(ledger.total(), ledger.bytes(MemoryTag::kTokenizer));
  }
  EXPECT_EQ(ledger.total(), 0U);
}

TEST(TextModelTest, IsRefusedByACapThatItsTablesPass) {
  const GgufModel file = tiny_model();
  MemoryLedger ledger(1000);
  EXPECT_NE(refusal([&] { const TextModel text(file.metadata(), &ledger); }).find("the tokenizer"), std::string::npos);
  EXPECT_EQ(ledger.total(), 0U);
}

TEST(TextModelTest, UsesThePreTokenizerThatItsCallerNames) {
  const GgufModel file = tiny_model();
  EXPECT_EQ(TextModel(file.metadata()).tokenizer().pre_tokenizer(), "qwen2");
  EXPECT_EQ(TextModel(file.metadata(), nullptr, "gpt-2").tokenizer().pre_tokenizer(), "gpt-2");
  EXPECT_NE(refusal([&] { const TextModel text(file.metadata(), nullptr, "gpt-1"); }).find("\"gpt-1\""),
            std::string::npos);
}

}  // namespace
}  // namespace minfer::test
