// Names that are close to a misspelled one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace minfer::app {

// The smallest number of letters to insert, delete or replace that turns one text into the other (Levenshtein 1966).
size_t edit_distance(std::string_view a, std::string_view b);

// Up to `n` of `names`: those that contain `word` or differ from it in at most a third of its letters, closest first.
std::vector<std::string> close_names(std::string_view word, std::span<const std::string> names, size_t n);

// "; did you mean 'x' or 'y'?", or "" when nothing is close.
std::string did_you_mean(std::string_view word, std::span<const std::string> names, size_t n = 1);

}  // namespace minfer::app
