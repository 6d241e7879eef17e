// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One launch: the contexts that generated code reads, the work of each participating thread, and the sentence about
// what went wrong.
#include "emulator/exec/launch.h"

#include "emulator/exec/core_pin.h"
#include "emulator/exec/printf_buffer.h"
#include "emulator/exec/signals.h"
#include "emulator/exec/watchdog.h"
#include "emulator/exec/work_group.h"
#include "emulator/memory/address_space.h"
#include "runtime/base/fork_guard.h"
#include "runtime/base/options.h"

#include <mutex>
#include <optional>

namespace us::exec {
namespace {

/// Of a fiber's stack, on top of the kernel's own frames.
constexpr uint64_t kFiberSlack = 16 * 1024 + kMaxColor, kUnknownFiberStack = 64 * 1024;

class Launch final : public Job, public Watched {
public:
  Launch(const LaunchPlan &plan, Scheduler &scheduler);
  Expected<void> run();

private:
  struct Call {
    Launch *launch;
    WorkGroup *group;
    GroupRange range;
  };

  void work(TicketSource &tickets) override;
  void timeLimitPassed() override;
  void interrupted() override;
  static void runRange(void *call);
  void fail(ErrorCode code, std::string message);
  void report(Leave how, const KernelGuard &guard, const WorkGroup &group, const GroupRange &range);
  std::string describeFault(const Fault &fault, const WorkGroup &group, ErrorCode &code) const;
  std::string place(uint64_t pc) const;
  std::string who(const WorkGroup &group, const GroupRange &range) const;
  std::string groupName(uint64_t group) const;

