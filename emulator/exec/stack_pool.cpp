// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The stack pool: size classes of powers of two, carved from slabs of the reserved range.
#include "emulator/exec/stack_pool.h"

#include "emulator/memory/address_space.h"

#include <algorithm>
#include <array>
#include <bit>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <sys/mman.h>
#include <vector>

namespace us::exec {
namespace {

constexpr uint64_t kSmallestLog = 15, kClasses = 20; // 32 KiB to 16 GiB
/// Of dense stacks a slab costs two map entries, however large.
constexpr uint64_t kSlabBytes = 4 << 20, kDenseSlabBytes = 64 << 20;

struct Slab {
  std::byte *begin = nullptr;
  std::vector<Stack> stacks;
  unsigned sizeClass = 0;
  uint64_t used = 0;
};

struct StackPool {
  std::mutex mutex; ///< guards all below
  // The second half of the classes are those of dense stacks.
  std::array<Stack *, 2 * kClasses> free{};
  std::array<std::vector<std::unique_ptr<Slab>>, 2 * kClasses> slabs;
  uint64_t stacks = 0; ///< that exist, free ones included, without the dense ones

  std::condition_variable unreserved;
  uint64_t reserved = 0;

  bool addSlab(unsigned sizeClass);
  void dropIdleSlabs(unsigned firstClass, unsigned lastClass);
};

StackPool &stackPool() {
  static StackPool &instance = *new StackPool;
  return instance;
}

bool StackPool::addSlab(unsigned sizeClass) {
  const bool dense = sizeClass >= kClasses;
  const uint64_t size = 1ull << (sizeClass % kClasses + kSmallestLog), stride = dense ? size : size + kStackGuard;
  const uint64_t count = std::clamp<uint64_t>((dense ? kDenseSlabBytes : kSlabBytes) / size, 1, 64);
  // Stacks of other sizes that nobody uses count against the map entries too.
  if (!dense && stacks + count > kMaxFiberStacks) dropIdleSlabs(0, kClasses);
  std::byte *begin =
      memory::AddressSpace::instance().reserve(memory::RangeKind::Stack, (dense ? kStackGuard : 0) + stride * count);
  if (!begin) return false;
  auto slab = std::make_unique<Slab>();
  slab->begin = begin;
  slab->sizeClass = sizeClass;
  slab->stacks.resize(count);
  for (uint64_t i = count; i-- > 0;) {
    Stack &stack = slab->stacks[i];
    stack = {.bottom = begin + stride * i + kStackGuard,
             .size = size,
             .slab = slab.get(),
             .color = (stacks + i) * 128 % kMaxColor};
    if (dense && i != 0) continue;
    if (mprotect(stack.bottom, dense ? size * count : size, PROT_READ | PROT_WRITE) != 0) {
      memory::AddressSpace::instance().release(begin);
      return false;
    }
  }
  // Of each only the top is used: a large page would back several whole ones.
  if (dense) madvise(begin + kStackGuard, size * count, MADV_NOHUGEPAGE);
  for (uint64_t i = count; i-- > 0;) {
    slab->stacks[i].next = free[sizeClass];
    free[sizeClass] = &slab->stacks[i];
  }
  if (!dense) stacks += count;
  slabs[sizeClass].push_back(std::move(slab));
  return true;
}

void StackPool::dropIdleSlabs(unsigned firstClass, unsigned lastClass) {
  for (unsigned sizeClass = firstClass; sizeClass < lastClass; ++sizeClass) {
    Stack **link = &free[sizeClass];
    while (Stack *stack = *link)
      if (static_cast<Slab *>(stack->slab)->used == 0)
        *link = stack->next;
      else
        link = &stack->next;
    std::erase_if(slabs[sizeClass], [this](const std::unique_ptr<Slab> &slab) {
      if (slab->used) return false;
      memory::AddressSpace::instance().release(slab->begin);
      if (slab->sizeClass < kClasses) stacks -= slab->stacks.size();
      return true;
    });
  }
}

} // namespace

Stack *acquireStack(uint64_t size, bool dense) {
  unsigned sizeClass = static_cast<unsigned>(
      std::max<uint64_t>(std::bit_width(std::max<uint64_t>(size, 1) - 1), kSmallestLog) - kSmallestLog);
  if (sizeClass >= kClasses) return nullptr;
  if (dense) sizeClass += kClasses;
  StackPool &stacks = stackPool();
  std::lock_guard lock(stacks.mutex);
  if (!stacks.free[sizeClass] && !stacks.addSlab(sizeClass)) return nullptr;
  Stack *stack = stacks.free[sizeClass];
  stacks.free[sizeClass] = stack->next;
  stack->next = nullptr;
  ++static_cast<Slab *>(stack->slab)->used;
  return stack;
}

void releaseStacks(Stack *first) {
  if (!first) return;
  StackPool &stacks = stackPool();
  std::lock_guard lock(stacks.mutex);
  while (Stack *stack = first) {
    first = stack->next;
    Slab &slab = *static_cast<Slab *>(stack->slab);
    const unsigned sizeClass = slab.sizeClass;
    --slab.used;
    stack->next = stacks.free[sizeClass];
    stacks.free[sizeClass] = stack;
  }
}

void dropDenseStacks() {
  StackPool &stacks = stackPool();
  std::lock_guard lock(stacks.mutex);
  stacks.dropIdleSlabs(kClasses, 2 * kClasses);
}

void reserveFiberStacks(uint64_t count) {
  StackPool &stacks = stackPool();
  std::unique_lock lock(stacks.mutex);
  stacks.unreserved.wait(lock, [&] { return stacks.reserved + count <= kMaxFiberStacks; });
  stacks.reserved += count;
}

bool tryReserveFiberStacks(uint64_t count) {
  StackPool &stacks = stackPool();
  std::lock_guard lock(stacks.mutex);
  if (stacks.reserved + count > kMaxFiberStacks) return false;
  stacks.reserved += count;
  return true;
}

void unreserveFiberStacks(uint64_t count) {
  StackPool &stacks = stackPool();
  {
    std::lock_guard lock(stacks.mutex);
    stacks.reserved -= count;
  }
  stacks.unreserved.notify_all();
}

} // namespace us::exec
