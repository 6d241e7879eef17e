// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/check/command_checks.h"

#include "icd/common/format.h"
#include "icd/opencl/api.h"
#include "icd/opencl/check/api_checks.h"
#include "icd/opencl/context.h"
#include "icd/opencl/memory.h"
#include "icd/opencl/queue.h"
#include "runtime/core/image.h"

#include <algorithm>
#include <cstring>

namespace us::opencl {
namespace {

const core::Buffer &wholeOf(const core::Buffer &buffer) {
  const core::Buffer *whole = &buffer;
  while (whole->parent()) whole = whole->parent();
  return *whole;
}

template <class Function> void forEachRow(const PitchedLayout &layout, const Size3 &region, Function function) {
  for (uint64_t slice = 0; slice < region[2]; ++slice)
    for (uint64_t row = 0; row < region[1]; ++row) function(slice * layout.slicePitch + row * layout.rowPitch);
}

bool overlap(uint64_t begin, uint64_t end, uint64_t otherBegin, uint64_t otherEnd) {
  return begin < otherEnd && otherBegin < end;
}

/// Which side of its copy is the program's own memory.
enum class Side : uint8_t { Neither, From, To };
Side hostSideOf(uint32_t type) {
  switch (type) {
  case CL_COMMAND_READ_BUFFER:
  case CL_COMMAND_READ_BUFFER_RECT:
  case CL_COMMAND_READ_IMAGE:
    return Side::To;
  case CL_COMMAND_WRITE_BUFFER:
  case CL_COMMAND_WRITE_BUFFER_RECT:
  case CL_COMMAND_WRITE_IMAGE:
    return Side::From;
  default:
    return Side::Neither;
  }
}

/// Where it is from, and where to, may be the program's own memory.
bool isSvmTransfer(uint32_t type) { return type == CL_COMMAND_SVM_MEMCPY || type == CL_COMMAND_SVM_MEMFILL; }

std::optional<HostSide> hostSideOf(const core::CommandRequest &request) {
  const auto *const copy = std::get_if<CopyCommand>(&request.command);
  const Side side = copy ? hostSideOf(request.apiTag) : Side::Neither;
  if (side == Side::Neither) return std::nullopt;
  if (side == Side::To) return HostSide{copy->to, copy->toLayout, copy->region, true};
  return HostSide{copy->from, copy->fromLayout, copy->region, false};
}

class Accesses {
public:
  Accesses(const core::CommandRequest &request, const Device &device) : device_(device) {
    for (const Ref<Object> &kept : request.keep)
      if (auto *const image = dynamic_cast<core::Image *>(kept.get()))
        images_.push_back(&image->memory());
      else if (auto *const buffer = dynamic_cast<core::Buffer *>(kept.get()))
        buffers_.push_back(buffer);
    if (const auto *const launch = std::get_if<LaunchCommand>(&request.command)) addArguments(*launch);
    if (const auto *const copy = std::get_if<CopyCommand>(&request.command)) {
      addRange(copy->to + copy->toLayout.offset, spanOf(copy->toLayout, copy->region), false, true);
      addRange(copy->from + copy->fromLayout.offset, spanOf(copy->fromLayout, copy->region), true, false);
    }
    if (const auto *const fill = std::get_if<FillCommand>(&request.command)) {
      const PitchedLayout layout{0, fill->rowPitch, fill->slicePitch};
      addRange(fill->to, spanOf(layout, {fill->size, fill->rows, fill->slices}), false, true);
    }
  }
  std::vector<CheckedAccess> take() { return std::move(accesses_); }
  std::vector<core::Buffer *> memories() const {
    std::vector<core::Buffer *> all = buffers_;
    all.insert(all.end(), images_.begin(), images_.end());
    return all;
  }
  /// The kernel has pointers that are no buffers.
  bool followsPointers() const { return followsPointers_; }

private:
  void add(const core::Buffer &buffer, uint64_t begin, uint64_t end, bool reads, bool writes) {
    const core::Buffer &whole = wholeOf(buffer);
    accesses_.push_back({whole.weak(), buffer.origin() + begin, buffer.origin() + end, reads, writes});
  }
  /// What a kernel's code does with its arguments is known; with how much of one is not.
  void addArguments(const LaunchCommand &launch) {
    size_t image = 0;
    for (const ArgumentInfo &argument : launch.kernel->info().arguments) {
      if (argument.kind == ArgumentKind::Image && image < images_.size()) {
        const core::Buffer &memory = *images_[image++];
        add(memory, 0, memory.size(), argument.access != AccessQualifier::WriteOnly,
            argument.access != AccessQualifier::ReadOnly);
      }
      if (!takesBuffer(argument.kind) || !(argument.read || argument.written)) continue;
      uint64_t address = 0;
      std::memcpy(&address, launch.arguments.data() + argument.offset, sizeof address);
      const auto buffer =
          std::ranges::find(buffers_, address, [&](const core::Buffer *one) { return one->addressIfOn(device_); });
      if (address && buffer != buffers_.end())
        add(**buffer, 0, (*buffer)->size(), argument.read, argument.written);
      else if (address)
        followsPointers_ = true;
    }
    followsPointers_ |= launch.indirect != nullptr;
  }
  void addRange(const std::byte *memory, uint64_t size, bool reads, bool writes) {
    const auto begin = reinterpret_cast<uint64_t>(memory), end = begin + size;
    for (const std::vector<core::Buffer *> &all : {buffers_, images_})
      for (const core::Buffer *const buffer : all) {
        const uint64_t base = buffer->addressIfOn(device_);
        if (base && overlap(begin, end, base, base + buffer->size()))
          return add(*buffer, std::max(begin, base) - base, std::min(end, base + buffer->size()) - base, reads, writes);
      }
  }

