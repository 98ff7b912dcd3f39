#include "tests/engine/identity_matrix.h"

#include <fmt/format.h>

#include <set>
#include <tuple>

#include "backend/cpu/dispatch.h"
#include "builtin/registry.h"

namespace minfer::test {
namespace {

using Tuple = std::vector<size_t>;
using Pair = std::tuple<size_t, size_t, size_t, size_t>;  // field, value, later field, value

std::vector<Pair> pairs_of(const Tuple& tuple) {
  std::vector<Pair> pairs;
  for (size_t a = 0; a < tuple.size(); ++a) {
    for (size_t b = a + 1; b < tuple.size(); ++b) pairs.emplace_back(a, tuple[a], b, tuple[b]);
  }
  return pairs;
}

size_t n_among(const std::vector<Pair>& pairs, const std::set<Pair>& open) {
  size_t n = 0;
  for (const Pair& pair : pairs) n += open.count(pair);
  return n;
}

std::vector<size_t> sizes_of(const IdentityAxes& axes) {
  return {axes.isas.size(),      axes.repack.size(),     axes.fuse.size(),     axes.beside_others.size(),
          axes.n_threads.size(), axes.chunk_rows.size(), axes.kv_dtypes.size()};
}

std::vector<IdentityPoint> points_at(const IdentityAxes& axes, const std::vector<Tuple>& tuples) {
  std::vector<IdentityPoint> points;
  for (const Tuple& at : tuples) {
    points.push_back({axes.isas[at[0]], axes.repack[at[1]], axes.fuse[at[2]], axes.beside_others[at[3]],
                      axes.n_threads[at[4]], axes.chunk_rows[at[5]], axes.kv_dtypes[at[6]]});
  }
  return points;
}

}  // namespace

std::string point_name(const IdentityPoint& point) {
  return fmt::format("{} {} {} {}, {} threads, chunks of {}, KV in {}", point.isa, point.repack ? "repacked" : "raw",
                     point.fuse ? "fused" : "unfused", point.beside_others ? "beside others" : "alone", point.n_threads,
                     point.chunk_rows, dtype_name(point.kv_dtype));
}

EngineOptions options_at(const IdentityPoint& point, EngineOptions base) {
  base.registry = builtin::make_registry({}, {point.isa, point.repack});
  base.fuse = point.fuse;
  base.n_threads = point.n_threads;
  base.chunk_rows = point.chunk_rows;
  base.kv_dtype = point.kv_dtype;
  return base;
}

IdentityAxes axes_of_this_machine(std::vector<int> n_threads, std::vector<int64_t> chunk_rows) {
  IdentityAxes axes;
  for (const cpu::IsaChoice& isa : cpu::isa_choices()) {
    if (isa.available) axes.isas.push_back(isa.name);
  }
  axes.n_threads = std::move(n_threads);
  axes.chunk_rows = std::move(chunk_rows);
  axes.kv_dtypes = {DType::kF16, DType::kF32};
  const Registry registry = builtin::make_registry({});
  if (registry.supports_kv_format(kBackendCpu, DType::kQ8_0)) axes.kv_dtypes.push_back(DType::kQ8_0);
  return axes;
}

std::vector<Tuple> all_tuples(const std::vector<size_t>& sizes) {
  std::vector<Tuple> tuples{{}};
  for (size_t size : sizes) {
    std::vector<Tuple> longer;
    for (const Tuple& tuple : tuples) {
      for (size_t value = 0; value < size; ++value) {
        longer.push_back(tuple);
        longer.back().push_back(value);
      }
    }
    tuples = std::move(longer);
  }
  return tuples;
}

// Greedy: always the tuple with the most pairs that are still open.
std::vector<Tuple> pairwise_tuples(const std::vector<size_t>& sizes) {
  const std::vector<Tuple> all = all_tuples(sizes);
  std::set<Pair> open;
  for (const Tuple& tuple : all) {
    for (const Pair& pair : pairs_of(tuple)) open.insert(pair);
  }
  std::vector<Tuple> chosen;
  while (!open.empty()) {
    size_t most = 0;
    const Tuple* best = nullptr;
    for (const Tuple& tuple : all) {
      const size_t n = n_among(pairs_of(tuple), open);
      if (n <= most) continue;
      most = n;
      best = &tuple;
    }
    chosen.push_back(*best);
    for (const Pair& pair : pairs_of(*best)) open.erase(pair);
  }
  return chosen;
}

std::vector<IdentityPoint> all_points(const IdentityAxes& axes) {
  return points_at(axes, all_tuples(sizes_of(axes)));
}

std::vector<IdentityPoint> pairwise_points(const IdentityAxes& axes) {
  return points_at(axes, pairwise_tuples(sizes_of(axes)));
}

}  // namespace minfer::test
