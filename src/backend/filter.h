// The fence: which backends a run may use. A request only removes; the CPU always stays.
#pragma once

#include <string>
#include <vector>

#include "backend/registry.h"

namespace minfer {

class BackendFilter {
 public:
  // Nothing requested: every backend that the build has and the machine offers.
  BackendFilter() = default;

  // Resolves requested names (each may be a comma list; blanks and case do not matter). An empty request is no request.
  // Throws kInvalidArgument, before any device is touched:
  //   unknown backend 'gpu2'; known backends are: cpu, metal, cuda
  //   backend 'cuda' is known but not compiled into this build: <why>
  static BackendFilter resolve(const std::vector<std::string>& names, const Registry& registry);

  // Throws kUnsupported when a backend that was asked for by name cannot be used on this machine:
  //   backend 'cuda' is compiled in but not available on this machine: <why>
  void check_available(const Registry& registry) const;

  bool allows(Backend backend) const;
  // Whether the request named it.
  bool requests(Backend backend) const;

 private:
  bool any_ = true;                 // nothing was requested
  std::vector<Backend> requested_;  // sorted, without repeats
};

}  // namespace minfer
