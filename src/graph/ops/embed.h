// Looks up the embedding row of each token.
#pragma once

#include "graph/builder.h"

namespace minfer {

// y[r] = table[token[r]], widened to f32. tokens: i32 [rows]; table: any type with a codec, [n_vocab, n_embd].
// Result: f32 [rows, n_embd]. A token outside the table is an error when the step runs.
ValueId embed(GraphBuilder& builder, ValueId tokens, WeightId table, const std::string& name);

}  // namespace minfer
