// libFuzzer target of the GGUF reader: any bytes give a file whose every part can be read, or an Error.
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "gguf/gguf_file.h"

namespace {

// Reads each value through every getter; those of the wrong type refuse.
template <typename Call>
void attempt(Call&& call) {
  try {
    call();
  } catch (const minfer::Error& error) {
    if (error.code() != minfer::ErrorCode::kBadFile) throw;
  }
}

void read_metadata(const minfer::GgufMetadata& metadata) {
  for (const auto& [key, value] : metadata.entries()) {
    value.elements(0, value.count);
    attempt([&, name = key] { metadata.get_u64(name); });
    attempt([&, name = key] { metadata.get_i64(name); });
    attempt([&, name = key] { metadata.get_bool(name); });
    attempt([&, name = key] { metadata.get_f32(name); });
    attempt([&, name = key] { metadata.get_string(name); });
    attempt([&, name = key] { metadata.get_string_array(name); });
    attempt([&, name = key] { metadata.get_i64_array(name); });
    attempt([&, name = key] { metadata.get_f32_array(name); });
  }
}

// The sum of all data bytes, so that a span that leaves the file is seen.
uint64_t sum_of_data(const minfer::GgufFile& file) {
  uint64_t sum = 0;
  for (const minfer::GgufTensor& tensor : file.tensors()) {
    for (std::byte byte : tensor.data) sum += static_cast<uint64_t>(byte);
  }
  return sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  attempt([&] {
    const auto file = minfer::GgufFile::parse(std::as_bytes(std::span(data, size)));
    read_metadata(file.metadata());
    volatile uint64_t sum = sum_of_data(file);
    static_cast<void>(sum);
  });
  return 0;
}
