// A sequence among others: what the identity tests compare with the same tokens alone.
#pragma once

#include <span>
#include <vector>

#include "engine/engine.h"

namespace minfer::test {

// Appends `tokens` to a new sequence, rows of three other sequences between them in every step; those began earlier
// and end at other places. The logits of `tokens`, [tokens, n_vocab]. The engine needs room for four sequences; they
// are released.
std::vector<float> run_beside_others(Engine& engine, std::span<const TokenId> tokens);

}  // namespace minfer::test
