// The commit that the program was built from.
#pragma once

#include <string_view>

namespace minfer::app {

// "2077c53", with "-dirty" behind it when files were changed; "unknown" outside a git checkout. Written at each build.
std::string_view build_commit();

}  // namespace minfer::app
