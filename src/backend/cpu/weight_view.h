// A registered weight in host memory, and the form in which its rows lie there.
#pragma once

#include <cstddef>

namespace minfer::cpu {

enum class WeightLayout {
  kRaw,          // rows as in the file, one behind the other
  kInterleaved,  // panels of sixteen rows (interleave.h)
};

struct WeightView {
  const std::byte* data = nullptr;  // null: not registered
  WeightLayout layout = WeightLayout::kRaw;
};

}  // namespace minfer::cpu
