// What this machine's CPU and operating system offer: instruction sets, the model name, the cores that may be used.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace minfer {

// A feature is set only when the CPU has it and the operating system keeps its registers (XCR0). AMX also needs the
// process to ask Linux for the tile state before its first use; that is left to the code that uses it.
struct CpuFeatures {
  // x86-64
  bool sse2 = false;
  bool avx = false;
  bool avx2 = false;
  bool fma = false;
  bool f16c = false;
  bool avx512f = false;
  bool avx512bw = false;
  bool avx512vl = false;
  bool avx512dq = false;
  bool avx512_vnni = false;
  bool avx512_bf16 = false;
  bool avx_vnni = false;
  bool amx_tile = false;
  bool amx_int8 = false;
  bool amx_bf16 = false;
  // arm64
  bool neon = false;
  bool dotprod = false;
  bool i8mm = false;
};

CpuFeatures detect_cpu_features();

// Names of the features that are set, in the order of the struct.
std::vector<std::string_view> cpu_feature_names(const CpuFeatures& features);

// The model name, or "unknown CPU".
std::string cpu_model_name();

// A number of cores and the sentence that explains it.
struct UsableCores {
  int count = 1;       // at least 1
  std::string reason;  // "2 of 16 cores: the cgroup's CPU quota is 1.50"
};

// The smaller of the affinity mask's size and the cgroup's CPU quota (versions 1 and 2), rounded up. The arguments say
// where the quota is looked for: tests pass others.
UsableCores usable_cores(const std::string& membership_file = "/proc/self/cgroup",
                         const std::string& mount = "/sys/fs/cgroup");

// The smallest CPU quota, in cores, of a process and the groups above it; 0 when there is none. `membership` is the
// text of /proc/self/cgroup, `mount` the folder where cgroups are mounted (/sys/fs/cgroup). Unreadable files count as
// no quota.
double cgroup_cpu_quota(std::string_view membership, const std::string& mount);

}  // namespace minfer
