#include "base/log.h"

#include <gtest/gtest.h>

#include <string>

namespace minfer {
namespace {

TEST(Log, DropsEverythingWithoutASink) {
  const Log log;
  EXPECT_FALSE(log.enabled());
  log.warn("{}", 1);
}

TEST(Log, FormatsForItsSink) {
  std::string seen;
  const Log log(
      [&](LogLevel level, std::string_view text) { seen += fmt::format("{}:{};", static_cast<int>(level), text); });
  log.debug("a {}", 1);
  log.info("b");
  log.warn("c {}", "x");
  EXPECT_EQ(seen, "0:a 1;1:b;2:c x;");
}

}  // namespace
}  // namespace minfer
