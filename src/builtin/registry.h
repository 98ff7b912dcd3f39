// The backends that this build contains: the only place that names them all.
#pragma once

#include <vector>

#include "backend/device_options.h"
#include "backend/registry.h"

namespace minfer::builtin {

// Every backend that is compiled in. Those in `disabled` (MINFER_DISABLE_…) stay known but answer that this machine
// does not offer them; the CPU cannot be disabled. Throws kInvalidArgument for options that this machine cannot follow.
Registry make_registry(const std::vector<Backend>& disabled, const DeviceOptions& options = {});

}  // namespace minfer::builtin
