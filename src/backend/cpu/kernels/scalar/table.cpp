// The scalar kernel table: a new element type adds its row to kMatmul.
#include "backend/cpu/kernels/scalar/scalar.h"

namespace minfer::cpu {
namespace {

constexpr std::string_view kIsa = "scalar";

struct MatmulRow {
  DType dtype;
  void (*run)(const MatmulArgs& args);
};

constexpr MatmulRow kMatmul[] = {
    {DType::kF32, scalar::matmul_f32},   {DType::kF16, scalar::matmul_f16},   {DType::kBF16, scalar::matmul_bf16},
    {DType::kQ4_0, scalar::matmul_q4_0}, {DType::kQ4_1, scalar::matmul_q4_1}, {DType::kQ5_0, scalar::matmul_q5_0},
    {DType::kQ5_1, scalar::matmul_q5_1}, {DType::kQ8_0, scalar::matmul_q8_0}, {DType::kQ2_K, scalar::matmul_q2_k},
    {DType::kQ3_K, scalar::matmul_q3_k}, {DType::kQ4_K, scalar::matmul_q4_k}, {DType::kQ5_K, scalar::matmul_q5_k},
    {DType::kQ6_K, scalar::matmul_q6_k},
};

KernelTable make_table() {
  KernelTable table;
  table.add = {scalar::add, kIsa};
  table.mul = {scalar::mul, kIsa};
  table.swiglu = {scalar::swiglu, kIsa};
  table.silu = {scalar::silu, kIsa};
  table.quantize = {quantize_act_row, kIsa};
  table.rms_norm = {scalar::rms_norm, kIsa};
  table.rope = {scalar::rope, kIsa};
  table.kv_store = {scalar::kv_store, kIsa};
  table.attention_span = {scalar::attention_span, kIsa};
  for (const MatmulRow& row : kMatmul) table.matmul[dtype_index(row.dtype)] = {row.run, kIsa};
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
