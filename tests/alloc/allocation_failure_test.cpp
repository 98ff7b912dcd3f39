// Every allocation of loading, of steps and of generating fails once: an error, nothing lost, and the engine goes on
// with the same bits.
#include <gtest/gtest.h>

#include <dirent.h>

#include <functional>
#include <memory>

#include "base/error.h"
#include "engine/generate.h"
#include "engine/text_model.h"
#include "tests/alloc/allocations.h"
#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

// Every site up to here, and behind it one in `kStride`.
constexpr uint64_t kDense = 2000;
constexpr uint64_t kStride = 37;

int64_t count_entries(const char* folder) {
  DIR* entries = opendir(folder);
  int64_t n = 0;
  while (entries != nullptr && readdir(entries) != nullptr) ++n;
  if (entries != nullptr) closedir(entries);
  return n;
}

int64_t open_files() {
  return count_entries("/proc/self/fd");
}

enum class Ending { kDone, kRefused };

// Runs `work` with its k-th allocation failing. Anything but success, std::bad_alloc and a readable kOutOfMemory fails
// the test.
Ending run_failing(uint64_t k, bool and_all_behind, const std::function<void()>& work) {
  const FailingAllocation failing(k, and_all_behind);
  try {
    work();
  } catch (const std::bad_alloc&) {
    return Ending::kRefused;
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kOutOfMemory) << "allocation " << k << ": " << error.what();
    EXPECT_NE(std::string(error.what()), "") << "allocation " << k;
    return Ending::kRefused;
  } catch (const std::exception& error) {
    ADD_FAILURE() << "allocation " << k << ": " << error.what();
    return Ending::kRefused;
  }
  return Ending::kDone;
}

// Calls `attempt` for every k that is to fail, until the work no longer has that many allocations.
void for_each_site(const char* what, uint64_t n_sites, const std::function<void(uint64_t k)>& attempt) {
  uint64_t n_tried = 0;
  for (uint64_t k = 1; k <= n_sites; k += k < kDense ? 1 : kStride) {
    attempt(k);
    ++n_tried;
    if (testing::Test::HasFailure()) break;
  }
  std::printf("%s: %llu allocations, %llu of them failed\n", what, static_cast<unsigned long long>(n_sites),
              static_cast<unsigned long long>(n_tried));
}

uint64_t sites_of(const std::function<void()>& work) {
  const uint64_t before = allocation_sites();
  work();
  return allocation_sites() - before;
}

class WithModel {
 protected:
  explicit WithModel(const std::string& name) : golden_(golden_case(name)) {}

  EngineOptions options() const {
    EngineOptions options = golden_options(golden_);
    options.n_ctx = 128;
    options.n_threads = 2;
    options.n_sequences = 2;
    return options;
  }

  std::span<const TokenId> tokens(size_t first, size_t n) const {
    return std::span<const TokenId>(golden_.tokens).subspan(first, n);
  }

  // Fails every allocation of `work` in turn. Behind each failure nothing of it is left.
  void expect_nothing_lost(const char* what, const std::function<void()>& work) {
    work();  // what is made once in a process
    const uint64_t n_sites = sites_of(work);
    for_each_site(what, n_sites, [&](uint64_t k) {
      for (const bool and_all_behind : {false, true}) {
        const LiveAllocations before = live_allocations();
        const int64_t files = open_files();
        run_failing(k, and_all_behind, work);
        const LiveAllocations after = live_allocations();
        EXPECT_EQ(after.blocks, before.blocks) << "allocation " << k;
        EXPECT_EQ(after.mapped_bytes, before.mapped_bytes) << "allocation " << k;
        EXPECT_EQ(open_files(), files) << "allocation " << k;
      }
    });
  }

  // What a step leaves in an engine for it: the sequence that it works on.
  using Prepare = std::function<SequenceId(Engine&)>;
  // The step; returns its logits.
  using Step = std::function<std::vector<float>(Engine&, SequenceId)>;

  // Fails every allocation of `step` in turn, each in an engine of its own. Behind the failure the sequence is as long
  // as before, and the same step gives the bits that it gives without one.
  void expect_usable(const char* what, const Prepare& prepare, const Step& step) {
    std::vector<float> expected;
    uint64_t ledger_bytes = 0;
    int64_t length = 0;
    const uint64_t n_sites = [&] {
      Engine engine(options());
      const SequenceId id = prepare(engine);
      length = engine.length(id);
      const uint64_t n = sites_of([&] { expected = step(engine, id); });
      ledger_bytes = engine.ledger().total();
      return n;
    }();
    for_each_site(what, n_sites, [&](uint64_t k) {
      Engine engine(options());
      const SequenceId id = prepare(engine);
      std::vector<float> logits;
      if (run_failing(k, false, [&] { logits = step(engine, id); }) == Ending::kRefused) {
        EXPECT_EQ(engine.length(id), length) << "allocation " << k;
        logits = step(engine, id);
      }
      EXPECT_EQ(logits, expected) << "allocation " << k;
      EXPECT_EQ(engine.ledger().total(), ledger_bytes) << "allocation " << k;
    });
  }

  GoldenCase golden_;
};

