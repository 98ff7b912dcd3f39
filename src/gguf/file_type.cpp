#include "gguf/file_type.h"

#include <iterator>

namespace minfer {
namespace {

// [number]; "" where a number is not in use any more.
constexpr std::string_view kNames[] = {
    "F32",    "F16",    "Q4_0",   "Q4_1",    "",       "",       "",       "Q8_0",   "Q5_0",  "Q5_1",
    "Q2_K",   "Q3_K_S", "Q3_K_M", "Q3_K_L",  "Q4_K_S", "Q4_K_M", "Q5_K_S", "Q5_K_M", "Q6_K",  "IQ2_XXS",
    "IQ2_XS", "Q2_K_S", "IQ3_XS", "IQ3_XXS", "IQ1_S",  "IQ4_NL", "IQ3_S",  "IQ3_M",  "IQ2_S", "IQ2_M",
    "IQ4_XS", "IQ1_M",  "BF16",   "",        "",       "",       "TQ1_0",  "TQ2_0",  "MXFP4",
};

}  // namespace

std::string_view file_type_name(uint64_t number) {
  return number < std::size(kNames) ? kNames[number] : std::string_view();
}

}  // namespace minfer
