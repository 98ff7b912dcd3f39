#include "graph/op.h"

#include "base/error.h"

namespace minfer {

Cost& Cost::operator+=(const Cost& other) {
  weight_bytes += other.weight_bytes;
  read_bytes += other.read_bytes;
  write_bytes += other.write_bytes;
  flops += other.flops;
  return *this;
}

const OpDef& op_def(OpId op) {
  switch (op) {
#define MINFER_OP(name, Name) \
  case OpId::k##Name:         \
    return op_##name();
#include "graph/op_list.inc"
#undef MINFER_OP
  }
  fail(ErrorCode::kInternal, "[graph] no op has the id {}", static_cast<int>(op));
}

}  // namespace minfer
