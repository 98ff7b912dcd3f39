// What a conformance case runs on: every device of the registry, and the CPU's own executor with every instruction set
// that this machine has, with 1, 2 and 3 threads, and with weights that are not interleaved.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend/device.h"

namespace minfer::ops_test {

struct Subject {
  std::string name;  // "cpu avx2, 3 threads"
  std::unique_ptr<Device> device;
};

// Opened anew, with no weights; they share thread pools and a ledger that live as long as the program.
std::vector<Subject> open_subjects();

}  // namespace minfer::ops_test
