// The kernels of the CPU backend as a table of functions: one entry per job, and per element type for matmul. Each
// instruction set fills what it has; the scalar set fills all and is the reference whose bits the others reproduce.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "backend/cpu/kernels/kernel_args.h"

namespace minfer::cpu {

// A function and the instruction set that it was written for.
template <typename Fn>
struct Kernel {
  Fn* run = nullptr;
  std::string_view isa;
};

inline constexpr size_t kMaxDTypes = 48;

// Position of a type in its table, for arrays that are indexed by type.
size_t dtype_index(DType dtype);

struct KernelTable {
#define MINFER_KERNEL(name, parameters) Kernel<void parameters> name;
#include "backend/cpu/kernels/kernel_list.inc"
#undef MINFER_KERNEL
  // [dtype_index]; empty: no kernel. Weights as they lie in the file, and as panels of 16 rows (interleave.h).
  std::array<Kernel<void(const MatmulArgs& args)>, kMaxDTypes> matmul;
  std::array<Kernel<void(const MatmulArgs& args)>, kMaxDTypes> matmul_panels;
};

// The scalar set: every entry that this build can compute at all.
const KernelTable& scalar_kernels();

}  // namespace minfer::cpu
