// The scalar kernels, one file per job. Their bits are the law that docs/numerics.md states.
#pragma once

#include "backend/cpu/kernels/kernels.h"

namespace minfer::cpu::scalar {

#define MINFER_KERNEL(name, parameters) void name parameters;
#include "backend/cpu/kernels/kernel_list.inc"
#undef MINFER_KERNEL

// matmul_<stem> for every type whose values can be read.
#define MINFER_MATMUL_none(stem)
#define MINFER_MATMUL_decode(stem) void matmul_##stem(const MatmulArgs& args);
#define MINFER_MATMUL_both(stem) MINFER_MATMUL_decode(stem)
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) MINFER_MATMUL_##codec(stem)
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE
#undef MINFER_MATMUL_none
#undef MINFER_MATMUL_decode
#undef MINFER_MATMUL_both

}  // namespace minfer::cpu::scalar
