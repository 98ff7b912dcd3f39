// Memory of one device, and a range in it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace minfer {

// Owned memory of a device; freed with the object, which must not outlive the device. Device code casts it to its own
// type; only the CPU's is readable by the host.
class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;

  int64_t size_bytes() const { return size_bytes_; }

 protected:
  explicit DeviceBuffer(int64_t size_bytes) : size_bytes_(size_bytes) {}

 private:
  int64_t size_bytes_;
};

// A range of a buffer. Does not own it.
struct BufferRange {
  DeviceBuffer* buffer = nullptr;
  int64_t offset_bytes = 0;
  int64_t size_bytes = 0;
};

}  // namespace minfer
