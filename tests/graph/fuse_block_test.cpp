// The patterns of a whole block: what becomes of it, and the near misses that must stay as they are.
#include <gtest/gtest.h>

#include <algorithm>

#include "graph/fuse.h"
#include "graph/ops/add_rms_norm.h"
#include "graph/ops/qkv.h"
#include "graph/verify.h"
#include "tests/graph/sample_graph.h"

namespace minfer {
namespace {

bool claim_all(const Graph&, const Node&, std::span<const NodeId>) {
  return true;
}

// What a test changes about the block below.
struct Deviation {
  bool has_bias = false;
  bool has_norm = false;
  bool lacks_k_bias = false;
  bool lacks_k_norm = false;
  bool k_has_other_eps = false;
  bool k_has_other_pairs = false;
  bool v_reads_f32 = false;
  bool k_is_read_elsewhere = false;
  bool gate_is_read_elsewhere = false;
  bool ffn_in_is_read_elsewhere = false;
  bool sum_is_read_early = false;
  bool product_is_output = false;
  bool up_has_bias = false;
};

// A block of width 64, 4 heads and 2 key/value heads of 16, feed-forward width 96: everything is quantized.
struct Block {
  WeightTable table;
  Graph graph{&table};

  explicit Block(const Deviation& d) {
    const auto f32_weight = [&](const char* name, int64_t n) { return table.add(name, f32({n}), 0); };
    const auto matrix = [&](const char* name, int64_t out, int64_t in, DType dtype = DType::kQ4_0) {
      return table.add(name, {dtype, {out, in}}, 0);
    };
    const WeightId norm = f32_weight("norm", 64);
    const WeightId head_norm = f32_weight("head_norm", 16);
    const WeightId q_bias = f32_weight("q_bias", 64);
    const WeightId kv_bias = f32_weight("kv_bias", 32);
    const WeightId q_weight = matrix("q", 64, 64);
    const WeightId k_weight = matrix("k", 32, 64, DType::kQ8_0);
    const WeightId v_weight = matrix("v", 32, 64, d.v_reads_f32 ? DType::kF16 : DType::kQ5_1);
    const WeightId o_weight = matrix("o", 64, 64);
    const WeightId gate_weight = matrix("gate", 96, 64);
    const WeightId up_weight = matrix("up", 96, 64, DType::kQ8_0);
    const WeightId down_weight = matrix("down", 64, 96);
    const WeightId ff_bias = f32_weight("ff_bias", 96);

    GraphBuilder b(&table, 8);
    const ValueId hidden = b.input("hidden", f32({8, 64}));
    const ValueId angles = b.input("angles", f32({8, 16}));
    const KvRows rows = kv_rows(b);
    b.set_layer(0);
    const ValueId attn_norm = rms_norm(b, hidden, norm, 1e-6F, "attn_norm");
    const ValueId x = quantize(b, attn_norm, "attn_in");
    ValueId q = matmul(b, x, q_weight, d.has_bias ? q_bias : kNone, "q");
    ValueId k = matmul(b, x, k_weight, d.has_bias && !d.lacks_k_bias ? kv_bias : kNone, "k");
    const ValueId v = matmul(b, d.v_reads_f32 ? attn_norm : x, v_weight, d.has_bias ? kv_bias : kNone, "v");
    if (d.has_norm) q = rms_norm(b, q, head_norm, 1e-6F, "q_norm");
    if (d.has_norm && !d.lacks_k_norm) k = rms_norm(b, k, head_norm, d.k_has_other_eps ? 1e-5F : 1e-6F, "k_norm");
    q = rope(b, q, angles, 16, RopePairs::kHalves, "q_rope");
    const ValueId k_rope =
        rope(b, k, angles, 16, d.k_has_other_pairs ? RopePairs::kAdjacent : RopePairs::kHalves, "k_rope");
    KvStoreParams store;
    store.n_kv_heads = 2;
    store.head_dim = 16;
    const ValueId kv = kv_store(b, k_rope, v, rows, store, "kv");
    AttentionParams heads;
    heads.n_heads = 4;
    heads.n_kv_heads = 2;
    heads.head_dim = 16;
    const ValueId attn = attention(b, q, kv, rows, heads, "attn");
    const ValueId out = matmul(b, quantize(b, attn, "attn_q8"), o_weight, kNone, "out");
    const ValueId sum = add(b, out, hidden, "attn_residual");
    if (d.sum_is_read_early) b.output(silu(b, sum, "early"));
    const ValueId ffn_in = rms_norm(b, sum, norm, 1e-5F, "ffn_norm");
    const ValueId ffn_q8 = quantize(b, ffn_in, "ffn_in");
    const ValueId gate = matmul(b, ffn_q8, gate_weight, kNone, "gate");
    const ValueId up = matmul(b, ffn_q8, up_weight, d.up_has_bias ? ff_bias : kNone, "up");
    const ValueId product = mul(b, silu(b, gate, "silu"), up, "product");
    const ValueId down = matmul(b, quantize(b, product, "product_q8"), down_weight, kNone, "down");
    b.output(add(b, down, sum, "ffn_residual"));
    if (d.k_is_read_elsewhere) b.output(silu(b, k, "extra"));
    if (d.gate_is_read_elsewhere) b.output(silu(b, gate, "extra"));
    if (d.ffn_in_is_read_elsewhere) b.output(silu(b, ffn_in, "extra"));
    if (d.product_is_output) b.output(product);
    graph = b.take();
    verify(graph);
  }
};

std::vector<std::string> ops_of(const Graph& graph) {
  std::vector<std::string> ops;
  for (const Node& node : graph.nodes()) ops.emplace_back(op_def(node.op).name);
  return ops;
}

const Node* find_op(const Graph& graph, OpId op) {
  const auto& nodes = graph.nodes();
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const Node& node) { return node.op == op; });
  return found == nodes.end() ? nullptr : &*found;
}

