// A regular file mapped read-only into memory: what models are read from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace minfer {

// Owns the file descriptor and the mapping; movable. Reading is safe from several threads.
class MappedFile {
 public:
  // Opens and maps `path`. Errors (with the path made printable): kNotFound when it does not exist, kInvalidArgument
  // for a directory, a pipe or a device (never blocks on one), kIo for anything else that the system refuses.
  static MappedFile open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  // The whole file; empty for an empty file. Valid as long as this object. A file that another process cuts while it is
  // mapped raises SIGBUS on access, as for every mapping; read_at() reports it as an error instead.
  std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }
  uint64_t size_bytes() const { return size_bytes_; }
  const std::string& path() const { return path_; }

  // Hints that the file will be read from front to back, or in no order. Never fails.
  void advise_sequential() const;
  void advise_random() const;
  // Takes the mapping's pages out of memory; they come back from the file when they are looked at. Never fails.
  void drop_pages() const;

  // Throws kIo, with what was found, when the file has another size or time of change than when it was opened.
  void check_unchanged() const;

  // Fills `out` from the file at `offset` without touching the mapping's pages. A range that leaves the file, or a
  // read that comes back short, is kIo.
  void read_at(uint64_t offset, std::span<std::byte> out) const;

 private:
  MappedFile() = default;
  void close() noexcept;

  std::string path_;
  int fd_ = -1;
  const std::byte* data_ = nullptr;
  size_t size_bytes_ = 0;
  int64_t changed_ns_ = 0;  // time of the last change when it was opened, since 1970
};

}  // namespace minfer
