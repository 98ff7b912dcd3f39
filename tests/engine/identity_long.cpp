#include "tests/engine/identity.h"

namespace minfer::test {

// 540 positions: more than an attention span and the largest chunk. The other types follow with the time that is here.
std::vector<IdentitySubject> identity_subjects() {
  return {{"llama-f32", DType::kF16},  {"llama-f32", DType::kF32},  {"llama-q5_k", DType::kF16},
          {"qwen2-q6_k", DType::kF16}, {"qwen2-q2_k", DType::kF32}, {"qwen2-q4_0", DType::kF16},
          {"llama-q4_1", DType::kF32}, {"llama-q8_0", DType::kF16}, {"qwen3-q5_0", DType::kF32}};
}

}  // namespace minfer::test
