#include "graph/ops/attention.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const auto& p = params_as<AttentionParams>(args);
  expect_counts("attention", args, 5, 0);
  check(p.n_heads > 0 && p.n_kv_heads > 0 && p.n_heads % p.n_kv_heads == 0,
        "[attention] {} query heads are not whole groups of {} key/value heads", p.n_heads, p.n_kv_heads);
  const TensorDesc& q = args.inputs[0];
  expect_matrix("attention", "q", q, DType::kF32, int64_t{p.n_heads} * p.head_dim);
  const Shape block{kKvBlockPositions, 2, int64_t{p.n_kv_heads} * p.head_dim};
  check(args.inputs[1].shape == block, "[attention] cache: expected blocks of {}, got {}", block.to_string(),
        args.inputs[1].to_string());
  expect_kv_rows("attention", args, q.shape[0]);
  return {q};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  const auto& p = params_as<AttentionParams>(args);
  Cost cost;
  cost.read_bytes = bytes_of_rows(args.inputs[0], use.rows) + 2 * args.inputs[1].row_bytes() * use.context;
  cost.write_bytes = bytes_of_rows(outputs[0], use.rows);
  cost.flops = 4 * int64_t{p.n_heads} * p.head_dim * use.context * use.rows;
  return cost;
}

}  // namespace

std::string AttentionParams::text() const {
  return fmt::format("n_heads={}, n_kv_heads={}, head_dim={}", n_heads, n_kv_heads, head_dim);
}

const OpDef& op_attention() {
  static const OpDef def{"attention", "o = softmax(q·Kᵀ / sqrt(head_dim))·V", infer, cost, false};
  return def;
}

ValueId attention(GraphBuilder& builder, ValueId q, ValueId kv, const KvRows& rows, const AttentionParams& params,
                  const std::string& name) {
  return builder.node(OpId::kAttention, name, {q, kv, rows.positions, rows.sequences, rows.block_tables}, {},
                      std::make_shared<AttentionParams>(params))[0];
}

}  // namespace minfer