class AllocationFailure : public testing::TestWithParam<const char*>, public WithModel {
 protected:
  AllocationFailure() : WithModel(GetParam()) {}
};

// One model: each allocation takes an engine and two steps.
class StepAllocationFailure : public testing::Test, public WithModel {
 protected:
  StepAllocationFailure() : WithModel("llama-q4_1") {}
};

TEST_P(AllocationFailure, LoadingLosesNothing) {
  expect_nothing_lost("load", [&] { const Engine engine(options()); });
}

TEST_P(AllocationFailure, ReadingTheTokenizerAndTextLosesNothing) {
  const GgufModel file = GgufModel::open(golden_.gguf);
  expect_nothing_lost("tokenizer", [&] {
    const TextModel text(file.metadata());
    text.tokenizer().decode(text.encode_prompt("Hello, world! naïve"), ControlOutput::kShow);
  });
}

// The messages are made before: a JSON value allocates when it goes, where nothing can be thrown.
TEST_P(AllocationFailure, RenderingATemplateLosesNothing) {
  const std::string source =
      "{%- macro m(a, b=1) %}{{ a ~ b }}{% endmacro %}{% set ns = namespace(n=[]) %}"
      "{% for x in messages %}{% set ns.n = ns.n + [x.role|upper] %}{{ m(x.content.split(' ')|join('-')) }}"
      "{{ loop.index }}{{ x|tojson }}{% endfor %}{{ ns.n|sort|list }}{{ '%s' % ns.n }}{{ {'a': 1}.items()|list }}";
  ChatInputs inputs;
  inputs.messages = single_turn("Be brief.", "Hello, world!");
  expect_nothing_lost("template", [&] { ChatTemplate::parse(source).render(inputs); });
}

TEST_F(StepAllocationFailure, APrefillCanBeRepeated) {
  expect_usable(
      "prefill", [](Engine& engine) { return engine.create_sequence(); },
      [&](Engine& engine, SequenceId id) { return append(engine, id, tokens(0, 20)); });
}

TEST_F(StepAllocationFailure, ADecodeStepCanBeRepeated) {
  const auto prefill = [&](Engine& engine) {
    const SequenceId id = engine.create_sequence();
    append(engine, id, tokens(0, 20));
    return id;
  };
  expect_usable("decode", prefill, [&](Engine& engine, SequenceId id) { return append(engine, id, tokens(20, 1)); });
}

TEST_F(StepAllocationFailure, AStepThatCopiesASharedBlockCanBeRepeated) {
  const auto fork = [&](Engine& engine) {
    const SequenceId id = engine.create_sequence();
    append(engine, id, tokens(0, 20));
    return engine.fork(id);
  };
  expect_usable("decode of a fork", fork,
                [&](Engine& engine, SequenceId id) { return append(engine, id, tokens(20, 1)); });
}

// The engine and the sequence are whole behind each failure: a fork of what was there before gives the same answer.
TEST_P(AllocationFailure, GeneratingCanBeRepeated) {
  Engine engine(options());
  const TextModel text(engine.model().file().metadata());
  GenerateRequest request;
  request.prompt.assign(golden_.tokens.begin(), golden_.tokens.begin() + 12);
  request.sampling.temperature = 0.8F;
  request.sampling.repeat_penalty = 1.1F;
  request.stop = {"never in an answer"};
  request.ignore_eos = true;
  request.n_predict = 3;
  request.hash_logits = true;
  GenerateResult result;
  const auto work = [&] {
    struct Sequence {
      Engine& engine;
      SequenceId id;
      ~Sequence() { engine.release(id); }
    };
    const Sequence sequence{engine, engine.create_sequence()};
    result = generate(engine, text.tokenizer(), sequence.id, request, {});
  };
  work();
  const GenerateResult expected = result;
  const uint64_t ledger_bytes = engine.ledger().total();
  for_each_site("generate", sites_of(work), [&](uint64_t k) {
    if (run_failing(k, false, work) == Ending::kRefused) work();
    EXPECT_EQ(result.tokens, expected.tokens) << "allocation " << k;
    EXPECT_EQ(result.logit_hash, expected.logit_hash) << "allocation " << k;
    EXPECT_EQ(engine.ledger().total(), ledger_bytes) << "allocation " << k;
    EXPECT_EQ(engine.sequences().stats().blocks_in_use, 0) << "allocation " << k;
  });
}

// A float model reads its weights where they lie in the file, a quantized one has them interleaved.
INSTANTIATE_TEST_SUITE_P(Models, AllocationFailure, testing::Values("qwen2-f32", "llama-q4_1"), [](const auto& model) {
  std::string name = model.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
});

TEST(Allocations, OneSiteFailsOnce) {
  const FailingAllocation failing(2);
  const auto makes_one = [] {
    try {
      return std::make_unique<int>(1) != nullptr;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  const bool made[] = {makes_one(), makes_one(), makes_one()};  // nothing else allocates in between
  EXPECT_TRUE(failing.has_failed());
  EXPECT_TRUE(made[0]);
  EXPECT_FALSE(made[1]);
  EXPECT_TRUE(made[2]);
}

}  // namespace
}  // namespace minfer::test
