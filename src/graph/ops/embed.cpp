#include "graph/ops/embed.h"

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  expect_counts("embed", args, 1, 1);
  const TensorDesc& tokens = args.inputs[0];
  const TensorDesc& table = args.weights[0];
  check(tokens.dtype == DType::kI32 && tokens.shape.rank() == 1, "[embed] tokens: expected I32 [rows], got {}",
        tokens.to_string());
  check(table.shape.rank() == 2, "[embed] table: expected [n_vocab, n_embd], got {}", table.to_string());
  return {{DType::kF32, {tokens.shape[0], table.shape[1]}}};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  Cost cost;
  cost.weight_bytes = bytes_of_rows(args.weights[0], use.rows);
  cost.read_bytes = bytes_of_rows(args.inputs[0], use.rows);
  cost.write_bytes = bytes_of_rows(outputs[0], use.rows);
  return cost;
}

}  // namespace

const OpDef& op_embed() {
  static const OpDef def{"embed", "y[r] = table[token[r]]", infer, cost, false};
  return def;
}

ValueId embed(GraphBuilder& builder, ValueId tokens, WeightId table, const std::string& name) {
  return builder.node(OpId::kEmbed, name, {tokens}, {table})[0];
}

}  // namespace minfer
