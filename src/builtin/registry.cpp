#include "builtin/registry.h"

#include <algorithm>

// CMakeLists.txt defines MINFER_COMPILED_BACKENDS: MINFER_DEVICE(name) for each device of this build. The folder
// backend/<name>/ defines <name>_backend_entry().
#define MINFER_DEVICE(name)                                        \
  namespace minfer::name {                                         \
  BackendEntry name##_backend_entry(const DeviceOptions& options); \
  }
MINFER_COMPILED_BACKENDS
#undef MINFER_DEVICE

namespace minfer::builtin {
namespace {

void add(Registry& registry, BackendEntry entry, const std::vector<Backend>& disabled) {
  if (entry.backend != kBackendCpu && std::ranges::find(disabled, entry.backend) != disabled.end()) {
    const std::string why(known_backends()[entry.backend.id()].not_available);
    entry.unavailable = [why] { return why; };
  }
  registry.add(std::move(entry));
}

}  // namespace

Registry make_registry(const std::vector<Backend>& disabled, const DeviceOptions& options) {
  Registry registry;
#define MINFER_DEVICE(name) add(registry, name::name##_backend_entry(options), disabled);
  MINFER_COMPILED_BACKENDS
#undef MINFER_DEVICE
  return registry;
}

}  // namespace minfer::builtin
