// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Beside the reserved range: which bits of it were never written (ones), and of local memory also where such values
// come from. Backed when touched; what nobody has said anything of counts as written.
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

  // Local memory:
  /// Where the shadow of an address is. Of other memory: zeros to load, or a place to store to that nobody loads from;
  /// for accesses of at most abi::kLargestShadowed bytes.
  uint64_t shadowOf(uint64_t address, bool isStore) const;
  static uint64_t placeOfNone(bool isStore);
  /// Of origins likewise; for a multiple of 4.
  uint64_t originsOf(uint64_t address, bool isStore) const;
  /// From now on nothing of it was written.
  void setUnwritten(const std::byte *begin, uint64_t size) const;

  // What work-groups share:
  bool coversShared() const { return shared_ != 0; }
  bool isShared(uint64_t address) const { return address - sharedBegin_ < begin_ - sharedBegin_; }
  uint64_t ofShared(uint64_t address) const { return address + sharedDistance(); }
  /// From an address to its shadow.
  uint64_t sharedDistance() const { return shared_ - sharedBegin_; }
  /// From now on nothing, or all of it was written. Costs memory only where it is touched.
  void setUnwritten(uint64_t begin, uint64_t size) const;
  void setWritten(uint64_t begin, uint64_t size) const;

private:
  Shadow();
  uint64_t begin_ = 0, size_ = 0; ///< of the part where local memory lies
  uint64_t shadow_ = 0, origins_ = 0;
  uint64_t sharedBegin_ = 0, shared_ = 0; ///< the part before it
};

} // namespace us::memory
