// open, fstat, mmap and pread, with every refusal turned into an Error that names the file.
#include "base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace minfer {

namespace {

std::string errno_text(int error) {
  return std::generic_category().message(error);
}

struct stat inspect(int fd, const std::string& name) {
  struct stat status = {};
  if (fstat(fd, &status) != 0) fail(ErrorCode::kIo, "[file] cannot inspect '{}': {}", name, errno_text(errno));
  return status;
}

int64_t time_of_change(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

// Refuses what cannot be mapped.
struct stat inspect_regular(int fd, const std::string& name) {
  const struct stat status = inspect(fd, name);
  if (S_ISDIR(status.st_mode)) {
    fail(ErrorCode::kInvalidArgument, "[file] '{}' is a directory: expected a regular file", name);
  }
  if (!S_ISREG(status.st_mode)) {
    fail(ErrorCode::kInvalidArgument, "[file] '{}' is not a regular file (a pipe, socket or device)", name);
  }
  return status;
}

}  // namespace

MappedFile MappedFile::open(const std::string& path) {
  const std::string name = printable(path);
  if (path.find('\0') != std::string::npos) {
    fail(ErrorCode::kInvalidArgument, "[file] the path '{}' contains a zero byte", name);
  }
  MappedFile file;
  file.path_ = path;
  // O_NONBLOCK: opening a FIFO that nobody writes to would otherwise wait for ever.
  file.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file.fd_ < 0) {
    const int error = errno;
    if (error == ENOENT || error == ENOTDIR) fail(ErrorCode::kNotFound, "[file] '{}': {}", name, errno_text(error));
    fail(ErrorCode::kIo, "[file] cannot open '{}': {}", name, errno_text(error));
  }
  const struct stat status = inspect_regular(file.fd_, name);
  file.changed_ns_ = time_of_change(status);
  const auto size = static_cast<size_t>(status.st_size);
  if (size == 0) return file;
  void* data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd_, 0);
  if (data == MAP_FAILED) {
    const int error = errno;
    fail(error == ENOMEM ? ErrorCode::kOutOfMemory : ErrorCode::kIo, "[file] cannot map '{}' ({} bytes): {}", name,
         size, errno_text(error));
  }
  file.data_ = static_cast<const std::byte*>(data);
  file.size_bytes_ = size;
  return file;
}

MappedFile::MappedFile(MappedFile&& other) noexcept {
  *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  close();
  path_ = std::move(other.path_);
  fd_ = std::exchange(other.fd_, -1);
  data_ = std::exchange(other.data_, nullptr);
  size_bytes_ = std::exchange(other.size_bytes_, 0);
  changed_ns_ = other.changed_ns_;
  return *this;
}

MappedFile::~MappedFile() {
  close();
}

void MappedFile::close() noexcept {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_bytes_);
  if (fd_ >= 0) ::close(fd_);
  data_ = nullptr;
  size_bytes_ = 0;
  fd_ = -1;
}

void MappedFile::advise_sequential() const {
  if (data_ == nullptr) return;
  posix_madvise(const_cast<std::byte*>(data_), size_bytes_, POSIX_MADV_SEQUENTIAL);
  posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);
}

void MappedFile::advise_random() const {
  if (data_ != nullptr) posix_madvise(const_cast<std::byte*>(data_), size_bytes_, POSIX_MADV_RANDOM);
}

void MappedFile::drop_pages() const {
  if (data_ != nullptr) madvise(const_cast<std::byte*>(data_), size_bytes_, MADV_DONTNEED);
}

void MappedFile::check_unchanged() const {
  const struct stat now = inspect(fd_, printable(path_));
  const auto size = static_cast<uint64_t>(now.st_size);
  if (size != size_bytes_) {
    fail(ErrorCode::kIo, "[file] '{}' changed while it was in use: it had {} bytes, now it has {}", printable(path_),
         size_bytes_, size);
  }
  if (time_of_change(now) != changed_ns_) {
    fail(ErrorCode::kIo, "[file] '{}' changed while it was in use: it was written to after it had been opened",
         printable(path_));
  }
}

void MappedFile::read_at(uint64_t offset, std::span<std::byte> out) const {
  if (offset > size_bytes_ || out.size() > size_bytes_ - offset) {
    fail(ErrorCode::kIo, "[file] reading '{}': {} bytes at offset {} leave the file of {} bytes", printable(path_),
         out.size(), offset, size_bytes_);
  }
  constexpr size_t kMaxRead = size_t{1} << 30;
  size_t done = 0;
  while (done < out.size()) {
    const size_t want = std::min(out.size() - done, kMaxRead);
    const ssize_t got = pread(fd_, out.data() + done, want, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail(ErrorCode::kIo, "[file] reading '{}' at offset {}: {}", printable(path_), offset + done, errno_text(errno));
    }
    if (got == 0) {
      fail(ErrorCode::kIo,
           "[file] reading '{}': it ends at offset {}, expected {} bytes at offset {}; was it cut while in use?",
           printable(path_), offset + done, out.size(), offset);
    }
    done += static_cast<size_t>(got);
  }
}

}  // namespace minfer
