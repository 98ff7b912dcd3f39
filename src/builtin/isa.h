// The instruction sets for which this build has CPU kernels.
#pragma once

#include <string>
#include <vector>

namespace minfer::builtin {

struct CpuIsa {
  std::string name;           // "scalar"
  bool is_available = false;  // this machine offers it
  bool is_chosen = false;     // the best one that is available: its kernels run
};

// All of them, best first.
std::vector<CpuIsa> cpu_isas();

}  // namespace minfer::builtin
