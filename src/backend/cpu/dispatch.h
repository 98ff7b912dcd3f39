// Chooses the kernels for this machine: the best instruction set first, holes filled by the scalar one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "backend/cpu/kernels/kernels.h"

namespace minfer::cpu {

// An instruction set whose kernels this build contains.
struct IsaChoice {
  std::string name;        // "avx2"
  bool available = false;  // the CPU and the operating system offer it
  // Its kernels, holes filled by the scalar set; run only where it is available. Lives as long as the program.
  const KernelTable* kernels = nullptr;
};

// All sets in this build, best first; the last is "scalar".
std::vector<IsaChoice> isa_choices();

// The set of that name, or for "auto" the best that this machine has. kInvalidArgument, listing the names that are
// possible, when this build or this machine does not have it.
IsaChoice select_isa(std::string_view name);

}  // namespace minfer::cpu
