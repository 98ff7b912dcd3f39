// Names for what general.file_type states: the recipe by which a file's tensors were given their types.
#pragma once

#include <cstdint>
#include <string_view>

namespace minfer {

// "Q4_K_M" for 15; "" for a number without a known name.
std::string_view file_type_name(uint64_t number);

}  // namespace minfer
