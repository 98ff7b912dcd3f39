// The kernels themselves, called as ops call them, on every instruction set that this machine has: every length up to
// some vectors, any alignment, in place, and nothing written behind the end; exp on a dense sweep of all floats.
#include "backend/cpu/kernels/kernels.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>

#include "backend/cpu/dispatch.h"
#include "base/exact_math.h"
#include "quant/act_block.h"
#include "tests/ops/compare.h"
#include "tests/ops/data.h"

namespace minfer::ops_test {
namespace {

using cpu::KernelTable;

constexpr float kGuard = 12345.0F;
constexpr size_t kMaxLength = 150;

std::vector<cpu::IsaChoice> available() {
  std::vector<cpu::IsaChoice> sets = cpu::isa_choices();
  std::erase_if(sets, [](const cpu::IsaChoice& isa) { return !isa.available; });
  return sets;
}

// A row between guards, with an odd alignment.
struct Row {
  std::vector<float> memory;
  size_t n;

  explicit Row(const std::vector<float>& values) : memory(values.size() + 34, kGuard), n(values.size()) {
    std::copy(values.begin(), values.end(), memory.begin() + 17);
  }
  float* data() { return memory.data() + 17; }
};

using RunRow = std::function<void(const KernelTable& kernels, const float* x, float* y, size_t n)>;

// `run` for every length that `step` divides must give the scalar set's bytes, in another row and in place.
void check_rows(const std::string& name, size_t step, const RunRow& run) {
  for (const cpu::IsaChoice& isa : available()) {
    for (size_t n = step; n <= kMaxLength; n += step) {
      SCOPED_TRACE(fmt::format("{} of {} on {}", name, n, isa.name));
      const std::vector<float> x =
          random_floats(70 + n, static_cast<int64_t>(n), n % 3 == 0 ? Fill::kHostile : Fill::kPlain);
      Row expected(std::vector<float>(n, 0.0F));
      run(cpu::scalar_kernels(), x.data(), expected.data(), n);
      Row other(std::vector<float>(n, 0.0F));
      run(*isa.kernels, x.data(), other.data(), n);
      Row in_place(x);
      run(*isa.kernels, in_place.data(), in_place.data(), n);
      const Bytes bytes = to_bytes(expected.memory);
      EXPECT_EQ(difference(DType::kF32, to_bytes(other.memory), bytes), std::nullopt);
      EXPECT_EQ(difference(DType::kF32, to_bytes(in_place.memory), bytes), std::nullopt) << "in place";
    }
  }
}

TEST(Kernels, GiveTheScalarBytesAtEveryLength) {
  const std::vector<float> other = random_floats(71, static_cast<int64_t>(kMaxLength), Fill::kHostile);
  const float* b = other.data();
  check_rows("add", 1, [=](const KernelTable& kernels, const float* x, float* y, size_t n) {
    kernels.add.run(x, b, y, static_cast<int64_t>(n));
  });
  check_rows("mul", 1, [=](const KernelTable& kernels, const float* x, float* y, size_t n) {
    kernels.mul.run(x, b, y, static_cast<int64_t>(n));
  });
  check_rows("silu", 1, [](const KernelTable& kernels, const float* x, float* y, size_t n) {
    kernels.silu.run(x, y, static_cast<int64_t>(n));
  });
  check_rows("swiglu", 1, [=](const KernelTable& kernels, const float* x, float* y, size_t n) {
    kernels.swiglu.run(x, b, y, static_cast<int64_t>(n));
  });
  check_rows("rms_norm", 1, [=](const KernelTable& kernels, const float* x, float* y, size_t n) {
    kernels.rms_norm.run(x, b, 1e-5F, y, static_cast<int64_t>(n));
  });
  for (const RopePairs pairs : {RopePairs::kHalves, RopePairs::kAdjacent}) {
    check_rows("rope", 2, [=](const KernelTable& kernels, const float* x, float* y, size_t n) {
      kernels.rope.run(x, b, pairs, y, static_cast<int>(n));
    });
  }
}

TEST(Kernels, MergeAndFinishAttentionAtEveryHeadSize) {
  // A NaN whose lowest bits are set must not lose itself in the exponential's integer steps.
  const float marked_nan = std::bit_cast<float>(0x7FC00155U);
  for (const float part_max : {1.5F, -3.0F, -std::numeric_limits<float>::infinity(), 100.0F, marked_nan}) {
    const std::vector<float> o = random_floats(72, static_cast<int64_t>(kMaxLength));
    check_rows("attention_merge", 1, [&](const KernelTable& kernels, const float* x, float* y, size_t n) {
      std::vector<float> from = o;
      if (x != y) std::copy_n(x, n, y);
      cpu::AttentionPartial all{0.25F, 3.0F, y};
      kernels.attention_merge.run({part_max, 0.5F, from.data()}, all, static_cast<int>(n));
      y[0] = y[0] + all.max + all.sum;
    });
  }
  check_rows("attention_finish", 1, [](const KernelTable& kernels, const float* x, float* y, size_t n) {
    if (x != y) std::copy_n(x, n, y);
    cpu::AttentionPartial all{0.25F, 3.0F, y};
    kernels.attention_finish.run(all, static_cast<int>(n));
  });
}

TEST(Kernels, QuantizeValuesNextToTiesAsTheReferenceDoes) {
  Random random(73);
  std::vector<float> x;
  for (int block = 0; block < 2000; ++block) {
    const float amax = random.uniform(0.01F, 20.0F);
    x.push_back(amax);
    for (int i = 1; i < kActBlockElements; ++i) {
      x.push_back((static_cast<float>(random.below(127)) + 0.5F) * (amax / 127.0F) * (i % 2 == 0 ? 1.0F : -1.0F));
    }
  }
  const auto n = static_cast<int64_t>(x.size());
  std::vector<ActBlock> expected(x.size() / kActBlockElements);
  quantize_act_row(x.data(), expected.data(), n);
  for (const cpu::IsaChoice& isa : available()) {
    SCOPED_TRACE(isa.name);
    std::vector<ActBlock> blocks(expected.size());
    isa.kernels->quantize.run(x.data(), blocks.data(), n);
    EXPECT_EQ(difference(DType::kQ8A, to_bytes(blocks), to_bytes(expected)), std::nullopt);
  }
}

TEST(Kernels, TakeExactMathsExponentialOnADenseSweepOfAllFloats) {
  std::vector<float> x;
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 12289) {
    x.push_back(std::bit_cast<float>(static_cast<uint32_t>(bits)));
  }
  // Every float around the edges: results of 2^-126 and below, the largest finite result.
  for (const float edge : {87.336F, 88.7228F, -88.7228F, -87.336F, 87.5F}) {
    const uint32_t bits = std::bit_cast<uint32_t>(edge);
    for (uint32_t i = bits - 500; i < bits + 500; ++i) x.push_back(std::bit_cast<float>(i));
  }
  std::vector<float> expected;
  for (const float v : x) expected.push_back(v / (1.0F + exact_expf(-v)));
  for (const cpu::IsaChoice& isa : available()) {
    SCOPED_TRACE(isa.name);
    std::vector<float> y(x.size());
    isa.kernels->silu.run(x.data(), y.data(), static_cast<int64_t>(x.size()));
    EXPECT_EQ(difference(DType::kF32, to_bytes(y), to_bytes(expected)), std::nullopt);
    const std::vector<float> ones(x.size(), 1.0F);
    isa.kernels->swiglu.run(x.data(), ones.data(), y.data(), static_cast<int64_t>(x.size()));
    EXPECT_EQ(difference(DType::kF32, to_bytes(y), to_bytes(expected)), std::nullopt);
  }
}

TEST(Kernels, AreEachSetsOwn) {
  for (const cpu::IsaChoice& isa : cpu::isa_choices()) {
    const KernelTable& kernels = *isa.kernels;
    const std::string& set = isa.name;
#define MINFER_KERNEL(name, parameters) EXPECT_EQ(kernels.name.isa, set) << #name;
#include "backend/cpu/kernels/kernel_list.inc"
#undef MINFER_KERNEL
  }
}

}  // namespace
}  // namespace minfer::ops_test
