#include "tests/ops/subjects.h"

#include <fmt/format.h>

#include "backend/cpu/cpu_device.h"
#include "backend/cpu/dispatch.h"
#include "builtin/registry.h"

namespace minfer::ops_test {
namespace {

constexpr int kMaxThreads = 3;

struct Lent {
  MemoryLedger ledger;
  std::vector<std::unique_ptr<ThreadPool>> pools;  // [threads - 1]

  Lent() {
    for (int n = 1; n <= kMaxThreads; ++n) pools.push_back(std::make_unique<ThreadPool>(n));
  }

  DeviceContext with_threads(int n) { return {*pools[static_cast<size_t>(n - 1)], ledger}; }
};

Lent& lent() {
  static Lent instance;
  return instance;
}

}  // namespace

std::vector<Subject> open_subjects() {
  std::vector<Subject> subjects;
  const Registry offered = builtin::make_registry({});
  for (const BackendEntry& entry : offered.by_identity()) {
    if (entry.unavailable()) continue;
    for (std::unique_ptr<Device>& device : entry.open_devices(lent().with_threads(2))) {
      std::string name = device->name();
      subjects.push_back({std::move(name), std::move(device)});
    }
  }
  for (const cpu::IsaChoice& isa : cpu::isa_choices()) {
    if (!isa.available) continue;
    for (int n = 1; n <= kMaxThreads; ++n) {
      subjects.push_back({fmt::format("cpu {}, {} threads", isa.name, n),
                          std::make_unique<cpu::CpuDevice>(lent().with_threads(n), isa, true)});
    }
    subjects.push_back({fmt::format("cpu {}, weights as in the file", isa.name),
                        std::make_unique<cpu::CpuDevice>(lent().with_threads(2), isa, false)});
  }
  return subjects;
}

}  // namespace minfer::ops_test
