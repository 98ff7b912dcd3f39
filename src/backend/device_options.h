// What may be chosen about devices before they are opened; a backend reads its own part.
#pragma once

#include <string>

namespace minfer {

struct DeviceOptions {
  std::string cpu_isa = "auto";  // instruction set of the CPU's kernels
  bool repack = true;            // weights are kept in the form that suits the kernels, not as they lie in the file
};

}  // namespace minfer
