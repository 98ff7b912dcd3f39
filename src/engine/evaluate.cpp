#include "engine/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/exact_math.h"
#include "base/float_state.h"
#include "engine/own_sequence.h"

namespace minfer {
namespace {

// ln Σ exp(logit), in index order.
double log_sum_exp(std::span<const float> logits) {
  const double max = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (float logit : logits) sum += exact_exp(static_cast<double>(logit) - max);
  return max + exact_log(sum);
}

}  // namespace

void evaluate(Engine& engine, std::span<const TokenId> tokens, const EvaluateSink& sink,
              const std::atomic<bool>* cancel, const StepProgress& progress) {
  if (tokens.empty()) fail(ErrorCode::kInvalidArgument, "there are no tokens to evaluate");
  const FloatState float_state;
  const OwnSequence sequence(engine);
  std::vector<StepRow> rows;
  for (TokenId token : tokens) rows.push_back({sequence.id(), token, true});
  engine.step(rows, sink, cancel, progress);
}

double negative_log_likelihood(std::span<const float> logits, TokenId token) {
  check(token >= 0 && static_cast<size_t>(token) < logits.size(), "[evaluate] token {} has no logit", token);
  return log_sum_exp(logits) - static_cast<double>(logits[static_cast<size_t>(token)]);
}

std::vector<std::pair<TokenId, double>> top_tokens(std::span<const float> logits, size_t n) {
  std::vector<TokenId> ids(logits.size());
  std::iota(ids.begin(), ids.end(), 0);
  n = std::min(n, ids.size());
  const auto logit = [&](TokenId id) { return logits[static_cast<size_t>(id)]; };
  std::partial_sort(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(n), ids.end(),
                    [&](TokenId a, TokenId b) { return logit(a) != logit(b) ? logit(a) > logit(b) : a < b; });
  const double norm = log_sum_exp(logits);
  std::vector<std::pair<TokenId, double>> best;
  for (size_t i = 0; i < n; ++i) best.emplace_back(ids[i], static_cast<double>(logit(ids[i])) - norm);
  return best;
}

}  // namespace minfer
