#include "builtin/isa.h"

#include "backend/cpu/dispatch.h"

namespace minfer::builtin {

std::vector<CpuIsa> cpu_isas() {
  std::vector<CpuIsa> isas;
  bool chosen = false;
  for (const cpu::IsaChoice& choice : cpu::isa_choices()) {
    isas.push_back({choice.name, choice.available, choice.available && !chosen});
    chosen = chosen || choice.available;
  }
  return isas;
}

}  // namespace minfer::builtin
