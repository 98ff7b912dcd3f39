// A .npy file that appears under its name only when it is complete.
#pragma once

#include <memory>
#include <string>

#include "engine/npy_writer.h"

namespace minfer::app {

class NpyOutput {
 public:
  // Writes beside `path` and renames at the end; a device or pipe is written directly. Throws kIo.
  NpyOutput(std::string path, int64_t rows, int64_t columns);
  // Removes what was not completed.
  ~NpyOutput();
  NpyOutput(const NpyOutput&) = delete;
  NpyOutput& operator=(const NpyOutput&) = delete;

  void write_row(std::span<const float> row) { writer_->write_row(row); }
  // All rows are there: gives the file its name. Throws kIo.
  void complete();

 private:
  std::string path_;
  std::string temporary_;  // "" when `path_` is written directly
  std::unique_ptr<NpyWriter> writer_;
};

}  // namespace minfer::app
