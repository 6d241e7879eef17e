// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/check/command_checks.h"

#include "icd/common/format.h"
#include "icd/opencl/api.h"
#include "icd/opencl/check/api_checks.h"
#include "icd/opencl/context.h"
#include "icd/opencl/memory.h"
#include "icd/opencl/queue.h"

#include <algorithm>
#include <cstring>

namespace us::opencl {
// --- The host's memory ---

void CommandChecks::usesHostMemory(const ClMem &memory) {
  const auto *const pointer = static_cast<const std::byte *>(memory.hostPointer);
  const std::scoped_lock lock(mutex_);
  std::erase_if(hostMemory_, [](const HostMemory &one) { return !one.memory->lock(); });
  hostMemory_.push_back({memory.buffer->weak(), {pointer, {}, {memory.buffer->size(), 1, 1}, true}});
}

/// What the host's memory holds is only the command's business where nothing else may write it: no kernel, no other
/// command, no code of the program's that the commands' order lets run before.
void CommandChecks::keepHostContents(CheckedCommand &command, const ClQueue &queue) {
  if (command.isBlocking_ || command.host_->isWritten || openUserEvents_ || openHostWriters_) return;
  const HostSide &side = *command.host_;
  if (queue.context->core->svm().find(side.memory)) return;
  for (const HostMemory &one : hostMemory_)
    if (one.side.overlaps(side) && one.memory->lock()) return;
  for (const Ref<CheckedMap> &map : maps_)
    if (HostSide{map->mapping.pointer, {}, {map->mapping.size, 1, 1}, false}.overlaps(side)) return;
  for (const CheckedCommand *const writer : hostWriters_)
    if (writer->host_->overlaps(side)) return;
  const HostContents contents = contentsOf(side);
  if (contents.state != HostContents::State::Known) return;
  command.hash_ = contents.hash;
  pendingWrites_.push_back(&command);
}

/// Null: any of it.
void CommandChecks::hostWillChange(const HostSide *side) {
  for (CheckedCommand *const pending : pendingWrites_)
    if (!side || side->overlaps(*pending->host_)) pending->hash_.reset();
}

Expected<void> CommandChecks::lookAtHostSide(CheckedCommand &command, Findings &found) {
  std::erase(pendingWrites_, &command);
  if (!command.host_ || command.isBlocking_) return {};
  if (command.host_->isWritten) hostWillChange(&*command.host_);
  HostContents contents;
  if (command.hash_) contents = contentsOf(*command.host_);
  if (contents.state == HostContents::State::Gone ||
      (contents.state == HostContents::State::Unknown && isGone(*command.host_))) {
    const std::string sentence =
        icd::format("the memory that a non-blocking {} was given is gone when the command runs", command.what);
    found.push_back({HostCheck::Use, "host memory gone", sentence, command.site, {}});
    return fail(ErrorCode::InvalidValue, sentence);
  }
  // clEnqueueWriteBuffer: "As the write is non-blocking the implementation can return immediately. The memory pointed
  // to by ptr cannot be reused by the application after the call returns. ... When the write command has completed, the
  // memory pointed to by ptr can then be reused by the application."
  if (command.hash_ && contents.state == HostContents::State::Known && contents.hash != *command.hash_)
    found.push_back({HostCheck::Use,
                     "host memory changed",
                     icd::format("the memory that a non-blocking {} was given is changed, or released, before the "
                                 "command has read it",
                                 command.what),
                     command.site,
                     {}});
  return {};
}

// --- Commands ---

CheckedCommand::~CheckedCommand() { checks_.forget(*this); }
Expected<void> CheckedCommand::begins() { return checks_.begins(*this); }
void CheckedCommand::ends(bool hasSucceeded) { checks_.ends(*this, hasSucceeded); }
class CheckedUserEvent final : public icd::OrderedWatch {
public:
  explicit CheckedUserEvent(CommandChecks &checks) : checks_(checks) {}
  ~CheckedUserEvent() override { close(); }
  Expected<void> begins() override { return {}; }
  void ends(bool) override { close(); }
  void addTo(icd::KnownCommands &known) const override { known.join(known_); }

private:
  void close() {
    const std::scoped_lock lock(checks_.mutex_);
    if (!std::exchange(isOpen_, false)) return;
    known_ = checks_.host_;
    --checks_.openUserEvents_;
    checks_.races_.hostIsNoMoreAwaited();
  }
  CommandChecks &checks_;
  bool isOpen_ = true;
  icd::KnownCommands known_; ///< what the host knew when it completed the event
};

Ref<core::CommandWatch> CommandChecks::watchUserEvent() {
  const std::scoped_lock lock(mutex_);
  ++openUserEvents_;
  races_.hostIsAwaited();
  return makeRef<CheckedUserEvent>(*this);
}

std::shared_ptr<CheckedQueue> &CommandChecks::queueOf(ClQueue &queue) {
  if (!queue.checked) {
    queue.checked = std::make_shared<CheckedQueue>();
    queue.checked->id = nextQueue_++;
    std::shared_ptr<CheckedContext> &context = queue.context->checked;
    if (!context) context = std::make_shared<CheckedContext>();
    if (++context->queues > 1) context->mayHaveNoOrder = true;
    queue.checked->context = context;
  }
  if (queue.core->properties().outOfOrder) queue.checked->context->mayHaveNoOrder = true;
  return queue.checked;
}

void CommandChecks::made(ClQueue &queue) {
  const std::scoped_lock lock(mutex_);
  (void)queueOf(queue);
}

Ref<core::CommandWatch> CommandChecks::watch(ClQueue &queue, const core::CommandRequest &request, Call call) {
  using Order = core::CommandRequest::Order;
  if (queue.context->core->hasSeparateMemory()) return nullptr;
  auto command = makeRef<CheckedCommand>(*this);
  const auto *const launch = std::get_if<LaunchCommand>(&request.command);
  command->site = launch && launch->enqueuedAt ? launch->enqueuedAt : ApiChecks::site();
  command->what = launch ? "kernel '" + launch->kernel->info().name + "'" : std::string(callInProgress());
  command->context_ = queue.context->handle();
  command->isBlocking_ = call.isBlocking;
  command->isHostCall = std::holds_alternative<HostCallCommand>(request.command);
  command->maps_ = std::move(call.maps);
  command->unmaps_ = std::move(call.unmaps);
  const Device &device = queue.coreDevice();
  CommandAccesses accesses(request, device);
  if (findsRaces_)
    for (const core::Buffer *const buffer : accesses.memories()) {
      const core::Buffer &whole = wholeOf(*buffer);
      const uint64_t base = whole.addressIfOn(device);
      if (base)
        command->memories_.push_back(
            {{.link = Ref<Object>(whole.weak().get()), .noun = "a memory object", .madeAt = whole.request().madeAt},
             TouchedRange{base, base + whole.size()}});
    }
  command->accesses_ = accesses.take();
  command->mayWriteHost_ = command->isHostCall || accesses.followsPointers() || isSvmTransfer(request.apiTag);
  command->host_ = hostSideOf(request);
  const bool isInOrder = !queue.core->properties().outOfOrder;
  command->waitsForAll_ = isInOrder || (request.order != Order::Plain && request.waitList.empty());
  command->waitList_.assign(request.waitList.begin(), request.waitList.end());
  const std::scoped_lock lock(mutex_);
  command->queue_ = queueOf(queue);
  command->queue = command->queue_->id;
  command->number = command->queue_->next++;
  command->ordinal = nextOrdinal_++;
  if (command->maps_) {
    command->maps_->queue = command->queue;
    command->maps_->number = command->number;
  }
  command->before = host_;
  command->barrier_ = command->queue_->barrier;
  if (request.order == Order::Barrier) command->queue_->barrier = command;
  collectUnflushed(*command, isInOrder);
  if (findsRaces_) {
    addTransferred(*command, request);
    addMapped(*command, request);
    addAtHand(*command, request, accesses);
    races_.enqueued(*command);
  }
  if (command->mayWriteHost_) {
    ++openHostWriters_;
    hostWillChange(nullptr);
  }
  if (command->host_) {
    keepHostContents(*command, queue);
    if (command->host_->isWritten) {
      hostWillChange(&*command->host_);
      hostWriters_.push_back(command.get());
      if (!command->isBlocking_) addRead(*command);
    }
  }
  return command;
}

void CommandChecks::addRead(CheckedCommand &command) {
  if (reads_.size() >= manyReads_) {
    std::erase_if(reads_, [&](const auto &read) { return host_.has(read->queue, read->number); });
    manyReads_ = std::max(manyReads_, 2 * reads_.size());
  }
  reads_.push_back(Ref<CheckedCommand>(&command));
}

void CommandChecks::order(CheckedCommand &command) {
  if (std::exchange(command.isOrdered_, true)) return;
  for (const Ref<core::Event> &event : command.waitList_)
    if (const auto *const watch = static_cast<const icd::OrderedWatch *>(event->watch())) watch->addTo(command.before);
  if (command.barrier_) static_cast<const icd::OrderedWatch &>(*command.barrier_).addTo(command.before);
  command.before.join(command.queue_->passed);
  if (command.waitsForAll_) command.before.join(command.queue_->ended);
  command.waitList_.clear();
  command.barrier_ = nullptr;
}

Expected<void> CommandChecks::begins(CheckedCommand &command) {
  Findings found;
  Expected<void> result;
  {
    const std::scoped_lock lock(mutex_);
    order(command);
    if (findsRaces_) races_.begins(command);
    // The program's own code is about to run, and knows of what was before.
    if (command.isHostCall) host_.join(command.before);
    if (command.mayWriteHost_) hostWillChange(nullptr);
    if (command.unmaps_) std::erase(maps_, command.unmaps_);
    lookAtMaps(command, found);
    result = lookAtHostSide(command, found);
  }
  tell(std::move(found), command.context_);
  return result;
}

void CommandChecks::ends(CheckedCommand &command, bool hasSucceeded) {
  Findings found;
  {
    const std::scoped_lock lock(mutex_);
    order(command);
    for (const Ref<CheckedMap> &map : command.written_) {
      const Ref<core::Buffer> there = map->memory->lock();
      if (!there || map->isUnmapped || !map->hasChanged()) continue;
      found.push_back({HostCheck::Use,
                       "use of mapped memory",
                       icd::format("{} writes memory that is mapped for reading", command.what),
                       command.site,
                       {{"mapped", map->site}}});
      map->keepContents();
    }
    command.written_.clear();
    if (command.maps_ && hasSucceeded) {
      const Ref<core::Buffer> there = command.maps_->memory->lock();
      command.maps_->isMapped = true;
      for (const CheckedCommand *const writer : writers_)
        command.maps_->isDisturbed |= command.maps_->mayBeWrittenBy(writer->accesses_);
      if (there && !there->request().shared) command.maps_->keepContents();
    } else if (command.maps_) {
      std::erase(maps_, command.maps_);
    }
    command.maps_ = command.unmaps_ = nullptr;
    std::erase(writers_, &command);
    std::erase(hostWriters_, &command);
    std::erase(pendingWrites_, &command);
    if (command.mayWriteHost_) --openHostWriters_;
    if (findsRaces_) lookAtSvmMaps(command, found);
    if (findsRaces_) races_.ended(command, host_, found);
    if (findsRaces_ && command.mayTellHost()) command.addTo(host_);
    command.addTo(command.queue_->ended);
    command.addTo(ended_);
    if (command.queue_->barrier.get() == &command) {
      command.addTo(command.queue_->passed);
      command.queue_->barrier = nullptr;
    }
    command.hasEnded_ = true;
  }
  tell(std::move(found), command.context_);
}

void CommandChecks::forget(CheckedCommand &command) {
  const std::scoped_lock lock(mutex_);
  std::erase(writers_, &command);
  std::erase(hostWriters_, &command);
  std::erase(pendingWrites_, &command);
  races_.forget(command);
  if (command.hasEnded_) return;
  // It was not enqueued after all.
  if (command.maps_) std::erase(maps_, command.maps_);
  if (command.mayWriteHost_) --openHostWriters_;
  command.queue_->ended.add(command.queue_->id, command.number);
}

// --- Races ---
//
// OpenCL 3.0, clEnqueueBarrierWithWaitList and 3.2.1: commands of an out-of-order queue, and of several queues, are in
// no order but for that of events, barriers, and what the host has waited for. "Memory objects shared between
// command-queues: ... the application must perform appropriate synchronization" (appendix A).

bool CheckedCommand::wantsTouched() const {
  return checks_.findsRaces_ && (queue_->context->mayHaveNoOrder || checks_.hasSvmMaps_ || !hostWrote.empty());
}

void CheckedCommand::touched(const std::vector<TouchedRange> &ranges) {
  const std::scoped_lock lock(checks_.mutex_);
  for (const TouchedRange &range : ranges) touches(range, [&](uint64_t address) { return memoryAt(address, false); });
}

/// Other memory is a program's, and nobody's that could be named.
std::pair<icd::TouchedMemory, uint64_t> CheckedCommand::memoryAt(uint64_t address, bool mayBeHosts) const {
  for (const auto &[memory, where] : memories_)
    if (address >= where.begin && address < where.end) return {memory, where.end};
  const Ref<core::Allocation> found = core::AllocationMap::instance().find(address);
  if (const auto *const shared = dynamic_cast<const core::SvmAllocation *>(found.get()))
    return {{.number = shared->id(), .noun = "shared virtual memory", .isAtHand = true}, address + shared->size()};
  if (mayBeHosts) return {{}, ~uint64_t(0)};
  return {};
}

void CommandChecks::addTransferred(CheckedCommand &command, const core::CommandRequest &request) {
  const Side host = hostSideOf(request.apiTag);
  for (const TouchedRange &range : icd::transferredBy(request.command)) {
    const bool isHosts = host == (range.writes ? Side::To : Side::From);
    command.touches(
        range, [&](uint64_t address) { return command.memoryAt(address, isHosts || isSvmTransfer(request.apiTag)); });
  }
}

/// CL_MEM_USE_HOST_PTR: "OpenCL implementations are allowed to cache the contents pointed to by host_ptr in device
/// memory", and clSVMAlloc, of coarse-grained memory: "the application must ... map" what it touches.
void CommandChecks::addAtHand(CheckedCommand &command, const core::CommandRequest &request,
                              const CommandAccesses &accesses) {
  for (const icd::CommandTouch &touch : command.touchedBytes)
    if (touch.memory.isAtHand && !command.verb) command.atHand.push_back({touch.range.begin, touch.range.end, false});
  const auto *const launch = std::get_if<LaunchCommand>(&request.command);
  if (!launch) return;
  for (const core::Buffer *const buffer : accesses.memories()) {
    const core::BufferRequest &whole = wholeOf(*buffer).request();
    const auto begin = reinterpret_cast<uint64_t>(whole.hostPointer);
    if (whole.hostMemory == core::HostMemory::Use) command.atHand.push_back({begin, begin + whole.size, !whole.shared});
  }
  for (size_t at = 0; at + sizeof(uint64_t) <= launch->arguments.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, launch->arguments.data() + at, sizeof word);
    const Ref<core::Allocation> found = core::AllocationMap::instance().find(word);
    if (dynamic_cast<const core::SvmAllocation *>(found.get()))
      command.atHand.push_back({found->address(), found->address() + found->size(), false});
  }
}

