// Attention after kv_store: contexts around the blocks of 64 and the spans of 512, several sequences in scattered
// blocks, grouped heads, both storage types; bit for bit against the rule and loosely against the real function.
#include "graph/ops/attention.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/ops/kv_store.h"
#include "tests/ops/attention_rule.h"

namespace minfer::ops_test {
namespace {

struct AttentionCase {
  std::vector<int64_t> contexts;  // per sequence; queries stand at its last positions
  KvShape kv;
  int n_heads;
  int64_t n_queries;   // per sequence
  int64_t spare_rows;  // capacity beyond the rows in use
};

const std::vector<AttentionCase>& cases() {
  static const std::vector<AttentionCase> all = {
      {{1}, {1, 8, DType::kF32}, 1, 1, 0},
      {{1}, {2, 64, DType::kF16}, 14, 1, 2},
      {{63}, {1, 8, DType::kF16}, 2, 2, 0},
      {{64}, {2, 24, DType::kF32}, 6, 3, 1},
      {{65}, {3, 24, DType::kF16}, 9, 2, 1},
      {{511}, {1, 64, DType::kF16}, 3, 1, 0},
      {{512}, {1, 64, DType::kF32}, 2, 2, 2},
      {{513}, {2, 64, DType::kF16}, 4, 3, 0},
      {{1100}, {1, 128, DType::kF16}, 4, 2, 0},
      {{1100}, {2, 24, DType::kF32}, 2, 1, 3},
      {{80, 1, 513, 64}, {2, 64, DType::kF16}, 4, 1, 2},
      {{17, 1100, 3}, {1, 24, DType::kF32}, 3, 3, 1},
      // Rows with different limits in one block and around its end; groups of 1, 7 and 10 query heads; more queries
      // than a register tile or a unit takes; odd head sizes.
      {{70}, {1, 6, DType::kF16}, 7, 70, 0},
      {{130, 20}, {2, 6, DType::kF32}, 14, 9, 1},
      {{530}, {1, 24, DType::kF16}, 3, 22, 0},
      {{530}, {2, 10, DType::kF16}, 2, 70, 1},
      {{66}, {1, 40, DType::kF32}, 10, 3, 0},
      {{67}, {1, 256, DType::kF16}, 2, 4, 0},
      {{40}, {2, 96, DType::kF16}, 8, 5, 0},
      {{3}, {1, 512, DType::kF32}, 33, 1, 0},
  };
  return all;
}

int64_t max_blocks(const std::vector<int64_t>& contexts) {
  return (*std::max_element(contexts.begin(), contexts.end()) + 63) / 64 + 1;
}

// The graph kv_store → attention, and the rows of its two steps.
struct Prepared {
  AttentionCase shape;
  std::vector<Sequence> sequences;
  std::vector<KvRow> earlier;  // positions stored in the first step
  std::vector<KvRow> queries;  // … stored and asked about in the second
  std::vector<float> q;        // [queries][n_heads · head_dim]

  Prepared(const AttentionCase& c, Fill kv_fill, Fill q_fill) : shape(c) {
    sequences = make_sequences(c.contexts, c.kv, 3, kv_fill, 30);
    for (size_t s = 0; s < sequences.size(); ++s) {
      const int64_t n = sequences[s].n_positions;
      for (int64_t p = 0; p < n; ++p) {
        auto& rows = p + c.n_queries >= n ? queries : earlier;
        rows.push_back({static_cast<int32_t>(s), static_cast<int32_t>(p)});
      }
    }
    q = random_floats(31, static_cast<int64_t>(queries.size()) * q_width(), q_fill);
  }

  int64_t q_width() const { return int64_t{shape.n_heads} * shape.kv.head_dim; }

  Query query(size_t row, int head) const {
    const int n = shape.kv.head_dim;
    const auto first = q.begin() + static_cast<int64_t>(row) * q_width() + head * n;
    return {sequences[static_cast<size_t>(queries[row].sequence)], shape.kv,
            head / (shape.n_heads / shape.kv.n_kv_heads), queries[row].position + 1,
            std::vector<float>(first, first + n)};
  }

  std::vector<float> rule() const {
    std::vector<float> y;
    for (size_t row = 0; row < queries.size(); ++row) {
      for (int head = 0; head < shape.n_heads; ++head) {
        const std::vector<float> o = attention_rule(query(row, head));
        y.insert(y.end(), o.begin(), o.end());
      }
    }
    return y;
  }

