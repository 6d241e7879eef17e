// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers that nobody has written since they were made, as a whole: who writes a byte of one has written it. Kept only
// where kernels are checked for what they read.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>

namespace us::memory {

/// Thread-safe; next to nothing while there is none.
class UnwrittenBuffers {
public:
  /// The process's; never destroyed.
  static UnwrittenBuffers &instance();

  void add(uint64_t begin, uint64_t size);
  /// The one that holds the address, if there is one, counts as written from now on.
  void written(uint64_t address);
  /// All of them: somebody may have, whose accesses are not known.
  void allWritten();
  bool holds(uint64_t address) const;

private:
  using Sizes = std::map<uint64_t, uint64_t>;
  Sizes::const_iterator find(uint64_t address) const;

  std::atomic<size_t> count_{0};
  mutable std::mutex mutex_; ///< guards sizes_
  Sizes sizes_;              ///< by where they begin
};

} // namespace us::memory
