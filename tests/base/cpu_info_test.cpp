#include "base/cpu_info.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace minfer {
namespace {

// The kernel lists the flags that it allows, so it is an independent witness.
TEST(CpuInfo, AgreesWithTheKernelsFlags) {
  std::ifstream file("/proc/cpuinfo");
  std::string line;
  while (std::getline(file, line) && !line.starts_with("flags")) {
  }
  if (!line.starts_with("flags")) GTEST_SKIP() << "no flags line in /proc/cpuinfo";
  std::istringstream words(line.substr(line.find(':') + 1));
  std::vector<std::string> flags;
  for (std::string word; words >> word;) flags.push_back(word);
  const auto has = [&](const char* flag) { return std::ranges::find(flags, flag) != flags.end(); };
  const CpuFeatures f = detect_cpu_features();
  EXPECT_EQ(f.sse2, has("sse2"));
  EXPECT_EQ(f.avx2, has("avx2"));
  EXPECT_EQ(f.fma, has("fma"));
  EXPECT_EQ(f.f16c, has("f16c"));
  EXPECT_EQ(f.avx512f, has("avx512f"));
  EXPECT_EQ(f.avx512bw, has("avx512bw"));
  EXPECT_EQ(f.avx512vl, has("avx512vl"));
  EXPECT_EQ(f.avx512_vnni, has("avx512_vnni"));
  EXPECT_EQ(f.avx512_bf16, has("avx512_bf16"));
  EXPECT_EQ(f.amx_int8, has("amx_int8"));
}

TEST(CpuInfo, NamesTheFeaturesThatAreSet) {
  CpuFeatures f;
  f.avx2 = true;
  f.amx_int8 = true;
  EXPECT_EQ(cpu_feature_names(f), (std::vector<std::string_view>{"avx2", "amx_int8"}));
  EXPECT_FALSE(cpu_model_name().empty());
}

TEST(CpuInfo, CountsTheCoresOfTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  int first = 0;
  while (!CPU_ISSET(first, &before)) ++first;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(first, &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(usable_cores().count, 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof before, &before), 0);
  EXPECT_LE(usable_cores().count, CPU_COUNT(&before));
  EXPECT_FALSE(usable_cores().reason.empty());
}

class CgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "minfer_cgroup_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    mount_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(mount_); }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path full = mount_ + "/" + path;
    std::filesystem::create_directories(full.parent_path());
    std::ofstream(full) << text << '\n';
  }

  std::string mount_;
};

TEST_F(CgroupTest, ReadsTheTightestQuotaOfVersion2) {
  write("a/b/cpu.max", "max 100000");
  write("a/cpu.max", "150000 100000");
  write("cpu.max", "400000 100000");
  EXPECT_EQ(cgroup_cpu_quota("0::/a/b\n", mount_), 1.5);
  EXPECT_EQ(cgroup_cpu_quota("0::/", mount_), 4.0);
}

TEST_F(CgroupTest, ReadsTheQuotaOfVersion1) {
  write("cpu/job/cpu.cfs_quota_us", "250000");
  write("cpu/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cgroup_cpu_quota("12:memory:/x\n4:cpu,cpuacct:/job\n0::/\n", mount_), 2.5);
  write("cpu/job/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(cgroup_cpu_quota("4:cpu,cpuacct:/job\n", mount_), 0.0);
  EXPECT_EQ(cgroup_cpu_quota("4:cpuset:/job\n", mount_), 0.0);
}

TEST_F(CgroupTest, ReadsTheQuotaOfVersion1WithoutLinksForSingleControllers) {
  write("cpu,cpuacct/job/cpu.cfs_quota_us", "50000");
  write("cpu,cpuacct/job/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cgroup_cpu_quota("4:cpu,cpuacct:/job\n", mount_), 0.5);
}

// In a container the folder named by the membership is not mounted; what is mounted at the root is the group itself.
TEST_F(CgroupTest, ReadsTheQuotaOfAContainer) {
  write("cpu.max", "300000 100000");
  EXPECT_EQ(cgroup_cpu_quota("0::/docker/0123456789abcdef\n", mount_), 3.0);
}

TEST_F(CgroupTest, QuotaBoundsTheUsableCores) {
  const int allowed = usable_cores(mount_ + "/absent", mount_).count;
  write("membership", "0::/job");
  const std::string membership = mount_ + "/membership";
  EXPECT_EQ(usable_cores(membership, mount_).count, allowed);
  write("job/cpu.max", "20000 100000");  // a fifth of a core is one thread
  EXPECT_EQ(usable_cores(membership, mount_).count, 1);
  write("job/cpu.max", "100001 100000");  // rounded up
  EXPECT_EQ(usable_cores(membership, mount_).count, std::min(allowed, 2));
  write("job/cpu.max", "99900000 100000");
  EXPECT_EQ(usable_cores(membership, mount_).count, allowed);
  if (allowed < 2) return;
  write("job/cpu.max", "50000 100000");
  EXPECT_EQ(usable_cores(membership, mount_).reason,
            "1 of " + std::to_string(allowed) + " cores: the cgroup's CPU quota is 0.50");
}

TEST_F(CgroupTest, TakesDamagedFilesAsNoQuota) {
  write("a/cpu.max", "abc 100000");
  EXPECT_EQ(cgroup_cpu_quota("0::/a\nnonsense\n\n1:x", mount_), 0.0);
  write("a/cpu.max", "100000 0");
  EXPECT_EQ(cgroup_cpu_quota("0::/a", mount_), 0.0);
}

}  // namespace
}  // namespace minfer
