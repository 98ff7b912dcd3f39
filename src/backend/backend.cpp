#include "backend/backend.h"

#include <fmt/format.h>

#include <array>

namespace minfer {
namespace {

constexpr BackendInfo kKnown[] = {
#define MINFER_BACKEND(id, Name, name, printed, priority, not_compiled, not_available) \
  {kBackend##Name, name, printed, priority, not_compiled, not_available},
#include "backend/backend_list.inc"
#undef MINFER_BACKEND
};

constexpr std::string_view kBlanks = " \t\r\n";

std::string trimmed_lower(std::string_view text) {
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return "";
  text = text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

const BackendInfo* find_known(Backend backend) {
  for (const BackendInfo& info : kKnown) {
    if (info.backend == backend) return &info;
  }
  return nullptr;
}

}  // namespace

std::string Backend::name() const {
  const BackendInfo* info = find_known(*this);
  return info ? std::string(info->name) : fmt::format("backend{}", id_);
}

std::string Backend::printed_name() const {
  const BackendInfo* info = find_known(*this);
  return info ? std::string(info->printed_name) : fmt::format("Backend{}", id_);
}

std::span<const BackendInfo> known_backends() {
  return kKnown;
}

std::optional<Backend> backend_from_name(std::string_view name) {
  const std::string wanted = trimmed_lower(name);
  for (const BackendInfo& info : kKnown) {
    if (info.name == wanted) return info.backend;
  }
  return std::nullopt;
}

}  // namespace minfer
