// The scalar kernels, one file per job. Their bits are the law that docs/numerics.md states.
#pragma once

#include "backend/cpu/kernels/kernels.h"

namespace minfer::cpu::scalar {

void add(const float* a, const float* b, float* y, int64_t n);
void mul(const float* a, const float* b, float* y, int64_t n);
void swiglu(const float* gate, const float* up, float* y, int64_t n);
void silu(const float* x, float* y, int64_t n);
void rms_norm(const float* x, const float* gain, float eps, float* y, int64_t n);
void rope(const float* x, const float* angles, RopePairs pairs, float* y, int head_dim);
void kv_store(const KvStoreArgs& args);
void attention_span(const AttentionArgs& args, AttentionPartial& partial);

void matmul_f32(const MatmulArgs& args);
void matmul_f16(const MatmulArgs& args);
void matmul_bf16(const MatmulArgs& args);
void matmul_q4_0(const MatmulArgs& args);
void matmul_q4_1(const MatmulArgs& args);
void matmul_q5_0(const MatmulArgs& args);
void matmul_q5_1(const MatmulArgs& args);
void matmul_q8_0(const MatmulArgs& args);
void matmul_q2_k(const MatmulArgs& args);
void matmul_q3_k(const MatmulArgs& args);
void matmul_q4_k(const MatmulArgs& args);
void matmul_q5_k(const MatmulArgs& args);
void matmul_q6_k(const MatmulArgs& args);

}  // namespace minfer::cpu::scalar
