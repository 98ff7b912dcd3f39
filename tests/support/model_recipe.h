// A small model file that a test describes, changes in one place, and writes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gguf/writer.h"

namespace minfer::test {

// Starts as a complete F32 model that loads and runs: 2 blocks, 16 wide, 2 query heads and 1 key/value head of 8,
// feed-forward 24, 20 tokens, context 64; weights from a fixed generator. Tied: there is no output.weight.
class ModelRecipe {
 public:
  explicit ModelRecipe(const std::string& architecture);

  void set(const std::string& key, uint32_t value);
  void set(const std::string& key, uint64_t value);
  void set(const std::string& key, float value);
  void set(const std::string& key, bool value);
  void set(const std::string& key, const std::string& value);
  void set(const std::string& key, const char* value) { set(key, std::string(value)); }
  void set(const std::string& key, const std::vector<std::string>& values);
  void erase(const std::string& key) { keys_.erase(key); }

  // A random F32 tensor; replaces one of that name.
  void add_tensor(const std::string& name, const Shape& shape);
  // One of any type, its bytes zero.
  void add_zeros(const std::string& name, const TensorDesc& desc);
  void erase_tensor(const std::string& name) { tensors_.erase(name); }
  // Element of an F32 tensor.
  void set_element(const std::string& name, size_t index, float value);

  // Writes a file of the test's own and returns its path.
  std::string write() const;

 private:
  struct Tensor {
    TensorDesc desc;
    std::vector<std::byte> bytes;
  };

  std::map<std::string, std::function<void(GgufWriter&)>> keys_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace minfer::test
