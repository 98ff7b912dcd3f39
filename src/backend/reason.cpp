#include "backend/reason.h"

namespace minfer {

std::string_view reason_code(Reason reason) {
  switch (reason) {
    case Reason::kTakes: return "takes";
    case Reason::kOp: return "op";
    case Reason::kType: return "type";
    case Reason::kShape: return "shape";
    case Reason::kFence: return "fence";
    case Reason::kOffloadPlan: return "offload_plan";
    case Reason::kMemory: return "memory";
    case Reason::kNotAvailable: return "not_available";
    case Reason::kWeight: return "weight";
    case Reason::kKvElsewhere: return "kv_elsewhere";
  }
  return "unknown";
}

}  // namespace minfer
