// Damaged model files: whatever the numbers in them, loading ends with an Error or a model, quickly and in little
// memory.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

#include "base/error.h"
#include "model/model.h"
#include "tests/support/model_recipe.h"
#include "tests/support/refusal.h"

namespace minfer::test {
namespace {

std::vector<char> read_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_bytes(const std::string& path, const std::vector<char>& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

TEST(HostileModel, NumbersOfEveryKeyAreCheckedBeforeAnythingIsBuilt) {
  const uint64_t values[] = {0,       1,       2,       3,        7,   255,        256,        65535,      65536,
                             1 << 20, 1 << 24, 1 << 30, 1U << 31, ~0U, 1ULL << 40, 1ULL << 62, 1ULL << 63, ~0ULL};
  for (const char* key : {"block_count", "embedding_length", "feed_forward_length", "context_length",
                          "attention.head_count", "attention.head_count_kv", "attention.key_length",
                          "attention.value_length", "rope.dimension_count", "expert_count"}) {
    for (uint64_t value : values) {
      ModelRecipe recipe("llama");
      recipe.set("llama." + std::string(key), value);
      const std::string path = recipe.write();
      const std::string text = refusal([&] {
        const Model model = Model::load(GgufModel::open(path));
        BodyParams params;
        params.end_layer = model.hparams().n_layers;
        model.build_body(params);
        model.build_head(1);
      });
      EXPECT_NE(text.substr(0, 8), "internal") << key << " = " << value << ": " << text;
    }
  }
}

// Bytes of the front part are replaced at random; the reader and the model refuse or take them, and no test tool
// complains.
TEST(HostileModel, DamagedBytesNeverCrash) {
  ModelRecipe recipe("qwen3");
  recipe.set("qwen3.rope.freq_base", 10000.0F);
  recipe.set("qwen3.attention.key_length", uint32_t{8});
  const std::string path = recipe.write();
  const std::vector<char> whole = read_bytes(path);
  // Keys and tensor infos end where the first tensor's data begins.
  const size_t front = whole.size() - static_cast<size_t>(GgufModel::open(path).tensor_bytes());
  std::mt19937 random(11);
  int n_loaded = 0;
  for (int round = 0; round < 800; ++round) {
    std::vector<char> bytes = whole;
    const size_t n = 1 + random() % 3;
    for (size_t i = 0; i < n; ++i) {
      const char values[] = {0, 1, 2, 8, 16, 127, -1, static_cast<char>(random())};
      bytes[random() % front] = values[random() % std::size(values)];
    }
    write_bytes(path, bytes);
    const std::string text = refusal([&] {
      const Model model = Model::load(GgufModel::open(path));
      BodyParams params;
      params.end_layer = model.hparams().n_layers;
      model.build_body(params);
      model.build_head(1);
    });
    n_loaded += text == "no error" ? 1 : 0;
    EXPECT_NE(text.substr(0, 8), "internal") << "round " << round << ": " << text;
  }
  EXPECT_GT(n_loaded, 10);
  EXPECT_LT(n_loaded, 500);
}

}  // namespace
}  // namespace minfer::test
