// minfer bench: tokens per second of prompts and of generation.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "apps/minfer/bench_output.h"
#include "apps/minfer/build_commit.h"
#include "apps/minfer/command.h"
#include "apps/minfer/engine_setup.h"
#include "apps/minfer/exit_codes.h"
#include "apps/minfer/interrupts.h"
#include "apps/minfer/memory_output.h"
#include "apps/minfer/model_path.h"
#include "apps/minfer/output.h"
#include "apps/minfer/progress.h"
#include "base/cpu_info.h"
#include "base/error.h"
#include "base/process_memory.h"
#include "builtin/isa.h"

namespace minfer::app {
namespace {

// The tests of one number of threads, in the order in which they run: those of one depth share its positions.
std::vector<BenchTest> read_tests(const Settings& settings) {
  const std::vector<int64_t>& pairs = settings.integers(SettingId::kBenchPromptGenerate);
  if (pairs.size() % 2 != 0) {
    throw UsageError(fmt::format("{} needs two numbers for each test, such as 512,128; it has {}",
                                 settings.origin(SettingId::kBenchPromptGenerate), pairs.size()));
  }
  std::vector<BenchTest> tests;
  for (const int64_t depth : settings.integers(SettingId::kBenchDepth)) {
    for (const int64_t n : settings.integers(SettingId::kBenchPrompt)) {
      if (n > 0) tests.push_back({n, 0, depth});
    }
    for (const int64_t n : settings.integers(SettingId::kBenchGenerate)) {
      if (n > 0) tests.push_back({0, n, depth});
    }
    for (size_t i = 0; i < pairs.size(); i += 2) {
      if (pairs[i] + pairs[i + 1] > 0) tests.push_back({pairs[i], pairs[i + 1], depth});
    }
  }
  if (tests.empty()) throw UsageError("there is nothing to time: all lengths of prompts and of generation are 0");
  return tests;
}

std::vector<int64_t> read_threads(const Settings& settings) {
  const std::vector<int64_t>& given = settings.integers(SettingId::kBenchThreads);
  return given.empty() ? std::vector<int64_t>{usable_cores().count} : given;
}

std::string chosen_isa(const Settings& settings) {
  if (settings.text(SettingId::kCpuIsa) != "auto") return settings.text(SettingId::kCpuIsa);
  for (const builtin::CpuIsa& isa : builtin::cpu_isas()) {
    if (isa.is_chosen) return isa.name;
  }
  return "unknown";
}

// Those that have an open device, the one that is asked first in front.
std::string backend_names(const DeviceSet& devices) {
  std::vector<std::string> names;
  for (const AskedDevice& device : devices.asked()) {
    const std::string name = device.backend.printed_name();
    if (device.id != kNone && std::ranges::count(names, name) == 0) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, ","));
}

BenchSubject describe(const Engine& engine, const Settings& settings) {
  const GgufModel& file = engine.model().file();
  BenchSubject subject;
  subject.build_commit = build_commit();
  subject.cpu_info = cpu_model_name();
  subject.cpu_isa = chosen_isa(settings);
  subject.backends = backend_names(engine.devices());
  subject.model_path = engine.options().model_path;
  subject.model_type = model_type_label(file);
  subject.model_bytes = file.tensor_bytes();
  for (const GgufTensor& tensor : file.tensors()) {
    subject.n_params += static_cast<uint64_t>(tensor.desc.shape.n_elements());
  }
  subject.kv_type = engine.options().kv_dtype == DType::kF32 ? "f32" : "f16";
  subject.chunk_rows = engine.options().chunk_rows;
  return subject;
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

// Runs tests and prints each result when it is there.
class BenchRun {
 public:
  BenchRun(const Invocation& call, std::vector<BenchTest> tests, EngineOptions options, const Interrupts& interrupts)
      : settings_(call.settings), tests_(std::move(tests)), options_(std::move(options)), interrupts_(interrupts) {
    options_.n_ctx = 1;
    for (const BenchTest& test : tests_) options_.n_ctx = std::max(options_.n_ctx, test.n_positions());
  }

  void run(int n_threads) {
    options_.n_threads = n_threads;
    Engine engine(options_);
    Bench bench(engine);
    for (const BenchTest& test : tests_) bench.check_fits(test);
    if (!output_) {
      output_.emplace(bench_format(settings_.text(SettingId::kBenchOutput)), describe(engine, settings_), tests_);
      write_output(output_->begin());
    }
    for (const BenchTest& test : tests_) {
      BenchRow row;
      row.n_threads = n_threads;
      row.test_time = utc_now();
      row.result = measure(bench, test);
      row.peak_resident_bytes = peak_resident_bytes();
      write_output(output_->row(row));
    }
    report_memory(engine, settings_);
  }

  // What was printed becomes a whole.
  void end() {
    if (output_) write_output(output_->end());
  }

 private:
  BenchResult measure(Bench& bench, const BenchTest& test) {
    const bool shows_progress = !settings_.boolean(SettingId::kQuiet) && messages_are_terminal();
    Progress progress(fmt::format("bench: {}, run", test.name()), shows_progress);
    BenchOptions options;
    options.n_repetitions = settings_.integer(SettingId::kBenchRepetitions);
    options.warm_up = settings_.boolean(SettingId::kBenchWarmup);
    options.cancel = interrupts_.flag();
    options.progress = [&](size_t done, size_t total) { progress.update(done, total); };
    return bench.measure(test, options);
  }

  const Settings& settings_;
  std::vector<BenchTest> tests_;
  EngineOptions options_;
  const Interrupts& interrupts_;
  std::optional<BenchOutput> output_;  // when there is a first engine
};

}  // namespace

int cmd_bench(const Invocation& call) {
  const ModelAndWords model = take_model(call);
  refuse_words(call, model.words);
  std::vector<BenchTest> tests = read_tests(call.settings);
  const Log log = start_log(call);
  const Interrupts interrupts;
  BenchRun bench(call, std::move(tests), engine_options(call, model.path, log), interrupts);
  try {
    for (const int64_t n : read_threads(call.settings)) bench.run(static_cast<int>(n));
  } catch (const Error& error) {
    interrupts.check_output();
    bench.end();
    if (error.code() != ErrorCode::kCancelled) throw;
    return interrupts.exit_code();
  }
  bench.end();
  return kSuccess;
}

}  // namespace minfer::app
