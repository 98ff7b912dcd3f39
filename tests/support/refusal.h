// The text of an expected error.
#pragma once

#include <functional>
#include <string>

namespace minfer::test {

// Text of the Error that `call` throws, its code in front ("invalid_argument: …"); "no error" when it throws none.
std::string refusal(const std::function<void()>& call);

}  // namespace minfer::test
