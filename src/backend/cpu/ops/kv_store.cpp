#include "graph/ops/kv_store.h"

#include <fmt/format.h>

#include "backend/cpu/ops/kv_access.h"
#include "backend/cpu/ops/op_table.h"

namespace minfer::cpu {
namespace {

Support supports(const Graph&, const Node& node, const KernelTable&) {
  const DType dtype = params_as<KvStoreParams>(node).dtype;
  if (dtype == DType::kF16 || dtype == DType::kF32) return {};
  return {Reason::kType, fmt::format("no kernel for {} key/value blocks", dtype_name(dtype))};
}

void run(const NodeRun& r, Share share) {
  const auto& p = params_as<KvStoreParams>(*r.node);
  const RowAccess access(r, 2);
  const int64_t width = int64_t{p.n_kv_heads} * p.head_dim;
  const int64_t block_bytes = r.output_desc(0).size_bytes();
  const auto [begin, end] = share.of(r.rows);
  for (int64_t row = begin; row < end; ++row) {
    const int32_t* table = access.table(row);
    const int32_t position = access.positions[row];
    KvStoreArgs args;
    args.kv = {r.outputs[0], block_bytes, p.dtype, p.n_kv_heads, p.head_dim};
    args.block = table[position / kKvBlockPositions];
    args.position = position % kKvBlockPositions;
    args.head_end = p.n_kv_heads;
    args.k = r.input_f32(0) + row * width;
    args.v = r.input_f32(1) + row * width;
    r.kernels->kv_store.run(args);
  }
}

KernelInfo kernel_info(const Graph&, const Node& node, const KernelTable& kernels) {
  return {fmt::format("kv_store {}", dtype_name(params_as<KvStoreParams>(node).dtype)),
          std::string(kernels.kv_store.isa)};
}

}  // namespace

const OpImpl& impl_kv_store() {
  static const OpImpl impl{supports, run, kernel_info};
  return impl;
}

}  // namespace minfer::cpu
