#include "model/arch.h"

#include <fmt/format.h>

#include <string>

#include "base/error.h"

namespace minfer {
namespace {

using ArchitectureGetter = const Architecture& (*)();

constexpr ArchitectureGetter kArchitectures[] = {
#define MINFER_ARCH(name) arch_##name,
#include "model/arch_list.inc"
#undef MINFER_ARCH
};

}  // namespace

const Architecture& find_architecture(std::string_view name) {
  std::vector<std::string_view> known;
  for (ArchitectureGetter get : kArchitectures) {
    if (get().name == name) return get();
    known.push_back(get().name);
  }
  fail(ErrorCode::kUnsupported, "Unsupported architecture: '{}' (this build runs: {})", printable(name),
       fmt::join(known, ", "));
}

}  // namespace minfer