  const LaunchPlan &plan_;
  Scheduler &scheduler_;
  abi::LaunchContext context_;
  GroupNeeds needs_;
  PrintfBuffer printf_;
  JobShape shape_;
  const uint64_t timeLimit_; ///< milliseconds
  std::mutex errorMutex_;    ///< guards the two below
  std::optional<Error> error_;
  std::string interruptedAt_; ///< where a thread was that had to be interrupted
};

std::string triple(const uint64_t *values, uint32_t dimensions) {
  std::string text = "(";
  for (uint32_t i = 0; i < dimensions; ++i) text += (i ? "," : "") + std::to_string(values[i]);
  return text + ")";
}

Launch::Launch(const LaunchPlan &plan, Scheduler &scheduler)
    : plan_(plan), scheduler_(scheduler), printf_(plan.printfLimit),
      timeLimit_(plan.timeLimit ? plan.timeLimit : options().timeLimit) {
  shape_ = {.groups = 1, .itemsPerGroup = 1, .cost = plan.cost, .maxThreads = plan.maxThreads};
  context_.workDimensions = plan.workDimensions;
  for (uint32_t i = 0; i < 3; ++i) {
    context_.globalSize[i] = plan.globalSize[i];
    context_.globalOffset[i] = plan.globalOffset[i];
    context_.localSize[i] = plan.localSize[i];
    context_.numGroups[i] =
        plan.globalSize[i] == 1 ? 1 : (plan.globalSize[i] + plan.localSize[i] - 1) / plan.localSize[i];
    shape_.groups *= context_.numGroups[i];
    shape_.itemsPerGroup *= plan.localSize[i];
  }
  context_.arguments = plan.arguments;
  context_.programVariables = plan.programVariables;
  context_.runtime = &runtimeFunctions();
  context_.tool = plan.tool;
  context_.launchNumber = plan.launchNumber;

  needs_.localMemory = plan.localMemory;
  if (plan.usesExchange) needs_.exchangeItems = shape_.itemsPerGroup;
  if (plan.tier == Tier::Fiber) {
    needs_.fibers = shape_.itemsPerGroup;
    needs_.fiberStackBytes =
        plan.frameBytes ? plan.frameBytes + kFiberSlack : std::max(kUnknownFiberStack, plan.stackLimit + kFiberSlack);
  } else {
    needs_.stackBytes = plan.frameBytes;
  }
}

Expected<void> Launch::run() {
  if (shape_.groups == 0) return {};
  if (timeLimit_ || options().interrupt) watch(*this, timeLimit_);
  scheduler_.run(*this, shape_);
  unwatch(*this);
  if (!printf_.empty()) printf_.flush();
  if (!error_) return {};
  error_->message += interruptedAt_;
  return std::unexpected(*std::move(error_));
}

void Launch::runRange(void *data) {
  Call &call = *static_cast<Call *>(data);
  if (call.launch->plan_.tier != Tier::Fiber) {
    auto entry = reinterpret_cast<abi::RangeEntry>(call.launch->plan_.entry);
    return entry(&call.launch->context_, call.group, call.range.first, call.range.last);
  }
  auto entry = reinterpret_cast<abi::ItemEntry>(call.launch->plan_.entry);
  for (uint64_t group = call.range.first; group < call.range.last; ++group) call.group->runFibers(group, entry);
}

void Launch::work(TicketSource &tickets) {
  auto acquired = WorkGroup::acquire(needs_);
  if (!acquired) {
    fail(acquired.error().code, acquired.error().message);
    return tickets.stop();
  }
  WorkGroup &group = **acquired;
  group.launch = &context_;
  group.printf = &printf_;
  group.node = plan_.node;
  group.heap = plan_.heap;
  group.scheduler = &scheduler_;
  group.strictBarriers = plan_.strictBarriers;
  Participant self;
  enter(self);
  {
    KernelGuard guard(&context_.abortWord);
    group.guard = &guard;
    Call call{this, &group, {}};
    while (tickets.next(call.range)) {
      if (std::atomic_ref(context_.abortWord).load(std::memory_order_relaxed)) break;
      group.linearGroup = call.range.first;
      // For each ticket: a worker that is started between two tickets inherits the caller's cores.
      CorePin pin(plan_.cores);
      Leave how = guard.call(runRange, &call, group.runtimeStack());
      if (how == Leave::Returned) continue;
      report(how, guard, group, call.range);
      break;
    }
  }
  const bool others = exit(self);
  if (std::atomic_ref(context_.abortWord).load(std::memory_order_relaxed)) {
    tickets.stop();
    // They may be in an endless loop, perhaps waiting for what this thread no longer does.
    if (others) endSoon(*this);
  }
  group.release();
}

void Launch::timeLimitPassed() {
  fail(ErrorCode::KernelTimeout, "ran longer than the time limit of " + std::to_string(timeLimit_) + " ms");
}

void Launch::interrupted() { fail(ErrorCode::KernelInterrupted, "was interrupted"); }

void Launch::fail(ErrorCode code, std::string message) {
  std::lock_guard lock(errorMutex_);
  std::atomic_ref(context_.abortWord).store(1, std::memory_order_relaxed);
  if (!error_) error_ = Error{code, "kernel '" + std::string(plan_.kernelName) + "' " + std::move(message)};
}

std::string Launch::place(uint64_t pc) const {
  // A return address belongs to the line after; the byte before is inside the call.
  abi::SourceLine line = plan_.sourceLine && pc ? plan_.sourceLine(plan_.user, pc) : abi::SourceLine{};
  if (!line.line) return "at an unknown line";
  return "at " + (line.file.empty() ? std::string("line ") : line.file + ":") + std::to_string(line.line);
}

std::string Launch::groupName(uint64_t group) const {
  uint64_t id[3];
  for (int i = 0; i < 3; ++i) {
    id[i] = group % context_.numGroups[i];
    group /= context_.numGroups[i];
  }
  return triple(id, context_.workDimensions);
}

std::string Launch::who(const WorkGroup &group, const GroupRange &range) const {
  if (const Fiber *item = group.currentFiber())
    return "work-item " + triple(item->localId, context_.workDimensions) + " of work-group " +
           groupName(group.linearGroup);
  if (!plan_.fusedGroups) return "in work-group " + groupName(group.linearGroup);
  // Some work-item from the first of this group to the last of the row, or of the range.
  const uint64_t begin = std::max(group.linearGroup, range.first), row = begin / context_.numGroups[0];
  const uint64_t end = std::min(range.last, (row + 1) * context_.numGroups[0]);
  uint64_t first[3], last[3];
  for (uint64_t i = 0, from = begin, to = end - 1; i < 3; ++i) {
    first[i] = from % context_.numGroups[i] * context_.localSize[i];
    last[i] = std::min((to % context_.numGroups[i] + 1) * context_.localSize[i], context_.globalSize[i]) - 1;
    first[i] += context_.globalOffset[i];
    last[i] += context_.globalOffset[i];
    from /= context_.numGroups[i];
    to /= context_.numGroups[i];
  }
  return "in one of the work-items " + triple(first, context_.workDimensions) + " to " +
         triple(last, context_.workDimensions);
}

std::string Launch::describeFault(const Fault &fault, const WorkGroup &group, ErrorCode &code) const {
  code = ErrorCode::KernelFault;
  const Fiber *item = group.currentFiber();
  const Stack &stack = item && item->stack ? *item->stack : group.runtimeStack();
  if (fault.addressKnown && stack.guards(fault.address)) {
    code = ErrorCode::KernelStackOverflow;
    return "overflowed its stack of " + std::to_string(stack.size) + " bytes";
  }
  return faultSentence(fault, code);
}

void Launch::report(Leave how, const KernelGuard &guard, const WorkGroup &group, const GroupRange &range) {
  const std::string end = ", " + who(group, range);
  switch (how) {
  case Leave::Returned:
    return;
  case Leave::Fault: {
    ErrorCode code;
    std::string what = describeFault(guard.fault(), group, code);
    return fail(code, what + " " + place(guard.fault().pc) + end);
  }
  case Leave::Trap:
    if (group.trapCode == WorkGroup::kAssertion)
      return fail(ErrorCode::KernelAssert, "ended because an assertion does not hold: '" + group.assertion + "'" + end);
    return fail(ErrorCode::KernelTrap,
                "ended itself with trap " + std::to_string(group.trapCode) + " " + place(group.trapPc - 1) + end);
  case Leave::Deadlock:
    return fail(ErrorCode::KernelDeadlock,
                "cannot go on" + end + ": " + group.waiting([this](uint64_t pc) { return place(pc - 1); }));
  case Leave::NoStack:
    return fail(ErrorCode::OutOfResources, "got no memory for a work-item's stack" + end);
  case Leave::Aborted: {
    // Whoever asked for it has said why. Between two turns of work-items nobody was interrupted.
    const bool between = plan_.tier == Tier::Fiber && !group.currentFiber();
    std::string at = (between ? "" : " " + place(guard.fault().pc)) + end;
    if (plan_.tier == Tier::Fiber)
      if (const std::string others = group.waiting([this](uint64_t pc) { return place(pc - 1); }); !others.empty())
        at += ": " + others;
    std::lock_guard lock(errorMutex_);
    if (interruptedAt_.empty()) interruptedAt_ = std::move(at);
    return;
  }
  }
}

} // namespace

Expected<void> runLaunch(const LaunchPlan &plan, Scheduler &scheduler) {
  if (inForkedChild())
    return fail(ErrorCode::DeviceNotAvailable, "this process was forked from one that used the device; only the "
                                               "parent can go on using it");
  return Launch(plan, scheduler).run();
}

} // namespace us::exec
