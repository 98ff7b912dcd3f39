#include "backend/cpu/dispatch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/cpu_info.h"
#include "base/error.h"

namespace minfer::cpu {

// kernels/simd/table.cpp, compiled once per set.
#define MINFER_SIMD_ISA(name, family, needs) \
  namespace name {                           \
  const KernelTable& kernels();              \
  }
#include "backend/cpu/kernels/isa_list.inc"
#undef MINFER_SIMD_ISA

std::vector<IsaChoice> isa_choices() {
  [[maybe_unused]] const CpuFeatures f = detect_cpu_features();
  return {
#define MINFER_SIMD_ISA(name, family, needs) {#name, needs, &name::kernels()},
#include "backend/cpu/kernels/isa_list.inc"
#undef MINFER_SIMD_ISA
      {"scalar", true, &scalar_kernels()}};
}

IsaChoice select_isa(std::string_view name) {
  std::vector<std::string> possible;
  for (const IsaChoice& choice : isa_choices()) {
    if (!choice.available) continue;
    if (name == "auto" || name == choice.name) return choice;
    possible.push_back(choice.name);
  }
  fail(ErrorCode::kInvalidArgument, "[cpu] instruction set '{}' is not available here: expected auto, {}",
       printable(name), fmt::join(possible, ", "));
}

}  // namespace minfer::cpu
