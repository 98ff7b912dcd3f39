#include "tests/ops/attention_rule.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/exact_math.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

struct State {
  float m = -std::numeric_limits<float>::infinity();
  float l = 0.0F;
  std::vector<float> o;
};

float stored(const KvShape& shape, float value) {
  return shape.dtype == DType::kF16 ? static_cast<float>(f16_value(f16_code(value))) : value;
}

float element(const Query& query, const std::vector<float>& data, int64_t position, int64_t d) {
  const int64_t at = position * query.shape.width() + query.kv_head * query.shape.head_dim + d;
  return stored(query.shape, data[static_cast<size_t>(at)]);
}

float larger(float a, float b) {
  return a > b ? a : b;
}

// The maximum by the reduction's order; it only matters for NaN and for the sign of zero.
float lane_max(std::vector<float> x) {
  x.resize((x.size() + 15) / 16 * 16, -std::numeric_limits<float>::infinity());
  std::vector<float> lane(16, -std::numeric_limits<float>::infinity());
  for (size_t i = 0; i < x.size(); ++i) lane[i % 16] = larger(lane[i % 16], x[i]);
  for (size_t w = 8; w >= 1; w /= 2) {
    for (size_t j = 0; j < w; ++j) lane[j] = larger(lane[j], lane[j + w]);
  }
  return lane[0];
}

float score(const Query& query, int64_t position) {
  float acc = 0.0F;
  for (int64_t d = 0; d < query.shape.head_dim; ++d) {
    acc = std::fmaf(element(query, query.sequence.k, position, d), query.q[static_cast<size_t>(d)], acc);
  }
  return acc * (1.0F / std::sqrt(static_cast<float>(query.shape.head_dim)));
}

void add_block(const Query& query, int64_t begin, int64_t end, State& state) {
  std::vector<float> p;
  for (int64_t j = begin; j < end; ++j) p.push_back(score(query, j));
  const float m = larger(state.m, lane_max(p));
  const float c = exact_expf(state.m - m);
  for (float& value : p) value = exact_expf(value - m);
  state.l = std::fmaf(state.l, c, lane_sum(p));
  for (size_t d = 0; d < state.o.size(); ++d) {
    float o = state.o[d] * c;
    for (size_t j = 0; j < p.size(); ++j) {
      o = std::fmaf(p[j], element(query, query.sequence.v, begin + static_cast<int64_t>(j), static_cast<int64_t>(d)),
                    o);
    }
    state.o[d] = o;
  }
  state.m = m;
}

State empty_state(const Query& query) {
  State state;
  state.o.assign(static_cast<size_t>(query.shape.head_dim), 0.0F);
  return state;
}

void merge(const State& part, State& all) {
  const float m = larger(all.m, part.m);
  const float keep = exact_expf(all.m - m);
  const float take = exact_expf(part.m - m);
  all.l = std::fmaf(part.l, take, all.l * keep);
  for (size_t d = 0; d < all.o.size(); ++d) all.o[d] = std::fmaf(part.o[d], take, all.o[d] * keep);
  all.m = m;
}

}  // namespace

std::vector<float> attention_rule(const Query& query) {
  State all = empty_state(query);
  State part = empty_state(query);
  for (int64_t begin = 0; begin < query.context; begin += 64) {
    if (begin % 512 == 0 && begin > 0) {
      merge(part, all);
      part = empty_state(query);
    }
    add_block(query, begin, std::min(begin + 64, query.context), part);
  }
  merge(part, all);
  for (float& o : all.o) o = o / all.l;
  return all.o;
}

std::vector<double> attention_real(const Query& query) {
  std::vector<double> p;
  double sum = 0;
  for (int64_t j = 0; j < query.context; ++j) {
    double dot = 0;
    for (int64_t d = 0; d < query.shape.head_dim; ++d) {
      dot += static_cast<double>(element(query, query.sequence.k, j, d)) * query.q[static_cast<size_t>(d)];
    }
    p.push_back(std::exp(dot / std::sqrt(static_cast<double>(query.shape.head_dim))));
    sum += p.back();
  }
  std::vector<double> o(static_cast<size_t>(query.shape.head_dim), 0.0);
  for (size_t d = 0; d < o.size(); ++d) {
    for (size_t j = 0; j < p.size(); ++j) {
      o[d] += p[j] / sum * element(query, query.sequence.v, static_cast<int64_t>(j), static_cast<int64_t>(d));
    }
  }
  return o;
}

}  // namespace minfer::ops_test
