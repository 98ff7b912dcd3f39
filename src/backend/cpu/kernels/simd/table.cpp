// The kernel table of one instruction set, from dtype_list.inc; what it lacks is the scalar set's. Compiled per set,
// but without its flags: this runs on any CPU.
#include "backend/cpu/kernels/kernels.h"
#include "backend/cpu/kernels/simd/kernels.h"

#define MINFER_TEXT(x) #x
#define MINFER_TEXT_OF(x) MINFER_TEXT(x)

namespace minfer::cpu::MINFER_ISA {
namespace {

constexpr std::string_view kIsa = MINFER_TEXT_OF(MINFER_ISA);

#define MINFER_MATMUL_none(stem) nullptr
#define MINFER_MATMUL_decode(stem) matmul_##stem
#define MINFER_MATMUL_both(stem) matmul_##stem

KernelTable make_table() {
  KernelTable table = scalar_kernels();
#define MINFER_KERNEL(name, parameters) table.name = {name, kIsa};
#include "backend/cpu/kernels/kernel_list.inc"
#undef MINFER_KERNEL
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) \
  table.matmul_panels[dtype_index(DType::k##name)] = {MINFER_MATMUL_##codec(stem), kIsa};
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE
  return table;
}

}  // namespace

const KernelTable& kernels() {
  static const KernelTable table = make_table();
  return table;
}

}  // namespace minfer::cpu::MINFER_ISA
