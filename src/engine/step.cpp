// Running steps: rows are cut into chunks, a chunk is one body graph, then the head over the rows that want logits.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "base/error.h"
#include "base/float_state.h"
#include "engine/engine.h"
#include "engine/limits.h"

namespace minfer {
namespace {

template <typename T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span<const T>(values));
}

std::map<SequenceId, int64_t> rows_per_sequence(std::span<const StepRow> rows) {
  std::map<SequenceId, int64_t> counts;
  for (const StepRow& row : rows) ++counts[row.sequence];
  return counts;
}

// In pieces without an exit inside, which the compiler turns into vector code: there is a vocabulary of them per token.
bool all_finite(std::span<const float> values) {
  constexpr size_t kPiece = 256;
  constexpr uint32_t kExponent = 0x7F800000;
  for (; values.size() >= kPiece; values = values.subspan(kPiece)) {
    uint32_t n_bad = 0;
    for (size_t i = 0; i < kPiece; ++i) n_bad += (std::bit_cast<uint32_t>(values[i]) & kExponent) == kExponent;
    if (n_bad != 0) return false;
  }
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

bool has_non_finite(const TensorDesc& desc, std::span<const std::byte> bytes) {
  if (desc.dtype != DType::kF32) return false;
  for (size_t at = 0; at + sizeof(float) <= bytes.size(); at += sizeof(float)) {
    float value;
    std::memcpy(&value, bytes.data() + at, sizeof(value));
    if (!std::isfinite(value)) return true;
  }
  return false;
}

}  // namespace

void Engine::check_fits(SequenceId id, int64_t n_tokens) const {
  const int64_t used = kv_store_.length(id);
  if (n_tokens > n_ctx_ - used) {
    fail(ErrorCode::kInvalidArgument, "{} tokens do not fit: the context has room for {} of its {} (--ctx-size)",
         n_tokens, n_ctx_ - used, n_ctx_);
  }
  // Blocks that a step which was given up had taken still belong to the sequence.
  const auto held = static_cast<int64_t>(kv_store_.block_table(id).size());
  const int64_t needed = kv_blocks_for(used + n_tokens) - held;
  const int64_t free = kv_store_.stats().blocks_free;
  if (needed > free) {
    fail(ErrorCode::kOutOfMemory, "{} tokens do not fit: they need {} KV blocks of {} positions, and {} are free",
         n_tokens, needed, kKvBlockPositions, free);
  }
}

void Engine::step(std::span<const StepRow> rows, const LogitsSink& sink, const std::atomic<bool>* cancel,
                  const StepProgress& progress) {
  const FloatState float_state;
  for (const StepRow& row : rows) {
    if (row.token < 0 || row.token >= model_.hparams().n_vocab) {
      fail(ErrorCode::kInvalidArgument, "token {} lies outside the model's vocabulary of {}", row.token,
           model_.hparams().n_vocab);
    }
  }
  for (const auto& [sequence, n] : rows_per_sequence(rows)) check_fits(sequence, n);
  const auto chunk = static_cast<size_t>(options_.chunk_rows);
  for (size_t done = 0; done < rows.size();) {
    if (cancel != nullptr && cancel->load(std::memory_order_relaxed)) fail(ErrorCode::kCancelled, "cancelled");
    const size_t n = std::min(chunk, rows.size() - done);
    run_chunk(rows.subspan(done, n), done, sink, cancel);
    done += n;
    if (progress) progress(done, rows.size());
  }
}

void Engine::reserve(std::span<const StepRow> rows) {
  for (const auto& [sequence, n] : rows_per_sequence(rows)) {
    const KvGrant grant = kv_store_.reserve(sequence, n);
    if (!grant.granted) {
      fail(ErrorCode::kOutOfMemory, "a sequence needs {} more KV blocks of {} positions, but {} are free",
           grant.needed_blocks, kKvBlockPositions, grant.free_blocks);
    }
    kv_memory_->copy_blocks(grant.copies);
  }
}

void Engine::fill_body(const CompiledGraph& compiled, std::span<const StepRow> rows) {
  std::vector<int32_t> tokens;
  std::vector<int32_t> positions;
  std::vector<int32_t> sequences;
  std::vector<int32_t> tables;  // [sequences of the step][max_blocks]
  struct Seen {
    int32_t index;
    int64_t next;
  };
  std::map<SequenceId, Seen> seen;
  for (const StepRow& row : rows) {
    auto [it, is_new] = seen.try_emplace(row.sequence, Seen{static_cast<int32_t>(seen.size()), 0});
    if (is_new) {
      it->second.next = kv_store_.length(row.sequence);
      const std::span<const KvBlockId> table = kv_store_.block_table(row.sequence);
      tables.insert(tables.end(), table.begin(), table.end());
      tables.resize(seen.size() * static_cast<size_t>(max_blocks()), 0);
    }
    tokens.push_back(row.token);
    positions.push_back(static_cast<int32_t>(it->second.next++));
    sequences.push_back(it->second.index);
  }
  const auto fill = [&](std::string_view name, const std::vector<int32_t>& values) {
    executor_->fill(compiled, compiled.graph.find_value(name), bytes_of(values));
  };
  fill(kInputTokens, tokens);
  fill(kInputPositions, positions);
  fill(kInputSequences, sequences);
  fill(kInputBlockTables, tables);
}

