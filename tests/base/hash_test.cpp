#include "base/hash.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace minfer {
namespace {

uint64_t hash_of(std::string_view text) {
  Fnv1a64 hash;
  hash.update(text);
  return hash.value();
}

// Published test vectors of FNV-1a 64.
TEST(Fnv1a64, MatchesThePublishedVectors) {
  EXPECT_EQ(hash_of(""), 0xCBF29CE484222325u);
  EXPECT_EQ(hash_of("a"), 0xAF63DC4C8601EC8Cu);
  EXPECT_EQ(hash_of("foobar"), 0x85944171F73967E8u);
}

TEST(Fnv1a64, DoesNotDependOnThePieces) {
  Fnv1a64 hash;
  hash.update("foo");
  hash.update("");
  hash.update("bar");
  EXPECT_EQ(hash.value(), hash_of("foobar"));
}

TEST(Fnv1a64, ReadsFloatsAsLittleEndianBytesAndEveryNanAsOne) {
  Fnv1a64 floats;
  floats.update_floats(std::array{1.0f});
  EXPECT_EQ(floats.value(), hash_of(std::string_view("\0\0\x80\x3F", 4)));
  Fnv1a64 a;
  Fnv1a64 b;
  a.update_floats(std::array{std::numeric_limits<float>::quiet_NaN()});
  b.update_floats(std::array{std::bit_cast<float>(0xFFFFFFFFu)});
  EXPECT_EQ(a.value(), b.value());
}

}  // namespace
}  // namespace minfer
