// The backends that this build contains: the only place that names them all.
#pragma once

#include <string>

#include "backend/registry.h"

namespace minfer::builtin {

// What the user's settings say about backends that are compiled in.
struct DisabledBackends {
  bool cuda = false;   // MINFER_DISABLE_CUDA
  bool metal = false;  // MINFER_DISABLE_METAL, MINFER_DISABLE_MPS
};

Registry make_registry(const DisabledBackends& disabled);

}  // namespace minfer::builtin
