// Attention of a few rows over long contexts, cut by spans as well: workers compute partial results side by side, and
// after they have met, one owner per query merges its spans in order.
#pragma once

#include "backend/cpu/ops/attention_unit.h"

namespace minfer::cpu {

int64_t attention_scratch_bytes(const Graph& graph, const Node& node);

// Runs the share so if that spreads the work better than whole units do; false: nothing was done. The answer is the
// same for all shares of a node.
bool run_attention_by_spans(const NodeRun& r, Share share, const RowAccess& access, const UnitCut& cut);

}  // namespace minfer::cpu
