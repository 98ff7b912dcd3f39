#include "backend/cpu/ops/attention_spans.h"

#include <algorithm>
#include <array>

namespace minfer::cpu {
namespace {

constexpr int64_t kMaxRows = 16;
constexpr int64_t kMaxUnitsPerThread = 4;  // more of them even out by themselves
constexpr int64_t kMinSpans = 32;          // that the scratch has room for

int64_t spans_of(int64_t n_positions) {
  return (n_positions + kAttentionSpan - 1) / kAttentionSpan;
}

// Spans of all rows of a step together, at most: one context's whole length.
int64_t max_spans(const TensorDesc& block_tables) {
  return std::max(kMinSpans, spans_of(block_tables.shape[1] * kKvBlockPositions));
}

// Results of (span of a row, query head) in the scratch.
class Partials {
 public:
  Partials(const NodeRun& r, const AttentionParams& p)
      : o_(reinterpret_cast<float*>(r.scratch)),
        sums_(o_ + max_spans(r.input_desc(4)) * p.n_heads * p.head_dim),
        n_heads_(p.n_heads),
        head_dim_(p.head_dim) {}

  void put(int64_t span, int head, const AttentionPartial& part) {
    const int64_t slot = span * n_heads_ + head;
    std::copy_n(part.o, head_dim_, o_ + slot * head_dim_);
    sums_[2 * slot] = part.max;
    sums_[2 * slot + 1] = part.sum;
  }
  AttentionPartial get(int64_t span, int head) const {
    const int64_t slot = span * n_heads_ + head;
    return {sums_[2 * slot], sums_[2 * slot + 1], o_ + slot * head_dim_};
  }

 private:
  float* o_;     // [slots][head_dim]
  float* sums_;  // [slots][2]
  int n_heads_;
  int head_dim_;
};

// What there is to do: units, and spans of units.
struct Plan {
  std::array<int64_t, kMaxRows + 1> first{};  // [row]: spans of the rows before it
  int64_t n_units = 0;
  int64_t n_items = 0;

  Plan(const NodeRun& r, const RowAccess& access, const UnitCut& cut) {
    for (int64_t row = 0; row < r.rows; ++row) {
      access.check(row);
      first[static_cast<size_t>(row) + 1] = first_of(row) + spans_of(int64_t{access.positions[row]} + 1);
    }
    cut.for_each([&](const UnitBounds& unit) {
      ++n_units;
      n_items += spans(unit.row_end - 1);
    });
  }

  int64_t first_of(int64_t row) const { return first[static_cast<size_t>(row)]; }
  int64_t spans(int64_t row) const { return first_of(row + 1) - first_of(row); }

  bool pays(int n_threads) const {
    return n_units % n_threads != 0 && n_units < kMaxUnitsPerThread * n_threads && n_items > n_units;
  }
};

void compute_spans(const NodeRun& r, Share share, const RowAccess& access, const UnitCut& cut, const Plan& plan,
                   Partials& partials) {
  const Share::Range mine = share.of(plan.n_items);
  int64_t item = 0;
  cut.for_each([&](const UnitBounds& bounds) {
    const int64_t first = item;
    item += plan.spans(bounds.row_end - 1);
    if (item <= mine.begin || first >= mine.end) return;
    AttentionUnit unit(r, access, bounds);
    for (int64_t i = std::max(first, mine.begin); i < std::min(item, mine.end); ++i) {
      const int64_t span = i - first;
      unit.run_span(span * kAttentionSpan, [&](int64_t row, int head, const AttentionPartial& part) {
        partials.put(plan.first_of(row) + span, head, part);
      });
    }
  });
}

void merge_spans(const NodeRun& r, const AttentionParams& p, Share share, const Plan& plan, const Partials& partials) {
  const auto [begin, end] = share.of(r.rows * p.n_heads);
  for (int64_t query = begin; query < end; ++query) {
    const int64_t row = query / p.n_heads;
    const auto head = static_cast<int>(query % p.n_heads);
    AttentionPartial all = empty_attention(r.output_f32(0) + query * p.head_dim, p.head_dim);
    for (int64_t span = plan.first_of(row); span < plan.first_of(row + 1); ++span) {
      r.kernels->attention_merge.run(partials.get(span, head), all, p.head_dim);
    }
    r.kernels->attention_finish.run(all, p.head_dim);
  }
}

}  // namespace

int64_t attention_scratch_bytes(const Graph& graph, const Node& node) {
  const auto& p = params_as<AttentionParams>(node);
  const int64_t slots = max_spans(graph.value(node.inputs[4]).desc) * p.n_heads;
  return slots * (p.head_dim + 2) * static_cast<int64_t>(sizeof(float));
}

bool run_attention_by_spans(const NodeRun& r, Share share, const RowAccess& access, const UnitCut& cut) {
  if (r.scratch == nullptr || r.rows > kMaxRows || share.count == 1) return false;
  const Plan plan(r, access, cut);
  if (!plan.pays(share.count) || plan.first_of(r.rows) > max_spans(r.input_desc(4))) return false;
  const auto& p = params_as<AttentionParams>(*r.node);
  Partials partials(r, p);
  compute_spans(r, share, access, cut, plan, partials);
  share.meet();
  merge_spans(r, p, share, plan, partials);
  return true;
}

}  // namespace minfer::cpu
