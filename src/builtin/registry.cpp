#include "builtin/registry.h"

#include "backend/cpu/cpu_device.h"

namespace minfer::builtin {

// CUDA and Metal are known names that no build contains yet; their entries read `disabled` when they come.
Registry make_registry(const DisabledBackends&) {
  Registry registry;
  registry.add(cpu::cpu_backend_entry());
  return registry;
}

}  // namespace minfer::builtin
