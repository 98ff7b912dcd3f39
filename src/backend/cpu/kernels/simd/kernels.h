// The kernels of the instruction set that a file is compiled for, one file per job beside this one.
#pragma once

#include "backend/cpu/kernels/kernel_args.h"

namespace minfer::cpu::MINFER_ISA {

#define MINFER_KERNEL(name, parameters) void name parameters;
#include "backend/cpu/kernels/kernel_list.inc"
#undef MINFER_KERNEL

// matmul_<stem>, over panels of 16 rows (interleave.h), for every type whose values can be read.
#define MINFER_MATMUL_none(stem)
#define MINFER_MATMUL_decode(stem) void matmul_##stem(const MatmulArgs& args);
#define MINFER_MATMUL_both(stem) MINFER_MATMUL_decode(stem)
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) MINFER_MATMUL_##codec(stem)
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE
#undef MINFER_MATMUL_none
#undef MINFER_MATMUL_decode
#undef MINFER_MATMUL_both

}  // namespace minfer::cpu::MINFER_ISA
