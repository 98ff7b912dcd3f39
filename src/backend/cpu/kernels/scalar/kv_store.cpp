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
void store_row(const KvStoreArgs& args) {
  const KvView& kv = args.kv;
  T* block = reinterpret_cast<T*>(kv.blocks + args.block * kv.block_bytes);
  for (int head = 0; head < kv.n_kv_heads; ++head) {
    const int64_t first = int64_t{head} * kv.head_dim;
    T* v_out = block + v_index(head, args.position, kv.head_dim, kv.n_kv_heads);
    for (int d = 0; d < kv.head_dim; ++d) {
      store(args.k[first + d], block[k_index(head, args.position, d, kv.head_dim)]);
      store(args.v[first + d], v_out[d]);
    }
  }
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
