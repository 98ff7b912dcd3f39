#include "tests/ops/kv_data.h"

#include <algorithm>
#include <numeric>

namespace minfer::ops_test {
namespace {

int64_t blocks_of(int64_t n_positions) {
  return (n_positions + 63) / 64;
}

}  // namespace

int64_t pool_blocks(const std::vector<int64_t>& lengths, int64_t spare) {
  return std::accumulate(lengths.begin(), lengths.end(), spare, [](int64_t n, int64_t l) { return n + blocks_of(l); });
}

std::vector<Sequence> make_sequences(const std::vector<int64_t>& lengths, const KvShape& shape, int64_t spare,
                                     Fill fill, uint64_t seed) {
  std::vector<int32_t> pool(static_cast<size_t>(pool_blocks(lengths, spare)));
  std::iota(pool.begin(), pool.end(), 0);
  Random random(seed);
  for (size_t i = pool.size(); i > 1; --i) {
    std::swap(pool[i - 1], pool[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
  }
  std::vector<Sequence> sequences;
  auto next = pool.begin();
  for (int64_t length : lengths) {
    Sequence s;
    s.n_positions = length;
    s.k = random_floats(random.bits(), length * shape.width(), fill);
    s.v = random_floats(random.bits(), length * shape.width(), fill);
    s.blocks.assign(next, next + blocks_of(length));
    next += blocks_of(length);
    sequences.push_back(std::move(s));
  }
  return sequences;
}

KvInputs::KvInputs(OpCase& c, const KvShape& shape, int64_t max_blocks)
    : case_(c), width_(shape.width()), max_blocks_(max_blocks) {
  k = c.input("k", DType::kF32, {width_});
  v = c.input("v", DType::kF32, {width_});
  rows.positions = c.input("positions", DType::kI32, {});
  rows.sequences = c.input("sequences", DType::kI32, {});
  rows.block_tables = c.input("block_tables", DType::kI32, {max_blocks});
}

void KvInputs::feed(const std::vector<Sequence>& sequences, const std::vector<KvRow>& step_rows) const {
  std::vector<float> k_data;
  std::vector<float> v_data;
  std::vector<int32_t> positions;
  std::vector<int32_t> owners;
  for (const KvRow& row : step_rows) {
    const Sequence& s = sequences[static_cast<size_t>(row.sequence)];
    const int64_t at = row.position * width_;
    k_data.insert(k_data.end(), s.k.begin() + at, s.k.begin() + at + width_);
    v_data.insert(v_data.end(), s.v.begin() + at, s.v.begin() + at + width_);
    positions.push_back(row.position);
    owners.push_back(row.sequence);
  }
  std::vector<int32_t> tables;
  for (const Sequence& s : sequences) {
    tables.insert(tables.end(), s.blocks.begin(), s.blocks.end());
    tables.resize(tables.size() + static_cast<size_t>(max_blocks_) - s.blocks.size(), -1);
  }
  case_.feed(k, to_bytes(k_data));
  case_.feed(v, to_bytes(v_data));
  case_.feed(rows.positions, to_bytes(positions));
  case_.feed(rows.sequences, to_bytes(owners));
  case_.feed(rows.block_tables, to_bytes(tables));
}

}  // namespace minfer::ops_test
