# Flags that every target of the project shares. Results depend on two of them (docs/numerics.md):
# no contraction of a*b+c, no fast-math.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

find_program(MINFER_CCACHE ccache)
if(MINFER_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${MINFER_CCACHE})
endif()

# minfer_plain_flags: without sanitizers, for the vector kernels (src/backend/cpu/CMakeLists.txt).
add_library(minfer_plain_flags INTERFACE)
target_compile_options(minfer_plain_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor -Werror
  -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 reports string concatenation under -O2 (its bug 105651).
  target_compile_options(minfer_plain_flags INTERFACE -Wno-restrict)
endif()
add_library(minfer_flags INTERFACE)
target_link_libraries(minfer_flags INTERFACE minfer_plain_flags)
if(MINFER_SANITIZE)
  # The instrumented code confuses this warning (GCC's manual says so); builds without sanitizers keep it.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(minfer_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
  target_compile_options(minfer_flags INTERFACE -fsanitize=${MINFER_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  target_link_options(minfer_flags INTERFACE -fsanitize=${MINFER_SANITIZE})
endif()
