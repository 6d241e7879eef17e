// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/statistics.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace us::emulator {
namespace {

// Names of kernels may hold any bytes: whoever reads the summary gets JSON all the same.
TEST(Statistics, TheSummaryIsJsonWhateverKernelsAreCalled) {
  const char *const names[] = {
      "plain",      "a\"quote",         "back\\slash",           "new\nline",  "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80",
      "broken\xff", "overlong\xc0\x80", "surrogate\xed\xa0\x80", "cut\xe2\x82"};
  Statistics statistics;
  for (const char *name : names) statistics.launchesOf(name) += 3;
  const nlohmann::json summary = nlohmann::json::parse(statistics.text(), nullptr, false);
  ASSERT_TRUE(summary.is_object()) << statistics.text();
  EXPECT_EQ(summary["kernels"].size(), std::size(names));
  for (const char *name : {"plain", "a\"quote", "back\\slash", "new\nline", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"})
    EXPECT_EQ(summary["kernels"].value(name, 0), 3) << name;
}

} // namespace
} // namespace us::emulator
