// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-group object, its pool, and the fiber tier's round: every work-item that can go on does, in order; then
// whoever waits for what has happened is released.
#include "emulator/exec/work_group.h"

#include "emulator/exec/scheduler.h"
#include "emulator/memory/address_space.h"

#include <algorithm>
#include <mutex>

namespace us::exec {

using memory::AddressSpace;
using memory::RangeKind;

namespace {
constexpr uint64_t kSmallestRuntimeStack = 1 << 20;
/// On top of what the kernel's own frames need: runtime functions, library functions, a signal's red zone.
constexpr uint64_t kRuntimeStackSlack = 64 * 1024;
} // namespace

struct GroupPool {
  std::mutex mutex; ///< guards `free`
  WorkGroup *free = nullptr;

  static GroupPool &instance() {
    static GroupPool &pool = *new GroupPool;
    return pool;
  }
  WorkGroup *take() {
    {
      std::lock_guard lock(mutex);
      if (WorkGroup *group = free) {
        free = group->nextFree_;
        return group;
      }
    }
    return new WorkGroup;
  }
  void give(WorkGroup *group) {
    std::lock_guard lock(mutex);
    group->nextFree_ = free;
    free = group;
  }
};

Expected<WorkGroup *> WorkGroup::acquire(const GroupNeeds &needs) {
  WorkGroup *group = GroupPool::instance().take();
  auto grow = [](std::byte *&memory, uint64_t &size, uint64_t wanted) {
    if (wanted <= size) return true;
    AddressSpace::instance().release(memory);
    memory = AddressSpace::instance().allocate(RangeKind::Local, wanted);
    size = memory ? wanted : 0;
    return memory != nullptr;
  };
  const uint64_t stackBytes = std::max(needs.stackBytes + kRuntimeStackSlack, kSmallestRuntimeStack);
  if (group->stack_ && group->stack_->size < stackBytes) {
    releaseStacks(group->stack_);
    group->stack_ = nullptr;
  }
  if (!group->stack_) group->stack_ = acquireStack(stackBytes);
  bool ok = group->stack_ && grow(group->localArena, group->arenaSize_, needs.localMemory) &&
            grow(group->exchange, group->exchangeSize_, needs.exchangeItems * abi::kExchangeSlot);
  if (!ok) {
    GroupPool::instance().give(group);
    return fail(ErrorCode::OutOfResources, "no memory for the stack, or the " + std::to_string(needs.localMemory) +
                                               " bytes of local memory, of a work-group");
  }
  if (needs.fibers) {
    if (needs.fibers > kMaxFiberStacks) {
      GroupPool::instance().give(group);
      return fail(ErrorCode::OutOfResources, "a work-group of " + std::to_string(needs.fibers) +
                                                 " work-items has more than the " + std::to_string(kMaxFiberStacks) +
                                                 " stacks of a process");
    }
    reserveFiberStacks(needs.fibers);
    group->reserved_ = needs.fibers;
    group->fiberStackBytes_ = needs.fiberStackBytes;
    if (group->fibers_.size() < needs.fibers) group->fibers_.resize(needs.fibers);
  }
  return group;
}

void WorkGroup::release() {
  for (uint64_t i = 0; i < items_; ++i)
    if (Stack *stack = fibers_[i].abandon()) {
      stack->next = freeStacks_;
      freeStacks_ = stack;
    }
  items_ = live_ = 0;
  current_ = nullptr;
  releaseStacks(freeStacks_);
  freeStacks_ = nullptr;
  if (reserved_) unreserveFiberStacks(reserved_);
  reserved_ = 0;
  guard = nullptr;
  GroupPool::instance().give(this);
}

void WorkGroup::startGroup(uint64_t group, abi::ItemEntry entry) {
  linearGroup = group;
  uint64_t rest = group;
  items_ = 1;
  for (int i = 0; i < 3; ++i) {
    groupId[i] = rest % launch->numGroups[i];
    rest /= launch->numGroups[i];
    localSize[i] = std::min(launch->localSize[i], launch->globalSize[i] - groupId[i] * launch->localSize[i]);
    items_ *= localSize[i];
  }
  live_ = items_;
  subGroupWaiters_ = 0;
  uint64_t id[3] = {0, 0, 0};
  for (uint64_t i = 0; i < items_; ++i) {
    Fiber &fiber = fibers_[i];
    fiber.linearLocalId = static_cast<uint32_t>(i);
    fiber.group = this;
    fiber.entry = entry;
    fiber.state = FiberState::New;
    std::copy(id, id + 3, fiber.localId);
    for (int d = 0; d < 3 && ++id[d] == localSize[d]; ++d) id[d] = 0;
  }
  order_.resize(items_);
  for (uint32_t i = 0; i < items_; ++i) order_[i] = i;
  scheduler->orderItems(launch->launchNumber, group, order_);
}

void WorkGroup::runReady(bool barrierOpen) {
  for (uint32_t i : order_) {
    Fiber &fiber = fibers_[i];
    if (fiber.state == FiberState::New) {
      fiber.stack = freeStacks_ ? std::exchange(freeStacks_, freeStacks_->next) : acquireStack(fiberStackBytes_);
      if (!fiber.stack) guard->leave(Leave::NoStack);
    } else if (fiber.state != FiberState::Ready && !(barrierOpen && fiber.state == FiberState::AtBarrier)) {
      continue;
    }
    current_ = &fiber;
    fiber.resume(*stack_);
    current_ = nullptr;
    subGroupWaiters_ += fiber.state == FiberState::AtSubGroupSync;
    if (fiber.state != FiberState::Ended) continue;
    // The next work-item to start takes this stack: a kernel that never waits needs only one.
    fiber.stack->next = freeStacks_;
    freeStacks_ = std::exchange(fiber.stack, nullptr);
    --live_;
  }
}

void WorkGroup::releaseSubGroups() {
  for (uint64_t begin = 0; begin < items_; begin += abi::kSubGroupSize) {
    const uint64_t end = std::min<uint64_t>(begin + abi::kSubGroupSize, items_);
    uint64_t first = begin;
    while (first < end && fibers_[first].state != FiberState::AtSubGroupSync) ++first;
    if (first == end) continue;
    // Divergent sub-groups wait at several calls. The first one in the program goes on (code generation numbers them in
    // program order), so that those in a branch catch up with those that wait behind it.
    uint32_t site = fibers_[first].site;
    for (uint64_t i = first; i < end; ++i)
      if (fibers_[i].state == FiberState::AtSubGroupSync) site = std::min(site, fibers_[i].site);
    auto waits = [site](const Fiber &fiber) { return fiber.state == FiberState::AtSubGroupSync && fiber.site == site; };
    uint32_t mask = 0;
    for (uint64_t i = first; i < end; ++i) mask |= waits(fibers_[i]) ? 1u << (i - begin) : 0;
    for (uint64_t i = first; i < end; ++i)
      if (waits(fibers_[i])) {
        fibers_[i].released = mask;
        fibers_[i].state = FiberState::Ready;
        --subGroupWaiters_;
      }
  }
}

bool WorkGroup::allAtOneBarrier() const {
  const Fiber *one = nullptr;
  for (uint64_t i = 0; i < items_; ++i) {
    const Fiber &fiber = fibers_[i];
    if (fiber.state == FiberState::Ended) continue;
    if (one && one->site != fiber.site) return false;
    one = &fiber;
  }
  return true;
}

void WorkGroup::runFibers(uint64_t group, abi::ItemEntry entry) {
  startGroup(group, entry);
  bool barrierOpen = false;
  while (true) {
    runReady(barrierOpen);
    if (!live_) return;
    if (std::atomic_ref(launch->abortWord).load(std::memory_order_relaxed)) guard->leave(Leave::Aborted);
    // Every live work-item waits now: for its sub-group, or all of them at barriers.
    barrierOpen = subGroupWaiters_ == 0;
    if (!barrierOpen)
      releaseSubGroups();
    else if (strictBarriers && !allAtOneBarrier())
      guard->leave(Leave::Deadlock);
  }
}

std::string WorkGroup::waiting(const std::function<std::string(uint64_t)> &place) const {
  struct Site {
    uint32_t number;
    uint64_t pc;
    FiberState state;
    std::string items;
    uint64_t rangeBegin, rangeEnd;
  };
  std::vector<Site> sites;
  auto closeRange = [](Site &site) {
    if (site.rangeBegin == site.rangeEnd) return;
    if (!site.items.empty()) site.items += ", ";
    site.items += std::to_string(site.rangeBegin);
    if (site.rangeEnd - site.rangeBegin > 1) site.items += "-" + std::to_string(site.rangeEnd - 1);
  };
  for (uint64_t i = 0; i < items_; ++i) {
    const Fiber &fiber = fibers_[i];
    if (fiber.state != FiberState::AtBarrier && fiber.state != FiberState::AtSubGroupSync) continue;
    auto at = std::ranges::find_if(
        sites, [&](const Site &site) { return site.number == fiber.site && site.state == fiber.state; });
    if (at == sites.end()) at = sites.insert(at, {fiber.site, fiber.waitPc, fiber.state, {}, i, i});
    if (at->rangeEnd != i) {
      closeRange(*at);
      at->rangeBegin = i;
    }
    at->rangeEnd = i + 1;
  }
  std::string text;
  for (Site &site : sites) {
    closeRange(site);
    if (!text.empty()) text += "; ";
    text += "work-items " + site.items + " wait at the ";
    text += site.state == FiberState::AtBarrier ? "barrier" : "sub-group operation";
    text += " " + place(site.pc);
  }
  return text;
}

} // namespace us::exec
