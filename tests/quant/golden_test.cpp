// Every type with a codec against vectors of the Python package `gguf` (scripts/golden/quant_golden.py, format there).
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "quant/codec.h"

namespace minfer {
namespace {

uint32_t bits_of(float x) {
  return std::isnan(x) ? 0x7FC00000u : std::bit_cast<uint32_t>(x);
}

class GoldenFile {
 public:
  explicit GoldenFile(DType dtype) : info_(dtype_info(dtype)) {
    std::string stem;
    for (char c : info_.name) stem += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    std::ifstream in(std::string(MINFER_SOURCE_DIR) + "/tests/data/quant/" + stem + ".bin", std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
    EXPECT_EQ(bytes_.substr(0, 4), "MQG1");
  }

  template <typename T>
  T number() {
    T value{};
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::vector<std::byte> blocks(size_t n) {
    const std::string_view text = take(n * static_cast<size_t>(info_.block_bytes));
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return {first, first + text.size()};
  }

  std::vector<float> values(size_t n_blocks) {
    std::vector<float> out(n_blocks * static_cast<size_t>(info_.block_elements));
    const std::string_view text = take(out.size() * sizeof(float));
    std::copy(text.begin(), text.end(), reinterpret_cast<char*>(out.data()));
    return out;
  }

  bool at_end() const { return position_ == bytes_.size(); }

 private:
  std::string_view take(size_t n) {
    if (bytes_.size() - position_ < n) throw std::runtime_error("golden file is too short");
    position_ += n;
    return std::string_view(bytes_).substr(position_ - n, n);
  }

  const DTypeInfo& info_;
  std::string bytes_;
  size_t position_ = 4;
};

uint64_t generated_word(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

// Types without blocks of 16 bits are swept over all their patterns, the others over random bytes.
std::vector<std::byte> generated_blocks(DType dtype, size_t n_blocks) {
  std::vector<std::byte> out(n_blocks * static_cast<size_t>(dtype_info(dtype).block_bytes));
  const bool all_patterns = dtype == DType::kF16 || dtype == DType::kBF16;
  for (size_t i = 0; i < out.size(); ++i) {
    const uint64_t word = all_patterns ? i / 2 : generated_word(1, i / 8);
    const size_t byte = all_patterns ? i % 2 : i % 8;
    out[i] = static_cast<std::byte>(word >> (8 * byte));
  }
  return out;
}

std::vector<float> generated_values(size_t n) {
  std::vector<float> out(n);
  for (size_t i = 0; i < n; ++i) {
    const auto mantissa = static_cast<int>(generated_word(2, i) >> 40) - (1 << 23);
    const auto exponent = static_cast<int>(generated_word(3, i / 32) & 63) - 70;
    out[i] = std::ldexp(static_cast<float>(mantissa), exponent);
  }
  return out;
}

class QuantGolden : public testing::TestWithParam<DType> {
 protected:
  size_t block_bytes() const { return static_cast<size_t>(dtype_info(GetParam()).block_bytes); }
  size_t block_elements() const { return static_cast<size_t>(dtype_info(GetParam()).block_elements); }

  uint64_t checksum_of_values(size_t n_blocks) const {
    std::vector<float> got(n_blocks * block_elements());
    dequantize(GetParam(), generated_blocks(GetParam(), n_blocks), got);
    uint64_t sum = 0;
    for (size_t i = 0; i < got.size(); ++i) sum += bits_of(got[i]) * (2 * uint64_t{i} + 1);
    return sum;
  }

  uint64_t checksum_of_bytes(size_t n_blocks) const {
    std::vector<std::byte> got(n_blocks * block_bytes());
    quantize(GetParam(), generated_values(n_blocks * block_elements()), got);
    uint64_t sum = 0;
    for (size_t i = 0; i < got.size(); ++i) sum += static_cast<uint64_t>(got[i]) * (2 * uint64_t{i} + 1);
    return sum;
  }
};

TEST_P(QuantGolden, EqualsThePackageBitForBit) {
  GoldenFile file(GetParam());

  const auto n_blocks = file.number<uint32_t>();
  const auto blocks = file.blocks(n_blocks);
  const auto expected = file.values(n_blocks);
  std::vector<float> got(expected.size());
  dequantize(GetParam(), blocks, got);
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(bits_of(got[i]), bits_of(expected[i]))
        << "block " << i / block_elements() << " element " << i % block_elements() << ": " << got[i] << " and "
        << expected[i];
  }

  const auto n_inputs = file.number<uint32_t>();
  const auto input = file.values(n_inputs);
  const auto expected_bytes = file.blocks(n_inputs);
  std::vector<std::byte> got_bytes(expected_bytes.size());
  if (n_inputs > 0) quantize(GetParam(), input, got_bytes);
  for (size_t i = 0; i < got_bytes.size(); ++i) {
    ASSERT_EQ(got_bytes[i], expected_bytes[i]) << "block " << i / block_bytes() << " byte " << i % block_bytes();
  }

  const auto n_swept = file.number<uint32_t>();
  const auto sum_of_values = file.number<uint64_t>();
  EXPECT_EQ(checksum_of_values(n_swept), sum_of_values);
  const auto n_quantized = file.number<uint32_t>();
  const auto sum_of_bytes = file.number<uint64_t>();
  if (n_quantized > 0) {
    EXPECT_EQ(checksum_of_bytes(n_quantized), sum_of_bytes);
  }
  EXPECT_TRUE(file.at_end());
}

std::vector<DType> types_with_codec() {
  std::vector<DType> out;
  for (const DTypeInfo& info : all_dtypes()) {
    if (info.has_codec) out.push_back(info.dtype);
  }
  return out;
}

INSTANTIATE_TEST_SUITE_P(Types, QuantGolden, testing::ValuesIn(types_with_codec()),
                         [](const auto& param) { return std::string(dtype_name(param.param)); });

}  // namespace
}  // namespace minfer
