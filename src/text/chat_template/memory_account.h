// What the values of one rendering hold in memory, counted while they live, so that a template cannot fill the memory.
#pragma once

#include <cstdint>
#include <utility>

namespace minfer::jinja {

// The sum for one rendering. Values are made in places that see no interpreter, so the account in use is the one that a
// Scope object of this thread put up; without one nothing is counted (the inputs, the template's own constants).
class MemoryAccount {
 public:
  explicit MemoryAccount(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  MemoryAccount(const MemoryAccount&) = delete;
  MemoryAccount& operator=(const MemoryAccount&) = delete;

  // Throws Failure when `bytes` more would pass the limit; counts nothing.
  void require(uint64_t bytes) const;
  void add(uint64_t bytes);
  void remove(uint64_t bytes) noexcept { used_bytes_ -= bytes; }

  uint64_t used_bytes() const { return used_bytes_; }
  uint64_t left_bytes() const { return limit_bytes_ - used_bytes_; }

  // The account of the rendering on this thread; null outside of one.
  static MemoryAccount* current() noexcept;

  class Scope {
   public:
    explicit Scope(MemoryAccount& account) noexcept;
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    MemoryAccount* outer_;
  };

 private:
  uint64_t limit_bytes_;
  uint64_t used_bytes_ = 0;
};

// Bytes entered in the current account for as long as this object lives. Movable.
class Charge {
 public:
  Charge() = default;
  explicit Charge(uint64_t bytes);
  Charge(Charge&& other) noexcept
      : account_(std::exchange(other.account_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  Charge& operator=(Charge&&) = delete;
  ~Charge() {
    if (account_ != nullptr) account_->remove(bytes_);
  }

  void grow(uint64_t bytes);

 private:
  MemoryAccount* account_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace minfer::jinja
