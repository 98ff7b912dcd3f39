#include "backend/cpu/dispatch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "base/cpu_info.h"
#include "base/error.h"

namespace minfer::cpu {

// kernels/simd/table.cpp, compiled once per set.
#define MINFER_SIMD_ISA(name, family, rank, needs) \
  namespace name {                                 \
  const KernelTable& kernels();                    \
  }
#include "backend/cpu/kernels/isa_list.inc"
#undef MINFER_SIMD_ISA

std::vector<IsaChoice> isa_choices() {
  struct Ranked {
    int rank;
    IsaChoice choice;
  };
  [[maybe_unused]] const CpuFeatures f = detect_cpu_features();
  std::vector<Ranked> sets = {
#define MINFER_SIMD_ISA(name, family, rank, needs) {rank, {#name, needs, &name::kernels()}},
#include "backend/cpu/kernels/isa_list.inc"
#undef MINFER_SIMD_ISA
      {0, {"scalar", true, &scalar_kernels()}}};
  std::ranges::sort(sets, std::greater(), &Ranked::rank);
  std::vector<IsaChoice> choices;
  for (Ranked& set : sets) choices.push_back(std::move(set.choice));
  return choices;
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