  const Device &device_;
  std::vector<core::Buffer *> buffers_, images_;
  std::vector<CheckedAccess> accesses_;
  bool followsPointers_ = false;
};

} // namespace

// --- Maps ---

namespace {
/// The pointer is where the box begins.
HostContents contentsOf(const core::Mapping &mapping) {
  return contentsOf(
      HostSide{mapping.pointer, {0, mapping.layout.rowPitch, mapping.layout.slicePitch}, mapping.region, false});
}
} // namespace

void CheckedMap::keepContents() {
  hash.reset();
  if (mapping.write || !mapping.read) return;
  const HostContents contents = contentsOf(mapping);
  if (contents.state == HostContents::State::Known) hash = contents.hash;
}

bool CheckedMap::hasChanged() const {
  if (!hash) return false;
  const HostContents contents = contentsOf(mapping);
  return contents.state == HostContents::State::Known && contents.hash != *hash;
}

namespace {

/// CL_MAP_READ: "This flag specifies that the region being mapped in the memory object is being mapped for reading.",
/// and CL_MAP_WRITE is what says "for writing": only then it is brought back to devices with memory of their own.
HostFinding writtenThrough(const CheckedMap &map, const CallSite *noticed) {
  return {HostCheck::Use,
          "write through a read map",
          icd::format("memory that {} mapped for reading only was written before it was unmapped", map.site->call),
          map.site,
          {{"changed before", noticed}}};
}

} // namespace

Ref<CheckedMap> CommandChecks::mapped(const ClMem &memory, const core::Mapping &mapping) {
  auto map = makeRef<CheckedMap>();
  const core::Buffer &buffer = *memory.buffer;
  map->memory = wholeOf(buffer).weak();
  map->through = &buffer;
  map->begin = buffer.origin() + mapping.offset;
  map->end = map->begin + mapping.size;
  map->mapping = mapping;
  map->site = ApiChecks::site();
  const std::scoped_lock lock(mutex_);
  maps_.push_back(map);
  return map;
}

Ref<CheckedMap> CommandChecks::unmapped(const ClMem &memory, const core::Mapping &mapping) {
  const CallSite *const site = ApiChecks::site();
  Ref<CheckedMap> unmapped;
  Findings found;
  {
    const std::scoped_lock lock(mutex_);
    for (const Ref<CheckedMap> &map : maps_)
      if (!map->isUnmapped && map->through == memory.buffer.get() && map->mapping.pointer == mapping.pointer &&
          map->mapping.size == mapping.size && map->mapping.write == mapping.write) {
        unmapped = map;
        break;
      }
    if (!unmapped) return nullptr;
    unmapped->isUnmapped = true;
    if (unmapped->isMapped && unmapped->hasChanged()) found.push_back(writtenThrough(*unmapped, site));
  }
  tell(std::move(found));
  return unmapped;
}

/// OpenCL 3.0, "Accessing mapped regions of a memory object": "If a memory object is currently mapped for writing, the
/// application must ensure that the memory object is unmapped before any enqueued kernels or commands that read from or
/// write to this memory object ... begin execution; otherwise the behavior is undefined. If a memory object is
/// currently mapped for reading, the application must ensure that the memory object is unmapped before any enqueued
/// kernels or commands that write to this memory object ... begin execution; otherwise the behavior is undefined."
void CommandChecks::lookAtMaps(CheckedCommand &command, Findings &found) {
  std::erase_if(maps_, [](const Ref<CheckedMap> &map) { return !map->memory->lock(); });
  for (const Ref<CheckedMap> &map : maps_) {
    if (!map->isMapped) continue;
    for (const CheckedAccess &access : command.accesses_) {
      if (access.memory != map->memory || !overlap(access.begin, access.end, map->begin, map->end)) continue;
      if (map->mapping.write) {
        found.push_back({HostCheck::Use,
                         "use of mapped memory",
                         icd::format("{} {} memory that is mapped for writing", command.what_,
                                     access.writes ? "may write" : "reads"),
                         command.site_,
                         {{"mapped", map->site}}});
        break;
      }
      if (!access.writes) continue;
      // Whether it does is seen when it has ended: what has changed until now was the program's doing.
      if (!map->isUnmapped && map->hasChanged()) {
        found.push_back(writtenThrough(*map, command.site_));
        map->keepContents();
      }
      command.written_.push_back(map);
      break;
    }
  }
}

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
        icd::format("the memory that a non-blocking {} was given is gone when the command runs", command.what_);
    found.push_back({HostCheck::Use, "host memory gone", sentence, command.site_, {}});
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
                                 command.what_),
                     command.site_,
                     {}});
  return {};
}

