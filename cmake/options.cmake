# What can be switched on or off. Backends other than the CPU add one line here.
option(MINFER_BUILD_APP "Build the program minfer" ON)
option(MINFER_BUILD_TESTS "Build the tests" ON)
option(MINFER_BUILD_FUZZ "Build the libFuzzer targets (clang only)" OFF)
set(MINFER_SIMD_ISAS "all" CACHE STRING "Instruction sets with vector kernels to build: all, none, or names as avx2;avxvnni")
set(MINFER_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, for example address,undefined")
