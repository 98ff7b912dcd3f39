#include "backend/cpu/ops/op_table.h"

#include "base/error.h"

namespace minfer::cpu {

const OpImpl& op_impl(OpId op) {
  switch (op) {
#define MINFER_OP(name, Name) \
  case OpId::k##Name:         \
    return impl_##name();
#include "graph/op_list.inc"
#undef MINFER_OP
  }
  fail(ErrorCode::kInternal, "[cpu] no op has the id {}", static_cast<int>(op));
}

}  // namespace minfer::cpu
