// What the CPU's kernels are called with: plain structs, for every instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "graph/rope_pairs.h"
#include "quant/act_block.h"
#include "tensor/dtype.h"

namespace minfer::cpu {

// y[r][o] for rows r = 0 … n_rows-1 and outputs o = 0 … n_out-1.
struct MatmulArgs {
  const std::byte* weight = nullptr;  // [n_out][stride], or for panel kernels [ceil(n_out / 16)][stride]
  int64_t weight_stride_bytes = 0;    // of a row, or of a panel
  const std::byte* x = nullptr;       // [n_rows][x_row_bytes]: ActBlocks, or f32 for F32, F16, BF16 weights
  int64_t x_row_bytes = 0;
  int64_t n_in = 0;
  int64_t n_rows = 0;
  float* y = nullptr;  // [n_rows][y_stride]
  int64_t y_stride = 0;
  const float* bias = nullptr;  // [n_out] or null
  int64_t n_out = 0;
};

// One layer's cache as attention sees it. Inside a block: K as [kv_head][tile of 16 positions][dim][16], then V as
// [kv_head][position][dim]; elements F16 or F32.
struct KvView {
  std::byte* blocks = nullptr;
  int64_t block_bytes = 0;
  DType dtype = DType::kF16;
  int n_kv_heads = 0;
  int head_dim = 0;
};

inline constexpr int kMaxAttentionHeadDim = 512;
inline constexpr int kMaxAttentionFloats = 8192;  // n_queries · head_dim of a call

// Softmax sums of one query head over some spans.
struct AttentionPartial {
  float max = 0;       // m
  float sum = 0;       // l
  float* o = nullptr;  // [head_dim]
};

struct AttentionQuery {
  const float* q = nullptr;  // [head_dim]
  int64_t end = 0;           // one past the last position that it attends to in the span
  AttentionPartial part;     // result
};

// One span of a sequence for query heads that share a key/value head.
struct AttentionArgs {
  KvView kv;
  const int32_t* block_table = nullptr;  // [position / 64]
  int kv_head = 0;
  float scale = 0;                    // 1 / sqrt(head_dim)
  int64_t begin = 0;                  // first position of the span
  AttentionQuery* queries = nullptr;  // [n_queries]: ends are above `begin` and do not fall
  int n_queries = 0;
};

// Heads head_begin … head_end-1 of one row, into `position` of a block. k, v: [head_end - head_begin][head_dim]; a null
// one is not stored.
struct KvStoreArgs {
  KvView kv;
  int32_t block = 0;
  int position = 0;  // inside the block
  int head_begin = 0;
  int head_end = 0;
  const float* k = nullptr;
  const float* v = nullptr;
};

}  // namespace minfer::cpu
