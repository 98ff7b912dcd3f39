// A cancel is honoured inside long nodes: what still runs after the flag is set is counted in tiles, not in time.
#include <gtest/gtest.h>

#include <atomic>

#include "backend/cpu/cpu_device.h"
#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

// A kernel is a plain function: what it counts lies here.
std::atomic<bool> cancel{false};
std::atomic<int64_t> n_calls{0};
std::atomic<int64_t> n_late{0};      // calls that began with the flag set
std::atomic<int64_t> cancel_at{-1};  // the call that sets the flag

void count_call() {
  if (cancel) ++n_late;
  if (n_calls++ == cancel_at) cancel = true;
}

// Stands for the scalar kernel that kFind gives.
template <auto kFind, typename... Args>
void counted(Args... args) {
  count_call();
  kFind(cpu::scalar_kernels()).run(args...);
}

template <auto kFind, typename... Args>
void replace(cpu::Kernel<void(Args...)>& kernel) {
  kernel.run = counted<kFind, Args...>;
}

template <auto kFind>
void count(cpu::KernelTable& table) {
  replace<kFind>(kFind(table));
}

constexpr auto kQ5K = [](auto& table) -> auto& {
  return table.matmul[cpu::dtype_index(DType::kQ5_K)];
};
constexpr auto kQ6K = [](auto& table) -> auto& {
  return table.matmul[cpu::dtype_index(DType::kQ6_K)];
};
constexpr auto kSpan = [](auto& table) -> auto& {
  return table.attention_span;
};

const cpu::KernelTable& counted_kernels() {
  static const cpu::KernelTable table = [] {
    cpu::KernelTable kernels = cpu::scalar_kernels();
    count<kQ5K>(kernels);
    count<kQ6K>(kernels);
    count<kSpan>(kernels);
    return kernels;
  }();
  return table;
}

BackendEntry counted_entry() {
  BackendEntry entry = cpu::cpu_backend_entry();
  entry.open_devices = [](const DeviceContext& context) {
    std::vector<std::unique_ptr<Device>> devices;
    devices.push_back(
        std::make_unique<cpu::CpuDevice>(context, cpu::IsaChoice{"counted", true, &counted_kernels()}, false));
    return devices;
  };
  return entry;
}

class Cancel : public testing::TestWithParam<int> {
 protected:
  Cancel() : golden_(golden_case("llama-q5_k")) { reset(-1); }

  EngineOptions options() const {
    EngineOptions options = golden_options(golden_);
    options.registry = Registry();
    options.registry.add(counted_entry());
    options.n_threads = GetParam();
    options.chunk_rows = 512;
    return options;
  }

  static void reset(int64_t at) {
    cancel = false;
    n_calls = n_late = 0;
    cancel_at = at;
  }

  GoldenCase golden_;
};

TEST_P(Cancel, IsSeenBeforeTheNextTileOfEveryThread) {
  Engine engine(options());
  const int64_t n_threads = engine.options().n_threads;
  const SequenceId id = engine.create_sequence();
  std::vector<StepRow> rows(256, StepRow{id, 1, false});
  const LogitsSink ignore = [](size_t, std::span<const float>) {};
  engine.step(rows, ignore, &cancel);
  const int64_t all = n_calls;
  ASSERT_GT(all, 80);
  for (int64_t at = 0; at < all; at += all / 8) {
    engine.truncate(id, 0);
    reset(at);
    EXPECT_EQ(refusal([&] { engine.step(rows, ignore, &cancel); }).substr(0, 9), "cancelled") << "tile " << at;
    // Another thread may have looked at the flag just before it was set, and then runs the one tile: two calls where
    // gate and up are one node.
    EXPECT_LE(n_late.load(), 2 * n_threads - 1) << "tile " << at << " of " << all;
    EXPECT_EQ(engine.length(id), 0);
  }
}

// What was finished stays; what follows has the bytes of a run that nobody cancelled.
TEST_P(Cancel, KeepsFinishedChunksAndTheRestIsExact) {
  EngineOptions options = this->options();
  options.chunk_rows = 16;
  Engine engine(options);
  const std::span<const TokenId> tokens = golden_.tokens;
  const std::vector<float> expected = run_alone(engine, tokens);
  const int64_t all = n_calls;
  const SequenceId id = engine.create_sequence();
  std::vector<StepRow> rows;
  for (TokenId token : tokens) rows.push_back({id, token, true});
  for (const int64_t at : {all / 3, all * 2 / 3, all - 1}) {
    engine.truncate(id, 0);
    reset(at);
    std::vector<float> logits;
    const LogitsSink collect = [&](size_t, std::span<const float> row) {
      logits.insert(logits.end(), row.begin(), row.end());
    };
    EXPECT_EQ(refusal([&] { engine.step(rows, collect, &cancel); }).substr(0, 9), "cancelled");
    const auto kept = static_cast<size_t>(engine.length(id));
    EXPECT_GT(kept, 0U);
    EXPECT_EQ(kept % 16, 0U);
    ASSERT_GE(logits.size(), kept * golden_.n_vocab);
    logits.resize(kept * golden_.n_vocab);
    reset(-1);
    const std::vector<float> rest = append(engine, id, tokens.subspan(kept));
    logits.insert(logits.end(), rest.begin(), rest.end());
    EXPECT_EQ(logits, expected) << "cancelled at tile " << at;
  }
}

INSTANTIATE_TEST_SUITE_P(Threads, Cancel, testing::Values(1, 2, 5));

}  // namespace
}  // namespace minfer::test
