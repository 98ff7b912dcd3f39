// Writes a matrix of f32 as a NumPy .npy file, row by row.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <string>

namespace minfer {

// Format 1.0, little endian, C order. Nothing is complete before close().
class NpyWriter {
 public:
  // Creates or replaces `path`. Throws kIo naming it.
  NpyWriter(const std::string& path, int64_t rows, int64_t columns);

  // The next row, of `columns` values. Throws kIo when it cannot be written (full disk).
  void write_row(std::span<const float> row);

  // Flushes and checks that all rows came. Throws kIo, kInternal.
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void write(const void* data, size_t size);
  [[noreturn]] void fail_write() const;

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  int64_t rows_;
  int64_t columns_;
  int64_t written_ = 0;
};

}  // namespace minfer
