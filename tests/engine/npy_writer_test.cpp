#include "engine/npy_writer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "tests/support/golden_models.h"

namespace minfer::test {
namespace {

std::string file_path(const std::string& name) {
  return testing::TempDir() + "npy_writer_" + name + ".npy";
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The bytes that NumPy 1.x writes for np.array([[1, 2, 3], [4, 5, 6]], dtype='<f4').
TEST(NpyWriter, WritesWhatNumPyWrites) {
  const std::string path = file_path("small");
  NpyWriter writer(path, 2, 3);
  writer.write_row(std::vector<float>{1, 2, 3});
  writer.write_row(std::vector<float>{4, 5, 6});
  writer.close();
  std::string expected("\x93NUMPY\x01\x00\x76\x00", 10);
  expected += "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  expected.append(127 - expected.size(), ' ');
  expected += '\n';
  const float values[] = {1, 2, 3, 4, 5, 6};
  expected.append(reinterpret_cast<const char*>(values), sizeof(values));
  EXPECT_EQ(read_file(path), expected);
  std::filesystem::remove(path);
}

TEST(NpyWriter, AlignsDataAfterHeadersOfAnyLength) {
  for (int64_t rows : {int64_t{1}, int64_t{1000000}, int64_t{1} << 40, int64_t{1} << 62}) {
    const std::string path = file_path("header");
    { NpyWriter writer(path, rows, int64_t{1} << 62); }
    const std::string bytes = read_file(path);
    EXPECT_EQ(bytes.size() % 64, 0U);
    EXPECT_EQ(bytes.back(), '\n');
    const size_t length = static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ(length + 10, bytes.size());
    EXPECT_NE(bytes.find("(" + std::to_string(rows) + ", 4611686018427387904)"), std::string::npos);
    std::filesystem::remove(path);
  }
}

TEST(NpyWriter, RefusesAPathThatCannotBeWritten) {
  EXPECT_EQ(refusal([] { NpyWriter("/no/such/folder/x.npy", 1, 1); }),
            "io: cannot create '/no/such/folder/x.npy': No such file or directory");
  EXPECT_EQ(refusal([] { NpyWriter(testing::TempDir(), 1, 1); }).substr(0, 3), "io:");
}

TEST(NpyWriter, SaysThatTheDiskIsFull) {
  const std::string full = "io: cannot write '/dev/full': No space left on device";
  // A small file fails when it is closed, a large one before.
  NpyWriter small("/dev/full", 1, 4);
  small.write_row(std::vector<float>(4));
  EXPECT_EQ(refusal([&] { small.close(); }), full);
  NpyWriter large("/dev/full", 1000, 1000);
  EXPECT_EQ(refusal([&] {
              for (int i = 0; i < 1000; ++i) large.write_row(std::vector<float>(1000));
            }),
            full);
}

TEST(NpyWriter, ChecksThatEveryRowCameWhole) {
  const std::string path = file_path("rows");
  NpyWriter writer(path, 2, 3);
  EXPECT_EQ(refusal([&] { writer.write_row(std::vector<float>(4)); }), "internal: [npy] a row of 4 values, expected 3");
  writer.write_row(std::vector<float>(3));
  EXPECT_EQ(refusal([&] { writer.close(); }), "internal: [npy] 1 rows of 2 were written");
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace minfer::test
