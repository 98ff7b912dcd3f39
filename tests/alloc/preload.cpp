// A library to preload into the program: makes the allocation fail whose number is in the variable FAIL_ALLOCATION,
// counted from the start of main(), and with FAIL_BEHIND every later one too. With COUNT_ALLOCATIONS a file, the number
// of allocations is written to it at the end.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "tests/alloc/allocations.h"

namespace {

using Main = int (*)(int, char**, char**);
using StartMain = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);

Main program_main = nullptr;

int armed_main(int argc, char** argv, char** environment) {
  const char* number = std::getenv("FAIL_ALLOCATION");
  const char* counts = std::getenv("COUNT_ALLOCATIONS");
  const uint64_t before = minfer::test::allocation_sites();
  if (number == nullptr) {
    const int code = program_main(argc, argv, environment);
    std::FILE* file = counts == nullptr ? nullptr : std::fopen(counts, "w");
    if (file != nullptr) {
      std::fprintf(file, "%llu\n", static_cast<unsigned long long>(minfer::test::allocation_sites() - before));
      std::fclose(file);
    }
    return code;
  }
  const bool behind = std::getenv("FAIL_BEHIND") != nullptr;
  const minfer::test::FailingAllocation failing(std::strtoull(number, nullptr, 10), behind);
  return program_main(argc, argv, environment);
}

}  // namespace

// Called by the start-up code of every program.
extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*init)(), void (*fini)(), void (*rtld_fini)(),
                                 void* stack_end) {
  program_main = main;
  const auto next = reinterpret_cast<StartMain>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return next(armed_main, argc, argv, init, fini, rtld_fini, stack_end);
}
