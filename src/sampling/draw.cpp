#include "sampling/draw.h"

#include <algorithm>
#include <vector>

#include "base/philox.h"
#include "sampling/softmax.h"

namespace minfer::sampling {
namespace {

// Weights are added in index order inside blocks of this size, then the blocks' sums in order: one long chain would
// lose the many small weights of an unfiltered vocabulary.
constexpr size_t kBlock = 256;

float block_sum(std::span<const float> weights) {
  float sum = 0.0F;
  for (const float w : weights) sum += w;
  return sum;
}

// The first index whose cumulative weight exceeds `target`; the last one with any weight when target, a rounded
// difference, came out as all of it.
size_t first_beyond(std::span<const float> weights, float target) {
  float sum = 0.0F;
  size_t last = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    sum += weights[i];
    if (weights[i] > 0.0F) last = i;
    if (sum > target) return i;
  }
  return last;
}

}  // namespace

float uniform(const DrawKey& key, DrawStream stream) {
  const auto words = philox4x32({key.position, key.choice_index, static_cast<uint32_t>(stream), 0},
                                {static_cast<uint32_t>(key.seed), static_cast<uint32_t>(key.seed >> 32)});
  return unit_float(words[0]);
}

size_t draw(std::span<const float> logits, float u) {
  std::vector<float> weights(logits.size());
  softmax_weights(logits, weights);
  std::vector<float> ends;  // cumulative weight at each block's end
  float total = 0.0F;
  for (size_t begin = 0; begin < weights.size(); begin += kBlock) {
    total += block_sum(std::span(weights).subspan(begin, std::min(kBlock, weights.size() - begin)));
    ends.push_back(total);
  }
  const float target = u * total;
  // u is at most 1 - 2^-24, so that u * total rounds to less than total: some end lies beyond.
  const auto beyond = std::upper_bound(ends.begin(), ends.end(), target);
  const auto block = static_cast<size_t>(beyond - ends.begin());
  const float before = block == 0 ? 0.0F : ends[block - 1];
  const size_t begin = block * kBlock;
  const std::span<const float> inside = std::span(weights).subspan(begin, std::min(kBlock, weights.size() - begin));
  return begin + first_beyond(inside, target - before);
}

}  // namespace minfer::sampling
