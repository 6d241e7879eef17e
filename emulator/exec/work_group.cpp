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
/// takes hundreds of cycles to find out that a page that is not there need not be there. What is before keeps the
/// alignment of GroupContext::localArena.
constexpr uint64_t kBefore = 1024, kBehind = 128;

/// Memory with more of it on both sides, in pages that are there; null if there is none.
std::byte *allocateBetween(uint64_t size) {
  std::byte *memory = AddressSpace::instance().allocate(RangeKind::Local, kBefore + size + kBehind);
  if (!memory) return nullptr;
  memory[0] = memory[kBefore + size + kBehind - 1] = std::byte();
  return memory + kBefore;
}

void releaseBetween(std::byte *memory) {
  if (memory) AddressSpace::instance().release(memory - kBefore);
}

/// Makes it at least as large.
bool growBetween(std::byte *&memory, uint64_t &size, uint64_t wanted) {
  if (wanted <= size) return true;
  releaseBetween(memory);
  memory = allocateBetween(wanted);
  size = memory ? wanted : 0;
  return memory != nullptr;
}

uint64_t runtimeStackBytes(const GroupNeeds &needs) {
  return needs.stackLimit != 0 ? needs.stackLimit + kRuntimeStackSlack
                               : std::max(needs.stackBytes + kRuntimeStackSlack, kSmallestRuntimeStack);
}