// --- What the host knows ---

void CommandChecks::hostKnows(const core::Event &event) {
  const std::scoped_lock lock(mutex_);
  if (const auto *const watch = static_cast<const icd::OrderedWatch *>(event.watch())) watch->addTo(host_);
}

void CommandChecks::hostMayKnowAll() {
  const std::scoped_lock lock(mutex_);
  host_.join(ended_);
}

void CommandChecks::hasFineGrainMemory() {
  const std::scoped_lock lock(mutex_);
  if (!std::exchange(hasFineGrainMemory_, true)) races_.hostIsAwaited();
}

void CommandChecks::flushed(ClQueue &queue) {
  if (!queue.core) return; // on the device
  const std::scoped_lock lock(mutex_);
  CheckedQueue &checked = *queueOf(queue);
  checked.flushedUpTo = checked.next;
}

/// clFlush: "To use event objects that refer to commands enqueued in a command-queue as event objects to wait on by
/// commands enqueued in a different command-queue, the application must call a clFlush or any blocking commands that
/// perform an implicit flush of the command-queue where the commands that refer to these event objects are enqueued."
void CommandChecks::collectUnflushed(CheckedCommand &command, bool isInOrder) {
  std::vector<UnflushedCommand> own;
  const auto add = [&](std::vector<UnflushedCommand> &to, const UnflushedCommand &one) {
    if (one.queue == command.queue_ || one.number < one.queue->flushedUpTo) return;
    const auto known = std::ranges::find(to, one.queue, &UnflushedCommand::queue);
    if (known == to.end())
      to.push_back(one);
    else if (known->number < one.number)
      *known = one;
  };
  for (const Ref<core::Event> &event : command.waitList_) {
    const auto *const other = dynamic_cast<const CheckedCommand *>(event->watch());
    if (!other) continue;
    add(own, {other->queue_, other->number, other->site});
    for (const UnflushedCommand &one : other->unflushed_) add(own, one);
  }
  std::vector<UnflushedCommand> &all = command.queue_->unflushed;
  std::erase_if(all, [](const UnflushedCommand &one) { return one.number < one.queue->flushedUpTo; });
  for (const UnflushedCommand &one : own) add(all, one);
  command.unflushed_ = isInOrder ? all : std::move(own);
}