// --- Commands ---

CheckedCommand::~CheckedCommand() { checks_.forget(*this); }
Expected<void> CheckedCommand::begins() { return checks_.begins(*this); }
void CheckedCommand::ends(bool hasSucceeded) { checks_.ends(*this, hasSucceeded); }
void CheckedCommand::addTo(KnownCommands &known) const {
  known.join(before_);
  known.add(queue_->id, number_);
}

class CheckedUserEvent final : public OrderedWatch {
public:
  explicit CheckedUserEvent(CommandChecks &checks) : checks_(checks) {}
  ~CheckedUserEvent() override { close(); }
  Expected<void> begins() override { return {}; }
  void ends(bool) override { close(); }
  void addTo(KnownCommands &known) const override { known.join(known_); }

private:
  void close() {
    const std::scoped_lock lock(checks_.mutex_);
    if (!std::exchange(isOpen_, false)) return;
    known_ = checks_.host_;
    --checks_.openUserEvents_;
  }
  CommandChecks &checks_;
  bool isOpen_ = true;
  KnownCommands known_; ///< what the host knew when it completed the event
};

Ref<core::CommandWatch> CommandChecks::watchUserEvent() {
  const std::scoped_lock lock(mutex_);
  ++openUserEvents_;
  return makeRef<CheckedUserEvent>(*this);
}

std::shared_ptr<CheckedQueue> &CommandChecks::queueOf(ClQueue &queue) {
  if (!queue.checked) {
    queue.checked = std::make_shared<CheckedQueue>();
    queue.checked->id = nextQueue_++;
    if (queue.checked->id > 1 || queue.core->properties().outOfOrder) mayHaveNoOrder_ = true;
  }
  return queue.checked;
}

