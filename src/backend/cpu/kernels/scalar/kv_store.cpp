#include "backend/cpu/kernels/kv_layout.h"
#include "backend/cpu/kernels/scalar/scalar.h"
#include "base/half.h"

namespace minfer::cpu::scalar {
namespace {

void store(float value, uint16_t& out) {
  out = f32_to_f16(value);
}

void store(float value, float& out) {
  out = value;
}

template <typename T>
void store_k(const KvStoreArgs& args, T* block) {
  const float* k = args.k;
  for (int head = args.head_begin; head < args.head_end; ++head) {
    for (int d = 0; d < args.kv.head_dim; ++d) store(*k++, block[k_index(head, args.position, d, args.kv.head_dim)]);
  }
}

template <typename T>
void store_v(const KvStoreArgs& args, T* block) {
  const float* v = args.v;
  for (int head = args.head_begin; head < args.head_end; ++head) {
    T* out = block + v_index(head, args.position, args.kv.head_dim, args.kv.n_kv_heads);
    for (int d = 0; d < args.kv.head_dim; ++d) store(*v++, out[d]);
  }
}

template <typename T>
void store_row(const KvStoreArgs& args) {
  T* block = reinterpret_cast<T*>(args.kv.blocks + args.block * args.kv.block_bytes);
  if (args.k != nullptr) store_k(args, block);
  if (args.v != nullptr) store_v(args, block);
}

}  // namespace

void kv_store(const KvStoreArgs& args) {
  if (args.kv.dtype == DType::kF16) {
    store_row<uint16_t>(args);
  } else {
    store_row<float>(args);
  }
}

}  // namespace minfer::cpu::scalar
