#include "graph/ops/qkv.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const auto& p = params_as<QkvParams>(args);
  expect_counts("qkv", args, 5, p.n_weights());
  check(p.n_heads > 0 && p.n_kv_heads > 0 && p.head_dim > 0 && p.head_dim % 2 == 0,
        "[qkv] {} and {} heads of {} are no heads that turn in pairs", p.n_heads, p.n_kv_heads, p.head_dim);
  const TensorDesc& x = args.inputs[0];
  const char* const names[] = {"q", "k", "v"};
  const int64_t widths[] = {p.q_width(), p.kv_width(), p.kv_width()};
  for (size_t i = 0; i < 3; ++i) {
    expect_projection("qkv", names[i], x, args.weights[i], widths[i]);
    if (p.has_bias) expect_vector("qkv", "bias", args.weights[p.bias_index(i)], widths[i]);
  }
  for (size_t i = 0; p.has_norm && i < 2; ++i) expect_vector("qkv", "norm", args.weights[p.norm_index(i)], p.head_dim);
  expect_matrix("qkv", "angles", args.inputs[1], DType::kF32, p.head_dim);
  check(p.kv_dtype == DType::kF16 || p.kv_dtype == DType::kF32, "[qkv] cannot store {}", dtype_name(p.kv_dtype));
  expect_kv_rows("qkv", args, x.shape[0]);
  return {{DType::kF32, {x.shape[0], p.q_width()}}, {p.kv_dtype, {kKvBlockPositions, 2, p.kv_width()}}};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  const auto& p = params_as<QkvParams>(args);
  Cost cost;
  for (const TensorDesc& input : args.inputs) cost.read_bytes += bytes_of_rows(input, use.rows);
  for (const TensorDesc& weight : args.weights) cost.weight_bytes += weight.size_bytes();
  cost.write_bytes = bytes_of_rows(outputs[0], use.rows) + 2 * outputs[1].row_bytes() * use.rows;
  for (size_t i = 0; i < 3; ++i) cost.flops += 2 * args.weights[i].shape.n_elements() * use.rows;
  cost.flops += (p.q_width() + p.kv_width()) * use.rows * (p.has_norm ? 4 + 3 : 3);
  return cost;
}

}  // namespace

std::string QkvParams::text() const {
  return fmt::format("n_heads={}, n_kv_heads={}, head_dim={}, pairs={}, dtype={}{}{}", n_heads, n_kv_heads, head_dim,
                     pairs == RopePairs::kHalves ? "halves" : "adjacent", dtype_name(kv_dtype),
                     has_bias ? ", bias" : "", has_norm ? fmt::format(", norm eps={:g}", eps) : "");
}

const OpDef& op_qkv() {
  static const OpDef def{"qkv", "q = rope(Wq·x + bq); cache[position] = (rope(Wk·x + bk), Wv·x + bv)", infer, cost,
                         false};
  return def;
}

QkvResult qkv(GraphBuilder& builder, ValueId x, ValueId angles, const KvRows& rows, std::vector<WeightId> weights,
              const QkvParams& params, const std::string& name) {
  const std::vector<ValueId> outputs =
      builder.node(OpId::kQkv, name, {x, angles, rows.positions, rows.sequences, rows.block_tables}, std::move(weights),
                   std::make_shared<QkvParams>(params), 1);
  return {outputs[0], outputs[1]};
}

}  // namespace minfer
