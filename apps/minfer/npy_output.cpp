#include "apps/minfer/npy_output.h"

#include <unistd.h>

#include <filesystem>
#include <utility>

#include "base/error.h"

namespace minfer::app {
namespace {

namespace fs = std::filesystem;

std::string temporary_name(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  const bool replaceable = fs::is_regular_file(status) || status.type() == fs::file_type::not_found;
  return replaceable ? fmt::format("{}.part-{}", path, getpid()) : "";
}

}  // namespace

NpyOutput::NpyOutput(std::string path, int64_t rows, int64_t columns)
    : path_(std::move(path)), temporary_(temporary_name(path_)) {
  try {
    writer_ = std::make_unique<NpyWriter>(temporary_.empty() ? path_ : temporary_, rows, columns);
  } catch (const Error& error) {
    std::error_code ignored;  // no destructor runs
    if (!temporary_.empty()) fs::remove(temporary_, ignored);
    throw error.with_context(fmt::format("writing '{}'", printable(path_)));
  }
}

NpyOutput::~NpyOutput() {
  writer_.reset();
  std::error_code error;
  if (!temporary_.empty()) fs::remove(temporary_, error);
}

void NpyOutput::complete() {
  writer_->close();
  if (temporary_.empty()) return;
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error)
    fail(ErrorCode::kIo, "cannot rename '{}' to '{}': {}", printable(temporary_), printable(path_), error.message());
  temporary_.clear();
}

}  // namespace minfer::app
