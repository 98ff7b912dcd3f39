// The CPU and some test devices, opened as an engine would open them; and bytes of small matrices.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "backend/cpu/cpu_device.h"
#include "base/error.h"
#include "runtime/executor.h"
#include "tests/support/test_device.h"

namespace minfer::test {

// Test devices are asked before the CPU, in their order.
struct Rig {
  explicit Rig(std::vector<TestDeviceOptions> options, const std::vector<std::string>& requested = {})
      : registry(make_registry(options, &test)),
        devices(DeviceSet::open(registry, BackendFilter::resolve(requested, registry), {pool, ledger})) {}

  static Registry make_registry(std::vector<TestDeviceOptions>& options, std::vector<TestDevice*>* opened) {
    Registry registry;
    registry.add(cpu::cpu_backend_entry());
    for (size_t i = 0; i < options.size(); ++i) options[i].ordinal = static_cast<int>(i);
    if (!options.empty()) registry.add(test_backend_entry(options, 500, opened));
    return registry;
  }

  Executor executor(bool sync = false) { return Executor(devices, ledger, {sync, nullptr}); }

  ThreadPool pool{2};
  MemoryLedger ledger;
  std::vector<TestDevice*> test;  // [ordinal]; DeviceId is one more
  Registry registry;
  DeviceSet devices;
};

inline TestDeviceOptions anything() {
  return {};
}

inline TestDeviceOptions taking(std::function<bool(const Node&)> takes) {
  TestDeviceOptions options;
  options.takes = std::move(takes);
  return options;
}

inline TestDeviceOptions taking_op(OpId op) {
  return taking([op](const Node& node) { return node.op == op; });
}

inline TestDeviceOptions taking_nodes(std::vector<std::string> names) {
  return taking([names = std::move(names)](const Node& node) {
    return std::find(names.begin(), names.end(), node.name) != names.end();
  });
}

inline TensorDesc matrix(int64_t rows, int64_t columns) {
  return {DType::kF32, {rows, columns}};
}

inline std::span<const std::byte> bytes_of(const std::vector<float>& values) {
  return std::as_bytes(std::span<const float>(values));
}

inline void fill(Executor& executor, const CompiledGraph& compiled, ValueId input, const std::vector<float>& values) {
  executor.fill(compiled, input, bytes_of(values));
}

// The first `rows` rows of an output.
inline std::vector<float> read(Executor& executor, const CompiledGraph& compiled, ValueId output, int64_t rows) {
  const int64_t columns = compiled.graph.value(output).desc.shape[1];
  std::vector<float> values(static_cast<size_t>(rows * columns));
  executor.read(compiled, output, 0, rows, std::as_writable_bytes(std::span<float>(values)));
  return values;
}

// Text of the Error that `call` throws, with its code in front: "internal: …"; "" when it throws none.
inline std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + ": " + error.what();
  }
  return "";
}

}  // namespace minfer::test
