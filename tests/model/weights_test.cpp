// Which tensors a model takes from its file: names, shapes, types, and nothing left over.
#include <gtest/gtest.h>

#include <cstring>

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

const std::vector<std::string> kMatrices = {"attn_q",   "attn_k", "attn_v",  "attn_output",
                                            "ffn_gate", "ffn_up", "ffn_down"};

TEST(ModelWeights, AreAllRegisteredWithTheirBlock) {
  const Model model = load(ModelRecipe("qwen3"));
  EXPECT_EQ(model.weights().all().size(), 2U + 2U * 11U);
  for (const WeightInfo& info : model.weights().all()) {
    const bool in_block = info.name.starts_with("blk.");
    EXPECT_EQ(info.layer, in_block ? info.name[4] - '0' : kNone) << info.name;
    EXPECT_EQ(static_cast<int64_t>(model.weight_tensor(info.id).data.size()), info.desc.size_bytes()) << info.name;
    EXPECT_EQ(&model.weight_tensor(info.id), model.file().find_tensor(info.name));
  }
}

TEST(ModelWeights, NameTheTensorThatIsMissing) {
  ModelRecipe complete("qwen3");
  std::vector<std::string> names{"output_norm.weight", "blk.1.attn_norm.weight", "blk.1.ffn_norm.weight",
                                 "blk.0.attn_q_norm.weight", "blk.1.attn_k_norm.weight"};
  for (const std::string& matrix : kMatrices) names.push_back("blk.1." + matrix + ".weight");
  for (const std::string& name : names) {
    ModelRecipe recipe = complete;
    recipe.erase_tensor(name);
    EXPECT_EQ(refused(recipe).find("bad_file: [model] the file has no tensor '" + name + "', expected ["), 0U) << name;
  }
  complete.erase_tensor("token_embd.weight");
  EXPECT_EQ(refused(complete), "bad_file: [model] the file has no matrix 'token_embd.weight'");
}

TEST(ModelWeights, RefuseAnotherShapeWithBoth) {
  for (const std::string& matrix : kMatrices) {
    ModelRecipe recipe("llama");
    recipe.add_tensor("blk.1." + matrix + ".weight", {16, 40});
    EXPECT_EQ(
        refused(recipe).find("bad_file: [model] tensor 'blk.1." + matrix + ".weight' has shape [16, 40], expected ["),
        0U)
        << matrix;
  }
  ModelRecipe recipe("llama");
  recipe.add_tensor("blk.0.attn_norm.weight", {1, 16});
  EXPECT_EQ(refused(recipe), "no error") << "a trailing 1 is not a dimension";
  recipe.add_tensor("blk.0.attn_norm.weight", {2, 8});
  EXPECT_EQ(refused(recipe), "bad_file: [model] tensor 'blk.0.attn_norm.weight' has shape [2, 8], expected [16]");
  recipe.add_tensor("token_embd.weight", {20, 3, 16});
  EXPECT_EQ(refused(recipe), "bad_file: [model] the file has no matrix 'token_embd.weight'");
}

TEST(ModelWeights, RefuseTypesWithoutKernelsByName) {
  ModelRecipe recipe("llama");
  recipe.set("llama.feed_forward_length", uint32_t{256});
  for (const std::string block : {"blk.0.", "blk.1."}) {
    recipe.add_tensor(block + "ffn_gate.weight", {256, 16});
    recipe.add_tensor(block + "ffn_up.weight", {256, 16});
    recipe.add_tensor(block + "ffn_down.weight", {16, 256});
  }
  EXPECT_EQ(refused(recipe), "no error");
  for (DType dtype : {DType::kIQ2_XXS, DType::kIQ2_S, DType::kTQ1_0, DType::kI8, DType::kF64}) {
    recipe.add_zeros("blk.1.ffn_down.weight", {dtype, {16, 256}});
    EXPECT_EQ(refused(recipe), "unsupported: [model] tensor 'blk.1.ffn_down.weight' has type " +
                                   std::string(dtype_name(dtype)) + ", for which this build has no kernels");
  }
}

TEST(ModelWeights, RefuseNormsAndBiasesThatAreNotF32) {
  ModelRecipe recipe("llama");
  recipe.add_zeros("blk.1.ffn_norm.weight", {DType::kF16, {16}});
  EXPECT_EQ(refused(recipe),
            "unsupported: [model] tensor 'blk.1.ffn_norm.weight' has type F16: norms and biases must be F32");
}

TEST(ModelWeights, ListEveryTensorThatNobodyAsksFor) {
  ModelRecipe recipe("llama");
  recipe.add_tensor("blk.0.ffn_gate_inp.weight", {4, 16});
  recipe.add_tensor("blk.7.attn_q.weight", {16, 16});
  recipe.add_tensor("v.patch_embd\n.weight", {4});
  EXPECT_EQ(
      refused(recipe),
      "unsupported: [model] this architecture does not use 3 tensor(s) of the file; refusing rather than ignoring "
      "them: 'blk.0.ffn_gate_inp.weight', 'blk.7.attn_q.weight', 'v.patch_embd\\x0A.weight'");
}

TEST(ModelWeights, CutAVeryLongListWithItsNumber) {
  ModelRecipe recipe("llama");
  for (int i = 0; i < 70; ++i) recipe.add_tensor("extra." + std::to_string(i), {1});
  const std::string text = refused(recipe);
  EXPECT_NE(text.find("does not use 70 tensor(s)"), std::string::npos);
  EXPECT_TRUE(text.ends_with(" and 6 more")) << text;
}

TEST(ModelWeights, OfQwen2AndLlamaHaveNoNormsOfHeads) {
  for (const char* name : {"llama", "qwen2"}) {
    ModelRecipe recipe(name);
    recipe.add_tensor("blk.0.attn_q_norm.weight", {8});
    EXPECT_NE(refused(recipe).find("'blk.0.attn_q_norm.weight'"), std::string::npos) << name;
  }
}

TEST(ModelWeights, TakeBiasesWhereTheFileHasThem) {
  ModelRecipe recipe("qwen2");
  recipe.add_tensor("blk.0.attn_q.bias", {16});
  recipe.add_tensor("blk.1.attn_k.bias", {8});
  recipe.add_tensor("blk.1.attn_v.bias", {8});
  recipe.add_tensor("blk.1.attn_output.bias", {16});
  recipe.add_tensor("blk.0.ffn_gate.bias", {24});
  recipe.add_tensor("blk.0.ffn_up.bias", {24});
  recipe.add_tensor("blk.0.ffn_down.bias", {16});
  recipe.add_tensor("output.bias", {20});
  const Model model = load(recipe);
  EXPECT_EQ(model.weights().all().size(), 2U + 2U * 9U + 8U);
  recipe.add_tensor("blk.1.attn_k.bias", {9});
  EXPECT_EQ(refused(recipe), "bad_file: [model] tensor 'blk.1.attn_k.bias' has shape [9], expected [8]");
}

TEST(ModelWeights, UseTheEmbeddingAsOutputOnlyWhenThereIsNone) {
  ModelRecipe recipe("llama");
  EXPECT_TRUE(load(recipe).is_tied());
  recipe.add_tensor("output.weight", {20, 16});
  EXPECT_FALSE(load(recipe).is_tied());
  recipe.add_tensor("output.weight", {19, 16});
  EXPECT_EQ(refused(recipe), "bad_file: [model] tensor 'output.weight' has shape [19, 16], expected [20, 16]");
}

}  // namespace
}  // namespace minfer::test
