// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compilation looked for on the disk, found or not: while all of that is as it was, it would come to the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <sys/stat.h>

namespace us::frontend::cuda {

/// What is asked of a file to see whether it changed.
struct FileState {
  bool exists = false;
  uint64_t size = 0;
  int64_t changed = 0; ///< nanoseconds; of folders neither this nor the size is looked at
  bool operator==(const FileState &) const = default;
};

/// By absolute path.
using FileLog = std::map<std::string, FileState>;

inline FileState stateOf(const std::string &path) {
  struct stat facts = {};
  if (stat(path.c_str(), &facts) != 0) return {};
  if (S_ISDIR(facts.st_mode)) return {.exists = true};
  return {true, static_cast<uint64_t>(facts.st_size),
          static_cast<int64_t>(facts.st_mtim.tv_sec) * 1'000'000'000 + facts.st_mtim.tv_nsec};
}

} // namespace us::frontend::cuda