Ref<core::CommandWatch> CommandChecks::watch(ClQueue &queue, const core::CommandRequest &request, Call call) {
  using Order = core::CommandRequest::Order;
  if (queue.context->core->hasSeparateMemory()) return nullptr;
  auto command = makeRef<CheckedCommand>(*this);
  const auto *const launch = std::get_if<LaunchCommand>(&request.command);
  command->site_ = launch && launch->enqueuedAt ? launch->enqueuedAt : ApiChecks::site();
  command->what_ = launch ? "kernel '" + launch->kernel->info().name + "'" : std::string(callInProgress());
  command->isBlocking_ = call.isBlocking;
  command->isHostCall_ = std::holds_alternative<HostCallCommand>(request.command);
  command->maps_ = std::move(call.maps);
  command->unmaps_ = std::move(call.unmaps);
  const Device &device = queue.coreDevice();
  Accesses accesses(request, device);
  if (findsRaces_)
    for (const core::Buffer *const buffer : accesses.memories()) {
      const core::Buffer &whole = wholeOf(*buffer);
      const uint64_t base = whole.addressIfOn(device);
      if (base) command->memories_.emplace_back(whole.weak(), TouchedRange{base, base + whole.size()});
    }
  command->accesses_ = accesses.take();
  command->mayWriteHost_ = command->isHostCall_ || accesses.followsPointers() || isSvmTransfer(request.apiTag);
  command->host_ = hostSideOf(request);
  const bool isInOrder = !queue.core->properties().outOfOrder;
  command->waitsForAll_ = isInOrder || (request.order != Order::Plain && request.waitList.empty());
  command->waitList_.assign(request.waitList.begin(), request.waitList.end());
  const std::scoped_lock lock(mutex_);
  command->queue_ = queueOf(queue);
  command->number_ = command->queue_->next++;
  command->ordinal_ = nextOrdinal_++;
  command->hostKnew_ = host_;
  command->barrier_ = command->queue_->barrier;
  if (request.order == Order::Barrier) command->queue_->barrier = command;
  collectUnflushed(*command, isInOrder);
  if (findsRaces_) {
    addTransferred(*command, request);
    open_.push_back(command.get());
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
    std::erase_if(reads_, [&](const auto &read) { return host_.has(read->queue_->id, read->number_); });
    manyReads_ = std::max(manyReads_, 2 * reads_.size());
  }
  reads_.push_back(Ref<CheckedCommand>(&command));
}

void CommandChecks::order(CheckedCommand &command) {
  if (std::exchange(command.isOrdered_, true)) return;
  command.before_ = std::move(command.hostKnew_);
  for (const Ref<core::Event> &event : command.waitList_)
    if (const auto *const watch = static_cast<const OrderedWatch *>(event->watch())) watch->addTo(command.before_);
  if (command.barrier_) static_cast<const OrderedWatch &>(*command.barrier_).addTo(command.before_);
  command.before_.join(command.queue_->passed);
  if (command.waitsForAll_) command.before_.join(command.queue_->ended);
  command.waitList_.clear();
  command.barrier_ = nullptr;
}

Expected<void> CommandChecks::begins(CheckedCommand &command) {
  Findings found;
  Expected<void> result;
  {
    const std::scoped_lock lock(mutex_);
    order(command);
    // The program's own code is about to run, and knows of what was before.
    if (command.isHostCall_) host_.join(command.before_);
    if (command.mayWriteHost_) hostWillChange(nullptr);
    if (command.unmaps_) std::erase(maps_, command.unmaps_);
    lookAtMaps(command, found);
    result = lookAtHostSide(command, found);
  }
  tell(std::move(found));
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
                       icd::format("{} writes memory that is mapped for reading", command.what_),
                       command.site_,
                       {{"mapped", map->site}}});
      map->keepContents();
    }
    command.written_.clear();
    if (command.maps_ && hasSucceeded) {
      const Ref<core::Buffer> there = command.maps_->memory->lock();
      command.maps_->isMapped = true;
      if (there && !there->request().shared) command.maps_->keepContents();
    } else if (command.maps_) {
      std::erase(maps_, command.maps_);
    }
    command.maps_ = command.unmaps_ = nullptr;
    std::erase(hostWriters_, &command);
    std::erase(pendingWrites_, &command);
    if (command.mayWriteHost_) --openHostWriters_;
    std::erase(open_, &command);
    lookForRaces(command, found);
    command.addTo(command.queue_->ended);
    command.addTo(ended_);
    if (command.queue_->barrier.get() == &command) {
      command.addTo(command.queue_->passed);
      command.queue_->barrier = nullptr;
    }
    command.hasEnded_ = true;
  }
  tell(std::move(found));
}

