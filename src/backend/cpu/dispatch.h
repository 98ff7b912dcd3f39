// Chooses the kernels for this machine: the best instruction set first, holes filled by the next.
#pragma once

#include <string>
#include <vector>

#include "backend/cpu/kernels/kernels.h"

namespace minfer::cpu {

// An instruction set whose kernels this build contains.
struct IsaChoice {
  std::string name;        // "scalar"
  bool available = false;  // the CPU and the operating system offer it
  // Its kernels, holes filled by the next set; run only where it is available. Lives as long as the program.
  const KernelTable* kernels = nullptr;
};

// All sets in this build, best first.
std::vector<IsaChoice> isa_choices();

// The kernels that this machine runs. Built once; lives as long as the program.
const KernelTable& select_kernels();

}  // namespace minfer::cpu
