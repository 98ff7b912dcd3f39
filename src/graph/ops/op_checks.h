// Checks that the shape rules of several ops share. All throw kInternal "[op] …": a graph that breaks them was built
// wrongly, since the loader has checked every weight's shape against the file.
#pragma once

#include <string_view>

#include "graph/op.h"

namespace minfer {

void expect_counts(std::string_view op, const OpArgs& args, size_t n_inputs, size_t n_weights);

// `desc` must be [rows, columns] of `dtype`; columns < 0 accepts any width.
void expect_matrix(std::string_view op, std::string_view what, const TensorDesc& desc, DType dtype,
                   int64_t columns = -1);

// `desc` must be a vector of f32 with `n` elements.
void expect_vector(std::string_view op, std::string_view what, const TensorDesc& desc, int64_t n);

void expect_same(std::string_view op, const TensorDesc& a, const TensorDesc& b);

// `weight` must be a matrix [n_out, n] for an input `x` of its activation type, [rows, n].
void expect_projection(std::string_view op, std::string_view what, const TensorDesc& x, const TensorDesc& weight,
                       int64_t n_out);

// What a row of f32 values becomes as the input of a projection: `x` itself for F32, activation blocks for Q8A; other
// types are refused.
TensorDesc activation_desc(std::string_view op, const TensorDesc& x, DType dtype);

// Inputs 2, 3, 4 of a key/value op are KvRows for `rows` rows: positions, sequences, block tables.
void expect_kv_rows(std::string_view op, const OpArgs& args, int64_t rows);

// Bytes of the first `rows` rows of a value; a row is everything behind dimension 0.
int64_t bytes_of_rows(const TensorDesc& desc, int64_t rows);

// Cost of an op that reads the used rows of all inputs, writes those of all outputs and computes
// `flops_per_element` for each element of output 0.
Cost elementwise_cost(const OpArgs& args, std::span<const TensorDesc> outputs, const CostInput& use,
                      int64_t flops_per_element);

}  // namespace minfer