void CommandChecks::forget(CheckedCommand &command) {
  const std::scoped_lock lock(mutex_);
  std::erase(hostWriters_, &command);
  std::erase(pendingWrites_, &command);
  std::erase(open_, &command);
  if (command.hasEnded_) return;
  // It was not enqueued after all.
  if (command.maps_) std::erase(maps_, command.maps_);
  if (command.mayWriteHost_) --openHostWriters_;
  command.queue_->ended.add(command.queue_->id, command.number_);
}

// --- Races ---
//
// OpenCL 3.0, clEnqueueBarrierWithWaitList and 3.2.1: commands of an out-of-order queue, and of several queues, are in
// no order but for that of events, barriers, and what the host has waited for. "Memory objects shared between
// command-queues: ... the application must perform appropriate synchronization" (appendix A).

bool CheckedCommand::wantsTouched() const { return checks_.findsRaces_ && checks_.mayHaveNoOrder_; }

void CheckedCommand::touched(const std::vector<TouchedRange> &ranges) {
  const std::scoped_lock lock(checks_.mutex_);
  for (const TouchedRange &range : ranges) checks_.addTouched(*this, range, false);
}

void CommandChecks::addTouched(CheckedCommand &command, const TouchedRange &range, bool isHosts) {
  if (isHosts) {
    command.touched_.push_back({nullptr, range});
    return;
  }
  // Other memory, which is shared or a program's, is nobody's that could be named.
  for (const auto &[memory, where] : command.memories_)
    if (range.begin >= where.begin && range.end <= where.end) {
      command.touched_.push_back({memory, range});
      return;
    }
}

void CommandChecks::addTransferred(CheckedCommand &command, const core::CommandRequest &request) {
  const Side host = hostSideOf(request.apiTag);
  const auto add = [&](const std::byte *memory, const PitchedLayout &layout, const Size3 &region, bool writes,
                       Side side) {
    forEachRow(layout, region, [&](uint64_t at) {
      const uint64_t begin = reinterpret_cast<uint64_t>(memory) + layout.offset + at;
      if (region[0])
        addTouched(command, {begin, begin + region[0], !writes, writes, false}, host != Side::Neither && host == side);
    });
  };
  if (const auto *const copy = std::get_if<CopyCommand>(&request.command)) {
    add(copy->to, copy->toLayout, copy->region, true, Side::To);
    add(copy->from, copy->fromLayout, copy->region, false, Side::From);
  }
  if (const auto *const fill = std::get_if<FillCommand>(&request.command))
    add(fill->to, {0, fill->rowPitch, fill->slicePitch}, {fill->size, fill->rows, fill->slices}, true, Side::Neither);
}

namespace {

struct Meeting {
  const CheckedTouch *one = nullptr, *other = nullptr;
};

bool conflict(const TouchedRange &a, const TouchedRange &b) {
  const bool aWrites = a.writes || a.isAtomic, bWrites = b.writes || b.isAtomic;
  // Atomic operations of two commands are in some order.
  return (a.writes && (b.reads || bWrites)) || (b.writes && (a.reads || aWrites)) || (a.isAtomic && b.reads) ||
         (b.isAtomic && a.reads);
}

/// The first bytes that both touch and one of them changes. Both are by address.
Meeting meetingOf(const std::vector<CheckedTouch> &ones, const std::vector<CheckedTouch> &others) {
  auto from = others.begin();
  for (const CheckedTouch &one : ones) {
    while (from != others.end() && from->range.end <= one.range.begin) ++from;
    for (auto other = from; other != others.end() && other->range.begin < one.range.end; ++other)
      if (one.memory == other->memory && one.range.begin < other->range.end && conflict(one.range, other->range))
        return {&one, &*other};
  }
  return {};
}

const char *verbOf(const TouchedRange &range) {
  if (range.writes) return range.reads ? "reads and writes" : "writes";
  return range.isAtomic ? "changes" : "reads";
}

} // namespace

