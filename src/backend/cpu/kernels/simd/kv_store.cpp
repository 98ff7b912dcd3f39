#include "backend/cpu/kernels/kv_layout.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/kv_element.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

// Calls put(i, elements, n) for the vectors of a head: `elements` holds n of them as they are stored.
template <typename Element, typename Put>
[[gnu::always_inline]] inline void narrow(const float* x, int head_dim, Put put) {
  typename Element::T elements[Isa::kLanes];
  for_each_vector(
      head_dim, [&](int64_t i, auto lanes) __attribute__((always_inline)) {
        Element::store(elements, lanes.load(x + i));
        const int64_t left = head_dim - i;
        put(static_cast<int>(i), elements, left < Isa::kLanes ? static_cast<int>(left) : Isa::kLanes);
      });
}

template <typename Element>
[[gnu::always_inline]] inline void store_k(const KvStoreArgs& args, typename Element::T* block) {
  using T = typename Element::T;
  const int head_dim = args.kv.head_dim;
  const float* k = args.k;
  for (int head = args.head_begin; head < args.head_end; ++head, k += head_dim) {
    T* out = block + k_index(head, args.position, 0, head_dim);
    narrow<Element>(
        k, head_dim, [=](int at, const T* elements, int n) __attribute__((always_inline)) {
          for (int i = 0; i < n; ++i) out[(at + i) * kKvTile] = elements[i];
        });
  }
}

template <typename Element>
[[gnu::always_inline]] inline void store_v(const KvStoreArgs& args, typename Element::T* block) {
  using T = typename Element::T;
  const int head_dim = args.kv.head_dim;
  const float* v = args.v;
  for (int head = args.head_begin; head < args.head_end; ++head, v += head_dim) {
    T* out = block + v_index(head, args.position, head_dim, args.kv.n_kv_heads);
    narrow<Element>(
        v, head_dim, [=](int at, const T* elements, int n) __attribute__((always_inline)) {
          __builtin_memcpy(out + at, elements, static_cast<size_t>(n) * sizeof(T));
        });
  }
}

template <typename Element>
[[gnu::always_inline]] inline void store_row(const KvStoreArgs& args) {
  auto* block = reinterpret_cast<typename Element::T*>(args.kv.blocks + args.block * args.kv.block_bytes);
  if (args.k != nullptr) store_k<Element>(args, block);
  if (args.v != nullptr) store_v<Element>(args, block);
}

}  // namespace

void kv_store(const KvStoreArgs& args) {
  if (args.kv.dtype == DType::kF16) {
    store_row<KvF16>(args);
  } else {
    store_row<KvF32>(args);
  }
}

}  // namespace minfer::cpu::MINFER_ISA
