#include "engine/stop_matcher.h"

#include <gtest/gtest.h>

#include <random>

namespace minfer {
namespace {

struct Result {
  std::string shown;
  std::string match;
  bool operator==(const Result&) const = default;
};

Result feed(const std::vector<std::string>& stops, const std::vector<std::string>& pieces) {
  StopMatcher matcher(stops);
  Result result;
  for (const std::string& piece : pieces) result.shown += matcher.push(piece);
  if (!matcher.matched()) result.shown += matcher.finish();
  result.match = matcher.match();
  return result;
}

TEST(StopMatcher, ShowsEverythingWithoutStops) {
  StopMatcher matcher({});
  EXPECT_EQ(matcher.push("one "), "one ");
  EXPECT_EQ(matcher.push("two"), "two");
  EXPECT_EQ(matcher.finish(), "");
  EXPECT_FALSE(matcher.matched());
}

TEST(StopMatcher, IgnoresEmptyStops) {
  StopMatcher matcher({"", "x", ""});
  EXPECT_EQ(matcher.push(""), "");
  EXPECT_EQ(matcher.push("ab"), "ab");
  EXPECT_FALSE(matcher.matched());
  EXPECT_EQ(matcher.push("cx"), "c");
  EXPECT_EQ(matcher.match(), "x");
}

TEST(StopMatcher, HoldsBackWhatCouldBecomeAStop) {
  StopMatcher matcher({"</s>"});
  EXPECT_EQ(matcher.push("a<"), "a");
  EXPECT_EQ(matcher.push("/"), "");
  EXPECT_EQ(matcher.push("b"), "</b");
  EXPECT_EQ(matcher.push("</s"), "");
  EXPECT_EQ(matcher.finish(), "</s");
  EXPECT_EQ(matcher.finish(), "");
}

TEST(StopMatcher, HoldsBackTheLongestBeginningOnly) {
  StopMatcher matcher({"aab"});
  EXPECT_EQ(matcher.push("aaa"), "a");
  EXPECT_EQ(matcher.push("b"), "");
  EXPECT_TRUE(matcher.matched());
}

TEST(StopMatcher, FindsAStopAcrossPieces) {
  EXPECT_EQ(feed({"STOP"}, {"go S", "T", "OP and more", "!"}), (Result{"go ", "STOP"}));
}

TEST(StopMatcher, DropsEverythingBehindTheStop) {
  StopMatcher matcher({"\n\n"});
  EXPECT_EQ(matcher.push("x\n\ny"), "x");
  EXPECT_EQ(matcher.push("z"), "");
  EXPECT_EQ(matcher.finish(), "");
}

TEST(StopMatcher, PrefersTheLongerOfTwoThatEndTogether) {
  EXPECT_EQ(feed({"b", "ab"}, {"xab"}), (Result{"x", "ab"}));
  EXPECT_EQ(feed({"ab", "b"}, {"xa", "b"}), (Result{"x", "ab"}));
}

TEST(StopMatcher, TakesTheStopThatIsCompleteFirst) {
  EXPECT_EQ(feed({"abcd", "bc"}, {"xabcd"}), (Result{"xa", "bc"}));
  EXPECT_EQ(feed({"ab", "abc"}, {"xabc"}), (Result{"x", "ab"}));
}

TEST(StopMatcher, IsACopyableValue) {
  StopMatcher matcher({"ab"});
  matcher.push("a");
  StopMatcher copy = matcher;
  EXPECT_EQ(copy.push("b"), "");
  EXPECT_TRUE(copy.matched());
  EXPECT_FALSE(matcher.matched());
  EXPECT_EQ(matcher.finish(), "a");
}

// The same text gives the same result wherever it is cut: compared with one byte at a time, and with a search.
TEST(StopMatcher, DoesNotDependOnWhereThePiecesAreCut) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = below(12); i > 0; --i) text += static_cast<char>('a' + below(3));
    std::vector<std::string> stops;
    for (unsigned i = below(4); i > 0; --i) {
      std::string stop;
      for (unsigned n = 1 + below(4); n > 0; --n) stop += static_cast<char>('a' + below(3));
      stops.push_back(stop);
    }
    Result expected{text, ""};
    for (size_t end = 1; end <= text.size() && expected.match.empty(); ++end) {
      for (const std::string& stop : stops) {
        if (text.substr(0, end).ends_with(stop) && stop.size() > expected.match.size()) expected.match = stop;
      }
      if (!expected.match.empty()) expected.shown = text.substr(0, end - expected.match.size());
    }
    std::vector<std::string> pieces;
    for (size_t at = 0; at < text.size();) {
      const size_t n = 1 + below(4);
      pieces.push_back(text.substr(at, n));
      at += n;
    }
    const Result actual = feed(stops, pieces);
    ASSERT_EQ(actual.shown, expected.shown) << text;
    ASSERT_EQ(actual.match, expected.match) << text;
  }
}

}  // namespace
}  // namespace minfer
