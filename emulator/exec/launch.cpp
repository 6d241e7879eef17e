// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch: the contexts that generated code reads, the work of each participating thread, and what is known of what
// went wrong.
#include "emulator/exec/launch.h"

#include "emulator/exec/argument_copies.h"
#include "emulator/exec/core_pin.h"
#include "emulator/exec/launch_form.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/exec/progress.h"
#include "emulator/exec/signals.h"
#include "emulator/exec/suspended_groups.h"
#include "emulator/exec/watchdog.h"
#include "emulator/memory/address_space.h"
#include "runtime/base/fork_guard.h"
#include "runtime/base/log.h"
#include "runtime/device/device.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <sched.h>
#include <utility>

namespace us::exec {
namespace {

/// Rounds in which a group only looks at memory before its turn ends, and idle turns before another group begins.
constexpr uint32_t kPatience = 16;
/// Where groups run together: rounds of a turn.
constexpr uint32_t kRoundsOfATurn = 64;
/// Nanoseconds after which a launch that only waits is told of.
constexpr uint64_t kLongWait = 10'000'000'000;
/// As long a group may look at memory in vain before others get its core, in nanoseconds.
constexpr uint64_t kPatienceWithCore = 50'000;

class Launch final : public Job, public Watched {
public:
  Launch(const LaunchPlan &plan, Scheduler &scheduler);
  Expected<void> run();
  /// What is told at the end.
  Expected<void> outcome();
  void report(Leave how, const KernelGuard &guard, const WorkGroup &group, const GroupRange &range);
  void interrupted() override;

private:
  /// Since when nothing but waiting was seen, and after how many active turns; when the core was last given up.
  struct Idleness {
    uint64_t turns = 0, since = 0, gaveUpAt = 0;
  };
  struct Call {
    Launch *launch;
    WorkGroup *group;
    GroupRange range;
    bool begins = true;       ///< fiber tier: with the range's first group, instead of going on with `group`
    bool ended = false;       ///< fiber tier: `group` has ended
    uint64_t endedGroups = 0; ///< fiber tier: in this turn
  };

  void work(TicketSource &tickets) override;
  void workInRanges(TicketSource &tickets, KernelGuard &guard);
  void workInTurns(TicketSource &tickets, KernelGuard &guard);
  WorkGroup *newGroup(StackClaim claim);
  void noteIdleness(Idleness &idleness);
  void noteStuck(WorkGroup &group, uint64_t changesBefore);
  void endHang();
  uint64_t changesSoFar();
  std::string memoryText(uint64_t address, uint32_t bytes) const;
  void describeWaiting(Finding &finding) const;
  bool mustEnd() { return std::atomic_ref(context_.abortWord).load(std::memory_order_relaxed) != 0; }
  void timeLimitPassed() override;
  static void runTurn(void *call);
  Finding finding(FindingKind kind, uint64_t number = 0) const;
  void fail(Finding finding);
  void fail(Error error);
  bool overflowsStack(const Fault &fault, const WorkGroup &group, Finding &finding) const;
  std::string argumentInto(const FoundMemory &memory) const;
  SourcePlace place(uint64_t pc) const;
  FoundItems who(const WorkGroup &group, const GroupRange &range) const;
  Size3 groupId(uint64_t group) const;
  /// Whether it is in the memory of what all groups of a launch do together.
  bool isOfGrid(uint64_t address) const {
    return workspace_ && address - reinterpret_cast<uint64_t>(&*workspace_) < sizeof *workspace_;
  }

