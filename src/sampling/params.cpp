#include "sampling/params.h"

#include <cmath>
#include <string_view>

#include "base/error.h"

namespace minfer::sampling {
namespace {

void require_finite(std::string_view name, float value) {
  if (!std::isfinite(value)) fail(ErrorCode::kInvalidArgument, "sampler: {} must be finite, got {}", name, value);
}

void require_fraction(std::string_view name, float value) {
  require_finite(name, value);
  if (value < 0.0F || value > 1.0F) {
    fail(ErrorCode::kInvalidArgument, "sampler: {} must be in [0, 1], got {}", name, value);
  }
}

}  // namespace

void validate(const SamplingParams& params) {
  require_finite("temperature", params.temperature);
  if (params.temperature < 0.0F) {
    fail(ErrorCode::kInvalidArgument, "sampler: temperature must be >= 0 (0 = greedy), got {}", params.temperature);
  }
  require_fraction("min_p", params.min_p);
  require_fraction("top_p", params.top_p);
  require_finite("repeat_penalty", params.repeat_penalty);
  if (params.repeat_penalty < 0.0F) {
    fail(ErrorCode::kInvalidArgument, "sampler: repeat_penalty must be >= 0, got {}", params.repeat_penalty);
  }
  require_finite("frequency_penalty", params.frequency_penalty);
  require_finite("presence_penalty", params.presence_penalty);
  if (params.repeat_last_n < -1) {
    fail(ErrorCode::kInvalidArgument, "sampler: repeat_last_n must be >= -1 (0 = off, -1 = the whole sequence), got {}",
         params.repeat_last_n);
  }
}

}  // namespace minfer::sampling
