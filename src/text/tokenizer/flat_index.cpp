#include "text/tokenizer/flat_index.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"

namespace minfer {
namespace {

// Odd numbers without a pattern: the fractions of the golden ratio and of the square root of 3.
constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
constexpr uint64_t kFinalFactor = 0xBB67AE8584CAA73B;

template <typename T>
uint64_t load(const char* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

uint64_t load_up_to_eight(const char* bytes, size_t n) {
  if (n >= 8) return load<uint64_t>(bytes);
  if (n >= 4) return load<uint32_t>(bytes) << 32 | load<uint32_t>(bytes + n - 4);
  if (n == 0) return 0;
  return load<uint8_t>(bytes) | load<uint8_t>(bytes + n / 2) << 8 | load<uint8_t>(bytes + n - 1) << 16;
}

uint64_t step(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * kFactor;
  return hash ^ hash >> 32;
}

uint64_t finish(uint64_t hash) {
  hash *= kFinalFactor;
  return hash ^ hash >> 29;
}

}  // namespace

uint64_t hash_text(std::string_view text) {
  const char* bytes = text.data();
  size_t n_left = text.size();
  uint64_t hash = text.size();
  for (; n_left > 8; n_left -= 8, bytes += 8) hash = step(hash, load<uint64_t>(bytes));
  return finish(step(hash, load_up_to_eight(bytes, n_left)));
}

uint64_t hash_number(uint64_t number) {
  return finish(step(0, number));
}

FlatIndex::FlatIndex(size_t n_entries) {
  check(n_entries < size_t{1} << 31, "[tokenizer] {} entries are too many for a FlatIndex", n_entries);
  const size_t n_slots = std::bit_ceil(std::max<size_t>(2, n_entries + n_entries / 2));
  slots_.assign(n_slots, kNone);
  mask_ = n_slots - 1;
  position_mask_ = (uint32_t{1} << std::bit_width(n_entries)) - 1;
  shift_ = 64 - std::countr_zero(n_slots);
}

void FlatIndex::refuse_collisions() {
  fail(ErrorCode::kBadFile,
       "[tokenizer] over {} texts or merges of the vocabulary collide in a hash table: the file was made to waste time",
       kMaxProbes);
}

}  // namespace minfer
