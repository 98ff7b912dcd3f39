// Linux: /proc/self/smaps and /proc/self/pagemap; glibc: mallinfo2 and malloc_trim.
#include "base/process_memory.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string_view>

namespace minfer {
namespace {

constexpr uint64_t kPresent = uint64_t{1} << 63;  // of an entry of pagemap

// "7f00-7fff rw-p 00000000 00:00 0   name", with hexadecimal addresses without a prefix.
bool parse_header(std::string_view line, MemoryArea& area) {
  const char* end = line.data() + line.size();
  const auto first = std::from_chars(line.data(), end, area.begin, 16);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return false;
  const auto second = std::from_chars(first.ptr + 1, end, area.end, 16);
  if (second.ec != std::errc() || second.ptr == end || *second.ptr != ' ') return false;
  area.name.clear();
  size_t at = 0;
  for (int field = 0; field < 5; ++field) {
    at = line.find(' ', at);
    if (at == std::string_view::npos) return true;
    at = line.find_first_not_of(' ', at);
    if (at == std::string_view::npos) return true;
  }
  area.name = line.substr(at);
  return true;
}

// "Rss:      12 kB"
bool parse_resident(std::string_view line, uint64_t& bytes) {
  if (!line.starts_with("Rss:")) return false;
  const size_t at = line.find_first_of("0123456789");
  uint64_t kib = 0;
  if (at == std::string_view::npos) return false;
  std::from_chars(line.data() + at, line.data() + line.size(), kib);
  bytes = kib * 1024;
  return true;
}

class PageMap {
 public:
  PageMap() : fd_(open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC)) {}
  ~PageMap() {
    if (fd_ >= 0) close(fd_);
  }
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  // Pages first … first+n-1 that are in memory; -1 where the system does not tell.
  int64_t count(uint64_t first, uint64_t n) const {
    std::vector<uint64_t> entries(std::min<uint64_t>(n, 1 << 15));
    int64_t present = 0;
    while (n > 0) {
      const uint64_t step = std::min<uint64_t>(n, entries.size());
      const auto want = static_cast<ssize_t>(step * sizeof(uint64_t));
      const auto offset = static_cast<off_t>(first * sizeof(uint64_t));
      if (pread(fd_, entries.data(), static_cast<size_t>(want), offset) != want) return -1;
      present += std::count_if(entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(step),
                               [](uint64_t entry) { return (entry & kPresent) != 0; });
      first += step;
      n -= step;
    }
    return present;
  }

 private:
  int fd_;
};

}  // namespace

uint64_t peak_resident_bytes() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;  // Linux counts in KiB
}

uint64_t resident_bytes(const std::byte* data, uint64_t size_bytes) {
  if (size_bytes == 0) return 0;
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const auto address = static_cast<uint64_t>(reinterpret_cast<uintptr_t>(data));
  const uint64_t first = address / page;
  const int64_t n = PageMap().count(first, (address + size_bytes - 1) / page - first + 1);
  return n < 0 ? size_bytes : static_cast<uint64_t>(n) * page;
}

std::vector<MemoryArea> memory_areas() {
  std::vector<MemoryArea> areas;
  std::ifstream file("/proc/self/smaps");
  for (std::string line; std::getline(file, line);) {
    MemoryArea area;
    if (parse_header(line, area)) {
      areas.push_back(std::move(area));
    } else if (!areas.empty()) {
      parse_resident(line, areas.back().resident_bytes);
    }
  }
  return areas;
}

HeapUse heap_use() {
  const struct mallinfo2 info = mallinfo2();
  return {info.uordblks + info.hblkhd, info.fordblks};
}

void trim_heap() {
  malloc_trim(0);
}

}  // namespace minfer
