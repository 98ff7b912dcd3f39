#include "graph/ops/kv_store.h"

#include <fmt/format.h>

#include "base/error.h"
#include "graph/ops/op_checks.h"

namespace minfer {
namespace {

std::vector<TensorDesc> infer(const OpArgs& args) {
  const auto& p = params_as<KvStoreParams>(args);
  expect_counts("kv_store", args, 5, 0);
  const int64_t width = int64_t{p.n_kv_heads} * p.head_dim;
  expect_matrix("kv_store", "k", args.inputs[0], DType::kF32, width);
  expect_same("kv_store", args.inputs[0], args.inputs[1]);
  check(p.dtype == DType::kF16 || p.dtype == DType::kF32, "[kv_store] cannot store {}", dtype_name(p.dtype));
  expect_kv_rows("kv_store", args, args.inputs[0].shape[0]);
  return {{p.dtype, {kKvBlockPositions, 2, width}}};
}

Cost cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use) {
  Cost cost;
  for (const TensorDesc& input : args.inputs) cost.read_bytes += bytes_of_rows(input, use.rows);
  cost.write_bytes = 2 * outputs[0].row_bytes() * use.rows;
  return cost;
}

}  // namespace

std::string KvStoreParams::text() const {
  return fmt::format("n_kv_heads={}, head_dim={}, dtype={}", n_kv_heads, head_dim, dtype_name(dtype));
}

const OpDef& op_kv_store() {
  static const OpDef def{"kv_store", "cache[position] = (k, v)", infer, cost, false};
  return def;
}

ValueId kv_store(GraphBuilder& builder, ValueId k, ValueId v, const KvRows& rows, const KvStoreParams& params,
                 const std::string& name) {
  return builder.node(OpId::kKvStore, name, {k, v, rows.positions, rows.sequences, rows.block_tables}, {},
                      std::make_shared<KvStoreParams>(params), 0)[0];
}

}  // namespace minfer
