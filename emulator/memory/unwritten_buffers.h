// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of which nobody has written all bytes since they were made: none of them yet, or not all. Of the latter the
// shadow says which. Kept only where kernels are checked for what they read.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace us::memory {

/// Thread-safe; next to nothing while all buffers are written. Addresses that lie in no buffer count as written.
class UnwrittenBuffers {
public:
  /// The process's; never destroyed.
  static UnwrittenBuffers &instance();

  void add(uint64_t begin, uint64_t size);
  /// From now on nothing is known of it: it is gone, or somebody may write it whose accesses are not known.
  void remove(uint64_t address);
  /// All of the one that holds the address.
  void written(uint64_t address);
  void written(uint64_t begin, uint64_t size);
  /// What was never written stays so where it is copied to.
  void copied(uint64_t to, uint64_t from, uint64_t size);
  /// All of them: somebody may have, whose accesses are not known.
  void allWritten();

  /// There is one that is not written.
  bool isAny() const { return count_.load(std::memory_order_acquire) != 0; }
  /// Not a byte of the one that holds the address was written.
  bool holds(uint64_t address) const;
  /// Some bytes of it may have been.
  bool isPartly(uint64_t address) const;
  /// Code that follows the shadow may write it now.
  void follow(uint64_t address);
  /// And has done so.
  void settle(uint64_t address);
  /// Where the shadow of an address is, for code that knows no more of it; as Shadow::shadowOf.
  uint64_t shadowOf(uint64_t address, bool isStore);
  /// Of the one that holds the address: where the first bytes that were never written begin and end, counted from its
  /// beginning; none: equal.
  std::pair<uint64_t, uint64_t> firstUnwritten(uint64_t address);

private:
  enum class State : uint8_t { Unwritten, Partly, Written };
  struct Buffer {
    uint64_t size = 0;
    State state = State::Unwritten;
    uint64_t unwritten = 0; ///< Partly: this byte was not, when last looked at
  };
  using Buffers = std::map<uint64_t, Buffer>; ///< by where they begin
  // With mutex_ held:
  Buffers::iterator find(uint64_t address);
  bool isIn(uint64_t address, State state) const;
  void set(Buffers::value_type &buffer, State state);
  void follow(Buffers::value_type &buffer);
  void settle(Buffers::value_type &buffer);
  void written(Buffers::value_type &buffer, uint64_t begin, uint64_t size);

  std::atomic<size_t> count_{0}; ///< of those that are not written
  mutable std::mutex mutex_;     ///< guards buffers_
  Buffers buffers_;
};

} // namespace us::memory
