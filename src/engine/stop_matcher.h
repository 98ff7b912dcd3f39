// Finds stop strings in a stream of text, wherever pieces are cut, and holds back what could still become one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minfer {

// A value: copies continue on their own.
class StopMatcher {
 public:
  // Empty stop strings are ignored.
  explicit StopMatcher(std::vector<std::string> stops);

  // Takes the next piece; returns what can be shown. Once a stop string has been found, everything from it on is
  // dropped. Of several stop strings the one that is complete first counts; the longest of those that end together.
  std::string push(std::string_view text);

  // The end of the stream: what was held back.
  std::string finish();

  bool matched() const { return matched_; }
  const std::string& match() const { return match_; }

 private:
  size_t held_back() const;

  std::vector<std::string> stops_;
  std::string pending_;  // seen, not shown yet
  std::string match_;
  bool matched_ = false;
};

}  // namespace minfer