  const LaunchPlan &plan_;
  Scheduler &scheduler_;
  LaunchForm form_;
  abi::LaunchContext &context_ = form_.context;
  std::optional<abi::GridWorkspace> workspace_; ///< where all groups run together
  GroupNeeds &needs_ = form_.needs;
  PrintfBuffer printf_;
  ArgumentCopies copies_;
  const JobShape &shape_ = form_.shape;
  // Fiber tier
  SuspendedGroups suspended_;
  std::atomic<uint64_t> activeTurns_{0}; ///< those in which a group did more than look at memory
  std::atomic<bool> idlenessNoted_{false};
  std::atomic<uint64_t> inHand_{0}; ///< groups that have a turn, or get one
  std::atomic<uint64_t> begun_{0};  ///< groups
  std::mutex stuckMutex_;           ///< guards the next three
  uint64_t changes_ = 0;            ///< turns at whose end a group was not stuck
  uint64_t stuckGroups_ = 0;        ///< that had a turn since, and are
  uint64_t stuckSince_ = 0;         ///< nanoseconds
  const uint64_t timeLimit_;        ///< milliseconds
  Progress progress_;
  std::mutex errorMutex_; ///< guards the two below, of which there is one at most
  std::optional<Finding> finding_;
  std::optional<Error> error_;
};

/// From outside: it is of interest where the kernel was.
bool isStopped(const Finding &finding) {
  return finding.kind == FindingKind::TimeLimit || finding.kind == FindingKind::Interrupted;
}

bool tellsWhoWaits(const Finding &finding) { return isStopped(finding) || finding.kind == FindingKind::Hang; }

bool isShared(uint64_t address) { return memory::isShared(memory::AddressSpace::instance().locate(address)); }

std::string triple(const uint64_t *values, uint32_t dimensions) {
  std::string text = "(";
  for (uint32_t i = 0; i < dimensions; ++i) text += (i ? "," : "") + std::to_string(values[i]);
  return text + ")";
}

Launch::Launch(const LaunchPlan &plan, Scheduler &scheduler)
    : plan_(plan), scheduler_(scheduler), form_(plan), printf_(plan.printfLimit),
      copies_(plan.copies, plan.parameters, plan.arguments), timeLimit_(plan.timeLimit),
      progress_(plan.kernelName, plan.showsProgress) {
  if (plan.allTogether) context_.gridWorkspace = &workspace_.emplace();
}

Expected<void> Launch::run() {
  if (form_.tooManyGroups)
    return us::fail(ErrorCode::OutOfResources, "kernel '" + std::string(plan_.kernelName) + "': a global size of " +
                                                   triple(plan_.globalSize.data(), plan_.workDimensions) +
                                                   " is more than 2^64 work-groups of " +
                                                   triple(plan_.localSize.data(), plan_.workDimensions));
  if (shape_.groups == 0) return {};
  uint64_t claimed = plan_.allTogether ? shape_.groups * needs_.fibers * needs_.clusterGroups : 0;
  if (claimed > kMaxFiberStacks && plan_.frameBytes != 0 && claimed <= kMaxDenseStacks) {
    needs_.denseStacks = true;
    claimed = 0;
  }
  if (claimed > kMaxFiberStacks)
    return us::fail(ErrorCode::OutOfResources, "kernel '" + std::string(plan_.kernelName) +
                                                   "': " + std::to_string(claimed) +
                                                   " work-items that run together have more than the " +
                                                   std::to_string(kMaxFiberStacks) + " stacks of a process");
  if (claimed) reserveFiberStacks(claimed);
  if (timeLimit_ || plan_.interruptible) watch(*this, timeLimit_, plan_.interruptible);
  scheduler_.run(*this, shape_);
  unwatch(*this);
  copies_.combine();
  if (finding_ && tellsWhoWaits(*finding_)) describeWaiting(*finding_);
  suspended_.release();
  if (claimed) unreserveFiberStacks(claimed);
  if (needs_.denseStacks) dropDenseStacks();
  return outcome();
}

Expected<void> Launch::outcome() {
  if (!printf_.empty()) printf_.flush();
  if (finding_ && plan_.observer) plan_.observer->found(*finding_);
  if (finding_ && plan_.endedBy) *plan_.endedBy = *finding_;
  if (finding_) return std::unexpected(errorOf(*finding_));
  if (error_) return std::unexpected(*std::move(error_));
  return {};
}

/// One turn of a group; where it begins and ends within it, also those behind it in the range.
void Launch::runTurn(void *data) {
  Call &call = *static_cast<Call *>(data);
  const LaunchPlan &plan = call.launch->plan_;
  const uint32_t patience = plan.allTogether ? 1 : kPatience;
  do {
    if (call.begins) ++call.launch->begun_;
    if (call.begins) call.group->begin(call.range.first++, plan.entry);
    call.ended = call.group->run(patience, plan.allTogether ? kRoundsOfATurn : ~0u);
    call.endedGroups += call.ended;
  } while (call.begins && call.ended && call.range.first < call.range.last);
}

/// Null where there are no stacks at the moment, or the launch has failed for want of memory.
WorkGroup *Launch::newGroup(StackClaim claim) {
  const Expected<WorkGroup *> acquired = WorkGroup::acquire(needs_, claim);
  if (!acquired && claim != StackClaim::IfThere)
    fail(Error{acquired.error().code, "kernel '" + std::string(plan_.kernelName) + "' " + acquired.error().message});
  if (!acquired) return nullptr;
  for (WorkGroup *const group : (*acquired)->members()) introduce(*group, plan_, context_, printf_, scheduler_);
  return *acquired;
}

void Launch::work(TicketSource &tickets) {
  try {
    KernelGuard guard(&context_.abortWord);
    Participant self(*this);
    plan_.shape == abi::EntryShape::Range ? workInRanges(tickets, guard) : workInTurns(tickets, guard);
  } catch (const std::exception &) {             // no memory: others may be inside, and the launch is theirs, too
    fail(Error{ErrorCode::OutOfHostMemory, {}}); // there may be no memory for a sentence
  }
  if (!mustEnd()) return;
  tickets.stop();
  // They may be in an endless loop, perhaps waiting for what this thread no longer does.
  if (hasParticipants()) endSoon(*this);
}

void Launch::workInRanges(TicketSource &tickets, KernelGuard &guard) {
  WorkGroup *const group = newGroup(StackClaim::Wait);
  if (!group) return;
  group->guard = &guard;
  group->argumentCopies = copies_.add();
  RangeCall call{reinterpret_cast<abi::RangeEntry>(plan_.entry), &context_, group, {}};
  while (tickets.next(call.range)) {
    if (mustEnd()) break;
    group->linearGroup = call.range.first;
    // For each ticket: a worker that is started between two tickets inherits the caller's cores.
    CorePin pin(plan_.cores);
    const Leave how = guard.call(RangeCall::run, &call, *group);
    if (how == Leave::Returned) {
      progress_.ended(call.range.last - call.range.first, shape_.groups);
      continue;
    }
    report(how, guard, *group, call.range);
    break;
  }
  group->release();
}

/// A group that waits for others is set aside, and gets a turn now and then; meanwhile others begin. So groups may wait
/// for lower ones and, as far as there are stacks, for higher ones.
void Launch::workInTurns(TicketSource &tickets, KernelGuard &guard) {
  Call call{this, nullptr, {}};
  StackClaim claim = plan_.allTogether ? StackClaim::Claimed : StackClaim::Wait;
  WorkGroup *spare = nullptr; // its group has ended
  size_t idleTurns = 0;       // in a row
  Idleness idleness;
  while (!mustEnd()) {
    ++inHand_;
    const bool olderFirst = plan_.allTogether ? call.begins : idleTurns < kPatience;
    call.group = olderFirst ? suspended_.take(tickets) : nullptr;
    call.begins = !call.group && (call.range.first < call.range.last || tickets.next(call.range));
    if (call.begins && !spare) spare = newGroup(claim);
    if (claim == StackClaim::Wait) claim = StackClaim::IfThere;
    if (call.begins) call.group = std::exchange(spare, nullptr);
    if (!call.group) {
      call.begins = false;
      call.group = suspended_.take(tickets);
    }
    if (!call.group) {
      --inHand_;
      if (call.range.first >= call.range.last) break;
      sched_yield(); // until others have ended, and their stacks are free
      continue;
    }
    // What another thread has left in the middle is put there, too, and cannot go on.
    if (!call.begins && mustEnd()) {
      suspended_.put(*call.group);
      break;
    }
    call.group->setGuard(&guard);
    CorePin pin(plan_.cores);
    const uint64_t changes = changesSoFar();
    const Leave how = guard.call(runTurn, &call, *call.group);
    const bool gotOn = call.group->hasGotOn();
    if (how == Leave::Returned && plan_.checks) noteStuck(*call.group, changes);
    progress_.ended(std::exchange(call.endedGroups, 0), shape_.groups);
    if (how == Leave::Returned && call.ended && !spare) {
      spare = call.group;
    } else if (how == Leave::Returned && call.ended) {
      call.group->release();
    } else {
      if (how != Leave::Returned) report(how, guard, call.group->active(), call.range);
      suspended_.put(*call.group);
      if (how != Leave::Returned) break;
    }
    --inHand_;
    if (plan_.checks) endHang();
    if (gotOn) {
      activeTurns_.fetch_add(1, std::memory_order_relaxed);
      idleTurns = 0;
    } else if (++idleTurns >= suspended_.count()) {
      noteIdleness(idleness);
    }
  }
  if (spare) spare->release();
}

void Launch::noteIdleness(Idleness &idleness) {
  const uint64_t turns = activeTurns_.load(std::memory_order_relaxed), time = runtimeFunctions().clock();
  // It is a group on another thread, or the host, that they wait for: it may need this core. On a busy machine others
  // take it for milliseconds each time.
  if (time - idleness.gaveUpAt > kPatienceWithCore) {
    sched_yield();
    idleness.gaveUpAt = runtimeFunctions().clock();
  }
  if (turns != idleness.turns || idleness.since == 0) {
    idleness.turns = turns;
    idleness.since = time;
    return;
  }
  if (time - idleness.since < kLongWait || !logs(LogLevel::Info) || idlenessNoted_.exchange(true)) return;
  Finding waiting;
  describeWaiting(waiting);
  log(LogLevel::Info, "kernel '" + std::string(plan_.kernelName) + "' has only waited for " +
                          std::to_string(kLongWait / 1'000'000'000) +
                          " s: " + textOf(waiting.waitingGroups, waiting.moreWait, context_.workDimensions));
}

void Launch::describeWaiting(Finding &finding) const {
  suspended_.describe(
      finding, [this](uint64_t pc) { return place(pc - 1); },
      [this](uint64_t address, uint32_t bytes) { return memoryText(address, bytes); },
      [this](uint64_t group) { return groupId(group); });
}

uint64_t Launch::changesSoFar() {
  const std::scoped_lock lock(stuckMutex_);
  return changes_;
}

/// A group that is stuck, and was so all its turn, stays so as long as no other one changes anything.
void Launch::noteStuck(WorkGroup &group, uint64_t changesBefore) {
  const std::scoped_lock lock(stuckMutex_);
  if (!group.isStuck()) {
    ++changes_;
    stuckGroups_ = stuckSince_ = 0;
  } else if (changesBefore == changes_ && group.stuckSince != changes_) {
    group.stuckSince = changes_;
    if (stuckGroups_++ == 0) stuckSince_ = runtimeFunctions().clock();
  }
}

/// Nobody of the launch can change anything any more. The host, or another command, may: they get some time.
void Launch::endHang() {
  {
    const std::scoped_lock lock(stuckMutex_);
    if (stuckGroups_ == 0 || plan_.waitLimit == 0 || stuckGroups_ < suspended_.count() + inHand_) return;
    const bool isProved = begun_ == shape_.groups && inHand_ == 0 && suspended_.allWaitForThemselves();
    if (!isProved && runtimeFunctions().clock() - stuckSince_ < plan_.waitLimit * 1'000'000) return;
    // The host has all the time it wants.
    if (std::ranges::any_of(suspended_.watched(), [&](uint64_t word) { return !isOfGrid(word) && isShared(word); }))
      return;
  }
  fail(finding(FindingKind::Hang));
}

/// "byte 4 of a 64-byte buffer, its argument 1 'flag', which holds 0"
std::string Launch::memoryText(uint64_t address, uint32_t bytes) const {
  if (isOfGrid(address)) return "the barrier of the whole grid";
  FoundMemory memory = memory::AddressSpace::instance().locate(address);
  if (memory.kind == FoundMemory::Kind::Allocation) memory.argument = argumentInto(memory);
  std::string text = textOf(address, memory);
  uint64_t value = 0;
  if (bytes > sizeof value) return text;
  memcpy(&value, reinterpret_cast<const void *>(address), bytes);
  return text + ", which holds " + std::to_string(value);
}

Finding Launch::finding(FindingKind kind, uint64_t number) const {
  Finding finding;
  finding.kind = kind;
  finding.kernel = plan_.kernelName;
  finding.items.dimensions = context_.workDimensions;
  finding.number = number;
  return finding;
}

void Launch::timeLimitPassed() { fail(finding(FindingKind::TimeLimit, timeLimit_)); }

void Launch::interrupted() { fail(finding(FindingKind::Interrupted)); }

void Launch::fail(Finding finding) {
  std::lock_guard lock(errorMutex_);
  std::atomic_ref(context_.abortWord).store(1, std::memory_order_relaxed);
  if (!error_ && !finding_) finding_ = std::move(finding);
}

void Launch::fail(Error error) {
  std::lock_guard lock(errorMutex_);
  std::atomic_ref(context_.abortWord).store(1, std::memory_order_relaxed);
  if (!error_ && !finding_) error_ = std::move(error);
}

/// A return address belongs to the line after; the byte before is inside the call.
SourcePlace Launch::place(uint64_t pc) const {
  if (!plan_.sourceLine || !pc) return {};
  abi::SourceLine line = plan_.sourceLine(plan_.user, pc);
  return {std::move(line.file), line.line};
}

Size3 Launch::groupId(uint64_t group) const {
  Size3 id;
  for (int i = 0; i < 3; ++i) {
    id[i] = group % context_.numGroups[i];
    group /= context_.numGroups[i];
  }
  return id;
}

FoundItems Launch::who(const WorkGroup &group, const GroupRange &range) const {
  FoundItems items{.dimensions = context_.workDimensions, .group = groupId(group.linearGroup)};
  if (group.knowsItem()) {
    items.known = FoundItems::Known::Item;
    std::copy_n(group.currentFiber()->localId, 3, items.item.begin());
  }
  if (group.currentFiber() || !plan_.fusedGroups) return items;
  // Some work-item from the first of this group to the last of the row, or of the range.
  items.known = FoundItems::Known::Range;
  const uint64_t begin = std::max(group.linearGroup, range.first), row = begin / context_.numGroups[0];
  const Size3 from = groupId(begin), to = groupId(std::min(range.last, (row + 1) * context_.numGroups[0]) - 1);
  for (uint64_t i = 0; i < 3; ++i) {
    items.first[i] = context_.globalOffset[i] + from[i] * context_.localSize[i];
    items.last[i] =
        context_.globalOffset[i] + std::min((to[i] + 1) * context_.localSize[i], context_.globalSize[i]) - 1;
  }
  return items;
}

bool Launch::overflowsStack(const Fault &fault, const WorkGroup &group, Finding &finding) const {
  const Fiber *item = group.currentFiber();
  const Stack &stack = item && item->stack ? *item->stack : group.runtimeStack();
  if (!fault.addressKnown || !stack.guards(fault.address)) return false;
  finding.kind = FindingKind::StackOverflow;
  finding.number = stack.size;
  return true;
}

/// The argument that points into the allocation: where a kernel goes wrong, most likely what it was indexing.
std::string Launch::argumentInto(const FoundMemory &memory) const {
  for (size_t i = 0; i < plan_.parameters.size(); ++i) {
    const ArgumentInfo &parameter = plan_.parameters[i];
    if (!takesBuffer(parameter.kind)) continue;
    uint64_t pointer;
    memcpy(&pointer, plan_.arguments + parameter.offset, sizeof pointer);
    if (pointer - memory.base >= std::max<uint64_t>(memory.size, 1)) continue;
    return "argument " + std::to_string(i) + (parameter.name.empty() ? "" : " '" + parameter.name + "'");
  }
  return {};
}

void Launch::report(Leave how, const KernelGuard &guard, const WorkGroup &group, const GroupRange &range) {
  Finding found = finding(FindingKind::Read);
  found.isPlaced = true;
  found.items = who(group, range);
  switch (how) {
  case Leave::Returned:
    return;
  case Leave::Fault: {
    Fault fault = guard.fault();
    if (fault.addressKnown) fault.address = copies_.original(fault.address);
    found.place = place(fault.pc);
    if (!overflowsStack(fault, group, found)) describeFault(fault, found);
    if (found.memory.kind == FoundMemory::Kind::Allocation) found.memory.argument = argumentInto(found.memory);
    break;
  }
  case Leave::Trap:
    found.kind = group.trapCode == WorkGroup::kAssertion    ? FindingKind::Assertion
                 : group.trapCode == WorkGroup::kWildCall   ? FindingKind::WildCall
                 : group.trapCode == WorkGroup::kWildBranch ? FindingKind::WildBranch
                                                            : FindingKind::Trap;
    found.number = group.trapCode;
    found.text = group.assertion;
    found.place = place(group.trapPc - 1);
    break;
  case Leave::Deadlock:
    found.kind = FindingKind::Deadlock;
    found.waits = group.waiting([this](uint64_t pc) { return place(pc - 1); },
                                [this](uint64_t address, uint32_t bytes) { return memoryText(address, bytes); });
    break;
  case Leave::NoProgress:
    found.kind = FindingKind::NoProgress;
    found.number = plan_.stepLimit;
    found.place = place(group.trapPc - 1);
    break;
  case Leave::NoStack:
    found.kind = FindingKind::NoStack;
    break;
  case Leave::Aborted: {
    // Whoever asked for it has said why. Between two turns of work-items nobody was interrupted.
    if (plan_.shape != abi::EntryShape::Range && !group.currentFiber()) return;
    SourcePlace at = place(guard.fault().pc);
    std::lock_guard lock(errorMutex_);
    if (!finding_ || finding_->isPlaced || !isStopped(*finding_)) return;
    finding_->isPlaced = true;
    finding_->place = std::move(at);
    finding_->items = found.items;
    return;
  }
  }
  fail(std::move(found));
}

} // namespace

Expected<void> runLaunch(const LaunchPlan &plan, Scheduler &scheduler) {
  if (inForkedChild())
    return fail(ErrorCode::DeviceNotAvailable, "this process was forked from one that used the device; only the "
                                               "parent can go on using it");
  return Launch(plan, scheduler).run();
}

Expected<void> failureOf(const LaunchPlan &plan, Scheduler &scheduler, Leave how, const KernelGuard &guard,
                         const WorkGroup &group, const GroupRange &range) {
  Launch launch(plan, scheduler);
  if (how == Leave::Aborted) launch.interrupted();
  launch.report(how, guard, group, range);
  return launch.outcome();
}

} // namespace us::exec
