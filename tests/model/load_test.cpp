// Loading model files: dispatch, defaults and fallbacks, and everything that is refused, by its name.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/model.h"
#include "tests/support/model_recipe.h"
#include "tests/support/refusal.h"

namespace minfer::test {
namespace {

Model load(const ModelRecipe& recipe) {
  return Model::load(GgufModel::open(recipe.write()));
}

std::string refused(const ModelRecipe& recipe) {
  return refusal([&] { load(recipe); });
}

// What a llama file is refused with when `key` has that value.
template <typename T>
std::string refused_with(const std::string& key, T value) {
  ModelRecipe recipe("llama");
  recipe.set(key, value);
  return refused(recipe);
}

TEST(LoadModel, TakesEveryArchitectureOfTheList) {
  for (const char* name : {"llama", "qwen2", "qwen3"}) {
    const Model model = load(ModelRecipe(name));
    EXPECT_EQ(model.hparams().architecture, name);
    EXPECT_TRUE(model.is_tied());
  }
}

TEST(LoadModel, RefusesOtherArchitecturesInTheWordsOfTheContract) {
  ModelRecipe recipe("llama");
  recipe.set("general.architecture", "gpt2");
  EXPECT_EQ(refused(recipe), "unsupported: Unsupported architecture: 'gpt2' (this build runs: llama, qwen2, qwen3)");
  for (const char* name : {"Llama", "llama ", "qwen3moe", "qwen", ""}) {
    recipe.set("general.architecture", name);
    EXPECT_EQ(refused(recipe).find("unsupported: Unsupported architecture: '" + std::string(name) + "'"), 0U);
  }
  recipe.set("general.architecture", "\x1b[31m");
  EXPECT_EQ(refused(recipe).find("unsupported: Unsupported architecture: '\\x1B[31m'"), 0U);
  recipe.erase("general.architecture");
  EXPECT_NE(refused(recipe).find("'general.architecture'"), std::string::npos);
}

TEST(LoadModel, ReadsTheHyperParameters) {
  const Model model = load(ModelRecipe("qwen3"));
  const Hparams& h = model.hparams();
  EXPECT_EQ(h.n_layers, 2);
  EXPECT_EQ(h.n_embd, 16);
  EXPECT_EQ(h.n_ff, 24);
  EXPECT_EQ(h.n_heads, 2);
  EXPECT_EQ(h.n_kv_heads, 1);
  EXPECT_EQ(h.head_dim, 8);
  EXPECT_EQ(h.n_vocab, 20);
  EXPECT_EQ(h.n_ctx_train, 64);
  EXPECT_TRUE(h.has_qk_norm);
  EXPECT_EQ(h.rope_pairs, RopePairs::kHalves);
  EXPECT_EQ(load(ModelRecipe("llama")).hparams().rope_pairs, RopePairs::kAdjacent);
  EXPECT_EQ(load(ModelRecipe("qwen2")).hparams().rope_pairs, RopePairs::kHalves);
}

TEST(LoadModel, HasTheDefaultsOfTheContract) {
  ModelRecipe recipe("llama");
  recipe.erase("llama.context_length");
  const Model model = load(recipe);
  EXPECT_EQ(model.hparams().n_ctx_train, 32768);
  EXPECT_EQ(model.hparams().norm_eps, 1e-6F);
  EXPECT_EQ(model.hparams().rope_base, 10000.0);
  EXPECT_EQ(model.hparams().rope_linear_factor, 1.0F);
}

TEST(LoadModel, HasAsManyKeyValueHeadsAsTheTensorUnlessToldOtherwise) {
  ModelRecipe recipe("llama");
  recipe.erase("llama.attention.head_count_kv");
  EXPECT_EQ(load(recipe).hparams().n_kv_heads, 1) << "metadata says 2, attn_k has 8 rows";
  recipe.set("llama.attention.head_count_kv", uint32_t{2});
  EXPECT_EQ(load(recipe).hparams().n_kv_heads, 1);
  for (const char* block : {"blk.0.", "blk.1."}) {
    recipe.add_tensor(std::string(block) + "attn_k.weight", {12, 16});
    recipe.add_tensor(std::string(block) + "attn_v.weight", {12, 16});
  }
  EXPECT_EQ(refused(recipe),
            "bad_file: [model] tensor 'blk.0.attn_k.weight' has 12 rows, which are not whole heads of 8");
}

TEST(LoadModel, RefusesAnotherKeyValueWidthOfQwen3InTheWordsOfTheContract) {
  ModelRecipe recipe("qwen3");
  recipe.set("qwen3.attention.head_count_kv", uint32_t{2});
  EXPECT_EQ(refused(recipe), "bad_file: Qwen3 KV dim 8 != n_head_kv 2 * n_embd_head 8");
}

TEST(LoadModel, FallsBackToTheKeysOfLlama) {
  ModelRecipe recipe("qwen2");
  for (const char* key : {"block_count", "embedding_length", "feed_forward_length", "attention.head_count"}) {
    recipe.erase("qwen2." + std::string(key));
  }
  recipe.set("llama.block_count", uint32_t{1});
  recipe.set("llama.embedding_length", uint32_t{16});
  recipe.set("llama.feed_forward_length", uint32_t{24});
  recipe.set("llama.attention.head_count", uint32_t{2});
  recipe.set("llama.rope.freq_base", 500.0F);
  recipe.set("llama.attention.layer_norm_rms_epsilon", 0.25F);
  recipe.set("llama.context_length", uint32_t{99});  // the architecture's own key wins
  for (const char* name :
       {"attn_norm", "attn_q", "attn_k", "attn_v", "attn_output", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down"}) {
    recipe.erase_tensor("blk.1." + std::string(name) + ".weight");
  }
  const Hparams h = load(recipe).hparams();
  EXPECT_EQ(h.n_layers, 1);
  EXPECT_EQ(h.n_heads, 2);
  EXPECT_EQ(h.rope_base, 500.0);
  EXPECT_EQ(h.norm_eps, 0.25F);
  EXPECT_EQ(h.n_ctx_train, 64);
}

TEST(LoadModel, NamesEveryKeyThatIsMissing) {
  for (const char* name : {"block_count", "embedding_length", "feed_forward_length", "attention.head_count"}) {
    const std::string key = "llama." + std::string(name);
    ModelRecipe recipe("llama");
    recipe.erase(key);
    const std::string text = refused(recipe);
    EXPECT_EQ(text.substr(0, 9), "bad_file:");
    EXPECT_NE(text.find("'" + key + "' is missing"), std::string::npos) << text;
  }
}

TEST(LoadModel, RefusesKeysOfTheWrongType) {
  EXPECT_NE(refused_with("llama.block_count", "two").find("llama.block_count"), std::string::npos);
  EXPECT_NE(refused_with("llama.embedding_length", 16.0F).find("llama.embedding_length"), std::string::npos);
  EXPECT_NE(refused_with("llama.rope.freq_base", "10000").find("llama.rope.freq_base"), std::string::npos);
  EXPECT_NE(refused_with("general.architecture", uint32_t{1}).find("general.architecture"), std::string::npos);
}

TEST(LoadModel, RefusesImpossibleNumbers) {
  const std::string range = ": expected a number from 1 to ";
  for (uint64_t value : {uint64_t{0}, uint64_t{4097}, uint64_t{1} << 40U}) {
    EXPECT_EQ(refused_with("llama.block_count", value),
              "bad_file: [model] llama.block_count = " + std::to_string(value) + range + "4096");
  }
  EXPECT_EQ(refused_with("llama.attention.head_count", uint32_t{0}),
            "bad_file: [model] llama.attention.head_count = 0" + range + "65536");
  EXPECT_EQ(refused_with("llama.attention.head_count_kv", uint32_t{0}),
            "bad_file: [model] llama.attention.head_count_kv = 0" + range + "65536");
  EXPECT_EQ(refused_with("llama.feed_forward_length", uint64_t{1} << 50U),
            "bad_file: [model] llama.feed_forward_length = 1125899906842624" + range + "16777216");
  EXPECT_EQ(refused_with("llama.embedding_length", uint32_t{0}),
            "bad_file: [model] llama.embedding_length = 0" + range + "16777216");
  EXPECT_EQ(refused_with("llama.context_length", uint32_t{0}),
            "bad_file: [model] llama.context_length = 0" + range + "1099511627776");
  EXPECT_NE(refused_with("llama.block_count", ~uint64_t{0}).find("llama.block_count"), std::string::npos);
}

TEST(LoadModel, RefusesImpossibleFloats) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  for (float value : {nan, inf, -1.0F, 1.5F}) {
    EXPECT_EQ(refused_with("llama.attention.layer_norm_rms_epsilon", value)
                  .find("bad_file: [model] llama.attention.layer_norm_rms_epsilon = "),
              0U)
        << value;
  }
  for (float value : {nan, inf, -1.0F, 0.0F}) {
    EXPECT_EQ(refused_with("llama.rope.freq_base", value).find("bad_file: [model] llama.rope.freq_base = "), 0U);
  }
  for (float value : {nan, -1.0F, 0.0F, 1e-30F, 1e30F}) {
    EXPECT_EQ(refused_with("llama.rope.scale_linear", value).find("bad_file: [model] the linear rope factor is "), 0U)
        << value;
    EXPECT_EQ(refused_with("llama.rope.frequency_scale", value).find("bad_file: [model] the linear rope factor is "),
              0U)
        << value;
  }
}

TEST(LoadModel, RefusesHeadsThatDoNotDivide) {
  ModelRecipe recipe("llama");
  recipe.set("llama.attention.head_count", uint32_t{3});
  EXPECT_EQ(refused(recipe),
            "bad_file: [model] llama.embedding_length = 16 is not a multiple of llama.attention.head_count = 3, and "
            "there is no llama.attention.key_length");
  recipe.set("llama.attention.key_length", uint32_t{4});
  EXPECT_EQ(refused(recipe), "bad_file: [model] 3 query heads are not whole groups of 2 key/value heads");
  recipe.set("llama.attention.key_length", uint32_t{1});
  EXPECT_EQ(refused(recipe), "unsupported: [model] head size 1 is odd: rotary embeddings need pairs");
}

TEST(LoadModel, TakesTheHeadSizeFromKeyLength) {
  ModelRecipe recipe("llama");
  recipe.set("llama.attention.key_length", uint32_t{4});
  recipe.set("llama.attention.value_length", uint32_t{4});
  recipe.set("llama.rope.dimension_count", uint32_t{4});
  for (const char* block : {"blk.0.", "blk.1."}) {
    recipe.add_tensor(std::string(block) + "attn_q.weight", {8, 16});
    recipe.add_tensor(std::string(block) + "attn_k.weight", {4, 16});
    recipe.add_tensor(std::string(block) + "attn_v.weight", {4, 16});
    recipe.add_tensor(std::string(block) + "attn_output.weight", {16, 8});
  }
  const Hparams h = load(recipe).hparams();
  EXPECT_EQ(h.head_dim, 4);
  EXPECT_EQ(h.q_width(), 8);
  EXPECT_EQ(h.kv_width(), 4);
}

std::string not_supported(const std::string& setting) {
  return "unsupported: [model] llama." + setting + " is not supported by this build; refusing rather than ignoring it";
}

TEST(LoadModel, RefusesMathsThatItDoesNotCompute) {
  EXPECT_EQ(refused_with("llama.expert_count", uint32_t{8}), not_supported("expert_count = 8"));
  EXPECT_EQ(refused_with("llama.attention.sliding_window", uint32_t{4096}),
            not_supported("attention.sliding_window = 4096"));
  EXPECT_EQ(refused_with("llama.attention.max_alibi_bias", 8.0F), not_supported("attention.max_alibi_bias = 8"));
  EXPECT_EQ(refused_with("llama.rope.dimension_count", uint32_t{4}), not_supported("rope.dimension_count = 4"));
  EXPECT_EQ(refused_with("llama.attention.value_length", uint32_t{4}), not_supported("attention.value_length = 4"));
  EXPECT_EQ(refused_with("llama.logit_scale", 0.5F), not_supported("logit_scale = 0.5"));
  EXPECT_EQ(refused_with("llama.residual_scale", 0.5F), not_supported("residual_scale = 0.5"));
  EXPECT_EQ(refused_with("llama.embedding_scale", 12.0F), not_supported("embedding_scale = 12"));
  EXPECT_EQ(refused_with("llama.attention.scale", 0.1F), not_supported("attention.scale = 0.1"));
  EXPECT_EQ(refused_with("llama.attention.clamp_kqv", 8.0F), not_supported("attention.clamp_kqv = 8"));
  EXPECT_EQ(refused_with("llama.attn_logit_softcapping", 50.0F), not_supported("attn_logit_softcapping = 50"));
  EXPECT_EQ(refused_with("llama.final_logit_softcapping", 30.0F), not_supported("final_logit_softcapping = 30"));
  EXPECT_EQ(refused_with("llama.use_parallel_residual", true), not_supported("use_parallel_residual = true"));
  EXPECT_EQ(refused_with("llama.attention.causal", false), not_supported("attention.causal = false"));
}

TEST(LoadModel, RefusesRopeScalingByItsName) {
  for (const std::string type : {"yarn", "longrope", "dynamic"}) {
    EXPECT_EQ(refused_with("llama.rope.scaling.type", type), not_supported("rope.scaling.type = '" + type + "'"));
  }
}

TEST(LoadModel, TakesSettingsThatChangeNothing) {
  ModelRecipe recipe("llama");
  recipe.set("llama.expert_count", uint32_t{0});
  recipe.set("llama.attention.sliding_window", uint32_t{0});
  recipe.set("llama.use_parallel_residual", false);
  recipe.set("llama.attention.causal", true);
  recipe.set("llama.rope.dimension_count", uint32_t{8});
  recipe.set("llama.attention.value_length", uint32_t{8});
  recipe.set("llama.rope.scaling.type", "none");
  recipe.set("general.name", "anything");
  EXPECT_EQ(refused(recipe), "no error");
}

TEST(LoadModel, ReadsLinearRopeScaling) {
  ModelRecipe recipe("llama");
  recipe.set("llama.rope.scaling.type", "linear");
  recipe.set("llama.rope.scaling.factor", 4.0F);
  EXPECT_EQ(load(recipe).hparams().rope_linear_factor, 4.0F);
  ModelRecipe scale("llama");
  scale.set("llama.rope.frequency_scale", 0.5F);
  EXPECT_EQ(load(scale).hparams().rope_linear_factor, 2.0F);
  scale.set("llama.rope.scale_linear", 8.0F);
  EXPECT_EQ(load(scale).hparams().rope_linear_factor, 8.0F);
  scale.set("llama.rope.scaling.factor", 3.0F);
  EXPECT_EQ(load(scale).hparams().rope_linear_factor, 3.0F);
  scale.set("llama.rope.scaling.type", "none");
  EXPECT_EQ(load(scale).hparams().rope_linear_factor, 1.0F);
  recipe.add_tensor("rope_freqs.weight", {4});
  EXPECT_EQ(refused(recipe),
            "unsupported: [model] the file has both 'rope_freqs.weight' and a linear rope factor of 4");
}

TEST(LoadModel, RefusesATokenizerWithMoreTokensThanTheEmbeddingHasRows) {
  ModelRecipe recipe("llama");
  recipe.set("tokenizer.ggml.tokens", std::vector<std::string>(20, "t"));
  EXPECT_EQ(refused(recipe), "no error");
  recipe.set("tokenizer.ggml.tokens", std::vector<std::string>(21, "t"));
  EXPECT_EQ(refused(recipe),
            "bad_file: [model] tokenizer.ggml.tokens has 21 entries, but 'token_embd.weight' has 20 rows");
}

}  // namespace
}  // namespace minfer::test
