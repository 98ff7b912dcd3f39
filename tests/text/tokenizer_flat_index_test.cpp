#include "text/tokenizer/flat_index.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/error.h"

namespace minfer {
namespace {

TEST(FlatIndex, FindsEveryEntryAndNothingElse) {
  constexpr uint32_t kCount = 5000;
  const auto text_of = [](uint32_t i) { return std::to_string(i * 7919); };
  FlatIndex index(kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(index.insert(hash_text(text_of(i)), i, [&](uint32_t j) { return text_of(j) == text_of(i); }),
              FlatIndex::kNone);
  }
  const auto find = [&](const std::string& text) {
    return index.find(hash_text(text), [&](uint32_t j) { return text_of(j) == text; });
  };
  for (uint32_t i = 0; i < kCount; ++i) {
    EXPECT_EQ(find(text_of(i)), i);
    EXPECT_EQ(find(text_of(i) + "x"), FlatIndex::kNone);
  }
  EXPECT_EQ(index.size_bytes(), 8192U * 4);
}

TEST(FlatIndex, GivesBackTheEntryThatHasTheKeyAlready) {
  FlatIndex index(3);
  const auto always = [](uint32_t) { return true; };
  const auto never = [](uint32_t) { return false; };
  EXPECT_EQ(index.insert(5, 2, always), FlatIndex::kNone);
  EXPECT_EQ(index.insert(5, 1, always), 2U);
  EXPECT_EQ(index.insert(5, 1, never), FlatIndex::kNone) << "another key with the same hash";
  EXPECT_EQ(index.find(5, [](uint32_t i) { return i == 1; }), 1U);
}

TEST(FlatIndex, AnEmptyOneFindsNothing) {
  EXPECT_EQ(FlatIndex(0).find(1, [](uint32_t) { return true; }), FlatIndex::kNone);
}

TEST(FlatIndex, RefusesKeysThatAllCollide) {
  FlatIndex index(2000);
  const auto fill = [&] {
    for (uint32_t i = 0; i < 2000; ++i) index.insert(42, i, [](uint32_t) { return false; });
  };
  EXPECT_THROW(fill(), Error);
}

// Texts of all lengths whose last, first or middle byte differs, and numbers that differ in one bit.
TEST(FlatIndex, HashesDependOnEveryByte) {
  std::set<uint64_t> hashes;
  size_t n = 0;
  for (size_t length = 0; length < 40; ++length) {
    for (size_t at = 0; at < std::max<size_t>(length, 1); ++at, ++n) {
      std::string text(length, '\0');
      if (length > 0) text[at] = 'x';
      hashes.insert(hash_text(text));
    }
  }
  for (int bit = 0; bit < 64; ++bit, ++n) hashes.insert(hash_number(uint64_t{1} << bit));
  EXPECT_EQ(hashes.size(), n);
}

}  // namespace
}  // namespace minfer
