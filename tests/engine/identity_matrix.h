// The ways to cut the same work that the identity tests compare, and small sets of them in which all pairs occur.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/options.h"

namespace minfer::test {

// What must not change a bit; the KV type, which may, comes last.
struct IdentityPoint {
  std::string isa;
  bool repack = false;
  bool fuse = false;
  bool beside_others = false;  // rows of other sequences stand between ours in every step
  int n_threads = 1;
  int64_t chunk_rows = 512;
  DType kv_dtype = DType::kF16;
};

// "avx2 repacked fused alone, 2 threads, chunks of 7, KV in F16".
std::string point_name(const IdentityPoint& point);

// Settings of `base` for a point, the registry included.
EngineOptions options_at(const IdentityPoint& point, EngineOptions base);

// The values of each field. Instruction sets: those of this machine. KV types: those that the CPU keeps.
struct IdentityAxes {
  std::vector<std::string> isas;
  std::vector<bool> repack{false, true};
  std::vector<bool> fuse{false, true};
  std::vector<bool> beside_others{false, true};
  std::vector<int> n_threads;
  std::vector<int64_t> chunk_rows;
  std::vector<DType> kv_dtypes;
};

IdentityAxes axes_of_this_machine(std::vector<int> n_threads, std::vector<int64_t> chunk_rows);

// The full product, and a subset in which every two values of two fields meet at least once.
std::vector<IdentityPoint> all_points(const IdentityAxes& axes);
std::vector<IdentityPoint> pairwise_points(const IdentityAxes& axes);

// Index tuples below `sizes`: all, and a subset that covers all pairs.
std::vector<std::vector<size_t>> all_tuples(const std::vector<size_t>& sizes);
std::vector<std::vector<size_t>> pairwise_tuples(const std::vector<size_t>& sizes);

}  // namespace minfer::test
