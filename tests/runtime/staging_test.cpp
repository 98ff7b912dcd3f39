#include "runtime/staging.h"

#include <gtest/gtest.h>

#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

// A value of four floats on each device, and a Staging between them.
struct Copies {
  explicit Copies(std::vector<TestDeviceOptions> options, bool sync = false)
      : rig(std::move(options)), staging(rig.devices, rig.ledger, sync) {
    for (DeviceId id = 0; id < rig.devices.size(); ++id) {
      buffers.push_back(rig.devices.device(id).allocate(16, MemoryTag::kActivations, "value"));
      const std::vector<float> values{static_cast<float>(id), 1.5F, -2.0F, 4.0F};
      rig.devices.device(id).write({buffers.back().get(), 0, 16}, bytes_of(values));
    }
  }
  ~Copies() {
    for (TestDevice* device : rig.test) device->synchronize();
  }

  CrossSource from(DeviceId id) { return {id, {buffers[static_cast<size_t>(id)].get(), 0, 16}, 16, "hidden"}; }

  std::vector<float> values_at(const CrossKey& key) {
    std::vector<float> values(4);
    rig.devices.device(key.destination)
        .read(staging.cross_input(key), std::as_writable_bytes(std::span<float>(values)));
    return values;
  }

  Rig rig;
  std::vector<std::unique_ptr<DeviceBuffer>> buffers;
  Staging staging;
};

TestDeviceOptions slow() {
  TestDeviceOptions options;
  options.max_delay_us = 300;
  return options;
}

const CrossKey kToCpu{1, 5, 0};
const CrossKey kToFirst{1, 5, 1};
const CrossKey kToSecond{1, 5, 2};

TEST(Staging, CountsATransferToTheHost) {
  Copies c({slow()});
  c.staging.copy_across(kToCpu, c.from(1));
  EXPECT_EQ(c.staging.stats(), (CopyStats{.copies = 1, .async_host_copies = 1}));
  c.staging.await_cross(kToCpu);
  EXPECT_EQ(c.staging.stats(),
            (CopyStats{.copies = 1, .waits = 1, .deferred_waits = 1, .async_host_copies = 1, .event_syncs = 1}));
  EXPECT_EQ(c.values_at(kToCpu), (std::vector<float>{1, 1.5F, -2, 4}));
}

TEST(Staging, NeverBlocksOnATransferFromTheHost) {
  Copies c({slow()});
  c.staging.copy_across(kToFirst, c.from(0));
  c.staging.await_cross(kToFirst);
  EXPECT_EQ(c.staging.stats(), (CopyStats{.copies = 1, .waits = 1, .deferred_waits = 1}));
  EXPECT_EQ(c.values_at(kToFirst), (std::vector<float>{0, 1.5F, -2, 4}));
}

TEST(Staging, LetsStreamsWaitForEachOther) {
  Copies c({slow(), slow()});
  c.staging.copy_across(kToSecond, c.from(1));
  c.staging.await_cross(kToSecond);
  EXPECT_EQ(c.staging.stats(), (CopyStats{.copies = 1, .waits = 1, .deferred_waits = 1, .stream_waits = 1}));
  EXPECT_EQ(c.values_at(kToSecond), (std::vector<float>{1, 1.5F, -2, 4}));
}

TEST(Staging, TakesARepeatedRequestForTheSameTransfer) {
  Copies c({slow()});
  c.staging.copy_across(kToCpu, c.from(1));
  c.staging.copy_across(kToCpu, c.from(1));
  EXPECT_EQ(c.staging.stats().copies, 1);
  EXPECT_EQ(c.staging.stats().async_host_copies, 1);
  c.staging.await_cross(kToCpu);
  c.staging.copy_across(kToCpu, c.from(1));  // the next step
  EXPECT_EQ(c.staging.stats().copies, 2);
  EXPECT_EQ(c.staging.n_allocations(), 1);
  c.staging.drain();
}

TEST(Staging, RefusesToReadWhatIsInFlight) {
  Copies c({slow()});
  c.staging.copy_across(kToCpu, c.from(1));
  EXPECT_EQ(error_of([&] { c.staging.cross_input(kToCpu); }),
            "internal: [staging] 'hidden' is read on cpu while its copy is in flight: await_cross is missing");
  c.staging.await_cross(kToCpu);
  EXPECT_EQ(c.staging.cross_input(kToCpu).size_bytes, 16);
}