void CommandChecks::tellUnflushed(std::vector<UnflushedCommand> &unflushed, Findings &found) {
  for (const UnflushedCommand &one : unflushed)
    if (one.number >= one.queue->flushedUpTo && !host_.has(one.queue->id, one.number))
      found.push_back({HostCheck::Use,
                       "wait for a queue that is not flushed",
                       icd::format("{} waits for a command of another queue, which was not flushed: that may take for "
                                   "ever",
                                   callInProgress()),
                       nullptr,
                       {{"enqueued", one.site}}});
  unflushed.clear();
}

void CommandChecks::hostWaitedFor(const core::Event &event) {
  if (event.watch()) hostWaitedFor(*event.watch());
}

void CommandChecks::hostWaitedFor(const core::CommandWatch &watch) {
  Findings found;
  cl_context context = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto *const command = dynamic_cast<const CheckedCommand *>(&watch)) {
      command->queue_->flushedUpTo = std::max(command->queue_->flushedUpTo, command->number + 1);
      std::vector<UnflushedCommand> unflushed = command->unflushed_;
      tellUnflushed(unflushed, found);
      context = command->context_;
    }
    static_cast<const icd::OrderedWatch &>(watch).addTo(host_);
  }
  tell(std::move(found), context);
}

void CommandChecks::hostWaitedFor(ClQueue &queue) {
  Findings found;
  {
    const std::scoped_lock lock(mutex_);
    CheckedQueue &checked = *queueOf(queue);
    checked.flushedUpTo = checked.next;
    tellUnflushed(checked.unflushed, found);
    host_.join(checked.ended);
  }
  tell(std::move(found), queue.context->handle());
}

void CommandChecks::tell(Findings found, cl_context context) {
  for (HostFinding &one : found) {
    if (!one.where) one.where = ApiChecks::site();
    one.alsoTold = ApiChecks::callbackOf(context);
    findings_.tell(one);
  }
}

// --- The process's end ---

std::vector<const CallSite *> CommandChecks::sitesToPrepare() {
  const std::scoped_lock lock(mutex_);
  std::vector<const CallSite *> sites;
  for (const Ref<CheckedCommand> &read : reads_)
    if (!host_.has(read->queue, read->number)) sites.push_back(read->site);
  return sites;
}

/// clEnqueueReadBuffer: "The contents of the buffer that ptr points to cannot be used until the read command has
/// completed. The event argument returns an event object which can be used to query the execution status of the read
/// command."
void CommandChecks::tellAtEnd() {
  if (hasFineGrainMemory_) return;
  for (const Ref<CheckedCommand> &read : reads_)
    if (!host_.has(read->queue, read->number))
      findings_.tell({HostCheck::Use,
                      "result never waited for",
                      icd::format("the process ends, and the program has never waited for the end of a non-blocking {}",
                                  read->what),
                      read->site,
                      {},
                      nullptr,
                      true});
}

} // namespace us::opencl
