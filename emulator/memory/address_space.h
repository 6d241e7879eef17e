// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The process's one reserved address range: device memory, machine code and stacks all lie in it, so that "is it ours"
// is a range compare and an error message can say what is at an address.
#pragma once

#include "runtime/device/finding.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace us::abi {
struct CodeMemory;
}

namespace us::memory {

inline constexpr uint64_t kPageSize = 4096;
/// At least this much stays inaccessible between two allocations (while not very many are live); more where the range
/// is large.
inline constexpr uint64_t kGap = 64 * 1024;
/// This much behind a buffer can be read and written, as on real devices: kernels read the last element of three bytes
/// as a vector of four. docs/decisions/0026-slack-behind-buffers.md
inline constexpr uint64_t kSlack = 128;

enum class RangeKind : uint8_t { None, Buffer, Variables, Local, Stack, Code };

/// What is known of an address.
struct AddressInfo {
  RangeKind kind = RangeKind::None; ///< of the allocation that holds it, or the nearest one within a gap of it
  uint64_t base = 0, size = 0;      ///< that allocation, as asked for
  bool released = false;            ///< it was released already
};

class AddressSpace {
public:
  /// Before the first instance(): the range lies where this seed says. 0: elsewhere in each process.
  static void placeBySeed(uint64_t seed);
  /// The process's. Reserves the range when first called; never destroyed.
  static AddressSpace &instance();
  /// A range of its own, for tests. `bytes` is a wish: less is reserved where the machine allows no more.
  explicit AddressSpace(uint64_t bytes, uint64_t hint = 0, uint64_t maxGapped = 0);
  ~AddressSpace();
  AddressSpace(const AddressSpace &) = delete;
  AddressSpace &operator=(const AddressSpace &) = delete;

  bool contains(uint64_t address) const { return address - base_ < size_; }
  bool contains(const void *address) const { return contains(reinterpret_cast<uint64_t>(address)); }
  /// True inside the part that holds generated code.
  bool isCode(uint64_t address) const { return address - base_ < codeSize_; }
  uint64_t base() const { return base_; }
  uint64_t size() const { return size_; }
  /// True inside the part that has local memory and stacks.
  bool isUnshared(uint64_t address) const { return address - others_ < base_ + size_ - others_; }
  /// Where it begins, and its bytes.
  std::pair<uint64_t, uint64_t> unshared() const { return {others_, base_ + size_ - others_}; }

  /// Pages, readable and writable, backed when touched; the contents are unspecified. At least page-aligned; behind a
  /// buffer lies the slack. Null when there is no room, or in a forked child.
  /// `owner` is told where a kernel goes wrong near it.
  std::byte *allocate(RangeKind kind, uint64_t size, uint64_t alignment = kPageSize, MemoryOwner owner = {});
  /// The same, but inaccessible: the caller protects parts of it itself. Release gives all of it back.
  std::byte *reserve(RangeKind kind, uint64_t size, uint64_t alignment = kPageSize);
  /// Gives an allocation back: the pages of a large one at once, a small one is kept for the next of its size.
  void release(std::byte *begin);

  /// Pages for machine code: writable until they are made executable. All within 2 GiB of each other.
  std::byte *allocateCode(uint64_t size);
  static bool makeExecutable(std::byte *begin, uint64_t size);
  void releaseCode(std::byte *begin, uint64_t size);
  /// The code part as the compiler library's table wants it.
  abi::CodeMemory codeMemory();

  AddressInfo find(uint64_t address) const;
  /// Its kind alone: without the lock that finding takes, where buffers lie. Memory of the host counts as one.
  RangeKind kindOf(uint64_t address) const {
    const bool isBuffer = !isUnshared(address) && !isMixed_.load(std::memory_order_relaxed);
    return isBuffer ? RangeKind::Buffer : find(address).kind;
  }
  /// The same for a finding: with the nearest allocation below where none is near, and whose it is.
  FoundMemory locate(uint64_t address) const;

  struct Statistics {
    uint64_t live = 0, cachedBytes = 0, gapped = 0;
  };
  Statistics statistics() const;

private:
  /// Free parts of a range: by address to join neighbours, by size to find the best fit.
  class FreeRanges {
  public:
    void give(uint64_t base, uint64_t size);
    uint64_t take(uint64_t size, uint64_t alignment); ///< 0: none

  private:
    void insert(uint64_t base, uint64_t size);
    std::map<uint64_t, uint64_t> byAddress_;
    std::set<std::pair<uint64_t, uint64_t>> bySize_;
  };
  struct Block {
    uint64_t size = 0;  ///< mapped bytes
    uint64_t asked = 0; ///< bytes asked for
    RangeKind kind = RangeKind::None;
    MemoryOwner owner = {};
    bool gapped = false, accessible = false, live = false;
    bool counted = false; ///< in cachedBytes_
  };
  using Blocks = std::map<uint64_t, Block>;

  std::byte *map(RangeKind kind, uint64_t size, uint64_t alignment, bool accessible, MemoryOwner owner);
  FreeRanges &freeOf(uint64_t address) { return address < others_ ? freeBuffers_ : freeOthers_; }
  Blocks::iterator mapGapped(FreeRanges &free, uint64_t mapped, uint64_t alignment, bool accessible);
  Blocks::iterator carve(uint64_t mapped);
  Blocks::const_iterator blockNear(uint64_t address) const; ///< with mutex_ held, as the next one
  Blocks::const_iterator blockBelow(uint64_t address) const;
  void unmap(uint64_t base, uint64_t size);
  void discard(Blocks::iterator at);
  bool makeRoom(uint64_t pages);

  uint64_t base_ = 0, size_ = 0, codeSize_ = 0;
  uint64_t others_ = 0; ///< where the part for what is not a buffer begins
  uint64_t maxGapped_ = 0, gap_ = kGap;

  std::atomic<bool> isMixed_ = false; ///< the other part was full: something else lies among the buffers

  mutable std::mutex mutex_; ///< guards all below
  /// Buffers, and far from them what a kernel's wild index must not find: stacks and local memory.
  FreeRanges freeBuffers_, freeOthers_;
  FreeRanges freeCode_;
  Blocks blocks_;
  std::vector<std::vector<Blocks::iterator>> cached_; ///< released small buffers, still mapped, by pages
  uint64_t cachedBytes_ = 0, gapped_ = 0, live_ = 0;
  /// The rest of a chunk from which blocks without gaps are cut, once too many with gaps are live.
  uint64_t chunk_ = 0, chunkEnd_ = 0;
};

/// The host may look at it, and write it, while a kernel runs: shared and managed memory, and its own.
bool isShared(const FoundMemory &memory);

} // namespace us::memory
