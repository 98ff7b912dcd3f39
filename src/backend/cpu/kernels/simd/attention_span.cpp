#include "backend/cpu/kernels/kv_layout.h"
#include "backend/cpu/kernels/simd/exact_exp.h"
#include "backend/cpu/kernels/simd/kernels.h"
#include "backend/cpu/kernels/simd/kv_element.h"
#include "backend/cpu/kernels/simd/lanes16.h"
#include "backend/cpu/kernels/simd/rows.h"

namespace minfer::cpu::MINFER_ISA {
namespace {

constexpr int kCacheLine = 64;
constexpr int kBlockVectors = kKvBlockPositions / Isa::kLanes;

// Vectors of positions, or of dimensions, that n queries work on at once: what the registers hold.
template <int n>
constexpr int kTileVectors = 4 * n <= 2 * Isa::kMaxRows ? 4 : 2;

// Scores of n queries for the positions of a block; behind the softmax, their probabilities.
template <int n>
struct Scores {
  alignas(64) float row[n][kKvBlockPositions];
};

// s = (Σ_d k_d·q_d, one chain) · scale, at least for the first n_positions of the block. k: the head's first tile; q:
// [head_dim][n]. Meanwhile the values v come nearer.
template <typename Element, int n>
[[gnu::always_inline]] inline void block_scores(const typename Element::T* k, const typename Element::T* values,
                                                const AttentionArgs& args, const float* q, int n_positions,
                                                Scores<n>& scores) {
  constexpr int kWidth = kTileVectors<n>;
  constexpr int kValuesPerStep = kWidth * Isa::kLanes;  // as many as there are keys
  const int head_dim = args.kv.head_dim;
  for (int v = 0; v * Isa::kLanes < n_positions; v += kWidth) {
    F acc[n][kWidth];
    for (int t = 0; t < n; ++t) {
      for (int i = 0; i < kWidth; ++i) acc[t][i] = Isa::zero();
    }
    const typename Element::T* from[kWidth];
    for (int i = 0; i < kWidth; ++i) {
      const int position = (v + i) * Isa::kLanes;
      from[i] = k + position / kKvTile * kKvTile * head_dim + position % kKvTile;
    }
    for (int d = 0; d < head_dim; ++d) {
      for (int i = 0; i < kValuesPerStep; i += kCacheLine / static_cast<int>(sizeof(*values))) {
        Isa::prefetch(values + (v * Isa::kLanes * head_dim + d * kValuesPerStep + i));
      }
      F key[kWidth];
      for (int i = 0; i < kWidth; ++i) key[i] = Element::load(from[i] + d * kKvTile);
      for (int t = 0; t < n; ++t) {
        const F qd = Isa::set(q[d * n + t]);
        for (int i = 0; i < kWidth; ++i) acc[t][i] = Isa::fma(key[i], qd, acc[t][i]);
      }
    }
    for (int t = 0; t < n; ++t) {
      for (int i = 0; i < kWidth; ++i) {
        Isa::store(scores.row[t] + (v + i) * Isa::kLanes, Isa::mul(acc[t][i], Isa::set(args.scale)));
      }
    }
  }
}

// step(Index<v>, lanes) for the vectors of a block that hold its first n positions.
template <typename Step>
[[gnu::always_inline]] inline void for_each_position(int n, Step step) {
  unroll<kBlockVectors>([&](auto v) __attribute__((always_inline)) {
    const int left = n - decltype(v)::value * Isa::kLanes;
    if (left >= Isa::kLanes) {
      step(v, AllLanes());
    } else if (left > 0) {
      step(v, FirstLanes{left});
    }
  });
}

[[gnu::always_inline]] inline float maximum(const float* score, int n) {
  Lanes16 most(Isa::set(-__builtin_inff()));
  for_each_position(
      n, [&](auto v, auto lanes) __attribute__((always_inline)) {
        F& lane = most.part[decltype(v)::value % kVectors16];
        lane = lanes.keep(Isa::max_of(lane, Isa::load(score + decltype(v)::value * Isa::kLanes)), lane);
      });
  return most.max();
}

// p = exp(s - max) in place; Σp.
[[gnu::always_inline]] inline float exponentials(float* score, int n, float max) {
  Lanes16 sum(Isa::zero());
  for_each_position(
      n, [&](auto v, auto lanes) __attribute__((always_inline)) {
        float* at = score + decltype(v)::value * Isa::kLanes;
        const F p = exact_exp(Isa::sub(Isa::load(at), Isa::set(max)));
        Isa::store(at, p);
        F& lane = sum.part[decltype(v)::value % kVectors16];
        lane = Isa::add(lane, lanes.keep(p, Isa::zero()));
      });
  return sum.sum();
}

// M = max(m, max s); c = exp(m - M); p = exp(s - M); l = fma(l, c, Σp), for the queries with n_valid[t] > 0.
template <int n>
[[gnu::always_inline]] inline void block_softmax(Scores<n>& scores, const int (&n_valid)[n], AttentionQuery* queries,
                                                 float (&c)[Isa::kLanes]) {
  for (int t = 0; t < n; ++t) {
    if (n_valid[t] <= 0) continue;
    AttentionPartial& part = queries[t].part;
    const float most = maximum(scores.row[t], n_valid[t]);
    const float max = part.max > most ? part.max : most;
    c[t] = part.max - max;
    part.max = max;
  }
  Isa::store(c, exact_exp(Isa::load(c)));
  for (int t = 0; t < n; ++t) {
    if (n_valid[t] <= 0) continue;
    AttentionPartial& part = queries[t].part;
    part.sum = __builtin_fmaf(part.sum, c[t], exponentials(scores.row[t], n_valid[t], part.max));
  }
}

// o = o·c, then o = fma(p_j, v_j, o) for positions begin … end-1, in `width` vectors of dimensions from `dim` on.
template <typename Element, int n, int width, typename Lanes>
[[gnu::always_inline]] inline void add_values(const typename Element::T* v, int head_dim, int dim, Lanes lanes,
                                              const float* p, int begin, int end, const AttentionQuery* queries,
                                              const float* c) {
  F acc[n][width];
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < width; ++i) {
      acc[t][i] = Isa::mul(lanes.load(queries[t].part.o + dim + i * Isa::kLanes), Isa::set(c[t]));
    }
  }
  for (int j = begin; j < end; ++j) {
    F value[width];
    for (int i = 0; i < width; ++i) value[i] = load_element<Element>(v + j * head_dim + dim + i * Isa::kLanes, lanes);
    for (int t = 0; t < n; ++t) {
      const F pj = Isa::set(p[t * kKvBlockPositions + j]);
      for (int i = 0; i < width; ++i) acc[t][i] = Isa::fma(pj, value[i], acc[t][i]);
    }
  }
  for (int t = 0; t < n; ++t) {
    for (int i = 0; i < width; ++i) lanes.store(queries[t].part.o + dim + i * Isa::kLanes, acc[t][i]);
  }
}

