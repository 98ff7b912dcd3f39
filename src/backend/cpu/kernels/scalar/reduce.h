// The reductions of docs/numerics.md: 16 lanes, element i in lane i mod 16, then halves folded onto each other.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

namespace minfer::cpu::scalar {

inline constexpr int kLanes = 16;

inline float fold_sum(float (&lane)[kLanes]) {
  for (int w = kLanes / 2; w > 0; w /= 2) {
    for (int j = 0; j < w; ++j) lane[j] = lane[j] + lane[j + w];
  }
  return lane[0];
}

inline float max_of(float a, float b) {
  return a > b ? a : b;
}

inline float fold_max(float (&lane)[kLanes]) {
  for (int w = kLanes / 2; w > 0; w /= 2) {
    for (int j = 0; j < w; ++j) lane[j] = max_of(lane[j], lane[j + w]);
  }
  return lane[0];
}

inline float sum(const float* x, int64_t n) {
  float lane[kLanes] = {};
  for (int64_t i = 0; i < n; ++i) lane[i % kLanes] = lane[i % kLanes] + x[i];
  return fold_sum(lane);
}

inline float sum_of_squares(const float* x, int64_t n) {
  float lane[kLanes] = {};
  for (int64_t i = 0; i < n; ++i) lane[i % kLanes] = std::fmaf(x[i], x[i], lane[i % kLanes]);
  return fold_sum(lane);
}

inline float maximum(const float* x, int64_t n) {
  float lane[kLanes];
  for (float& v : lane) v = -std::numeric_limits<float>::infinity();
  for (int64_t i = 0; i < n; ++i) lane[i % kLanes] = max_of(lane[i % kLanes], x[i]);
  return fold_max(lane);
}

}  // namespace minfer::cpu::scalar
