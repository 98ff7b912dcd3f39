#include "backend/cpu/dispatch.h"

namespace minfer::cpu {

std::vector<IsaChoice> isa_choices() {
  return {{"scalar", true}};
}

const KernelTable& select_kernels() {
  return scalar_kernels();
}

}  // namespace minfer::cpu