FuseResult fused(const Block& block) {
  FuseResult result = fuse(block.graph, claim_all);
  verify(result.graph);
  return result;
}

using Ops = std::vector<std::string>;

TEST(FuseBlock, LeavesEightNodes) {
  for (const bool full : {false, true}) {
    Deviation d;
    d.has_bias = d.has_norm = full;
    const Block block(d);
    const FuseResult result = fused(block);
    EXPECT_EQ(ops_of(result.graph), (Ops{"rms_norm_quantize", "qkv", "attention", "quantize", "matmul", "add_rms_norm",
                                         "gate_up", "matmul", "add"}));
    EXPECT_EQ(result.n_fused, 4);
    EXPECT_EQ(fuse(result.graph, claim_all).n_fused, 0) << "nothing is left to fuse";
  }
}

TEST(FuseBlock, QkvHasTheWeightsInTheirOrder) {
  Deviation d;
  d.has_bias = d.has_norm = true;
  const Block block(d);
  const FuseResult result = fused(block);
  const Node* qkv = find_op(result.graph, OpId::kQkv);
  ASSERT_NE(qkv, nullptr);
  Ops names;
  for (WeightId id : qkv->weights) names.push_back(block.table.at(id).name);
  EXPECT_EQ(names, (Ops{"q", "k", "v", "q_bias", "kv_bias", "kv_bias", "head_norm", "head_norm"}));
  const auto& p = params_as<QkvParams>(*qkv);
  EXPECT_EQ(p.text(), "n_heads=4, n_kv_heads=2, head_dim=16, pairs=halves, dtype=F16, bias, norm eps=1e-06");
  EXPECT_EQ(qkv->name, "blk.0.kv");
  EXPECT_EQ(result.graph.value(qkv->outputs[0]).name, "blk.0.q_rope");
  EXPECT_EQ(result.graph.value(qkv->outputs[1]).kind, ValueKind::kKvCache);
}

TEST(FuseBlock, AddRmsNormKeepsTheSumForTheNextResidual) {
  const Block block({});
  const FuseResult result = fused(block);
  const Node* norm = find_op(result.graph, OpId::kAddRmsNorm);
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(params_as<AddRmsNormParams>(*norm).text(), "eps=1e-05, dtype=Q8A");
  EXPECT_EQ(result.graph.value(norm->outputs[0]).name, "blk.0.attn_residual");
  EXPECT_EQ(result.graph.value(norm->outputs[1]).name, "blk.0.ffn_in");
  EXPECT_EQ(result.graph.nodes().back().inputs[1], norm->outputs[0]);
}

struct NearMiss {
  const char* what;
  bool Deviation::*deviation;
  bool needs_bias = false;
  bool needs_norm = false;
};

TEST(FuseBlock, LeavesQkvAloneWhenItsPartsDoNotFit) {
  const NearMiss misses[] = {
      {"k is read by another node", &Deviation::k_is_read_elsewhere},
      {"q and k turn by different pairs", &Deviation::k_has_other_pairs},
      {"v reads the float form", &Deviation::v_reads_f32},
      {"k has no bias", &Deviation::lacks_k_bias, true},
      {"k has no norm", &Deviation::lacks_k_norm, false, true},
      {"k's norm has another epsilon", &Deviation::k_has_other_eps, false, true},
  };
  for (const NearMiss& miss : misses) {
    Deviation d;
    d.has_bias = miss.needs_bias;
    d.has_norm = miss.needs_norm;
    EXPECT_NE(find_op(fused(Block(d)).graph, OpId::kQkv), nullptr) << miss.what;
    d.*miss.deviation = true;
    const Block block(d);
    const FuseResult result = fused(block);
    EXPECT_EQ(find_op(result.graph, OpId::kQkv), nullptr) << miss.what;
    EXPECT_NE(find_op(result.graph, OpId::kKvStore), nullptr) << miss.what;
    EXPECT_NE(find_op(result.graph, OpId::kGateUp), nullptr) << miss.what;
  }
}