TEST(Staging, RefusesToReadWhatWasNeverCopied) {
  Copies c({slow()});
  EXPECT_NE(error_of([&] { c.staging.cross_input(kToCpu); }).find("was never copied to cpu"), std::string::npos);
}

TEST(Staging, RefusesASecondWait) {
  Copies c({slow()});
  c.staging.copy_across(kToCpu, c.from(1));
  c.staging.await_cross(kToCpu);
  EXPECT_NE(error_of([&] { c.staging.await_cross(kToCpu); }).find("one wait per copy"), std::string::npos);
  EXPECT_EQ(c.staging.stats().waits, 1);
}

TEST(Staging, DrainsWhatNobodyReads) {
  Copies c({slow(), slow()});
  c.staging.copy_across(kToCpu, c.from(1));
  c.staging.copy_across(kToSecond, c.from(1));
  c.staging.drain();
  EXPECT_EQ(
      c.staging.stats(),
      (CopyStats{
          .copies = 2, .waits = 2, .deferred_waits = 2, .async_host_copies = 1, .event_syncs = 1, .stream_waits = 1}));
  EXPECT_FALSE(c.staging.is_pending(kToCpu));
  EXPECT_EQ(c.values_at(kToCpu), (std::vector<float>{1, 1.5F, -2, 4}));
}

TEST(Staging, GoesThroughTheHostWhenTheSourceDeclines) {
  TestDeviceOptions declining = slow();
  declining.declines_copies = true;
  Copies c({declining, slow()});
  c.staging.copy_across(kToCpu, c.from(1));
  c.staging.copy_across(kToSecond, c.from(1));
  EXPECT_EQ(c.staging.stats(), (CopyStats{.copies = 2, .blocking_host_copies = 2}));
  EXPECT_NE(error_of([&] { c.staging.cross_input(kToCpu); }), "");  // the wait is due all the same
  c.staging.drain();
  EXPECT_EQ(c.values_at(kToCpu), (std::vector<float>{1, 1.5F, -2, 4}));
  EXPECT_EQ(c.values_at(kToSecond), (std::vector<float>{1, 1.5F, -2, 4}));
  EXPECT_EQ(c.staging.stats().waits, 2);
}

TEST(Staging, CountsBlockingCopiesInSynchronousMode) {
  Copies c({slow()}, true);
  c.staging.copy_across(kToFirst, c.from(0));
  c.staging.copy_across(kToCpu, c.from(1));
  c.staging.drain();
  EXPECT_EQ(c.staging.stats(), (CopyStats{.copies = 2, .waits = 2, .deferred_waits = 2, .blocking_host_copies = 1}));
  EXPECT_EQ(c.values_at(kToCpu), (std::vector<float>{1, 1.5F, -2, 4}));
}

TEST(Staging, ForgetsTheBuffersOfOneGraph) {
  Copies c({slow()});
  const CrossKey other{2, 5, 0};
  c.staging.copy_across(kToCpu, c.from(1));
  EXPECT_NE(error_of([&] { c.staging.forget(1); }).find("in flight"), std::string::npos);
  c.staging.copy_across(other, c.from(1));
  c.staging.drain();
  EXPECT_EQ(c.staging.size_bytes(), 32);
  c.staging.forget(1);
  EXPECT_EQ(c.staging.size_bytes(), 16);
  EXPECT_EQ(c.staging.cross_input(other).size_bytes, 16);
}

TEST(Staging, ForgetsAfterAFailureWhatWasInFlight) {
  TestDeviceOptions failing = slow();
  failing.fault = Fault::kCopiesFail;
  Copies c({failing});
  c.staging.copy_across(kToCpu, c.from(1));
  EXPECT_NE(error_of([&] { c.staging.await_cross(kToCpu); }).find("a copy failed"), std::string::npos);
  EXPECT_TRUE(c.staging.is_pending(kToCpu));
  EXPECT_NE(error_of([&] { c.rig.test[0]->synchronize(); }), "");
  c.staging.abandon();
  EXPECT_FALSE(c.staging.is_pending(kToCpu));
  c.staging.drain();
  EXPECT_EQ(c.staging.stats().waits, 0);
  c.rig.test[0]->options().fault = Fault::kNone;
  c.staging.copy_across(kToCpu, c.from(1));
  c.staging.drain();
  EXPECT_EQ(c.values_at(kToCpu), (std::vector<float>{1, 1.5F, -2, 4}));
}

}  // namespace
}  // namespace minfer::test
