// A model on its devices: loads a file, keeps sequences, runs steps. Everything that a run needs belongs to this
// object, so that several engines can live in one process.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/memory_ledger.h"
#include "base/thread_pool.h"
#include "engine/model_weights.h"
#include "engine/options.h"
#include "engine/step_row.h"
#include "model/model.h"
#include "runtime/executor.h"
#include "runtime/graph_cache.h"
#include "runtime/kv_memory.h"

namespace minfer {

// What the engine has done since it was loaded.
struct EngineCounters {
  int64_t graph_builds = 0;
  int64_t graph_reuses = 0;
  int64_t patterns_fused = 0;  // in the graph of the last step
  int64_t splits = 0;          // of the graph of the last step
  CopyStats copies;
  ExecutorStats executor;
};

// For one thread at a time.
class Engine {
 public:
  // Throws kInvalidArgument for options out of range, and what opening, checking and registering the model throws.
  explicit Engine(EngineOptions options);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  const Model& model() const { return model_; }
  const EngineOptions& options() const { return options_; }
  int64_t n_ctx() const { return n_ctx_; }  // after the model's limit was applied
  const DeviceSet& devices() const { return *devices_; }
  const MemoryLedger& ledger() const { return ledger_; }
  MemoryLedger& ledger() { return ledger_; }  // for what is kept beside the engine, such as its TextModel
  const KvStore& sequences() const { return kv_store_; }
  OffloadPlan offload() const { return offload_; }
  EngineCounters counters() const;

  SequenceId create_sequence() { return kv_store_.create(); }
  // A sequence with the same content; shares its blocks until one of the two writes.
  SequenceId fork(SequenceId id) { return kv_store_.fork(id); }
  void truncate(SequenceId id, int64_t n_positions) { kv_store_.truncate(id, n_positions); }
  void release(SequenceId id) { kv_store_.release(id); }
  int64_t length(SequenceId id) const { return kv_store_.length(id); }

  // Throws, with both numbers, when `n_tokens` more positions of a sequence do not fit the context (kInvalidArgument)
  // or the key/value blocks that are free (kOutOfMemory).
  void check_fits(SequenceId id, int64_t n_tokens) const;

  // Appends the rows' tokens to their sequences, chunk by chunk. `cancel`, `progress` may be null. Throws kCancelled
  // when `cancel` is set; kInvalidArgument when a row does not fit; kInternal for a non-finite logit, naming the node
  // that produced the first non-finite value. After an error the sequences hold the chunks that were finished.
  void step(std::span<const StepRow> rows, const LogitsSink& sink, const std::atomic<bool>* cancel = nullptr,
            const StepProgress& progress = nullptr);

  // The graphs of a step with that many rows, compiled; for exports and explain.
  const CompiledGraph& body_graph(int64_t rows) { return body_graph(rows, options_.fuse); }
  const CompiledGraph& head_graph(int64_t rows) { return head_graph(rows, options_.fuse); }

 private:
  const CompiledGraph& body_graph(int64_t rows, bool fuse);
  const CompiledGraph& head_graph(int64_t rows, bool fuse);
  void open_devices();
  MemoryLedger::Reservation reserve_kv();
  void load_weights();
  void check_participation();
  void run_chunk(std::span<const StepRow> rows, size_t first_row, const LogitsSink& sink,
                 const std::atomic<bool>* cancel);
  void run_head(std::span<const StepRow> rows, std::span<const float> hidden, size_t first_row, const LogitsSink& sink,
                const std::atomic<bool>* cancel);
  void fill_body(const CompiledGraph& graph, std::span<const StepRow> rows);
  void reserve(std::span<const StepRow> rows);
  [[noreturn]] void report_non_finite(std::span<const StepRow> rows, size_t row, std::span<const float> head_input);
  int64_t max_blocks() const { return kv_blocks_for(n_ctx_); }

  EngineOptions options_;
  MemoryLedger ledger_;
  ThreadPool pool_;
  std::unique_ptr<DeviceSet> devices_;
  Model model_;
  ModelWeights weights_{model_};
  int64_t n_ctx_;
  OffloadPlan offload_;
  KvStore kv_store_;
  std::unique_ptr<KvMemory> kv_memory_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<GraphCache> graphs_;
  TrackedBuffer hidden_;  // f32 [chunk_rows, n_embd]
  TrackedBuffer logits_;  // f32 [16, n_vocab]
  const CompiledGraph* last_body_ = nullptr;
};

}  // namespace minfer
