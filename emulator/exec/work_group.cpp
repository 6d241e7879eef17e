// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work-group object, its pool, and the fiber tier's round: every work-item that can go on does, in order; then
// whoever waits for what has happened is released.
#include "emulator/exec/work_group.h"

#include "emulator/abi/launch_checks.h"
#include "emulator/memory/address_space.h"
#include "emulator/memory/shadow.h"
#include "runtime/base/short_lock.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace us::exec {

using memory::AddressSpace;
using memory::RangeKind;

namespace {
constexpr uint64_t kSmallestRuntimeStack = 1 << 20;
/// On top of what the kernel's own frames need: runtime functions, library functions, handlers of the host.
constexpr uint64_t kRuntimeStackSlack = 64 * 1024 + kHandlerRoom;
/// Before and behind local memory. Vectors with masks reach there where only lanes that are not asked do: a processor
/// takes hundreds of cycles to find out that a page that is not there need not be there.
constexpr uint64_t kBeside = 128;

/// Memory with more of it on both sides, in pages that are there; null if there is none.
std::byte *allocateBetween(uint64_t size) {
  std::byte *memory = AddressSpace::instance().allocate(RangeKind::Local, size + 2 * kBeside);
  if (!memory) return nullptr;
  memory[0] = memory[size + 2 * kBeside - 1] = std::byte();
  return memory + kBeside;
}

void releaseBetween(std::byte *memory) {
  if (memory) AddressSpace::instance().release(memory - kBeside);
}
} // namespace