// The same in all dimensions.
template <typename Element, int n>
[[gnu::always_inline]] inline void add_all_values(const typename Element::T* v, int head_dim, const float* p, int begin,
                                                  int end, const AttentionQuery* queries, const float* c) {
  constexpr int kWidth = kTileVectors<n>;
  int dim = 0;
  for (; dim + kWidth * Isa::kLanes <= head_dim; dim += kWidth * Isa::kLanes) {
    add_values<Element, n, kWidth>(v, head_dim, dim, AllLanes(), p, begin, end, queries, c);
  }
  for (; dim + Isa::kLanes <= head_dim; dim += Isa::kLanes) {
    add_values<Element, n, 1>(v, head_dim, dim, AllLanes(), p, begin, end, queries, c);
  }
  if (dim < head_dim) {
    add_values<Element, n, 1>(v, head_dim, dim, FirstLanes{head_dim - dim}, p, begin, end, queries, c);
  }
}

// One query alone, for positions that others of its tile do not attend to.
template <typename Element>
[[gnu::noinline]] void add_values_of_one(const typename Element::T* v, int head_dim, const float* p, int begin, int end,
                                         const AttentionQuery* query, float c) {
  add_all_values<Element, 1>(v, head_dim, p, begin, end, query, &c);
}

template <typename Element, int n>
[[gnu::always_inline]] inline void block_values(const typename Element::T* v, int head_dim, const Scores<n>& scores,
                                                const int (&n_valid)[n], const AttentionQuery* queries,
                                                const float (&c)[Isa::kLanes]) {
  const int n_common = n_valid[0] > 0 ? n_valid[0] : 0;
  if (n_common > 0) add_all_values<Element, n>(v, head_dim, scores.row[0], 0, n_common, queries, c);
  for (int t = 0; t < n; ++t) {
    if (n_valid[t] <= n_common) continue;
    add_values_of_one<Element>(v, head_dim, scores.row[t], n_common, n_valid[t], queries + t,
                               n_common > 0 ? 1.0F : c[t]);
  }
}

