#include "tests/support/refusal.h"

#include "base/error.h"

namespace minfer::test {

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return std::string(error_code_name(error.code())) + ": " + error.what();
  }
  return "no error";
}

}  // namespace minfer::test