struct GroupPool {
  ShortLock mutex; ///< guards `free`
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

Expected<WorkGroup *> WorkGroup::acquire(const GroupNeeds &needs, StackClaim claim) {
  WorkGroup *group = GroupPool::instance().take();
  auto grow = [](std::byte *&memory, uint64_t &size, uint64_t wanted) {
    if (wanted <= size) return true;
    releaseBetween(memory);
    memory = allocateBetween(wanted);
    size = memory ? wanted : 0;
    return memory != nullptr;
  };
  const bool isLimited = needs.stackLimit != 0;
  const uint64_t stackBytes = isLimited ? needs.stackLimit + kRuntimeStackSlack
                                        : std::max(needs.stackBytes + kRuntimeStackSlack, kSmallestRuntimeStack);
  const bool isOther = group->stack_ && (group->stack_->size < stackBytes ||
                                         (isLimited && group->stack_->size > std::bit_ceil(stackBytes)));
  if (isOther) {
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
  group->cellBytes = needs.cellBytes;
  if (needs.cellBytes) {
    const uint64_t places = (needs.localMemory + needs.cellBytes - 1) / needs.cellBytes;
    const uint64_t count = (places + abi::kMostCells) * abi::kCellPlanes;
    if (group->cellMemory_.size() < count) group->cellMemory_.resize(count);
    group->localCells = {reinterpret_cast<uint64_t>(group->localArena), places, group->cellMemory_.data()};
  }
  if (needs.fibers) {
    if (claim != StackClaim::Claimed && needs.fibers > kMaxFiberStacks) {
      GroupPool::instance().give(group);
      return fail(ErrorCode::OutOfResources, "a work-group of " + std::to_string(needs.fibers) +
                                                 " work-items has more than the " + std::to_string(kMaxFiberStacks) +
                                                 " stacks of a process");
    }
    if (claim == StackClaim::IfThere && !tryReserveFiberStacks(needs.fibers)) {
      GroupPool::instance().give(group);
      return fail(ErrorCode::OutOfResources, "all stacks of the process are in use");
    }
    if (claim == StackClaim::Wait) reserveFiberStacks(needs.fibers);
    group->reserved_ = claim == StackClaim::Claimed ? 0 : needs.fibers;
    group->fiberStackBytes_ = needs.fiberStackBytes;
    group->denseStacks_ = needs.denseStacks;
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

void WorkGroup::begin(uint64_t group, abi::ItemEntry entry) {
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
  subGroupWaiters_ = namedWaiters_ = 0;
  idleRounds_ = 0;
  isStuck_ = false;
  stuckSince = ~uint64_t(0);
  barrierOpen_ = false;
  barriers.begin(items_);
  beginChecks();
  uint64_t id[3] = {0, 0, 0};
  for (uint64_t i = 0; i < items_; ++i) {
    Fiber &fiber = fibers_[i];
    fiber.linearLocalId = static_cast<uint32_t>(i);
    fiber.group = this;
    fiber.entry = entry;
    fiber.state = FiberState::New;
    fiber.watchedBytes = 0;
    std::copy(id, id + 3, fiber.localId);
    for (int d = 0; d < 3 && ++id[d] == localSize[d]; ++d) id[d] = 0;
  }
  order_.resize(items_);
  round_ = {launch->launchNumber, group, 0};
  orderRound();
}

void WorkGroup::beginChecks() {
  if (unwrittenLocal) memory::Shadow::instance().setUnwritten(localArena, unwrittenLocal);
  if (cellBytes) beginEpoch();
  if (globalCells) globalCells->begin(linearGroup, globalEpochs);
}

void WorkGroup::beginEpoch() {
  localEpochs.now += uint64_t(1) << abi::kCellEpochShift;
  if (localEpochs.now) return;
  std::ranges::fill(cellMemory_, 0); // all epochs have been
  localEpochs.now = uint64_t(1) << abi::kCellEpochShift;
}

void WorkGroup::passBarrier(uint32_t fences) {
  if (cellBytes && (fences & abi::kLocalFence)) beginEpoch();
  if (globalCells && (fences & abi::kGlobalFences)) globalCells->passBarrier(globalEpochs);
  if (checks) checks->passedBarrier(linearGroup, fences);
}

void WorkGroup::orderRound() {
  for (uint32_t i = 0; i < items_; ++i) order_[i] = i;
  reorders_ = scheduler->orderItems(round_, order_);
}

void WorkGroup::runReady(bool barrierOpen) {
  yielded_ = 0;
  roundChanged_ = false;
  for (uint32_t i : order_) {
    Fiber &fiber = fibers_[i];
    const FiberState before = fiber.state;
    if (before == FiberState::New) {
      fiber.stack =
          freeStacks_ ? std::exchange(freeStacks_, freeStacks_->next) : acquireStack(fiberStackBytes_, denseStacks_);
      // Where the address space is limited, better a small one.
      if (!fiber.stack) fiber.stack = acquireStack(fiberStackBytes_ - kHandlerRoom, denseStacks_);
      if (!fiber.stack) guard->leave(Leave::NoStack);
    } else if (before != FiberState::Ready && before != FiberState::Yielded &&
               !(barrierOpen && before == FiberState::AtBarrier)) {
      continue;
    }
    current_ = &fiber;
    fiber.resume(*stack_);
    current_ = nullptr;
    if (fiber.state == FiberState::Yielded) {
      ++yielded_;
      roundChanged_ |= fiber.changed;
      if (before == FiberState::Yielded) continue;
    }
    roundChanged_ = true;
    idleRounds_ = 0;
    gotOn_ = true;
    subGroupWaiters_ += fiber.state == FiberState::AtSubGroupSync;
    namedWaiters_ += fiber.state == FiberState::AtNamedBarrier;
    if (fiber.state != FiberState::Ended) continue;
    // The next work-item to start takes this stack: a kernel that never waits needs only one.
    fiber.stack->next = freeStacks_;
    freeStacks_ = std::exchange(fiber.stack, nullptr);
    --live_;
  }
}

uint32_t WorkGroup::releasable(uint64_t begin, uint64_t end) const {
  uint32_t live = 0, yielded = 0, waiting = 0;
  for (uint64_t i = begin; i < end; ++i) {
    const uint32_t bit = 1u << (i - begin);
    live |= fibers_[i].state == FiberState::Ended ? 0 : bit;
    yielded |= fibers_[i].state == FiberState::Yielded ? bit : 0;
    waiting |= fibers_[i].state == FiberState::AtSubGroupSync ? bit : 0;
  }
  // A fellow that looks again and again at memory may still come.
  uint32_t able = 0, site = ~0u;
  for (uint32_t rest = waiting; rest; rest &= rest - 1) {
    const Fiber &fiber = fibers_[begin + uint64_t(std::countr_zero(rest))];
    if (fiber.members & yielded) continue;
    able |= rest & -rest;
    site = std::min(site, fiber.site);
  }
  const auto those = [&](auto condition) {
    uint32_t mask = 0;
    for (uint32_t rest = able; rest; rest &= rest - 1)
      if (condition(fibers_[begin + uint64_t(std::countr_zero(rest))])) mask |= rest & -rest;
    return mask;
  };
  const uint32_t first = those([site](const Fiber &fiber) { return fiber.site == site; });
  if (first == able) return first;
  // Divergent sub-groups wait at several calls. Where all that one waits for are at it, these go on; else the first one
  // in the program does (code generation numbers them in program order), so that those in a branch catch up with those
  // that wait behind it.
  uint32_t complete = 0, completeSite = ~0u;
  for (uint32_t rest = able; rest; rest &= rest - 1) {
    const Fiber &fiber = fibers_[begin + uint64_t(std::countr_zero(rest))];
    if (fiber.members == 0 || fiber.site > completeSite) continue;
    const uint32_t here = those([&](const Fiber &other) { return other.site == fiber.site; });
    if (fiber.members & live & ~here) continue;
    complete = (fiber.site == completeSite ? complete : 0) | (rest & -rest);
    completeSite = fiber.site;
  }
  return complete ? complete : first;
}

/// PTX, shfl.sync and its like: "the executing thread waits until all non-exited threads corresponding to membermask
/// have executed" it "with the same qualifiers and same membermask value"; "the behavior ... is undefined if the
/// executing thread is not in the membermask".
void WorkGroup::checkMasks(uint64_t begin, uint32_t released) const {
  uint32_t atBarriers = 0;
  for (uint64_t i = begin; i < std::min<uint64_t>(begin + abi::kSubGroupSize, items_); ++i)
    if (fibers_[i].state == FiberState::AtBarrier || fibers_[i].state == FiberState::AtNamedBarrier)
      atBarriers |= 1u << (i - begin);
  const uint64_t lanes = std::min<uint64_t>(items_ - begin, abi::kSubGroupSize);
  const uint32_t all = ~0u >> (abi::kSubGroupSize - lanes);
  for (uint32_t rest = released; rest; rest &= rest - 1) {
    const Fiber &fiber = fibers_[begin + uint64_t(std::countr_zero(rest))];
    if (fiber.members == 0) continue; // it waits for nobody in particular
    if (fiber.isForAll && released != all)
      checks->metWrongly(linearGroup, fiber.linearLocalId, fiber.waitPc, abi::WrongMeeting::PartOfSubGroup, ~0u);
    const auto say = [&](abi::WrongMeeting how) {
      checks->metWrongly(linearGroup, fiber.linearLocalId, fiber.waitPc, how, fiber.members);
    };
    if (!(fiber.members & rest & -rest)) say(abi::WrongMeeting::LacksItself);
    if (fiber.members & atBarriers) say(abi::WrongMeeting::WaitsElsewhere);
    bool differs = false;
    for (uint32_t others = released & fiber.members; others; others &= others - 1)
      differs |= fibers_[begin + uint64_t(std::countr_zero(others))].members != fiber.members;
    if (differs) say(abi::WrongMeeting::DifferentMasks);
  }
}

bool WorkGroup::releaseSubGroups() {
  bool released = false;
  for (uint64_t begin = 0; begin < items_; begin += abi::kSubGroupSize) {
    const uint64_t end = std::min<uint64_t>(begin + abi::kSubGroupSize, items_);
    const uint32_t mask = releasable(begin, end);
    released |= mask != 0;
    if (checks) checkMasks(begin, mask);
    std::vector<uint32_t> items;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      const uint64_t item = begin + uint64_t(std::countr_zero(rest));
      fibers_[item].released = mask;
      fibers_[item].state = FiberState::Ready;
      --subGroupWaiters_;
      if (checks) items.push_back(uint32_t(item));
    }
    if (!items.empty()) checks->met(linearGroup, items, abi::Meeting::OfSubGroup);
  }
  return released;
}

bool WorkGroup::releaseNamedBarriers() {
  if (!barriers.anyoneArrived()) return false;
  // Who has ended, and who is not there at all.
  std::vector<uint32_t> ended((items_ + abi::kSubGroupSize - 1) / abi::kSubGroupSize, ~0u);
  for (uint64_t i = 0; i < items_; ++i)
    if (fibers_[i].state != FiberState::Ended) ended[i / abi::kSubGroupSize] &= ~(1u << i % abi::kSubGroupSize);
  bool released = false;
  for (uint32_t number = 0; number < NamedBarriers::kCount; ++number) {
    const std::optional<NamedBarriers::Outcome> outcome = barriers.complete(number, ended);
    if (!outcome) continue;
    std::vector<uint32_t> items;
    for (uint64_t i = 0; i < items_; ++i) {
      Fiber &fiber = fibers_[i];
      if (fiber.state != FiberState::AtNamedBarrier || fiber.barrier != number) continue;
      if (checks) items.push_back(uint32_t(i));
      fiber.released = fiber.use == abi::BarrierUse::CountTrue ? outcome->trues
                       : fiber.use == abi::BarrierUse::AllTrue ? outcome->allTrue
                                                               : outcome->trues != 0;
      fiber.state = FiberState::Ready;
      --namedWaiters_;
      released = true;
    }
    if (!items.empty()) checks->met(linearGroup, items, abi::Meeting::OfGroup);
  }
  return released;
}

bool WorkGroup::allAtOneBarrier(uint64_t begin, uint64_t end) const {
  const Fiber *one = nullptr;
  for (uint64_t i = begin; i < end; ++i) {
    const Fiber &fiber = fibers_[i];
    if (fiber.state == FiberState::Ended) continue;
    if (one && one->site != fiber.site) return false;
    one = &fiber;
  }
  return true;
}

void WorkGroup::checkBarrier() const {
  const bool ended = barriersForAll && live_ != items_;
  // PTX: "all threads in the warp must execute the same barrier instruction"; OpenCL C asks it of the work-group.
  const uint64_t together = barriersForAll ? items_ : abi::kSubGroupSize;
  std::vector<abi::BarrierWait> waits;
  const auto add = [](abi::BarrierWait &wait, uint64_t item) {
    if (wait.items.empty() || wait.items.back().second != item) wait.items.emplace_back(item, item);
    wait.items.back().second = item + 1;
  };
  for (uint64_t begin = 0; begin < items_; begin += together) {
    const uint64_t end = std::min(begin + together, items_);
    if (!ended && allAtOneBarrier(begin, end)) continue;
    for (uint64_t i = begin; i < end; ++i) {
      const Fiber &fiber = fibers_[i];
      const bool hasEnded = fiber.state == FiberState::Ended;
      if (hasEnded && !ended) continue;
      const uint32_t site = hasEnded ? abi::BarrierWait::kEnded : fiber.site;
      auto at = std::ranges::find(waits, site, &abi::BarrierWait::site);
      if (at == waits.end()) at = waits.insert(at, {site, hasEnded ? 0 : fiber.waitPc, {}});
      add(*at, i);
    }
  }
  if (!waits.empty()) checks->diverged(linearGroup, std::move(waits));
}

void WorkGroup::tellBarrier() {
  uint32_t fences = ~0u;
  for (uint64_t i = 0; i < items_; ++i)
    if (fibers_[i].state == FiberState::AtBarrier) fences &= fibers_[i].fences;
  passBarrier(fences);
}

bool WorkGroup::run(uint32_t patience, uint32_t rounds) {
  gotOn_ = isStuck_ = false;
  while (true) {
    runReady(barrierOpen_);
    if (!live_) return true;
    if (std::atomic_ref(launch->abortWord).load(std::memory_order_relaxed)) guard->leave(Leave::Aborted);
    // Every live work-item waits now: for memory, for its sub-group, at a barrier with a number, or all at barriers.
    barrierOpen_ = false;
    if (!releaseNamedBarriers()) {
      barrierOpen_ = subGroupWaiters_ == 0 && yielded_ == 0;
      const bool released = subGroupWaiters_ && releaseSubGroups();
      if (barrierOpen_ && (namedWaiters_ != 0 || (strictBarriers && !checks && !allAtOneBarrier(0, items_))))
        guard->leave(Leave::Deadlock);
      if (barrierOpen_ && strictBarriers && checks) checkBarrier();
      // Only another work-group, or the host, can change what they look at.
      isStuck_ = yielded_ && !released && !roundChanged_;
      if (yielded_ && ++idleRounds_ > patience) return false;
    }
    if (checks && barrierOpen_) tellBarrier();
    ++round_.number;
    if (reorders_) orderRound();
    if (--rounds == 0) return false;
  }
}

bool WorkGroup::waitsForItself() const {
  return isStuck_ && std::all_of(fibers_.begin(), fibers_.begin() + ptrdiff_t(items_), [this](const Fiber &fiber) {
           const bool isLocal =
               fiber.watched - reinterpret_cast<uint64_t>(localArena) < launch->localMemory && fiber.watchedBytes;
           return fiber.state != FiberState::Yielded || isLocal;
         });
}

std::vector<uint64_t> WorkGroup::watched() const {
  std::vector<uint64_t> addresses;
  for (uint64_t i = 0; i < items_; ++i)
    if (fibers_[i].state == FiberState::Yielded) addresses.push_back(fibers_[i].watched);
  return addresses;
}

std::vector<FoundWait> WorkGroup::waiting(const PlaceNamer &place, const MemoryNamer &memory) const {
  struct Site {
    uint32_t number;
    FiberState state;
    uint64_t pc;
    uint64_t watched;
    FoundWait wait;
  };
  std::vector<Site> sites;
  for (uint64_t i = 0; i < items_; ++i) {
    const Fiber &fiber = fibers_[i];
    const bool atBarrier = fiber.state == FiberState::AtBarrier || fiber.state == FiberState::AtNamedBarrier;
    if (!atBarrier && fiber.state != FiberState::AtSubGroupSync && fiber.state != FiberState::Yielded) continue;
    const bool watches = fiber.state == FiberState::Yielded && fiber.watchedBytes;
    const uint64_t watched = watches ? fiber.watched : 0;
    auto at = std::ranges::find_if(sites, [&](const Site &site) {
      return site.number == fiber.site && site.state == fiber.state && site.watched == watched;
    });
    if (at == sites.end()) {
      const auto what = atBarrier                                   ? FoundWait::What::Barrier
                        : fiber.state == FiberState::AtSubGroupSync ? FoundWait::What::SubGroup
                                                                    : FoundWait::What::Memory;
      at = sites.insert(at, {fiber.site, fiber.state, fiber.waitPc, watched, {.what = what}});
      if (watches) at->wait.memory = memory(watched, fiber.watchedBytes);
    }
    auto &items = at->wait.items;
    if (items.empty() || items.back().second != i) items.emplace_back(i, i);
    items.back().second = i + 1;
  }
  std::vector<FoundWait> waits;
  for (Site &site : sites) {
    site.wait.place = place(site.pc);
    waits.push_back(std::move(site.wait));
  }
  return waits;
}

} // namespace us::exec
