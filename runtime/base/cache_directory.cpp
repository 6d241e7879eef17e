// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/cache_directory.h"

#include "runtime/base/options.h"

#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace us {

std::string userCacheDirectory() {
  // "All paths set in these environment variables must be absolute. If an implementation encounters a relative path in
  // any of these variables it should consider the path invalid and ignore it."
  if (const char *cache = secure_getenv("XDG_CACHE_HOME"); cache && *cache == '/')
    return std::string(cache) + "/understudy";
  if (const char *home = secure_getenv("HOME"); home && *home == '/') return std::string(home) + "/.cache/understudy";
  return {};
}

std::string userTemporaryDirectory() {
  std::error_code error;
  const std::filesystem::path all = std::filesystem::temp_directory_path(error);
  return ((error ? "/tmp" : all) / ("understudy-" + std::to_string(geteuid()))).string();
}

std::string cacheDirectory(const Options &options) {
  return options.cacheDirectory.empty() ? userCacheDirectory() : options.cacheDirectory;
}

} // namespace us
