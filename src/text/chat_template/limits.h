// How much work a template may do before rendering stops with an error; a template comes from a model file and is not
// trusted.
#pragma once

#include <cstdint>

namespace minfer::jinja {

struct Limits {
  uint64_t max_steps = 20'000'000;  // nodes evaluated, items produced; also one for 32 bytes of text made or walked
  uint64_t max_bytes = uint64_t{1} << 29;   // text and lists made in the course of one rendering, in all
  uint64_t max_memory = uint64_t{1} << 26;  // the same at any one time, values, frames and rendered text together
  uint64_t max_output = uint64_t{1} << 26;  // bytes of rendered text
  int max_depth = 1000;                     // nodes under evaluation at once, macro calls included
};

// Bounds that do not depend on the rendering.
inline constexpr int kMaxNesting = 200;                 // brackets and blocks inside each other, in the template's text
inline constexpr int kMaxTreeDepth = 600;               // longest path through one expression's tree
inline constexpr int kMaxDataDepth = 200;               // lists and dicts inside each other
inline constexpr uint64_t kMaxDataWeight = 10'000'000;  // values inside one list or dict, at any depth
inline constexpr int64_t kMaxRange = 100'000;           // items of a range(), as in jinja2's sandbox
inline constexpr int64_t kMaxWidth = 10'000;            // width or precision in a format, width of indent and center

}  // namespace minfer::jinja
