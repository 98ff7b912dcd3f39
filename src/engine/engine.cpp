// Loading and what belongs to an engine as a whole; steps are in step.cpp.
#include "engine/engine.h"

#include <fmt/format.h>

#include "base/error.h"
#include "engine/beside.h"
#include "engine/limits.h"

namespace minfer {
namespace {

int64_t checked_context(const EngineOptions& options, const Hparams& h) {
  if (options.n_ctx < 0) fail(ErrorCode::kInvalidArgument, "[engine] a context of {} positions", options.n_ctx);
  if (options.n_ctx == 0) return h.n_ctx_train;
  if (options.n_ctx > h.n_ctx_train) {
    options.log.info("the context is {} positions, which is what the model was trained for, not {}", h.n_ctx_train,
                     options.n_ctx);
  }
  return std::min(options.n_ctx, h.n_ctx_train);
}

const EngineOptions& checked(const EngineOptions& options) {
  const auto in_range = [](int64_t value, int64_t low, int64_t high, const char* what) {
    if (value < low || value > high) {
      fail(ErrorCode::kInvalidArgument, "[engine] {} = {}: expected {} to {}", what, value, low, high);
    }
  };
  in_range(options.chunk_rows, 1, kMaxStepRows, "chunk_rows");
  in_range(options.n_sequences, 1, 1 << 16, "n_sequences");
  if (!dtype_info(options.kv_dtype).is_quantized() && options.kv_dtype != DType::kF16 &&
      options.kv_dtype != DType::kF32) {
    fail(ErrorCode::kUnsupported, "[engine] a KV cache of {}: expected F16 or F32", dtype_name(options.kv_dtype));
  }
  for (const BackendEntry& entry : options.registry.by_identity()) {
    if (!options.filter.allows(entry.backend)) continue;
    if (options.registry.supports_kv_format(entry.backend, options.kv_dtype)) continue;
    fail(ErrorCode::kUnsupported, "the {} backend cannot read a packed {} KV cache; use f16 or f32",
         entry.backend.name(), dtype_name(options.kv_dtype));
  }
  return options;
}

int32_t n_kv_blocks(const EngineOptions& options, int64_t n_ctx) {
  const int64_t n = kv_blocks_for(n_ctx) * options.n_sequences;
  if (n > kMaxKvBlocks) {
    fail(ErrorCode::kInvalidArgument, "[engine] {} sequences of {} positions need {} KV blocks; the most is {}",
         options.n_sequences, n_ctx, n, kMaxKvBlocks);
  }
  return static_cast<int32_t>(n);
}

}  // namespace

Engine::Engine(EngineOptions options)
    : options_(checked(options)),
      ledger_(options_.memory_limit == 0 ? MemoryLedger::kUnlimited : options_.memory_limit),
      pool_(options_.n_threads),
      model_(Model::load(GgufModel::open(options_.model_path))),
      n_ctx_(checked_context(options_, model_.hparams())),
      kv_store_(n_kv_blocks(options_, n_ctx_), options_.kv_placement) {
  open_devices();
  {
    const MemoryLedger::Reservation kv = reserve_kv();
    load_weights();
  }
  check_participation();
  kv_memory_ = std::make_unique<KvMemory>(kv_store_.n_blocks());
  ExecutorOptions executor;
  executor.sync_copies = options_.sync_copies;
  executor.kv = [this](int layer, DeviceId id, Device& device, const TensorDesc& block) {
    return kv_memory_->layer_buffer(layer, id, device, block);
  };
  executor_ = std::make_unique<Executor>(*devices_, ledger_, std::move(executor));
  graphs_ = std::make_unique<GraphCache>(kMaxGraphs, [this](uint64_t uid) { executor_->forget(uid); });
}

Engine::~Engine() = default;

void Engine::open_devices() {
  options_.filter.check_available(options_.registry);
  devices_ =
      std::make_unique<DeviceSet>(DeviceSet::open(options_.registry, options_.filter, DeviceContext{pool_, ledger_}));
  offload_.n_layers = model_.hparams().n_layers;
  if (devices_->size() == 1) return;
  const int64_t wanted = options_.n_device_layers < 0 ? offload_.n_layers : options_.n_device_layers;
  offload_.n_device_layers = static_cast<int>(std::min<int64_t>(wanted, offload_.n_layers));
}

// Keys and values get their memory with the first step; that there is no room for them shall show before the weights
// are read.
MemoryLedger::Reservation Engine::reserve_kv() {
  BodyParams params;
  params.end_layer = model_.hparams().n_layers;
  params.kv_dtype = options_.kv_dtype;
  params.max_blocks = max_blocks();
  const Graph graph = model_.build_body(params);
  int64_t bytes = 0;
  for (const Value& value : graph.values()) {
    if (value.kind != ValueKind::kKvCache || offload_.allows(value.layer)) continue;
    const int64_t block = devices_->device(kCpuDevice).kv_block_bytes(value.desc);
    bytes += kv_cache_bytes(block, 1, kv_store_.n_blocks() * kKvBlockPositions);
  }
  return ledger_.reserve(MemoryTag::kKv, static_cast<uint64_t>(bytes), "the key/value cache");
}

void Engine::load_weights() {
  Beside beside([this] {
    if (options_.beside_load) options_.beside_load(model_.file().metadata());
  });
  for (const GgufFile& part : model_.file().parts()) part.mapped_file()->advise_sequential();
  for (DeviceId id = 0; id < devices_->size(); ++id) {
    std::vector<WeightId> ids;
    for (const WeightInfo& info : model_.weights().all()) {
      if (id == kCpuDevice || offload_.allows(info.layer)) ids.push_back(info.id);
    }
    Device& device = devices_->device(id);
    device.register_weights({&model_.weights(), ids, &weights_, options_.load_progress, options_.cancel_load});
    const std::string summary = device.summary();
    if (!summary.empty()) options_.log.info("{}: {}", device.name(), summary);
  }
  beside.finish();
  for (const WeightInfo& info : model_.weights().all()) weights_.check_unchanged(info.id);
  options_.beside_load = nullptr;  // it refers to what its owner had during the load
  options_.load_progress = nullptr;
  for (const GgufFile& part : model_.file().parts()) part.mapped_file()->drop_pages();
}

// A device takes part with all of its offloaded blocks or not at all: the first node that it cannot run, by its weight
// or its type, ends the offload, and the reason is said.
void Engine::check_participation() {
  if (offload_.n_device_layers == 0) return;
  BodyParams params;
  params.end_layer = offload_.n_device_layers;
  params.kv_dtype = options_.kv_dtype;
  params.max_blocks = max_blocks();
  const Graph graph = model_.build_body(params);
  for (DeviceId id = kCpuDevice + 1; id < devices_->size(); ++id) {
    for (const Node& node : graph.nodes()) {
      if (node.weights.empty() || !offload_.allows(node.layer)) continue;
      const Support support = devices_->device(id).supports(graph, node);
      if (support.takes()) continue;
      options_.log.warn("{} does not take part: tensor '{}': {}", devices_->device(id).name(),
                        printable(model_.weights().at(node.weights[0]).name), support.detail);
      offload_.n_device_layers = 0;
      return;
    }
  }
}

EngineCounters Engine::counters() const {
  EngineCounters counters;
  counters.graph_builds = graphs_->builds();
  counters.graph_reuses = graphs_->reuses();
  if (last_body_ != nullptr) {
    counters.patterns_fused = last_body_->n_fused;
    counters.splits = static_cast<int64_t>(last_body_->splits.size());
  }
  counters.copies = executor_->copy_stats();
  counters.executor = executor_->stats();
  return counters;
}

const CompiledGraph& Engine::body_graph(int64_t rows, bool fuse) {
  GraphKey key;
  key.kind = GraphKind::kBody;
  key.rows = capacity_class(rows);
  key.last_layer = model_.hparams().n_layers;
  key.fuse = fuse;
  key.kv_dtype = options_.kv_dtype;
  key.max_blocks = max_blocks();
  return graphs_->get(key, [&] {
    BodyParams params;
    params.rows = key.rows;
    params.end_layer = key.last_layer;
    params.kv_dtype = key.kv_dtype;
    params.max_blocks = key.max_blocks;
    return compile(model_.build_body(params), *devices_, {offload_, fuse});
  });
}

const CompiledGraph& Engine::head_graph(int64_t rows, bool fuse) {
  GraphKey key;
  key.kind = GraphKind::kHead;
  key.rows = capacity_class(rows);
  key.fuse = fuse;
  return graphs_->get(key, [&] { return compile(model_.build_head(key.rows), *devices_, {offload_, fuse}); });
}

}  // namespace minfer
