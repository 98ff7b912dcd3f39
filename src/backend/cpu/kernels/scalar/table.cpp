// The scalar kernel table, from kernel_list.inc and dtype_list.inc.
#include "backend/cpu/kernels/scalar/scalar.h"

namespace minfer::cpu {
namespace {

constexpr std::string_view kIsa = "scalar";

#define MINFER_MATMUL_none(stem) nullptr
#define MINFER_MATMUL_decode(stem) scalar::matmul_##stem
#define MINFER_MATMUL_both(stem) scalar::matmul_##stem

KernelTable make_table() {
  KernelTable table;
#define MINFER_KERNEL(name, parameters) table.name = {scalar::name, kIsa};
#include "backend/cpu/kernels/kernel_list.inc"
#undef MINFER_KERNEL
#define MINFER_DTYPE(name, id, block_elements, block_bytes, codec, stem) \
  table.matmul[dtype_index(DType::k##name)] = {MINFER_MATMUL_##codec(stem), kIsa};
#include "tensor/dtype_list.inc"
#undef MINFER_DTYPE
  return table;
}

}  // namespace

size_t dtype_index(DType dtype) {
  return static_cast<size_t>(&dtype_info(dtype) - all_dtypes().data());
}

const KernelTable& scalar_kernels() {
  static const KernelTable table = make_table();
  return table;
}

}  // namespace minfer::cpu
