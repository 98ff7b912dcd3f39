// What a request may ask of the sampling chain, and the check that refuses impossible values.
#pragma once

#include <cstdint>

namespace minfer::sampling {

// Values at which a field does nothing stand behind "off:". A sampler that is off is not run at all.
struct SamplingParams {
  float temperature = 0.8F;        // below 1e-6: greedy. off: 1
  int32_t top_k = 40;              // off: 0 or less
  float top_p = 0.95F;             // off: 0 or 1
  float min_p = 0.0F;              // off: 0
  float repeat_penalty = 1.0F;     // off: 1 or less
  float frequency_penalty = 0.0F;  // off: 0
  float presence_penalty = 0.0F;   // off: 0
  int32_t repeat_last_n = 64;      // tokens the penalties look back on. -1: the whole sequence. off: 0
  uint64_t seed = 42;
  uint32_t choice_index = 0;  // which of the n answers of one request this is
};

// Below this temperature the most likely token is taken and nothing is drawn.
inline constexpr float kGreedyTemperature = 1e-6F;

// Throws kInvalidArgument with a message that begins with "sampler: " and names the field.
void validate(const SamplingParams& params);

}  // namespace minfer::sampling
