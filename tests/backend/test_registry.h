// Registries of chosen backends, without devices.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "backend/registry.h"

namespace minfer {

// An entry as a build that contains the backend registers it; `unavailable` is why the machine lacks it.
inline BackendEntry entry_of(Backend backend, std::optional<std::string> unavailable = std::nullopt) {
  BackendEntry entry;
  entry.backend = backend;
  for (const BackendInfo& info : known_backends()) {
    if (info.backend == backend) entry.priority = info.priority;
  }
  entry.unavailable = [unavailable] { return unavailable; };
  return entry;
}

inline Registry registry_of(std::initializer_list<Backend> backends) {
  Registry registry;
  for (Backend backend : backends) registry.add(entry_of(backend));
  return registry;
}

}  // namespace minfer
