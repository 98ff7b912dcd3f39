#include "text/chat_template/memory_account.h"

#include "text/chat_template/failure.h"

namespace minfer::jinja {
namespace {

thread_local MemoryAccount* current_account = nullptr;

}  // namespace

void MemoryAccount::require(uint64_t bytes) const {
  if (bytes > left_bytes()) {
    fail_limit("the template needs more than {} bytes of memory at once (--template-memory)", limit_bytes_);
  }
}

void MemoryAccount::add(uint64_t bytes) {
  require(bytes);
  used_bytes_ += bytes;
}

MemoryAccount* MemoryAccount::current() noexcept {
  return current_account;
}

MemoryAccount::Scope::Scope(MemoryAccount& account) noexcept : outer_(std::exchange(current_account, &account)) {}

MemoryAccount::Scope::~Scope() {
  current_account = outer_;
}

Charge::Charge(uint64_t bytes) {
  grow(bytes);
}

void Charge::grow(uint64_t bytes) {
  if (account_ == nullptr) account_ = MemoryAccount::current();
  if (account_ == nullptr) return;
  account_->add(bytes);
  bytes_ += bytes;
}

}  // namespace minfer::jinja
