// The gates of the registry: pinned ids and priorities, names, the two orders, the packed-KV capability.
#include "backend/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/backend/test_registry.h"

namespace minfer {
namespace {

std::vector<int> priority_order(const Registry& registry) {
  std::vector<int> ids;
  for (const BackendEntry* entry : registry.by_priority()) ids.push_back(entry->backend.id());
  return ids;
}

std::vector<int> identity_order(const Registry& registry) {
  std::vector<int> ids;
  for (const BackendEntry& entry : registry.by_identity()) ids.push_back(entry.backend.id());
  return ids;
}

TEST(Registry, IdsNamesAndPrioritiesArePinned) {
  const auto known = known_backends();
  ASSERT_EQ(known.size(), 3u);
  EXPECT_EQ(known[0].backend.id(), 0);
  EXPECT_EQ(known[0].name, "cpu");
  EXPECT_EQ(known[0].printed_name, "CPU");
  EXPECT_EQ(known[0].priority, 100);
  EXPECT_EQ(known[1].backend.id(), 1);
  EXPECT_EQ(known[1].name, "metal");
  EXPECT_EQ(known[1].printed_name, "Metal");
  EXPECT_EQ(known[1].priority, 300);
  EXPECT_EQ(known[2].backend.id(), 2);
  EXPECT_EQ(known[2].name, "cuda");
  EXPECT_EQ(known[2].printed_name, "Cuda");
  EXPECT_EQ(known[2].priority, 200);
  EXPECT_EQ(kBackendCpu, Backend(0));
  EXPECT_EQ(kBackendMetal, Backend(1));
  EXPECT_EQ(kBackendCuda, Backend(2));
}

TEST(Registry, NamesResolveWhateverTheBuildContains) {
  EXPECT_EQ(backend_from_name("cpu"), Backend(0));
  EXPECT_EQ(backend_from_name("metal"), Backend(1));
  EXPECT_EQ(backend_from_name("cuda"), Backend(2));
  EXPECT_EQ(backend_from_name("CUDA"), Backend(2));
  EXPECT_EQ(backend_from_name(" \tMetal\r\n"), Backend(1));
  for (const char* name : {"", " ", "gpu2", "cud", "cudaa", "cu da", "0", "cpu,metal", "backend0"}) {
    EXPECT_EQ(backend_from_name(name), std::nullopt) << name;
  }
  EXPECT_EQ(backend_from_name(std::string("cpu\0", 4)), std::nullopt);
}

TEST(Registry, BackendsPrintTheirNames) {
  EXPECT_EQ(kBackendCuda.name(), "cuda");
  EXPECT_EQ(kBackendCuda.printed_name(), "Cuda");
  EXPECT_EQ(Backend(7).name(), "backend7");
  EXPECT_EQ(Backend(7).printed_name(), "Backend7");
}

TEST(Registry, IdentityOrderIsTheIdAndPriorityOrderIsNot) {
  EXPECT_LT(kBackendCpu, kBackendMetal);
  EXPECT_LT(kBackendMetal, kBackendCuda);
  const Registry all = registry_of({kBackendCpu, kBackendMetal, kBackendCuda});
  EXPECT_EQ(identity_order(all), (std::vector<int>{0, 1, 2}));
  EXPECT_EQ(priority_order(all), (std::vector<int>{1, 2, 0}));
}

TEST(Registry, EveryConfigurationHasItsSetAndOrder) {
  const Registry plain = registry_of({kBackendCpu});
  EXPECT_EQ(identity_order(plain), (std::vector<int>{0}));
  EXPECT_EQ(priority_order(plain), (std::vector<int>{0}));
  const Registry cuda = registry_of({kBackendCpu, kBackendCuda});
  EXPECT_EQ(identity_order(cuda), (std::vector<int>{0, 2}));
  EXPECT_EQ(priority_order(cuda), (std::vector<int>{2, 0}));
  const Registry metal = registry_of({kBackendCpu, kBackendMetal});
  EXPECT_EQ(identity_order(metal), (std::vector<int>{0, 1}));
  EXPECT_EQ(priority_order(metal), (std::vector<int>{1, 0}));
}

TEST(Registry, OrdersDoNotDependOnTheOrderOfRegistration) {
  std::vector<int> ids = {0, 1, 2, 7, 9};
  do {
    Registry registry;
    for (int id : ids) {
      BackendEntry entry = entry_of(Backend(static_cast<uint16_t>(id)));
      if (id > 2) entry.priority = 200;  // ties with cuda: the id decides
      registry.add(std::move(entry));
    }
    ASSERT_EQ(identity_order(registry), (std::vector<int>{0, 1, 2, 7, 9}));
    ASSERT_EQ(priority_order(registry), (std::vector<int>{1, 2, 7, 9, 0}));
  } while (std::next_permutation(ids.begin(), ids.end()));
}

TEST(Registry, FindsWhatIsRegisteredAndNothingElse) {
  const Registry registry = registry_of({kBackendCpu, Backend(7)});
  ASSERT_NE(registry.find(Backend(7)), nullptr);
  EXPECT_EQ(registry.find(Backend(7))->backend, Backend(7));
  EXPECT_EQ(registry.find(kBackendCuda), nullptr);
  EXPECT_EQ(Registry().find(kBackendCpu), nullptr);
}

TEST(Registry, RefusesABackendTwice) {
  Registry registry = registry_of({kBackendCpu});
  try {
    registry.add(entry_of(kBackendCpu));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kInternal);
    EXPECT_STREQ(error.what(), "[registry] backend 'cpu' is registered twice");
  }
  EXPECT_EQ(registry.by_identity().size(), 1u);
}

TEST(Registry, PackedKvIsTheEntrysAnswer) {
  Registry registry = registry_of({kBackendCpu});
  BackendEntry packed = entry_of(Backend(7));
  packed.reads_packed_kv = true;
  registry.add(std::move(packed));
  for (DType plain : {DType::kF16, DType::kF32}) {
    EXPECT_TRUE(registry.supports_kv_format(kBackendCpu, plain));
    EXPECT_TRUE(registry.supports_kv_format(Backend(7), plain));
  }
  EXPECT_FALSE(registry.supports_kv_format(kBackendCpu, DType::kQ8_0));
  EXPECT_TRUE(registry.supports_kv_format(Backend(7), DType::kQ8_0));
  EXPECT_FALSE(registry.supports_kv_format(kBackendCuda, DType::kF32)) << "this registry does not contain it";
}

TEST(Registry, EntryIsAvailableUnlessItSaysWhyNot) {
  EXPECT_EQ(BackendEntry().unavailable(), std::nullopt);
}

TEST(Reason, EveryReasonHasItsOwnCode) {
  EXPECT_EQ(reason_code(Reason::kTakes), "takes");
  EXPECT_EQ(reason_code(Reason::kOp), "op");
  EXPECT_EQ(reason_code(Reason::kType), "type");
  EXPECT_EQ(reason_code(Reason::kShape), "shape");
  EXPECT_EQ(reason_code(Reason::kFence), "fence");
  EXPECT_EQ(reason_code(Reason::kOffloadPlan), "offload_plan");
  EXPECT_EQ(reason_code(Reason::kMemory), "memory");
  EXPECT_EQ(reason_code(Reason::kNotAvailable), "not_available");
  EXPECT_EQ(reason_code(Reason::kWeight), "weight");
  EXPECT_EQ(reason_code(Reason::kKvElsewhere), "kv_elsewhere");
  EXPECT_TRUE(Support{}.takes());
  EXPECT_FALSE((Support{Reason::kFence, "left out"}).takes());
}

}  // namespace
}  // namespace minfer
