// Conversion between f32 and the storage types, looked up by type. These are the reference implementations; fast
// kernels live with the devices and are tested against them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tensor/dtype.h"

namespace minfer {

struct Codec {
  // `n` values, a multiple of the type's block, from bytes that need no alignment.
  void (*dequantize)(const std::byte* src, float* dst, int64_t n);

  // The inverse with rounding; nullptr when this build cannot produce the type.
  void (*quantize)(const float* src, std::byte* dst, int64_t n);
};

// nullptr for a type that is known by name only. Lives as long as the program.
const Codec* find_codec(DType dtype);

// All of `dst` from `src`. Errors: kUnsupported for a type without a codec, kInvalidArgument when the sizes differ.
void dequantize(DType dtype, std::span<const std::byte> src, std::span<float> dst);

// All of `src` to `dst`. Errors as above.
void quantize(DType dtype, std::span<const float> src, std::span<std::byte> dst);

}  // namespace minfer
