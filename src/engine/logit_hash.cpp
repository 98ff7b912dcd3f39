#include "engine/logit_hash.h"

#include <fmt/format.h>

namespace minfer {

void LogitHash::add(std::span<const float> logits) {
  hash_.update_floats(logits);
}

uint64_t LogitHash::value() const {
  return hash_.value();
}

std::string LogitHash::text() const {
  return fmt::format("{:016x}", hash_.value());
}

}  // namespace minfer
