#include "tests/ops/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "quant/act_block.h"
#include "tests/ops/data.h"
#include "tests/ops/rules.h"

namespace minfer::ops_test {
namespace {

struct Worst {
  int64_t n = 0;
  int64_t n_differing = 0;
  int64_t index = 0;
  double distance = -1;
  std::string values;  // "got 1.5, expected 1.25"

  void add(double d, std::string text) {
    ++n_differing;
    if (d <= distance) return;
    index = n - 1;
    distance = d;
    values = std::move(text);
  }
};

// Infinite where one is NaN, or infinite, and the other is not.
double distance(double a, double b) {
  const double d = std::fabs(a - b);
  return std::isnan(d) ? std::numeric_limits<double>::infinity() : d;
}

template <typename T, typename Widen>
Worst compare_floats(std::span<const std::byte> got, std::span<const std::byte> expected, Widen widen) {
  const auto a = from_bytes<T>(got);
  const auto b = from_bytes<T>(expected);
  Worst worst;
  for (size_t i = 0; i < a.size(); ++i) {
    ++worst.n;
    const double x = widen(a[i]);
    const double y = widen(b[i]);
    if (std::memcmp(&a[i], &b[i], sizeof(T)) == 0 || (std::isnan(x) && std::isnan(y))) continue;
    worst.add(distance(x, y), fmt::format("got {:.9g}, expected {:.9g}", x, y));
  }
  return worst;
}

Worst compare_act_blocks(std::span<const std::byte> got, std::span<const std::byte> expected) {
  const auto a = from_bytes<ActBlock>(got);
  const auto b = from_bytes<ActBlock>(expected);
  Worst worst;
  for (size_t i = 0; i < a.size(); ++i) {
    ++worst.n;
    ActBlock x = a[i];
    if (std::isnan(x.dx) && std::isnan(b[i].dx)) x.dx = b[i].dx;
    if (std::memcmp(&x, &b[i], sizeof(ActBlock)) == 0) continue;
    std::string text = fmt::format("got dx {:.9g}, sums {} {}, expected dx {:.9g}, sums {} {}", x.dx, x.sum[0],
                                   x.sum[1], b[i].dx, b[i].sum[0], b[i].sum[1]);
    for (int j = 0; j < kActBlockElements; ++j) {
      if (x.q[j] == b[i].q[j]) continue;
      text += fmt::format("; q[{}] got {}, expected {}", j, x.q[j], b[i].q[j]);
      break;
    }
    worst.add(distance(x.dx, b[i].dx), std::move(text));
  }
  return worst;
}

Worst compare(DType dtype, std::span<const std::byte> got, std::span<const std::byte> expected) {
  switch (dtype) {
    case DType::kF32: return compare_floats<float>(got, expected, [](float v) { return static_cast<double>(v); });
    case DType::kF16: return compare_floats<uint16_t>(got, expected, f16_value);
    case DType::kI32: return compare_floats<int32_t>(got, expected, [](int32_t v) { return static_cast<double>(v); });
    case DType::kQ8A: return compare_act_blocks(got, expected);
    default: fail(ErrorCode::kInternal, "[compare] cannot compare {}", dtype_name(dtype));
  }
}

}  // namespace

std::optional<std::string> difference(DType dtype, std::span<const std::byte> got,
                                      std::span<const std::byte> expected) {
  if (got.size() != expected.size()) return fmt::format("got {} bytes, expected {}", got.size(), expected.size());
  const Worst worst = compare(dtype, got, expected);
  if (worst.n_differing == 0) return std::nullopt;
  return fmt::format("{} of {} differ; worst at {}: {}", worst.n_differing, worst.n, worst.index, worst.values);
}

}  // namespace minfer::ops_test
