// The handle of a backend: the kind of device, with a pinned id. Executors are devices (device.h).
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace minfer {

class Backend {
 public:
  constexpr explicit Backend(uint16_t id) : id_(id) {}

  constexpr uint16_t id() const { return id_; }

  // "cpu", "metal", "cuda": what flags, messages and files use. Kinds beyond the table (tests) are "backend<id>".
  std::string name() const;
  // "CPU", "Metal", "Cuda": what diagnostics print.
  std::string printed_name() const;

  // Identity order: by id. Priority is another order and lives in the registry.
  constexpr auto operator<=>(const Backend&) const = default;

 private:
  uint16_t id_;
};

#define MINFER_BACKEND(id, Name, name, printed, priority, not_compiled, not_available) \
  inline constexpr Backend kBackend##Name{id};
#include "backend/backend_list.inc"
#undef MINFER_BACKEND

// A row of backend_list.inc.
struct BackendInfo {
  Backend backend;
  std::string_view name;
  std::string_view printed_name;
  uint16_t priority;               // higher is asked first
  std::string_view not_compiled;   // why a build may not contain it
  std::string_view not_available;  // why a machine may not offer it
};

// All known backends in identity order, compiled in or not.
std::span<const BackendInfo> known_backends();

// The known backend of that name; case and surrounding blanks do not matter.
std::optional<Backend> backend_from_name(std::string_view name);

}  // namespace minfer
