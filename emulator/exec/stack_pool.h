// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks for kernels: pooled for the process, each with inaccessible pages below it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace us::exec {

/// Inaccessible bytes below each stack.
inline constexpr uint64_t kStackGuard = 16 * 1024;
/// Of each stack: for signal handlers of the host, which run where the kernel is unless they ask for an alternate
/// stack. There are programs that give a whole thread no more.
inline constexpr uint64_t kHandlerRoom = 128 * 1024;
/// At most so much of a stack is left out at its top.
inline constexpr uint64_t kMaxColor = 4096;
/// Fiber stacks in use at once, in the whole process: each costs two of the kernel's 65,530 map entries.
inline constexpr uint64_t kMaxFiberStacks = 16384;
/// Of a launch whose groups run together, where the code says how much stack it needs: those stacks lie side by side.
inline constexpr uint64_t kMaxDenseStacks = 1 << 19;

struct Stack {
  std::byte *bottom = nullptr; ///< lowest usable byte
  uint64_t size = 0;           ///< usable bytes
  Stack *next = nullptr;       ///< in a list of free stacks
  void *slab = nullptr;        ///< the pool's
  /// Bytes left out at the top, different from stack to stack: otherwise the tops of all stacks, which are what the
  /// work-items of a group touch in turn, would share a few sets of the caches.
  uint64_t color = 0;

  std::byte *top() const { return bottom + size - color; }
  bool holds(uint64_t address) const { return address - reinterpret_cast<uint64_t>(bottom) < size; }
  /// True for an address just below the stack, where an overflow touches first.
  bool guards(uint64_t address) const {
    return address - (reinterpret_cast<uint64_t>(bottom) - kStackGuard) < kStackGuard;
  }
};

/// A stack of at least `size` bytes; null if there is no memory for it. A dense one has another stack below it instead
/// of inaccessible pages. Thread-safe.
Stack *acquireStack(uint64_t size, bool dense = false);
/// Gives the memory of dense stacks back that nobody uses.
void dropDenseStacks();
/// Gives back a list of stacks, linked by `next`.
void releaseStacks(Stack *first);

/// Waits until `count` (at most kMaxFiberStacks) more fiber stacks may be in use, and counts them. All or none, so that
/// two groups cannot each hold half of what they need.
void reserveFiberStacks(uint64_t count);
/// Does not wait: false if there are not enough now.
bool tryReserveFiberStacks(uint64_t count);
void unreserveFiberStacks(uint64_t count);

} // namespace us::exec
