// The refusals of impossible sampling parameters, in their exact words.
#include "sampling/params.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>

#include "base/error.h"

namespace minfer::sampling {
namespace {

std::string refusal(const std::function<void(SamplingParams&)>& change) {
  SamplingParams params;
  change(params);
  try {
    validate(params);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
    return e.what();
  }
  return "";
}

TEST(SamplingParams, AcceptsDefaultsAndLimits) {
  EXPECT_EQ(refusal([](SamplingParams&) {}), "");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.temperature = 0; }), "");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.top_p = 0, p.min_p = 1; }), "");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.repeat_penalty = 0, p.repeat_last_n = -1, p.top_k = -5; }), "");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.frequency_penalty = -2, p.presence_penalty = -2; }), "");
}

TEST(SamplingParams, RefusesValuesOutOfRangeByName) {
  EXPECT_EQ(refusal([](SamplingParams& p) { p.temperature = -0.5F; }),
            "sampler: temperature must be >= 0 (0 = greedy), got -0.5");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.top_p = 1.5F; }), "sampler: top_p must be in [0, 1], got 1.5");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.min_p = -1; }), "sampler: min_p must be in [0, 1], got -1");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.repeat_penalty = -1; }), "sampler: repeat_penalty must be >= 0, got -1");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.repeat_last_n = -2; }),
            "sampler: repeat_last_n must be >= -1 (0 = off, -1 = the whole sequence), got -2");
}

TEST(SamplingParams, RefusesWhatIsNotFinite) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal([](SamplingParams& p) { p.temperature = kNan; }), "sampler: temperature must be finite, got nan");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.top_p = kInf; }), "sampler: top_p must be finite, got inf");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.min_p = kNan; }), "sampler: min_p must be finite, got nan");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.repeat_penalty = kInf; }),
            "sampler: repeat_penalty must be finite, got inf");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.frequency_penalty = -kInf; }),
            "sampler: frequency_penalty must be finite, got -inf");
  EXPECT_EQ(refusal([](SamplingParams& p) { p.presence_penalty = kNan; }),
            "sampler: presence_penalty must be finite, got nan");
}

}  // namespace
}  // namespace minfer::sampling
