// The backends of this build, whichever they are, and what disabling does to them.
#include "builtin/registry.h"

#include <gtest/gtest.h>

namespace minfer::builtin {
namespace {

std::vector<Backend> all_known() {
  std::vector<Backend> backends;
  for (const BackendInfo& info : known_backends()) backends.push_back(info.backend);
  return backends;
}

TEST(BuiltinRegistry, HoldsTheCpuEvenWhenEverythingIsDisabled) {
  for (const Registry& registry : {make_registry({}), make_registry(all_known())}) {
    const BackendEntry* cpu = registry.find(kBackendCpu);
    ASSERT_NE(cpu, nullptr);
    EXPECT_EQ(cpu->unavailable(), std::nullopt);
  }
}

TEST(BuiltinRegistry, HoldsOnlyKnownBackendsWithTheirPriorities) {
  const Registry registry = make_registry({});
  for (const BackendEntry& entry : registry.by_identity()) {
    ASSERT_LT(entry.backend.id(), known_backends().size());
    EXPECT_EQ(entry.priority, known_backends()[entry.backend.id()].priority) << entry.backend.name();
  }
}

TEST(BuiltinRegistry, KeepsDisabledBackendsAndSaysWhyTheyAreNotOffered) {
  const Registry all = make_registry({});
  const Registry none = make_registry(all_known());
  ASSERT_EQ(none.by_identity().size(), all.by_identity().size());
  for (const BackendEntry& entry : none.by_identity()) {
    if (entry.backend == kBackendCpu) continue;
    EXPECT_EQ(entry.unavailable(), known_backends()[entry.backend.id()].not_available) << entry.backend.name();
  }
}

}  // namespace
}  // namespace minfer::builtin
