#include "runtime/assign.h"

#include <gtest/gtest.h>

#include "graph/builder.h"
#include "graph/ops/add.h"
#include "graph/ops/attention.h"
#include "graph/ops/kv_store.h"
#include "graph/ops/mul.h"
#include "graph/ops/silu.h"
#include "tests/runtime/rig.h"

namespace minfer::test {
namespace {

const WeightTable kNoWeights;
const OffloadPlan kAll{4, 4};

// silu, add, in block `layer`.
Graph two_nodes(int layer) {
  GraphBuilder b(&kNoWeights, 2);
  b.set_layer(layer);
  const ValueId x = b.input("x", matrix(2, 4));
  const ValueId y = silu(b, x, "gate");
  b.output(add(b, y, x, "sum"));
  return b.take();
}

// Block 0 stores its keys and values and attends to them.
Graph attending() {
  GraphBuilder b(&kNoWeights, 2);
  b.set_layer(0);
  const ValueId q = b.input("q", matrix(2, 4));
  const KvRows rows{b.input("positions", {DType::kI32, {2}}), b.input("sequences", {DType::kI32, {2}}),
                    b.input("block_tables", {DType::kI32, {2, 1}})};
  KvStoreParams store;
  store.n_kv_heads = 1;
  store.head_dim = 4;
  store.dtype = DType::kF32;
  const ValueId kv = kv_store(b, q, q, rows, store, "store");
  AttentionParams params;
  params.n_heads = 1;
  params.n_kv_heads = 1;
  params.head_dim = 4;
  b.output(attention(b, q, kv, rows, params, "attention"));
  return b.take();
}

// "test:0=takes" or "test:0=op cpu=takes".
std::string answers(const Assignment& assignment, NodeId node) {
  std::string text;
  for (const DeviceAnswer& answer : assignment.answers[static_cast<size_t>(node)]) {
    text += (text.empty() ? "" : " ") + answer.device + "=" + std::string(reason_code(answer.support.reason));
  }
  return text;
}

TEST(Assign, GivesANodeToTheFirstDeviceThatTakesIt) {
  Rig rig({taking_op(OpId::kSilu), anything()});
  const Assignment assignment = assign(two_nodes(0), rig.devices, kAll);
  EXPECT_EQ(assignment.device, (std::vector<DeviceId>{1, 2}));
  EXPECT_EQ(answers(assignment, 0), "test:0=takes");
  EXPECT_EQ(answers(assignment, 1), "test:0=op test:1=takes");
  EXPECT_EQ(assignment.answers[1][0].support.detail, "the test keeps it away");
}

TEST(Assign, NamesTheFence) {
  Rig rig({anything()}, {"cpu"});
  const Assignment assignment = assign(two_nodes(0), rig.devices, kAll);
  EXPECT_EQ(assignment.device, (std::vector<DeviceId>{0, 0}));
  EXPECT_EQ(answers(assignment, 0), "backend100=fence cpu=takes");
}

TEST(Assign, KeepsBlocksOutsideTheOffloadPlanOnTheCpu) {
  Rig rig({anything()});
  EXPECT_EQ(answers(assign(two_nodes(1), rig.devices, {4, 2}), 0), "test:0=takes");
  const Assignment assignment = assign(two_nodes(2), rig.devices, {4, 2});
  EXPECT_EQ(answers(assignment, 0), "test:0=offload_plan cpu=takes");
  EXPECT_EQ(assignment.answers[0][0].support.detail, "block 2 is not among the first 2 blocks, which are offloaded");
}

TEST(Assign, OffloadsNodesOutsideTheBlocksOnlyWithAllBlocks) {
  Rig rig({anything()});
  EXPECT_EQ(answers(assign(two_nodes(kNone), rig.devices, {4, 3}), 0), "test:0=offload_plan cpu=takes");
  EXPECT_EQ(answers(assign(two_nodes(kNone), rig.devices, {4, 4}), 0), "test:0=takes");
}

TEST(Assign, StoresKeysOnlyWhereTheyCanBeRead) {
  Rig rig({taking_op(OpId::kKvStore)});
  const Assignment assignment = assign(attending(), rig.devices, kAll);
  EXPECT_EQ(assignment.device, (std::vector<DeviceId>{0, 0}));
  EXPECT_EQ(answers(assignment, 0), "test:0=kv_elsewhere cpu=takes");
  EXPECT_EQ(assignment.answers[0][0].support.detail,
            "it does not run 'blk.0.attention', which reads these blocks (op: the test keeps it away)");
}

TEST(Assign, ReadsKeysOnlyWhereTheyAreStored) {
  Rig rig({taking_op(OpId::kAttention)});
  const Assignment assignment = assign(attending(), rig.devices, kAll);
  EXPECT_EQ(assignment.device, (std::vector<DeviceId>{0, 0}));
  EXPECT_EQ(answers(assignment, 1), "test:0=kv_elsewhere cpu=takes");
  EXPECT_EQ(assignment.answers[1][0].support.detail, "the layer's key/value blocks lie on cpu");
}

TEST(Assign, SendsStoreAndAttentionToOneDevice) {
  Rig rig({taking_op(OpId::kKvStore), anything()});
  const Assignment assignment = assign(attending(), rig.devices, kAll);
  EXPECT_EQ(assignment.device, (std::vector<DeviceId>{2, 2}));
  EXPECT_EQ(answers(assignment, 1), "test:0=kv_elsewhere test:1=takes");
}

TEST(Assign, RefusesANodeThatNobodyTakesWithAllAnswers) {
  WeightTable weights;
  const WeightId scale = weights.add("scale", matrix(4, 4), 0);
  GraphBuilder b(&weights, 2);
  const ValueId x = b.input("x", matrix(2, 4));
  b.output(b.node(OpId::kMatmul, "up", {x}, {scale}, nullptr)[0]);
  Rig rig({anything()});
  EXPECT_EQ(error_of([&] { assign(b.graph(), rig.devices, kAll); }),
            "unsupported: [assign] no device runs node 'up' (matmul): test:0: weight (weight 'scale' is not "
            "registered); cpu: weight (weight 'scale' is not registered)");
}

}  // namespace
}  // namespace minfer::test
