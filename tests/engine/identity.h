// Which models the identity tests run with: the short ones in every run of the tests, the long one when there is time.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "tensor/dtype.h"

namespace minfer::test {

struct IdentitySubject {
  std::string model;  // of tests/data/models
  DType kv_dtype;
};

inline void PrintTo(const IdentitySubject& subject, std::ostream* out) {
  *out << subject.model << " with KV in " << dtype_name(subject.kv_dtype);
}

// Defined by the executable.
std::vector<IdentitySubject> identity_subjects();

}  // namespace minfer::test