[[gnu::always_inline]] inline void clear(AttentionPartial& part, int head_dim) {
  part.max = -__builtin_inff();
  part.sum = 0.0F;
  float* o = part.o;
  for_each_vector(
      head_dim, [=](int64_t i, auto lanes) __attribute__((always_inline)) { lanes.store(o + i, Isa::zero()); });
}

// n queries over the block that starts at `position`. Their limits do not fall, so that those which it concerns are the
// last. q: [head_dim][n].
template <typename Element, int n>
[[gnu::noinline]] void tile_block(const AttentionArgs& args, int64_t position, const float* q,
                                  AttentionQuery* queries) {
  int n_valid[n];
  for (int t = 0; t < n; ++t) {
    const int64_t left = queries[t].end - position;
    n_valid[t] = left < kKvBlockPositions ? static_cast<int>(left) : kKvBlockPositions;
  }
  if (n_valid[n - 1] <= 0) return;
  const int head_dim = args.kv.head_dim;
  const int32_t id = args.block_table[position / kKvBlockPositions];
  const auto* block = reinterpret_cast<const typename Element::T*>(args.kv.blocks + id * args.kv.block_bytes);
  const auto* k = block + k_index(args.kv_head, 0, 0, head_dim);
  const auto* v = block + v_index(args.kv_head, 0, head_dim, args.kv.n_kv_heads);
  Scores<n> scores;
  float c[Isa::kLanes] = {};
  block_scores<Element, n>(k, v, args, q, n_valid[n - 1], scores);
  block_softmax<n>(scores, n_valid, queries, c);
  block_values<Element, n>(v, head_dim, scores, n_valid, queries, c);
}

// The instance for n queries, 1 to max_n.
template <typename Element, int max_n>
[[gnu::always_inline]] inline void tile_of(const AttentionArgs& args, int64_t position, const float* q,
                                           AttentionQuery* queries, int n) {
  if (n == max_n) return tile_block<Element, max_n>(args, position, q, queries);
  if constexpr (max_n > 1) tile_of<Element, max_n - 1>(args, position, q, queries, n);
}

// Queries i to i + n - 1 make up a register tile.
[[gnu::always_inline]] inline int tile_size(const AttentionArgs& args, int i) {
  const int left = args.n_queries - i;
  return left < Isa::kMaxRows ? left : Isa::kMaxRows;
}

// Elements that are looked at together lie together: per tile [head_dim][n].
[[gnu::always_inline]] inline void pack(const AttentionArgs& args, float* packed) {
  const int head_dim = args.kv.head_dim;
  for (int i = 0; i < args.n_queries; i += Isa::kMaxRows) {
    const int n = tile_size(args, i);
    for (int t = 0; t < n; ++t) {
      for (int d = 0; d < head_dim; ++d) packed[i * head_dim + d * n + t] = args.queries[i + t].q[d];
    }
  }
}

// All tiles pass over a block while its keys and values are in the first cache.
template <typename Element>
[[gnu::always_inline]] inline void span(const AttentionArgs& args) {
  float packed[kMaxAttentionFloats];
  pack(args, packed);
  for (int i = 0; i < args.n_queries; ++i) clear(args.queries[i].part, args.kv.head_dim);
  const int64_t end = args.queries[args.n_queries - 1].end;
  for (int64_t position = args.begin; position < end; position += kKvBlockPositions) {
    for (int i = 0; i < args.n_queries; i += Isa::kMaxRows) {
      tile_of<Element, Isa::kMaxRows>(args, position, packed + i * args.kv.head_dim, args.queries + i,
                                      tile_size(args, i));
    }
  }
}

}  // namespace

void attention_span(const AttentionArgs& args) {
  if (args.kv.dtype == DType::kF16) {
    span<KvF16>(args);
  } else {
    span<KvF32>(args);
  }
}

}  // namespace minfer::cpu::MINFER_ISA
