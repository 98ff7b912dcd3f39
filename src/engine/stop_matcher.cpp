#include "engine/stop_matcher.h"

#include <algorithm>
#include <utility>

namespace minfer {

StopMatcher::StopMatcher(std::vector<std::string> stops) : stops_(std::move(stops)) {
  std::erase(stops_, "");
}

std::string StopMatcher::push(std::string_view text) {
  if (matched_) return "";
  pending_ += text;
  // The stop that is complete first counts, so that the result does not depend on where pieces are cut.
  size_t end = std::string::npos;
  for (const std::string& stop : stops_) {
    const size_t at = pending_.find(stop);
    if (at == std::string::npos) continue;
    const size_t stop_end = at + stop.size();
    if (stop_end > end || (stop_end == end && stop.size() < match_.size())) continue;
    end = stop_end;
    match_ = stop;
  }
  if (end != std::string::npos) {
    matched_ = true;
    std::string shown = pending_.substr(0, end - match_.size());
    pending_.clear();
    return shown;
  }
  const size_t keep = held_back();
  std::string shown = pending_.substr(0, pending_.size() - keep);
  pending_.erase(0, shown.size());
  return shown;
}

std::string StopMatcher::finish() {
  return std::exchange(pending_, "");
}

// Length of the longest end of pending_ that begins a stop string.
size_t StopMatcher::held_back() const {
  size_t longest = 0;
  for (const std::string& stop : stops_) {
    for (size_t n = std::min(stop.size() - 1, pending_.size()); n > longest; --n) {
      if (std::string_view(pending_).ends_with(std::string_view(stop).substr(0, n))) longest = n;
    }
  }
  return longest;
}

}  // namespace minfer
