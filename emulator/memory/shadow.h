// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beside local memory: which bits of it were never written (ones), and where such values come from. Two ranges as large
// as the part of the reserved range where local memory lies; backed when touched.
#pragma once

#include <cstddef>
#include <cstdint>

namespace us::memory {

class Shadow {
public:
  /// The process's, made at the first call; never destroyed.
  static Shadow &instance();
  /// False where the machine has no addresses left: then all memory counts as written.
  bool exists() const { return size_ != 0; }

  /// Where the shadow of an address is. Of other memory: zeros to load, or a place to store to that nobody loads from;
  /// for accesses of at most abi::kLargestShadowed bytes.
  uint64_t shadowOf(uint64_t address, bool isStore) const;
  /// Of origins likewise; for a multiple of 4.
  uint64_t originsOf(uint64_t address, bool isStore) const;
  /// From now on nothing of it was written.
  void setUnwritten(const std::byte *begin, uint64_t size) const;

private:
  Shadow();
  uint64_t begin_ = 0, size_ = 0; ///< of what has a shadow
  uint64_t shadow_ = 0, origins_ = 0;
};

} // namespace us::memory