void Engine::run_chunk(std::span<const StepRow> rows, size_t first_row, const LogitsSink& sink,
                       const std::atomic<bool>* cancel) {
  const auto n_rows = static_cast<int64_t>(rows.size());
  const auto n_embd = static_cast<size_t>(model_.hparams().n_embd);
  const CompiledGraph& body = body_graph(n_rows);
  last_body_ = &body;
  reserve(rows);
  fill_body(body, rows);
  executor_->run(body, n_rows, cancel);
  if (std::any_of(rows.begin(), rows.end(), [](const StepRow& row) { return row.wants_logits; })) {
    const size_t bytes = rows.size() * n_embd * sizeof(float);
    if (hidden_.size_bytes() < bytes) {
      hidden_ = TrackedBuffer();
      hidden_ = TrackedBuffer(ledger_, MemoryTag::kActivations, bytes, "hidden states");
    }
    executor_->read(body, body.graph.outputs()[0], 0, n_rows, hidden_.bytes().first(bytes));
    const std::span<const float> hidden(reinterpret_cast<const float*>(hidden_.data()), rows.size() * n_embd);
    run_head(rows, hidden, first_row, sink, cancel);
  }
  for (const auto& [sequence, n] : rows_per_sequence(rows)) kv_store_.append(sequence, n);
}

void Engine::run_head(std::span<const StepRow> rows, std::span<const float> hidden, size_t first_row,
                      const LogitsSink& sink, const std::atomic<bool>* cancel) {
  const auto n_embd = static_cast<size_t>(model_.hparams().n_embd);
  const auto n_vocab = static_cast<size_t>(model_.hparams().n_vocab);
  std::vector<size_t> wanted;
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].wants_logits) wanted.push_back(i);
  }
  for (size_t at = 0; at < wanted.size(); at += kHeadRows) {
    const size_t n = std::min<size_t>(kHeadRows, wanted.size() - at);
    const CompiledGraph& head = head_graph(static_cast<int64_t>(n));
    std::vector<float> input;
    for (size_t i = 0; i < n; ++i) {
      const std::span<const float> row = hidden.subspan(wanted[at + i] * n_embd, n_embd);
      input.insert(input.end(), row.begin(), row.end());
    }
    executor_->fill(head, head.graph.find_value(kInputHidden), bytes_of(input));
    executor_->run(head, static_cast<int64_t>(n), cancel);
    const size_t bytes = n * n_vocab * sizeof(float);
    if (logits_.size_bytes() < bytes) {
      logits_ = TrackedBuffer();
      logits_ = TrackedBuffer(ledger_, MemoryTag::kActivations, bytes, "logits");
    }
    executor_->read(head, head.graph.outputs()[0], 0, static_cast<int64_t>(n), logits_.bytes().first(bytes));
    const std::span<const float> logits(reinterpret_cast<const float*>(logits_.data()), n * n_vocab);
    for (size_t i = 0; i < n; ++i) {
      const std::span<const float> row = logits.subspan(i * n_vocab, n_vocab);
      if (!all_finite(row)) report_non_finite(rows, wanted[at + i], input);
      sink(first_row + wanted[at + i], row);
    }
  }
}

// Runs the chunk again node by node, unfused so that the name is precise. Its inputs are as they were: the sequences
// have not grown yet, and storing the same keys and values again changes nothing.
void Engine::report_non_finite(std::span<const StepRow> rows, size_t row, std::span<const float> head_input) {
  std::string culprit;
  const CompiledGraph* running = nullptr;
  const TraceVisitor visitor = [&](const Node& node, ValueId output, std::span<const std::byte> bytes) {
    if (culprit.empty() && has_non_finite(running->graph.value(output).desc, bytes)) {
      culprit = fmt::format("node '{}' ({})", node.name, op_def(node.op).name);
    }
  };
  const int64_t n_head_rows = static_cast<int64_t>(head_input.size()) / model_.hparams().n_embd;
  const CompiledGraph& head = head_graph(n_head_rows, false);
  running = &head;
  executor_->fill(head, head.graph.find_value(kInputHidden), std::as_bytes(head_input));
  executor_->trace(head, n_head_rows, visitor);
  const std::string head_culprit = std::exchange(culprit, "");
  const CompiledGraph& body = body_graph(static_cast<int64_t>(rows.size()), false);
  fill_body(body, rows);
  running = &body;
  executor_->trace(body, static_cast<int64_t>(rows.size()), visitor);
  if (culprit.empty()) culprit = head_culprit;
  const SequenceId sequence = rows[row].sequence;
  const auto before = std::count_if(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(row),
                                    [&](const StepRow& other) { return other.sequence == sequence; });
  fail(ErrorCode::kInternal,
       "a logit of sequence {} at position {} is not finite; the first non-finite value came from {}", sequence,
       kv_store_.length(sequence) + before, culprit.empty() ? "an unknown node" : culprit);
}

}  // namespace minfer
