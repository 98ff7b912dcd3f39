#include "tests/support/model_recipe.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <random>
#include <set>

#include "base/hash.h"

namespace minfer::test {
namespace {

// Removes what the tests of this process have written.
struct WrittenFiles {
  ~WrittenFiles() {
    for (const std::string& path : paths) std::filesystem::remove(path);
  }
  std::set<std::string> paths;
};

void remove_at_exit(const std::string& path) {
  static WrittenFiles written;
  written.paths.insert(path);
}

}  // namespace

ModelRecipe::ModelRecipe(const std::string& architecture) {
  set("general.architecture", architecture);
  set(architecture + ".block_count", uint32_t{2});
  set(architecture + ".embedding_length", uint32_t{16});
  set(architecture + ".feed_forward_length", uint32_t{24});
  set(architecture + ".context_length", uint32_t{64});
  set(architecture + ".attention.head_count", uint32_t{2});
  set(architecture + ".attention.head_count_kv", uint32_t{1});
  add_tensor("token_embd.weight", {20, 16});
  add_tensor("output_norm.weight", {16});
  for (const std::string block : {"blk.0.", "blk.1."}) {
    add_tensor(block + "attn_norm.weight", {16});
    add_tensor(block + "attn_q.weight", {16, 16});
    add_tensor(block + "attn_k.weight", {8, 16});
    add_tensor(block + "attn_v.weight", {8, 16});
    add_tensor(block + "attn_output.weight", {16, 16});
    add_tensor(block + "ffn_norm.weight", {16});
    add_tensor(block + "ffn_gate.weight", {24, 16});
    add_tensor(block + "ffn_up.weight", {24, 16});
    add_tensor(block + "ffn_down.weight", {16, 24});
    if (architecture != "qwen3") continue;
    add_tensor(block + "attn_q_norm.weight", {8});
    add_tensor(block + "attn_k_norm.weight", {8});
  }
}

void ModelRecipe::set(const std::string& key, uint32_t value) {
  keys_[key] = [=](GgufWriter& writer) { writer.add_u32(key, value); };
}

void ModelRecipe::set(const std::string& key, uint64_t value) {
  keys_[key] = [=](GgufWriter& writer) { writer.add_u64(key, value); };
}

void ModelRecipe::set(const std::string& key, float value) {
  keys_[key] = [=](GgufWriter& writer) { writer.add_f32(key, value); };
}

void ModelRecipe::set(const std::string& key, bool value) {
  keys_[key] = [=](GgufWriter& writer) { writer.add_bool(key, value); };
}

void ModelRecipe::set(const std::string& key, const std::string& value) {
  keys_[key] = [=](GgufWriter& writer) { writer.add_string(key, value); };
}

void ModelRecipe::set(const std::string& key, const std::vector<std::string>& values) {
  keys_[key] = [=](GgufWriter& writer) { writer.add_string_array(key, values); };
}

void ModelRecipe::add_tensor(const std::string& name, const Shape& shape) {
  Fnv1a64 seed;
  seed.update(name);
  std::mt19937_64 random(seed.value());
  std::vector<float> values;
  for (int64_t i = 0; i < shape.n_elements(); ++i) {
    values.push_back(static_cast<float>(random() % 2001) / 1000.0F - 1.0F);
  }
  add_zeros(name, {DType::kF32, shape});
  std::memcpy(tensors_.at(name).bytes.data(), values.data(), values.size() * sizeof(float));
}

void ModelRecipe::add_zeros(const std::string& name, const TensorDesc& desc) {
  tensors_[name] = {desc, std::vector<std::byte>(static_cast<size_t>(desc.size_bytes()))};
}

void ModelRecipe::set_element(const std::string& name, size_t index, float value) {
  std::memcpy(tensors_.at(name).bytes.data() + index * sizeof(float), &value, sizeof(float));
}

std::string ModelRecipe::write() const {
  GgufWriter writer;
  for (const auto& [key, add] : keys_) add(writer);
  for (const auto& [name, tensor] : tensors_) writer.add_tensor(name, tensor.desc, tensor.bytes);
  const auto* info = testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string(info->test_suite_name()) + "." + info->name();
  for (char& c : file) c = c == '/' ? '_' : c;
  const std::string path = testing::TempDir() + file + "." + std::to_string(getpid()) + ".gguf";
  remove_at_exit(path);
  writer.write_file(path);
  return path;
}

}  // namespace minfer::test