  void check(const std::vector<float>& expected) const {
    const auto capacity = static_cast<int64_t>(std::max(earlier.size(), queries.size())) + shape.spare_rows;
    OpCase c(fmt::format("attention {} context {} heads {}/{} of {}", dtype_name(shape.kv.dtype), shape.contexts[0],
                         shape.n_heads, shape.kv.n_kv_heads, shape.kv.head_dim),
             std::max<int64_t>(capacity, static_cast<int64_t>(sequences.size())));
    const KvInputs in(c, shape.kv, max_blocks(shape.contexts));
    const ValueId q_value = c.input("q", DType::kF32, {q_width()});
    KvStoreParams store;
    store.n_kv_heads = shape.kv.n_kv_heads;
    store.head_dim = shape.kv.head_dim;
    store.dtype = shape.kv.dtype;
    AttentionParams params;
    params.n_heads = shape.n_heads;
    params.n_kv_heads = shape.kv.n_kv_heads;
    params.head_dim = shape.kv.head_dim;
    const ValueId cache = kv_store(c.builder(), in.k, in.v, in.rows, store, "kv");
    const ValueId y = attention(c.builder(), q_value, cache, in.rows, params, "y");
    c.set_kv_blocks(pool_blocks(shape.contexts, 3));
    if (!earlier.empty()) {
      c.step(static_cast<int64_t>(earlier.size()), 1);
      in.feed(sequences, earlier);
    }
    c.step(static_cast<int64_t>(queries.size()));
    in.feed(sequences, queries);
    c.feed(q_value, to_bytes(q));
    c.expect(y, to_bytes(expected));
    c.check();
  }
};

TEST(AttentionOp, FollowsTheRule) {
  for (const AttentionCase& shape : cases()) {
    const Prepared run(shape, Fill::kPlain, Fill::kPlain);
    run.check(run.rule());
  }
}

TEST(AttentionOp, TakesRowsInAnyOrder) {
  Prepared run({{140, 9}, {2, 8, DType::kF16}, 6, 8, 0}, Fill::kPlain, Fill::kPlain);
  Random random(32);
  for (size_t i = run.queries.size(); i > 1; --i) {
    std::swap(run.queries[i - 1], run.queries[static_cast<size_t>(random.below(static_cast<int64_t>(i)))]);
  }
  run.check(run.rule());
}

TEST(AttentionOp, RescalesARowThatReachesFurtherThanItsNeighbours) {
  // Scores grow with the position, so that every position moves the maximum.
  Prepared run({{140}, {1, 8, DType::kF32}, 3, 80, 0}, Fill::kPlain, Fill::kPlain);
  std::vector<float>& k = run.sequences[0].k;
  for (size_t i = 0; i < k.size(); ++i) k[i] = static_cast<float>(i / 8) / 8.0F;
  for (float& q : run.q) q = std::fabs(q);
  run.check(run.rule());
}

TEST(AttentionOp, IsCloseToTheRealFunction) {
  for (const AttentionCase& shape : cases()) {
    const Prepared run(shape, Fill::kPlain, Fill::kPlain);
    const std::vector<float> y = run.rule();
    size_t at = 0;
    for (size_t row = 0; row < run.queries.size(); ++row) {
      for (int head = 0; head < shape.n_heads; ++head) {
        for (double real : attention_real(run.query(row, head))) EXPECT_NEAR(y[at++], real, 4e-6);
      }
    }
  }
}

TEST(AttentionOp, FollowsTheRuleOnHostileData) {
  const AttentionCase shapes[] = {{{70, 9, 600}, {2, 8, DType::kF32}, 4, 2, 1},
                                  {{70, 9, 530}, {1, 18, DType::kF16}, 3, 6, 0}};
  for (const AttentionCase& shape : shapes) {
    for (const Fill q_fill : {Fill::kPlain, Fill::kHostile}) {
      const Prepared run(shape, Fill::kHostile, q_fill);
      run.check(run.rule());
    }
  }
}

TEST(AttentionOp, LimitsANaNToItsOwnHead) {
  Prepared run({{66}, {2, 8, DType::kF16}, 4, 2, 0}, Fill::kPlain, Fill::kPlain);
  run.q[8 * 5] = std::numeric_limits<float>::quiet_NaN();  // head 1 of the second query
  const std::vector<float> y = run.rule();
  for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), i / 8 == 5) << i;
  run.check(y);
}

TEST(AttentionOp, GivesTheValueItselfWhereOnePositionTakesAll) {
  // Scores 0 and 1000: exp(-1000) is +0, and the result is exactly the second value.
  Prepared run({{2}, {1, 8, DType::kF32}, 1, 1, 0}, Fill::kPlain, Fill::kPlain);
  std::fill(run.sequences[0].k.begin(), run.sequences[0].k.end(), 0.0F);
  run.sequences[0].k[8] = 1000.0F;
  std::fill(run.q.begin(), run.q.end(), 3.0F);
  const std::vector<float>& v = run.sequences[0].v;
  run.check(std::vector<float>(v.begin() + 8, v.end()));
}

TEST(AttentionOp, AveragesEqualPositions) {
  // Keys of zero: every probability is 1, and sums of small integers are exact.
  Prepared run({{1024}, {1, 8, DType::kF16}, 2, 1, 0}, Fill::kPlain, Fill::kPlain);
  std::fill(run.sequences[0].k.begin(), run.sequences[0].k.end(), 0.0F);
  for (size_t i = 0; i < run.sequences[0].v.size(); ++i) run.sequences[0].v[i] = static_cast<float>(i / 8 % 4);
  run.check(std::vector<float>(16, 1.5F));
}

TEST(AttentionOp, IsRefusedForAHeadThatIsTooLarge) {
  const KvShape shape{1, 513, DType::kF16};
  OpCase c("attention of 513", 1);
  const KvInputs in(c, shape, 1);
  KvStoreParams store;
  store.n_kv_heads = 1;
  store.head_dim = shape.head_dim;
  AttentionParams params;
  params.n_heads = params.n_kv_heads = 1;
  params.head_dim = shape.head_dim;
  const ValueId cache = kv_store(c.builder(), in.k, in.v, in.rows, store, "kv");
  attention(c.builder(), in.k, cache, in.rows, params, "y");
  const Graph& graph = c.builder().graph();
  for (const Subject& subject : open_subjects()) {
    if (subject.device->backend() != kBackendCpu) continue;
    const Support support = subject.device->supports(graph, graph.node(1));
    EXPECT_EQ(support.reason, Reason::kShape);
    EXPECT_EQ(support.detail, "head size 513 is above 512");
  }
}

}  // namespace
}  // namespace minfer::ops_test
