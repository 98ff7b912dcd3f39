#include "graph/ops/op_checks.h"

#include "base/error.h"
#include "graph/ops/matmul.h"

namespace minfer {

void expect_counts(std::string_view op, const OpArgs& args, size_t n_inputs, size_t n_weights) {
  check(args.inputs.size() == n_inputs && args.weights.size() == n_weights,
        "[{}] takes {} inputs and {} weights, got {} and {}", op, n_inputs, n_weights, args.inputs.size(),
        args.weights.size());
}

void expect_matrix(std::string_view op, std::string_view what, const TensorDesc& desc, DType dtype, int64_t columns) {
  const bool fits = desc.dtype == dtype && desc.shape.rank() == 2 && desc.shape[0] > 0 && desc.shape[1] > 0 &&
                    (columns < 0 || desc.shape[1] == columns);
  check(fits, "[{}] {}: expected {} [rows, {}], got {}", op, what, dtype_name(dtype),
        columns < 0 ? "columns" : std::to_string(columns), desc.to_string());
}

void expect_vector(std::string_view op, std::string_view what, const TensorDesc& desc, int64_t n) {
  check(desc.dtype == DType::kF32 && desc.shape == Shape{n}, "[{}] {}: expected F32 [{}], got {}", op, what, n,
        desc.to_string());
}

void expect_same(std::string_view op, const TensorDesc& a, const TensorDesc& b) {
  check(a == b, "[{}] both inputs must be alike, got {} and {}", op, a.to_string(), b.to_string());
}

void expect_projection(std::string_view op, std::string_view what, const TensorDesc& x, const TensorDesc& weight,
                       int64_t n_out) {
  check(weight.shape.rank() == 2 && weight.shape[0] == n_out, "[{}] {} weight: expected [{}, in], got {}", op, what,
        n_out, weight.to_string());
  expect_matrix(op, "input", x, matmul_activation_dtype(weight.dtype), weight.shape[1]);
}

TensorDesc activation_desc(std::string_view op, const TensorDesc& x, DType dtype) {
  check(dtype == DType::kF32 || dtype == DType::kQ8A, "[{}] result: expected F32 or Q8A, got {}", op,
        dtype_name(dtype));
  const int block = dtype_info(dtype).block_elements;
  check(x.shape[1] % block == 0, "[{}] rows of {} values are not whole blocks of {}", op, x.shape[1], block);
  return {dtype, x.shape};
}

void expect_kv_rows(std::string_view op, const OpArgs& args, int64_t rows) {
  const TensorDesc per_row{DType::kI32, {rows}};
  check(args.inputs[2] == per_row && args.inputs[3] == per_row,
        "[{}] positions and sequences: expected {}, got {} and {}", op, per_row.to_string(), args.inputs[2].to_string(),
        args.inputs[3].to_string());
  expect_matrix(op, "block tables", args.inputs[4], DType::kI32);
  check(args.inputs[4].shape[0] == rows, "[{}] block tables: expected {} rows, got {}", op, rows,
        args.inputs[4].to_string());
}

int64_t bytes_of_rows(const TensorDesc& desc, int64_t rows) {
  return TensorDesc{desc.dtype, Shape(desc.shape.dims().subspan(1))}.size_bytes() * rows;
}

Cost elementwise_cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use,
                      int64_t flops_per_element) {
  Cost cost;
  for (const TensorDesc& input : args.inputs) cost.read_bytes += bytes_of_rows(input, use.rows);
  for (const TensorDesc& weight : args.weights) cost.weight_bytes += weight.size_bytes();
  for (const TensorDesc& output : outputs) cost.write_bytes += bytes_of_rows(output, use.rows);
  cost.flops = outputs[0].shape.row_elements() * use.rows * flops_per_element;
  return cost;
}

}  // namespace minfer