/// Large enough, and where recursion is limited not much larger.
bool isRuntimeStackFor(const Stack &stack, const GroupNeeds &needs) {
  const uint64_t bytes = runtimeStackBytes(needs);
  return stack.size >= bytes && (needs.stackLimit == 0 || stack.size <= std::bit_ceil(bytes));
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

uint64_t WorkGroup::arenaStride(const GroupNeeds &needs) {
  return std::bit_ceil(std::max(needs.localMemory, abi::kLeastArenaStride));
}

Expected<WorkGroup *> WorkGroup::acquire(const GroupNeeds &needs, StackClaim claim) {
  if (needs.clusterGroups == 1) return acquireOne(needs, claim);
  US_TRY(WorkGroup *const leader, acquireOne(needs, claim));
  for (uint64_t rank = 1; rank < needs.clusterGroups; ++rank) {
    Expected<WorkGroup *> next = acquireOne(needs, StackClaim::Claimed);
    if (!next) {
      leader->release();
      return next;
    }
    WorkGroup &member = **next;
    member.leader_ = leader;
    member.stack_ = leader->stack_;
    leader->members_.push_back(&member);
  }
  // Not what lone groups have: behind that there is nothing, so that they end who write there.
  const uint64_t stride = arenaStride(needs);
  if (!growBetween(leader->arenas_, leader->arenasSize_, stride * needs.clusterGroups)) {
    leader->release();
    return fail(ErrorCode::OutOfResources, "no memory for the local memory of a cluster");
  }
  for (uint64_t rank = 0; rank < needs.clusterGroups; ++rank) {
    WorkGroup &member = *leader->members_[rank];
    member.localArena = leader->arenas_ + rank * stride;
    member.clusterArena = leader->arenas_;
    member.useCells(needs);
  }
  return leader;
}

void WorkGroup::useCells(const GroupNeeds &needs) {
  cellBytes = needs.cellBytes;
  if (!needs.cellBytes) return;
  const uint64_t places = (needs.localMemory + needs.cellBytes - 1) / needs.cellBytes;
  const uint64_t count = (places + abi::kMostCells) * abi::kCellPlanes;
  if (cellMemory_.size() < count) cellMemory_.resize(count);
  localCells = {reinterpret_cast<uint64_t>(localArena), places, cellMemory_.data()};
}

bool WorkGroup::serves(const GroupNeeds &needs) const {
  return members_.size() == 1 && needs.clusterGroups == 1 && needs.fibers == 0 && needs.cellBytes == 0 &&
         arenaSize_ >= needs.localMemory && exchangeSize_ >= needs.exchangeItems * abi::kExchangeSlot &&
         isRuntimeStackFor(*stack_, needs);
}

Expected<WorkGroup *> WorkGroup::acquireOne(const GroupNeeds &needs, StackClaim claim) {
  WorkGroup *group = GroupPool::instance().take();
  Stack *&stack = group->ownStack_;
  if (stack && !isRuntimeStackFor(*stack, needs)) {
    releaseStacks(stack);
    stack = nullptr;
  }
  if (!stack) stack = acquireStack(runtimeStackBytes(needs));
  // Others of a cluster have theirs from the first one.
  const bool ok = stack &&
                  growBetween(group->arena_, group->arenaSize_, needs.clusterGroups > 1 ? 0 : needs.localMemory) &&
                  growBetween(group->exchange, group->exchangeSize_, needs.exchangeItems * abi::kExchangeSlot);
  group->stack_ = stack;
  group->localArena = group->clusterArena = group->arena_;
  if (!ok) {
    GroupPool::instance().give(group);
    return fail(ErrorCode::OutOfResources, "no memory for the stack, or the " + std::to_string(needs.localMemory) +
                                               " bytes of local memory, of a work-group");
  }
  group->useCells(needs);
  if (needs.fibers) {
    const uint64_t stacks = needs.fibers * needs.clusterGroups;
    if (claim != StackClaim::Claimed && stacks > kMaxFiberStacks) {
      GroupPool::instance().give(group);
      return fail(ErrorCode::OutOfResources, std::string(needs.clusterGroups > 1 ? "a cluster" : "a work-group") +
                                                 " of " + std::to_string(stacks) + " work-items has more than the " +
                                                 std::to_string(kMaxFiberStacks) + " stacks of a process");
    }
    if (claim == StackClaim::IfThere && !tryReserveFiberStacks(stacks)) {
      GroupPool::instance().give(group);
      return fail(ErrorCode::OutOfResources, "all stacks of the process are in use");
    }
    if (claim == StackClaim::Wait) reserveFiberStacks(stacks);
    group->reserved_ = claim == StackClaim::Claimed ? 0 : stacks;
    group->fiberStackBytes_ = needs.fiberStackBytes;
    group->denseStacks_ = needs.denseStacks;
    group->isOneFiber_ = needs.isOneFiber;
    if (group->fibers_.size() < needs.fibers) group->fibers_.resize(needs.fibers);
  }
  return group;
}

void WorkGroup::release() {
  for (WorkGroup *const member : members_)
    if (member != this) member->giveBack();
  members_.resize(1);
  active_ = this;
  giveBack();
}

void WorkGroup::giveBack() {
  leader_ = this;
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

void WorkGroup::setGuard(KernelGuard *used) {
  for (WorkGroup *const member : members_) member->guard = used;
}

/// Clusters are numbered as groups are, and so are the groups of each.
void WorkGroup::begin(uint64_t number, void *entry) {
  active_ = this;
  if (members_.size() == 1) return beginOne(number, entry);
  const uint64_t *size = launch->clusterSize, *all = launch->numGroups;
  uint64_t first[3];
  for (int i = 0; i < 3; ++i) {
    first[i] = number % (all[i] / size[i]) * size[i];
    number /= all[i] / size[i];
  }
  uint64_t items = 0;
  for (uint64_t rank = 0; rank < members_.size(); ++rank) {
    const uint64_t x = first[0] + rank % size[0], y = first[1] + rank / size[0] % size[1];
    const uint64_t z = first[2] + rank / size[0] / size[1];
    members_[rank]->beginOne((z * all[1] + y) * all[0] + x, entry);
    items += members_[rank]->items_;
  }
  clusterBarrier_.begin(items);
}

void WorkGroup::beginOne(uint64_t group, void *entry) {
  linearGroup = group;
  uint64_t rest = group;
  items_ = 1;
  for (int i = 0; i < 3; ++i) {
    groupId[i] = rest % launch->numGroups[i];
    rest /= launch->numGroups[i];
    localSize[i] = std::min(launch->localSize[i], launch->globalSize[i] - groupId[i] * launch->localSize[i]);
    items_ *= localSize[i];
  }
  if (isOneFiber_) items_ = 1;
  live_ = items_;
  subGroupWaiters_ = namedWaiters_ = clusterWaiters_ = 0;
  clusterBarrier_.begin(items_);
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
    fiber.entry = isOneFiber_ ? nullptr : reinterpret_cast<abi::ItemEntry>(entry);
    fiber.groupEntry = isOneFiber_ ? reinterpret_cast<abi::RangeEntry>(entry) : nullptr;
    fiber.state = FiberState::New;
    fiber.watchedBytes = 0;
    fiber.clusterTurn = 0;
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
    } else if (before == FiberState::AtClusterBarrier) {
      if (!clusterBarrier().isOver(fiber.clusterTurn)) continue;
      --clusterWaiters_;
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
    clusterWaiters_ += fiber.state == FiberState::AtClusterBarrier;
    waits_ += fiber.state != FiberState::Ended;
    if (fiber.state != FiberState::Ended) continue;
    clusterBarrier().leave(fiber.clusterTurn);
    // The next work-item to start takes this stack: a kernel that never waits needs only one.
    fiber.stack->next = freeStacks_;
    freeStacks_ = std::exchange(fiber.stack, nullptr);
    --live_;
  }
  if (live_ != 0) return;
  if (cost && waits_ != 0) cost->waits.fetch_add(waits_, std::memory_order_relaxed);
  waits_ = 0;
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
  for (uint64_t i = begin; i < std::min<uint64_t>(begin + subGroupSize, items_); ++i)
    if (fibers_[i].state == FiberState::AtBarrier || fibers_[i].state == FiberState::AtNamedBarrier)
      atBarriers |= 1u << (i - begin);
  const uint64_t lanes = std::min<uint64_t>(items_ - begin, subGroupSize);
  const uint32_t all = ~0u >> (32 - lanes);
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
  for (uint64_t begin = 0; begin < items_; begin += subGroupSize) {
    const uint64_t end = std::min<uint64_t>(begin + subGroupSize, items_);
    const uint32_t mask = releasable(begin, end);
    released |= mask != 0;
    if (checks) checkMasks(begin, mask);
    std::vector<uint32_t> items;
    for (uint32_t rest = mask; rest; rest &= rest - 1) {
      const uint64_t item = begin + uint64_t(std::countr_zero(rest));
      fibers_[item].released = mask;
      fibers_[item].state = FiberState::Ready;
      --subGroupWaiters_;
      if (checks && !fibers_[item].isOnlyInStep) items.push_back(uint32_t(item));
    }
    if (!items.empty()) checks->met(linearGroup, items, abi::Meeting::OfSubGroup);
  }
  return released;
}

bool WorkGroup::releaseNamedBarriers() {
  if (!barriers.anyoneArrived()) return false;
  // Who has ended, and who is not there at all.
  std::vector<uint32_t> ended((items_ + abi::kWarpSize - 1) / abi::kWarpSize, ~0u);
  for (uint64_t i = 0; i < items_; ++i)
    if (fibers_[i].state != FiberState::Ended) ended[i / abi::kWarpSize] &= ~(1u << i % abi::kWarpSize);
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
  const uint64_t together = barriersForAll ? items_ : subGroupSize;
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
  return members_.size() == 1 ? runOne(patience, rounds) : runCluster(patience, rounds);
}

/// Its groups take turns, so that they get on together. It has got on if one of them has, and is stuck if all are that
/// have not ended.
bool WorkGroup::runCluster(uint32_t patience, uint32_t rounds) {
  constexpr uint32_t kRoundsOfATurn = 64;
  bool gotOn = false, isStuck = false, hasEnded = false;
  for (uint32_t idle = 0; !hasEnded && idle <= patience && rounds > 0; --rounds) {
    bool hasMoved = false, looks = false;
    isStuck = hasEnded = true;
    for (WorkGroup *const member : members_) {
      if (!member->live_) continue;
      active_ = member;
      hasEnded &= member->runOne(1, kRoundsOfATurn);
      hasMoved |= member->gotOn_;
      isStuck &= !member->live_ || member->isStuck_;
      looks |= member->live_ && member->yielded_;
    }
    gotOn |= hasMoved;
    idle = hasMoved ? 0 : idle + 1;
    // All wait at barriers, and nobody will come.
    if (!hasEnded && !hasMoved && !looks) guard->leave(Leave::Deadlock);
  }
  gotOn_ = gotOn;
  isStuck_ = isStuck && !hasEnded;
  return hasEnded;
}

/// Somebody waits for the cluster, which others of it have not come to.
bool WorkGroup::waitsForCluster() const {
  return clusterWaiters_ &&
         std::none_of(fibers_.begin(), fibers_.begin() + ptrdiff_t(items_), [this](const Fiber &one) {
           return one.state == FiberState::AtClusterBarrier && leader_->clusterBarrier_.isOver(one.clusterTurn);
         });
}

bool WorkGroup::runOne(uint32_t patience, uint32_t rounds) {
  gotOn_ = isStuck_ = false;
  while (true) {
    runReady(barrierOpen_);
    if (!live_) return true;
    if (std::atomic_ref(launch->abortWord).load(std::memory_order_relaxed)) guard->leave(Leave::Aborted);
    // Every live work-item waits now: for memory, for its sub-group, at a barrier with a number, or all at barriers.
    barrierOpen_ = false;
    if (!releaseNamedBarriers()) {
      barrierOpen_ = subGroupWaiters_ == 0 && yielded_ == 0 && clusterWaiters_ == 0;
      const bool released = subGroupWaiters_ && releaseSubGroups();
      if (!released && !yielded_ && waitsForCluster()) {
        if (leader_->members_.size() == 1) guard->leave(Leave::Deadlock);
        isStuck_ = true;
        return false;
      }
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
  const auto begin = reinterpret_cast<uint64_t>(clusterArena);
  const uint64_t size = members_.size() == 1 ? launch->localMemory : members_.size() << launch->clusterShift;
  const auto isLocal = [&](const Fiber &fiber) { return fiber.watched - begin < size && fiber.watchedBytes; };
  return isStuck_ && std::ranges::all_of(members_, [&](const WorkGroup *member) {
           const std::span items(member->fibers_.data(), member->items_);
           return std::ranges::all_of(
               items, [&](const Fiber &fiber) { return fiber.state != FiberState::Yielded || isLocal(fiber); });
         });
}

std::vector<uint64_t> WorkGroup::watched() const {
  std::vector<uint64_t> addresses;
  for (const WorkGroup *member : members_)
    for (const Fiber &fiber : std::span(member->fibers_.data(), member->items_))
      if (fiber.state == FiberState::Yielded) addresses.push_back(fiber.watched);
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
    const bool atBarrier = fiber.state == FiberState::AtBarrier || fiber.state == FiberState::AtNamedBarrier ||
                           fiber.state == FiberState::AtClusterBarrier;
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
    if (isOneFiber_) {
      items.assign(1, {0, localSize[0] * localSize[1] * localSize[2]});
      continue;
    }
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
