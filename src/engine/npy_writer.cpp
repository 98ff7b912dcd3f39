#include "engine/npy_writer.h"

#include <cerrno>
#include <cstring>
#include <string_view>

#include "base/error.h"

namespace minfer {

NpyWriter::NpyWriter(const std::string& path, int64_t rows, int64_t columns)
    : path_(path), file_(std::fopen(path.c_str(), "wb")), rows_(rows), columns_(columns) {
  if (!file_) fail(ErrorCode::kIo, "cannot create '{}': {}", printable(path), std::strerror(errno));
  // The header is padded so that magic, version, length and text together are a multiple of 64 bytes.
  std::string header = fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
  constexpr size_t kFixed = 10;
  header.append(63 - (kFixed + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<uint16_t>(header.size());
  const unsigned char fixed[kFixed] = {0x93,
                                       'N',
                                       'U',
                                       'M',
                                       'P',
                                       'Y',
                                       1,
                                       0,
                                       static_cast<unsigned char>(length & 0xFF),
                                       static_cast<unsigned char>(length >> 8)};
  write(fixed, sizeof(fixed));
  write(header.data(), header.size());
}

void NpyWriter::write_row(std::span<const float> row) {
  check(static_cast<int64_t>(row.size()) == columns_, "[npy] a row of {} values, expected {}", row.size(), columns_);
  write(row.data(), row.size_bytes());
  ++written_;
}

void NpyWriter::close() {
  check(written_ == rows_, "[npy] {} rows of {} were written", written_, rows_);
  std::FILE* file = file_.release();
  if (std::fclose(file) != 0) fail_write();
}

void NpyWriter::write(const void* data, size_t size) {
  if (std::fwrite(data, 1, size, file_.get()) != size) fail_write();
}

void NpyWriter::fail_write() const {
  fail(ErrorCode::kIo, "cannot write '{}': {}", printable(path_), std::strerror(errno));
}

}  // namespace minfer
