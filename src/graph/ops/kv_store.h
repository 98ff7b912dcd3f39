// Writes the keys and values of a step's rows into the blocks of their sequences.
#pragma once

#include "graph/builder.h"
#include "graph/kv_rows.h"

namespace minfer {

struct KvStoreParams : OpParams {
  int n_kv_heads = 0;
  int head_dim = 0;
  DType dtype = DType::kF16;  // storage: F16 or F32

  std::string text() const override;
};

// kv[block_table[sequence][position / 64]][position mod 64] = (k, v), rounded to the storage type.
// k, v: f32 [rows, n_kv_heads · head_dim]. Result: the layer's cache, described by one block:
// dtype [64, 2, n_kv_heads · head_dim]; how a block is laid out inside is the device's business.
ValueId kv_store(GraphBuilder& builder, ValueId k, ValueId v, const KvRows& rows, const KvStoreParams& params,
                 const std::string& name);

}  // namespace minfer
