#include "tests/engine/company.h"

#include <array>

#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

// Others than ours, from the first one on.
TokenId neighbour_token(const Engine& engine, size_t neighbour, size_t i) {
  return static_cast<TokenId>((i * 7 + neighbour * 31 + 5) % static_cast<size_t>(engine.model().hparams().n_vocab));
}

}  // namespace

std::vector<float> run_beside_others(Engine& engine, std::span<const TokenId> tokens) {
  std::array<SequenceId, 3> others{};
  for (size_t other = 0; other < others.size(); ++other) {
    others[other] = engine.create_sequence();
    append(engine, others[other], std::vector<TokenId>(1 + 5 * other, neighbour_token(engine, other, 1000)));
  }
  const SequenceId ours = engine.create_sequence();
  const size_t n_accompanied = tokens.size() - tokens.size() / 4;
  std::vector<StepRow> rows;
  for (size_t i = 0; i < tokens.size(); ++i) {
    for (size_t other = 0; other < others.size(); ++other) {
      if (i % 3 != 2 && i < n_accompanied) {
        rows.push_back({others[other], neighbour_token(engine, other, i), other == 1});
      }
      if (other == 1) rows.push_back({ours, tokens[i], true});
    }
  }
  std::vector<float> logits;
  engine.step(rows, [&](size_t row, std::span<const float> values) {
    if (rows[row].sequence == ours) logits.insert(logits.end(), values.begin(), values.end());
  });
  for (SequenceId other : others) engine.release(other);
  engine.release(ours);
  return logits;
}

}  // namespace minfer::test
