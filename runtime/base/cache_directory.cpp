// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/cache_directory.h"

#include "runtime/base/options.h"

#include <cstdlib>

namespace us {

std::string userCacheDirectory() {
  // "All paths set in these environment variables must be absolute. If an implementation encounters a relative path in
  // any of these variables it should consider the path invalid and ignore it."
  if (const char *cache = std::getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/understudy";
  if (const char *home = std::getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/understudy";
  return {};
}

std::string cacheDirectory(const Options &options) {
  return options.cacheDirectory.empty() ? userCacheDirectory() : options.cacheDirectory;
}

} // namespace us