void CommandChecks::lookForRaces(CheckedCommand &command, Findings &found) {
  if (!findsRaces_ || command.touched_.empty()) return;
  std::ranges::sort(command.touched_, {}, [](const CheckedTouch &touch) { return touch.range.begin; });
  for (const Ref<CheckedCommand> &other : done_) {
    if (command.before_.has(other->queue_->id, other->number_)) continue;
    if (other->before_.has(command.queue_->id, command.number_)) continue;
    // Whichever ran first, what is told is the same: the one that was enqueued later.
    const bool isLater = command.ordinal_ > other->ordinal_;
    const CheckedCommand &later = isLater ? command : *other, &earlier = isLater ? *other : command;
    const Meeting meeting = meetingOf(later.touched_, earlier.touched_);
    if (!meeting.one) continue;
    const uint64_t begin = std::max(meeting.one->range.begin, meeting.other->range.begin);
    const uint64_t end = std::min(meeting.one->range.end, meeting.other->range.end);
    const Ref<core::Buffer> memory = meeting.one->memory ? meeting.one->memory->lock() : Ref<core::Buffer>();
    found.push_back({HostCheck::Races,
                     "race between commands",
                     icd::format("{} {} {} bytes of {} that {} {}, and nothing orders the two commands", later.what_,
                                 verbOf(meeting.one->range), end - begin,
                                 meeting.one->memory ? "a memory object" : "the program's memory", earlier.what_,
                                 verbOf(meeting.other->range)),
                     later.site_,
                     {{"made", memory ? memory->request().madeAt : nullptr}},
                     earlier.site_});
  }
  done_.push_back(Ref<CheckedCommand>(&command));
  if (done_.size() >= manyEnded_) forgetOrdered();
}

/// What the host knows to have ended is before all that it enqueues from now on; what it has enqueued already may not
/// know of it.
void CommandChecks::forgetOrdered() {
  std::erase_if(done_, [&](const Ref<CheckedCommand> &one) {
    const auto knows = [&](const CheckedCommand *open) {
      const KnownCommands &known = open->isOrdered_ ? open->before_ : open->hostKnew_;
      return known.has(one->queue_->id, one->number_);
    };
    return host_.has(one->queue_->id, one->number_) && std::ranges::all_of(open_, knows);
  });
  manyEnded_ = std::max<size_t>(64, 2 * done_.size());
}

// --- What the host knows ---

void CommandChecks::hostKnows(const core::Event &event) {
  const std::scoped_lock lock(mutex_);
  if (const auto *const watch = static_cast<const OrderedWatch *>(event.watch())) watch->addTo(host_);
}

void CommandChecks::hostMayKnowAll() {
  const std::scoped_lock lock(mutex_);
  host_.join(ended_);
}

void CommandChecks::hasFineGrainMemory() {
  const std::scoped_lock lock(mutex_);
  hasFineGrainMemory_ = true;
}

void CommandChecks::flushed(ClQueue &queue) {
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
    add(own, {other->queue_, other->number_, other->site_});
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
  {
    const std::scoped_lock lock(mutex_);
    if (const auto *const command = dynamic_cast<const CheckedCommand *>(&watch)) {
      command->queue_->flushedUpTo = std::max(command->queue_->flushedUpTo, command->number_ + 1);
      std::vector<UnflushedCommand> unflushed = command->unflushed_;
      tellUnflushed(unflushed, found);
    }
    static_cast<const OrderedWatch &>(watch).addTo(host_);
  }
  tell(std::move(found));
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
  tell(std::move(found));
}

void CommandChecks::tell(Findings found) {
  for (HostFinding &one : found) {
    if (!one.where) one.where = ApiChecks::site();
    findings_.tell(one);
  }
}

// --- The process's end ---

std::vector<const CallSite *> CommandChecks::sitesToPrepare() {
  const std::scoped_lock lock(mutex_);
  std::vector<const CallSite *> sites;
  for (const Ref<CheckedCommand> &read : reads_)
    if (!host_.has(read->queue_->id, read->number_)) sites.push_back(read->site_);
  return sites;
}

/// clEnqueueReadBuffer: "The contents of the buffer that ptr points to cannot be used until the read command has
/// completed. The event argument returns an event object which can be used to query the execution status of the read
/// command."
void CommandChecks::tellAtEnd() {
  if (hasFineGrainMemory_) return;
  for (const Ref<CheckedCommand> &read : reads_)
    if (!host_.has(read->queue_->id, read->number_))
      findings_.tell({HostCheck::Use,
                      "result never waited for",
                      icd::format("the process ends, and the program has never waited for the end of a non-blocking {}",
                                  read->what_),
                      read->site_,
                      {}});
}

} // namespace us::opencl
