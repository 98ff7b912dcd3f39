// Unicode normalization of a stretch of text before it is cut into pieces.
#pragma once

#include <string>
#include <string_view>

namespace minfer {

enum class Normalization { kIdentity, kNfc };

// `text` (well-formed UTF-8) in canonical composition, Unicode Standard Annex 15, of Unicode 9: the version that the
// reference tokenizers use. `buffer` owns the result when it differs; text that needs no work comes back as it is. Time
// n log n at worst, also for long runs of combining marks.
std::string_view to_nfc(std::string_view text, std::string& buffer);

}  // namespace minfer
