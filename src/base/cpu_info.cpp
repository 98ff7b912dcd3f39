// CPUID and XGETBV on x86-64, the auxiliary vector on arm64, /proc/cpuinfo for the name.
#include "base/cpu_info.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <utility>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

#include "base/error.h"

namespace minfer {

namespace {

#if defined(__x86_64__)

struct Registers {
  uint32_t eax = 0;
  uint32_t ebx = 0;
  uint32_t ecx = 0;
  uint32_t edx = 0;
};

Registers cpuid(uint32_t leaf, uint32_t subleaf) {
  Registers r;
  if (__get_cpuid_count(leaf, subleaf, &r.eax, &r.ebx, &r.ecx, &r.edx) == 0) return {};
  return r;
}

bool bit(uint32_t word, int index) {
  return ((word >> index) & 1u) != 0;
}

// Which register files the operating system saves; 0 when it does not use XSAVE.
uint64_t saved_state(const Registers& leaf1) {
  if (!bit(leaf1.ecx, 27)) return 0;
  uint32_t low = 0;
  uint32_t high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t{high} << 32) | low;
}

// Bit numbers: Intel SDM volume 2, CPUID; XCR0: volume 1, section 13.3.
CpuFeatures detect() {
  const Registers leaf1 = cpuid(1, 0);
  const Registers leaf7 = cpuid(7, 0);
  const Registers leaf7_1 = leaf7.eax >= 1 ? cpuid(7, 1) : Registers{};
  const uint64_t state = saved_state(leaf1);
  const bool ymm = (state & 0x6) == 0x6;
  const bool zmm = (state & 0xE6) == 0xE6;
  const bool tiles = (state & 0x60000) == 0x60000;
  CpuFeatures f;
  f.sse2 = bit(leaf1.edx, 26);
  f.avx = ymm && bit(leaf1.ecx, 28);
  f.avx2 = ymm && bit(leaf7.ebx, 5);
  f.fma = ymm && bit(leaf1.ecx, 12);
  f.f16c = ymm && bit(leaf1.ecx, 29);
  f.avx512f = zmm && bit(leaf7.ebx, 16);
  f.avx512bw = f.avx512f && bit(leaf7.ebx, 30);
  f.avx512vl = f.avx512f && bit(leaf7.ebx, 31);
  f.avx512dq = f.avx512f && bit(leaf7.ebx, 17);
  f.avx512_vnni = f.avx512f && bit(leaf7.ecx, 11);
  f.avx512_bf16 = f.avx512f && bit(leaf7_1.eax, 5);
  f.avx_vnni = ymm && bit(leaf7_1.eax, 4);
  f.amx_tile = tiles && bit(leaf7.edx, 24);
  f.amx_int8 = f.amx_tile && bit(leaf7.edx, 25);
  f.amx_bf16 = f.amx_tile && bit(leaf7.edx, 22);
  return f;
}

#elif defined(__aarch64__)

// Bit numbers: Linux, arch/arm64/include/uapi/asm/hwcap.h.
CpuFeatures detect() {
  const unsigned long hwcap = getauxval(AT_HWCAP);
  const unsigned long hwcap2 = getauxval(AT_HWCAP2);
  CpuFeatures f;
  f.neon = ((hwcap >> 1) & 1) != 0;
  f.dotprod = ((hwcap >> 20) & 1) != 0;
  f.i8mm = ((hwcap2 >> 13) & 1) != 0;
  return f;
}

#endif

}  // namespace

CpuFeatures detect_cpu_features() {
  return detect();
}

std::vector<std::string_view> cpu_feature_names(const CpuFeatures& f) {
  const std::array<std::pair<bool, std::string_view>, 18> all = {{
      {f.sse2, "sse2"},
      {f.avx, "avx"},
      {f.avx2, "avx2"},
      {f.fma, "fma"},
      {f.f16c, "f16c"},
      {f.avx512f, "avx512f"},
      {f.avx512bw, "avx512bw"},
      {f.avx512vl, "avx512vl"},
      {f.avx512dq, "avx512dq"},
      {f.avx512_vnni, "avx512_vnni"},
      {f.avx512_bf16, "avx512_bf16"},
      {f.avx_vnni, "avx_vnni"},
      {f.amx_tile, "amx_tile"},
      {f.amx_int8, "amx_int8"},
      {f.amx_bf16, "amx_bf16"},
      {f.neon, "neon"},
      {f.dotprod, "dotprod"},
      {f.i8mm, "i8mm"},
  }};
  std::vector<std::string_view> names;
  for (const auto& [present, name] : all) {
    if (present) names.push_back(name);
  }
  return names;
}

std::string cpu_model_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line)) {
    const size_t colon = line.find(':');
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    const size_t start = line.find_first_not_of(" \t", colon + 1);
    if (start != std::string::npos) return printable(line.substr(start));
  }
  return "unknown CPU";
}

}  // namespace minfer
