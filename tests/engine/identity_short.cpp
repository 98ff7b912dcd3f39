#include "tests/engine/identity.h"

namespace minfer::test {

// Every architecture; float, legacy and K types.
std::vector<IdentitySubject> identity_subjects() {
  std::vector<IdentitySubject> all;
  for (const char* model :
       {"qwen2-f32-head-size", "qwen2-q5_1", "qwen3-f16", "qwen3-q4_k", "llama-bf16", "llama-q3_k"}) {
    all.push_back({model, DType::kF16});
    all.push_back({model, DType::kF32});
  }
  return all;
}

}  // namespace minfer::test
