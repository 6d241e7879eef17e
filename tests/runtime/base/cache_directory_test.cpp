// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which folder the disk cache gets, by option and environment.
#include "runtime/base/cache_directory.h"
#include "runtime/base/options.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace us {
namespace {

struct Row {
  const char *option, *xdg, *home; ///< null: not set
  const char *expected;
};

class CacheDirectory : public testing::TestWithParam<Row> {};

void setOrUnset(const char *name, const char *value) {
  if (value)
    setenv(name, value, 1);
  else
    unsetenv(name);
}

TEST_P(CacheDirectory, FollowsOptionThenXdgThenHome) {
  const Row &row = GetParam();
  Options options;
  options.cacheDirectory = row.option;
  setOrUnset("XDG_CACHE_HOME", row.xdg);
  setOrUnset("HOME", row.home);
  EXPECT_EQ(cacheDirectory(options), row.expected);
}

// XDG base directory specification: "If $XDG_CACHE_HOME is either not set or empty, a default equal to $HOME/.cache
// should be used." and "If an implementation encounters a relative path in any of these variables it should consider
// the path invalid and ignore it."
INSTANTIATE_TEST_SUITE_P(Places, CacheDirectory,
                         testing::Values(Row{"/chosen", "/xdg", "/home/u", "/chosen"},
                                         Row{"", "/xdg", "/home/u", "/xdg/understudy"},
                                         Row{"", "relative/xdg", "/home/u", "/home/u/.cache/understudy"},
                                         Row{"", "", "/home/u", "/home/u/.cache/understudy"},
                                         Row{"", nullptr, "/home/u", "/home/u/.cache/understudy"},
                                         Row{"", nullptr, "relative", ""}, Row{"", nullptr, nullptr, ""}));

} // namespace
} // namespace us
