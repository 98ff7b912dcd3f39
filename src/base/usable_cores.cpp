// How many cores this process may keep busy: the affinity mask and the CPU quotas of its control groups.
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <thread>

#include "base/cpu_info.h"
#include "base/error.h"

namespace minfer {

namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0)) return std::nullopt;
  return value;
}

std::optional<double> ratio(std::string_view quota, std::string_view period) {
  const auto q = number(quota);
  const auto p = number(period);
  if (!q || !p) return std::nullopt;
  return *q / *p;
}

// cpu.max holds "max 100000" or "150000 100000".
std::optional<double> quota_v2(const std::string& folder) {
  const std::string line = first_line(folder + "/cpu.max");
  const size_t space = line.find(' ');
  if (space == std::string::npos) return std::nullopt;
  return ratio(std::string_view(line).substr(0, space), std::string_view(line).substr(space + 1));
}

std::optional<double> quota_v1(const std::string& folder) {
  return ratio(first_line(folder + "/cpu.cfs_quota_us"), first_line(folder + "/cpu.cfs_period_us"));
}

// The smallest quota of the group `path` below `root` and of all groups above it.
template <typename Quota>
double smallest_quota(const std::string& root, std::string path, Quota quota) {
  double smallest = 0;
  while (true) {
    const std::optional<double> here = quota(root + path);
    if (here && (smallest == 0 || *here < smallest)) smallest = *here;
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return smallest;
    path.resize(slash);
  }
}

bool has_cpu_controller(std::string_view controllers) {
  return controllers == "cpu" || controllers.starts_with("cpu,") || controllers.ends_with(",cpu") ||
         controllers.find(",cpu,") != std::string_view::npos;
}

int affinity_count() {
  // A mask of 8192 cores: more than any kernel is built for.
  constexpr size_t kMaxCores = 8192;
  cpu_set_t* mask = CPU_ALLOC(kMaxCores);
  if (mask == nullptr) return 0;
  const size_t size = CPU_ALLOC_SIZE(kMaxCores);
  const int count = sched_getaffinity(0, size, mask) == 0 ? CPU_COUNT_S(size, mask) : 0;
  CPU_FREE(mask);
  return count;
}

}  // namespace

double cgroup_cpu_quota(std::string_view membership, const std::string& mount) {
  double smallest = 0;
  while (!membership.empty()) {
    const size_t end = membership.find('\n');
    const std::string_view line = membership.substr(0, end);
    membership.remove_prefix(end == std::string_view::npos ? membership.size() : end + 1);
    // "0::/path" in version 2, "4:cpu,cpuacct:/path" in version 1.
    const size_t first = line.find(':');
    const size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    std::string path(line.substr(second + 1));
    if (path == "/") path.clear();
    double quota = 0;
    if (controllers.empty()) {
      quota = smallest_quota(mount, path, quota_v2);
    } else if (has_cpu_controller(controllers)) {
      // The hierarchy lies in a folder of the controllers' names; most systems link to it under each of them.
      quota = smallest_quota(mount + "/" + std::string(controllers), path, quota_v1);
      if (quota == 0) quota = smallest_quota(mount + "/cpu", path, quota_v1);
    }
    if (quota != 0 && (smallest == 0 || quota < smallest)) smallest = quota;
  }
  return smallest;
}

UsableCores usable_cores(const std::string& membership_file, const std::string& mount) {
  const int present = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const int allowed = affinity_count();
  UsableCores result{allowed > 0 ? allowed : present, {}};
  result.reason = fmt::format("{} core{} in the affinity mask", result.count, result.count == 1 ? "" : "s");
  std::ifstream file(membership_file);
  const std::string membership{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const double quota = cgroup_cpu_quota(membership, mount);
  if (quota == 0) return result;
  const double rounded = std::ceil(quota);
  if (rounded < result.count) {
    const int count = static_cast<int>(rounded);
    result.reason = fmt::format("{} of {} cores: the cgroup's CPU quota is {:.2f}", count, result.count, quota);
    result.count = count;
  }
  return result;
}

}  // namespace minfer