TEST(FuseBlock, LeavesGateUpAloneWhenItsPartsDoNotFit) {
  for (const NearMiss& miss : {NearMiss{"the gate is read by another node", &Deviation::gate_is_read_elsewhere},
                               NearMiss{"only one projection has a bias", &Deviation::up_has_bias}}) {
    Deviation d;
    d.*miss.deviation = true;
    const Block block(d);
    const FuseResult result = fused(block);
    EXPECT_EQ(find_op(result.graph, OpId::kGateUp), nullptr) << miss.what;
    EXPECT_NE(find_op(result.graph, OpId::kSwiglu), nullptr) << miss.what;
  }
}

TEST(FuseBlock, GateUpStopsBeforeAProductThatIsAnOutput) {
  Deviation d;
  d.product_is_output = true;
  const Block block(d);
  const FuseResult result = fused(block);
  const Node* gate_up = find_op(result.graph, OpId::kGateUp);
  ASSERT_NE(gate_up, nullptr);
  EXPECT_EQ(result.graph.value(gate_up->outputs[0]).desc.dtype, DType::kF32);
}

TEST(FuseBlock, AddRmsNormGivesFloatsWhereSomethingElseReadsThem) {
  Deviation d;
  d.ffn_in_is_read_elsewhere = true;
  const Block block(d);
  const FuseResult result = fused(block);
  const Node* norm = find_op(result.graph, OpId::kAddRmsNorm);
  ASSERT_NE(norm, nullptr);
  EXPECT_EQ(result.graph.value(norm->outputs[1]).name, "blk.0.ffn_norm");
}

// The fused node would stand behind the node that reads the sum.
TEST(FuseBlock, LeavesASumThatIsReadBeforeTheNorm) {
  Deviation d;
  d.sum_is_read_early = true;
  const Block block(d);
  const FuseResult result = fused(block);
  EXPECT_EQ(find_op(result.graph, OpId::kAddRmsNorm), nullptr);
  EXPECT_EQ(std::count_if(result.graph.nodes().begin(), result.graph.nodes().end(),
                          [](const Node& node) { return node.op == OpId::kRmsNormQuantize; }),
            2);
}

TEST(FuseBlock, LeavesTheNormOfEachHeadWhereNothingElseFits) {
  WeightTable table;
  const WeightId gain = table.add("gain", f32({32}), kNone);
  GraphBuilder b(&table, 4);
  const ValueId x = b.input("x", f32({4, 64}));
  b.output(quantize(b, rms_norm(b, add(b, x, x, "sum"), gain, 1e-6F, "norm"), "q8"));
  EXPECT_EQ(fuse(b.graph(), claim_all).n_fused, 0);
}

// Costs of a fused node: the FLOPs and weights of its parts, without the traffic between them.
TEST(FuseBlock, CostsAreThoseOfTheParts) {
  Deviation d;
  d.has_bias = d.has_norm = true;
  const Block block(d);
  const CostInput use{3, 100};
  const auto total = [&](const Graph& graph) {
    Cost sum;
    for (const Node& node : graph.nodes()) sum += graph.cost(node, use);
    return sum;
  };
  const Cost plain = total(block.graph);
  const Cost fused_cost = total(fused(block).graph);
  EXPECT_EQ(fused_cost.flops, plain.flops);
  EXPECT_EQ(fused_cost.weight_bytes, plain.weight_bytes);
  // Rows of 64, 32 and 96 floats, and of 64 and 96 in blocks of 40 bytes, three of each. Written no more: attn_norm, q
  // twice more (matmul, norm), k and v and their copies (k 3, v 1), ffn_norm, gate, up, silu, product.
  EXPECT_EQ(plain.write_bytes - fused_cost.write_bytes, 3 * (4 * (64 + 2 * 64 + 4 * 32 + 64 + 4 * 96)));
  // Read no more: the same, x twice more by k and v, the sum by its norm, angles once more, gate_up's x once more.
  EXPECT_EQ(plain.read_bytes - fused_cost.read_bytes,
            3 * (4 * (64 + 2 * 64 + 4 * 32 + 64 + 4 * 96) + 2 * 80 + 4 * 64 + 4 * 16 + 80));
}

}  // namespace
}  // namespace minfer
