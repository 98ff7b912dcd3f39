// Loads and releases a model many times, and generates many short answers on one engine, as a process that serves for
// weeks does: the memory stays what it was behind the first rounds, and every allocation is given back.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>

#include "base/error.h"
#include "builtin/registry.h"
#include "engine/generate.h"
#include "engine/text_model.h"
#include "tests/alloc/allocations.h"

namespace minfer::test {
namespace {

constexpr int64_t kMostGrowth = int64_t{1} << 20;

int64_t resident_bytes() {
  malloc_trim(0);
  std::ifstream file("/proc/self/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

EngineOptions options(const std::string& path) {
  EngineOptions options;
  options.model_path = path;
  options.registry = builtin::make_registry({});
  options.n_threads = 2;
  options.n_ctx = 256;
  options.n_sequences = 2;
  return options;
}

// One answer; its length, sampling and prompt depend on `round`.
void answer(Engine& engine, const TextModel& text, int round) {
  const SequenceId id = engine.create_sequence();
  GenerateRequest request;
  request.prompt = text.encode_prompt("Round " + std::to_string(round % 97) + std::string(round % 40, 'x'));
  request.sampling.seed = static_cast<uint64_t>(round);
  request.sampling.temperature = round % 3 == 0 ? 0.0F : 0.9F;
  request.n_predict = 1 + round % 6;
  generate(engine, text.tokenizer(), id, request, {});
  if (round % 5 == 0) {
    const SequenceId fork = engine.fork(id);
    engine.truncate(fork, engine.length(fork) / 2);
    engine.release(fork);
  }
  engine.release(id);
}

// Calls `round` n times. Says what grew behind the first tenth; false when that is too much.
template <typename Round>
bool stays_flat(const char* what, int n, const Round& round) {
  const int warm_up = std::max(n / 10, std::min(n, 10));
  for (int i = 0; i < warm_up; ++i) round(i);
  const LiveAllocations live = live_allocations();
  const int64_t resident = resident_bytes();
  for (int i = warm_up; i < n; ++i) round(i);
  const LiveAllocations now = live_allocations();
  const int64_t growth = resident_bytes() - resident;
  std::printf("%s: %d rounds, %.1f MiB resident, grown by %.3f MiB; blocks %+lld, mapped bytes %+lld\n", what, n,
              static_cast<double>(resident) / (1 << 20), static_cast<double>(growth) / (1 << 20),
              static_cast<long long>(now.blocks - live.blocks), static_cast<long long>(now.mapped_bytes - live.mapped_bytes));
  return growth < kMostGrowth && now == live;
}

bool soak(const std::string& path, int n_loads, int n_answers) {
  std::printf("%s\n", path.c_str());
  bool flat = stays_flat("loads", n_loads, [&](int round) {
    Engine engine(options(path));
    const TextModel text(engine.model().file().metadata(), &engine.ledger());
    answer(engine, text, round % 7);
  });
  Engine engine(options(path));
  const TextModel text(engine.model().file().metadata(), &engine.ledger());
  flat &= stays_flat("answers", n_answers, [&](int round) { answer(engine, text, round); });
  return flat;
}

}  // namespace
}  // namespace minfer::test

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: soak LOADS ANSWERS MODEL...\n");
    return 2;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  bool flat = true;
  try {
    for (int i = 3; i < argc; ++i) flat &= minfer::test::soak(argv[i], std::atoi(argv[1]), std::atoi(argv[2]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "soak: %s\n", error.what());
    return 1;
  }
  if (!flat) std::fprintf(stderr, "soak: the memory grows\n");
  return flat ? 0 : 1;
}
