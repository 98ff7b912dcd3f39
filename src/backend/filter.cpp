#include "backend/filter.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace minfer {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

// The names in comma lists; empty parts are dropped.
std::vector<std::string_view> split_names(const std::vector<std::string>& lists) {
  std::vector<std::string_view> names;
  for (std::string_view rest : lists) {
    while (!rest.empty()) {
      const size_t comma = rest.find(',');
      const std::string_view name = trim(rest.substr(0, comma));
      if (!name.empty()) names.push_back(name);
      rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
  }
  return names;
}

std::string known_names() {
  std::vector<std::string_view> names;
  for (const BackendInfo& info : known_backends()) names.push_back(info.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// A registered kind beyond the table (tests) is known by its own name.
std::optional<Backend> resolve_name(std::string_view name, const Registry& registry) {
  if (const std::optional<Backend> known = backend_from_name(name)) return known;
  for (const BackendEntry& entry : registry.by_identity()) {
    if (entry.backend.name() == name) return entry.backend;
  }
  return std::nullopt;
}

}  // namespace

BackendFilter BackendFilter::resolve(const std::vector<std::string>& names, const Registry& registry) {
  BackendFilter filter;
  for (std::string_view name : split_names(names)) {
    const std::optional<Backend> backend = resolve_name(name, registry);
    if (!backend) {
      fail(ErrorCode::kInvalidArgument, "unknown backend '{}'; known backends are: {}", printable(name), known_names());
    }
    if (registry.find(*backend) == nullptr) {
      fail(ErrorCode::kInvalidArgument, "backend '{}' is known but not compiled into this build: {}", backend->name(),
           known_backends()[backend->id()].not_compiled);
    }
    filter.any_ = false;
    filter.requested_.push_back(*backend);
  }
  std::sort(filter.requested_.begin(), filter.requested_.end());
  filter.requested_.erase(std::unique(filter.requested_.begin(), filter.requested_.end()), filter.requested_.end());
  return filter;
}

void BackendFilter::check_available(const Registry& registry) const {
  for (Backend backend : requested_) {
    const BackendEntry* entry = registry.find(backend);
    check(entry != nullptr, "[filter] backend '{}' was resolved with another registry", backend.name());
    const std::optional<std::string> why = entry->unavailable();
    if (why) {
      fail(ErrorCode::kUnsupported, "backend '{}' is compiled in but not available on this machine: {}", backend.name(),
           *why);
    }
  }
}

bool BackendFilter::allows(Backend backend) const {
  return any_ || backend == kBackendCpu || requests(backend);
}

bool BackendFilter::requests(Backend backend) const {
  return std::binary_search(requested_.begin(), requested_.end(), backend);
}

}  // namespace minfer
