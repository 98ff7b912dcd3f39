#include "runtime/device_set.h"

#include <gtest/gtest.h>

#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

TEST(DeviceSet, NumbersDevicesInIdentityOrderAndAsksThemByPriority) {
  Rig rig({anything(), anything()});
  ASSERT_EQ(rig.devices.size(), 3);
  EXPECT_EQ(rig.devices.device(0).name(), "cpu");
  EXPECT_EQ(rig.devices.device(1).name(), "test:0");
  EXPECT_EQ(rig.devices.device(2).name(), "test:1");
  ASSERT_EQ(rig.devices.asked().size(), 3u);
  EXPECT_EQ(rig.devices.asked()[0].id, 1);
  EXPECT_EQ(rig.devices.asked()[1].id, 2);
  EXPECT_EQ(rig.devices.asked()[2].id, 0);
}

TEST(DeviceSet, BreaksTiesOfPriorityById) {
  MemoryLedger ledger;
  ThreadPool pool(1);
  Registry registry;
  TestDeviceOptions high;
  high.backend = Backend(102);
  high.ordinal = 2;
  registry.add(test_backend_entry({high}, 100));
  registry.add(cpu::cpu_backend_entry());  // priority 100 as well
  registry.add(test_backend_entry({anything()}, 100));
  const DeviceSet devices = DeviceSet::open(registry, {}, {pool, ledger});
  EXPECT_EQ(devices.asked()[0].name, "cpu");
  EXPECT_EQ(devices.asked()[1].name, "test:0");
  EXPECT_EQ(devices.asked()[2].name, "test:2");
}

TEST(DeviceSet, KeepsFencedAndUnavailableBackendsWithTheirReasons) {
  MemoryLedger ledger;
  ThreadPool pool(1);
  Registry registry;
  registry.add(cpu::cpu_backend_entry());
  registry.add(test_backend_entry({anything()}, 500));
  TestDeviceOptions other;
  other.backend = Backend(101);
  BackendEntry absent = test_backend_entry({other}, 600);
  absent.unavailable = [] { return std::optional<std::string>("unplugged"); };
  registry.add(absent);
  const BackendFilter fence = BackendFilter::resolve({"backend101"}, registry);
  const DeviceSet devices = DeviceSet::open(registry, fence, {pool, ledger});
  EXPECT_EQ(devices.size(), 1);
  ASSERT_EQ(devices.asked().size(), 3u);
  EXPECT_EQ(devices.asked()[0].name, "backend101");
  EXPECT_EQ(devices.asked()[0].id, kNone);
  EXPECT_EQ(devices.asked()[0].kept_out.reason, Reason::kNotAvailable);
  EXPECT_EQ(devices.asked()[0].kept_out.detail, "unplugged");
  EXPECT_EQ(devices.asked()[1].name, "backend100");
  EXPECT_EQ(devices.asked()[1].kept_out.reason, Reason::kFence);
  EXPECT_TRUE(devices.asked()[2].kept_out.takes());
}

TEST(DeviceSet, NeedsTheCpu) {
  MemoryLedger ledger;
  ThreadPool pool(1);
  Registry registry;
  registry.add(test_backend_entry({anything()}, 500));
  EXPECT_NE(error_of([&] { DeviceSet::open(registry, {}, {pool, ledger}); }).find("no CPU"), std::string::npos);
}

TEST(DeviceSet, RefusesIndexesThatItDoesNotHave) {
  Rig rig(std::vector<TestDeviceOptions>{});
  EXPECT_THROW(rig.devices.device(1), Error);
  EXPECT_THROW(rig.devices.device(-1), Error);
}

}  // namespace
}  // namespace minfer::test
