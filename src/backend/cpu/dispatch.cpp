#include "backend/cpu/dispatch.h"

namespace minfer::cpu {

std::vector<IsaChoice> isa_choices() {
  return {{"scalar", true, &scalar_kernels()}};
}

const KernelTable& select_kernels() {
  return scalar_kernels();
}

}  // namespace minfer::cpu
