// The sixteen values that four bits stand for in IQ4_NL and IQ4_XS: denser near zero than a uniform grid.
#pragma once

#include <cstdint>

namespace minfer {

inline constexpr int8_t kIq4Table[16] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};

}  // namespace minfer
