// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch and what it enqueues on the device, directly or not. Kernels put commands into the run's tree while they
// run; when the host's launch has ended, the device takes the launches out, one after the other, and runs them. A
// launch is complete when it has ended and all that it enqueued is.
//
// The order in every function that a kernel calls: first the kernel's memory is read, with no lock held, because a bad
// pointer leaves the kernel from there; then the tree changes under the lock; then the kernel's memory is written.
#include "runtime/core/enqueue_runtime.h"

#include "runtime/base/align.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/core/device_events.h"
#include "runtime/core/object_pool.h"
#include "runtime/device/finding.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <new>
#include <string>
#include <utility>

namespace us::core {
namespace {

constexpr uint64_t kRecordBytes = 128;
constexpr uint64_t kMostLocal = uint64_t{1} << 40; ///< more than any device has, and sums of it are numbers still
constexpr uint64_t kMostWaits = 65536, kMostLocals = 1024, kLargestBlock = 1 << 20, kMostBlockAlignment = 4096;
constexpr uint64_t kLocalAlignment = 128; ///< OpenCL C's local arguments point to void: any type may lie there
constexpr uint64_t kBlockAlignment = 128;

constexpr uint64_t kEnqueueFailure = static_cast<uint64_t>(int64_t{-101}); ///< CLK_ENQUEUE_FAILURE
constexpr uint64_t kNullEvent = ~uint64_t{0};                              ///< CLK_NULL_EVENT
/// The status of an event that has failed: what it waited for had, or it was never run.
constexpr int kFailedWaitList = -14, kDropped = -5;

/// The words of a call (emulator/builtins/opencl/device_queue/request.h).
enum Word : uint8_t {
  kQueue,       ///< OnDeviceQueue::argument
  kFlags,       ///< CLK_ENQUEUE_FLAGS_*
  kRange,       ///< where the NdRange is
  kEventCount,  ///< of the wait list
  kWaitList,    ///< where the events are
  kEvent,       ///< where the new event goes; 0: none is wanted
  kKernel,      ///< where the name of the block's kernel is
  kBlock,       ///< where the literal is
  kLocalCount,  ///< of the block's local arguments
  kLocalSizes,  ///< where their bytes are
  kSubject,     ///< the event that the operations on events are about
  kStatus,      ///< SetUserEventStatus
  kDestination, ///< CaptureProfiling: where two 64-bit numbers go
};

/// OpenCL C's ndrange_t.
struct NdRange {
  uint32_t dimensions = 1;
  uint64_t offset[3] = {}, globalSize[3] = {}, localSize[3] = {}; ///< local sizes 0: the device chooses
};

/// What Clang's block literals begin with; the captured values follow.
struct BlockLiteral {
  uint32_t size, alignment; ///< bytes of the whole
  uint64_t invoke;
};

std::condition_variable &changed() {
  static std::condition_variable &variable = *new std::condition_variable;
  return variable;
}

uint32_t activeRuns = 0; ///< guarded by deviceSideMutex: runs that do not wait for events

/// A place in the tree: what a running kernel enqueues belongs there.
struct Place : DeviceRuntime::Launch {
  Place *parent = nullptr;
  uint32_t open = 1; ///< itself and those it enqueued that are not complete
};

class EnqueueRun;

} // namespace

/// A kernel, or a marker, that was enqueued on the device.
struct EnqueuedCommand : Place {
  explicit EnqueuedCommand(EnqueueRun &run) : run(run) {}
  EnqueuedCommand(const EnqueuedCommand &) = delete;
  EnqueuedCommand &operator=(const EnqueuedCommand &) = delete;
  ~EnqueuedCommand();
  static void *operator new(size_t);
  static void operator delete(void *memory);

  EnqueueRun &run;
  // A LaunchCommand is made of it when its turn has come: there may be very many.
  DeviceKernel *kernel = nullptr; ///< null: a marker; the run keeps it
  NdRange range;
  uint64_t block = 0; ///< a copy of the literal, aligned as it asks
  // What is read of the kernel's memory: the kernel may be left meanwhile.
  std::vector<uint64_t> waitList, localSizes;

  Ref<OnDeviceQueue> queue;
  uint64_t bytes = 0; ///< taken from the queue
  DeviceEvent *event = nullptr;
  uint32_t waits = 0;
  bool enqueued = false, failed = false, complete = false;
  uint64_t started = 0, ended = 0;
  int status = 0;
};

namespace {

class EnqueueRuntime final : public DeviceRuntime {
public:
  EnqueueRuntime(Device &device, DeviceKernel &kernel, Ref<OnDeviceQueue> defaultQueue)
      : device(&device), kernel(&kernel), defaultQueue(std::move(defaultQueue)) {}
  std::unique_ptr<Run> begin(KernelMemory &memory) const override;
  std::string_view verb() const override { return "enqueued"; }

  const Ref<Device> device;
  const Ref<DeviceKernel> kernel; ///< of the host's launch
  const Ref<OnDeviceQueue> defaultQueue;
};

class EnqueueRun final : public DeviceRuntime::Run {
public:
  using Launch = DeviceRuntime::Launch;
  EnqueueRun(const EnqueueRuntime &runtime, KernelMemory &memory) : runtime_(runtime), memory_(memory) {
    std::lock_guard lock(deviceSideMutex());
    ++activeRuns;
  }
  /// What was not run is dropped; its events have an error.
  ~EnqueueRun() override;

  Launch &root() override { return root_; }
  std::optional<uint64_t> call(Launch &caller, DeviceFunction function, DeviceCall &call) override;
  /// Waits for other runs to set events where some are waited for; the finding EventsNeverComplete if nobody is left
  /// who could.
  Expected<DeviceRuntime::Work> next(Launch &top, Launch *&at, bool isOver) override;
  KernelMemory &memory() const { return memory_; }

private:
  using Function = uint64_t (*)(EnqueueRun &run, Place &caller, const uint64_t *words);
  static const Function kFunctions[];

  uint64_t enqueue(Place &caller, const uint64_t *words, bool isMarker);
  static LaunchCommand launchOf(const EnqueuedCommand &child);
  /// All of a launch but what it waits for.
  Expected<void> readLaunch(EnqueuedCommand &child, const uint64_t *words);
  Expected<uint64_t> admit(EnqueuedCommand &child, Place &caller, uint64_t queue, bool wantsEvent);
  uint64_t refuse(EnqueuedCommand *child, const std::string &why);
  /// The kernel of a block by its name, null if there is none.
  DeviceKernel *kernelNamed(uint64_t name);
  uint64_t captureProfiling(uint64_t handle, uint64_t destination);
  template <class T> T valueAt(uint64_t address) {
    T value;
    memory_.read(address, std::as_writable_bytes(std::span(&value, 1)));
    return value;
  }
  template <class T> void readArray(uint64_t address, uint64_t count, std::vector<T> &into) {
    into.resize(count);
    if (count) memory_.read(address, std::as_writable_bytes(std::span(into)));
  }

  static void settle(EnqueuedCommand &command);
  static void settle(std::vector<EnqueuedCommand *> &work);
  static void settle(EnqueuedCommand &command, std::vector<EnqueuedCommand *> &work);
  static void completeEvent(DeviceEvent &event, int status, std::vector<EnqueuedCommand *> &work);
  static void forget(EnqueuedCommand &child);

  const EnqueueRuntime &runtime_;
  KernelMemory &memory_;
  Place root_;
  // Guarded by deviceSideMutex:
  std::map<std::string, Ref<DeviceKernel>, std::less<>> blocks_; ///< those asked for so far
  std::deque<std::unique_ptr<EnqueuedCommand>> children_;
  std::deque<EnqueuedCommand *> ready_;
  EnqueuedCommand *running_ = nullptr;
  uint64_t incomplete_ = 0; ///< enqueued and not complete
  // The walk's own:
  Command command_;                                    ///< what runs
  std::vector<std::unique_ptr<EnqueuedCommand>> gone_; ///< complete, about to be destroyed
};

EnqueueRun::~EnqueueRun() {
  std::lock_guard lock(deviceSideMutex());
  --activeRuns;
  std::vector<EnqueuedCommand *> others;
  for (const std::unique_ptr<EnqueuedCommand> &child : children_)
    if (child->enqueued && !child->complete) {
      forget(*child);
      if (child->event) {
        child->event->profile = 0;
        completeEvent(*child->event, kDropped, others);
      }
    }
  // Waiting commands of this run were forgotten above, or are dropped too.
  std::erase_if(others, [this](const EnqueuedCommand *child) { return &child->run == this; });
  settle(others);
  changed().notify_all();
}

/// Takes an incomplete command out of what refers to it.
void EnqueueRun::forget(EnqueuedCommand &child) {
  child.complete = true;
  child.queue->used -= child.bytes;
  for (uint64_t handle : child.waitList)
    if (DeviceEvent *event = deviceEventFrom(handle)) {
      std::erase(event->waiters, &child);
      dropDeviceEvent(*event);
    }
}

void EnqueueRun::completeEvent(DeviceEvent &event, int status, std::vector<EnqueuedCommand *> &work) {
  event.status = status;
  for (EnqueuedCommand *waiter : event.waiters) {
    waiter->failed |= status < 0;
    if (--waiter->waits == 0) work.push_back(waiter);
  }
  event.waiters.clear();
  dropDeviceEvent(event);
}

void EnqueueRun::settle(EnqueuedCommand &command) {
  std::vector<EnqueuedCommand *> work; // empty nearly always: no memory is asked for
  settle(command, work);
  settle(work);
}

void EnqueueRun::settle(std::vector<EnqueuedCommand *> &work) {
  while (!work.empty()) {
    EnqueuedCommand &command = *work.back();
    work.pop_back();
    settle(command, work);
  }
}

/// A command that waits for nothing any more: what is no kernel to run is complete at once, and those that waited for
/// it become work. `ended` in its state decides: a launch comes here a second time when it has run.
void EnqueueRun::settle(EnqueuedCommand &command, std::vector<EnqueuedCommand *> &work) {
  if (command.kernel && !command.failed && command.ended == 0) return command.run.ready_.push_back(&command);
  if (command.ended == 0) {
    command.status = command.failed ? kFailedWaitList : 0;
    command.started = command.ended = monotonicNanoseconds();
  }
  // Up the tree: whoever has ended and has no open part left is complete.
  for (Place *place = &command; --place->open == 0 && place->parent; place = place->parent) {
    auto &done = static_cast<EnqueuedCommand &>(*place);
    done.complete = true;
    --done.run.incomplete_;
    done.queue->used -= done.bytes;
    if (DeviceEvent *event = std::exchange(done.event, nullptr)) {
      event->times[0] = done.ended - done.started;
      event->times[1] = monotonicNanoseconds() - done.started;
      // Kernels may have given any pointer.
      if (event->profile) done.run.memory_.writeSafely(event->profile, std::as_bytes(std::span(event->times)));
      completeEvent(*event, done.status, work);
    }
  }
}

uint64_t EnqueueRun::refuse(EnqueuedCommand *child, const std::string &why) {
  if (logs(LogLevel::Debug)) {
    log(LogLevel::Debug, "enqueue on the device" +
                             (child->kernel ? " of '" + child->kernel->info().name + "'" : std::string()) +
                             " failed: " + why);
  }
  std::lock_guard lock(deviceSideMutex());
  // Others may have come after it; then it goes when the launch has ended.
  if (children_.back().get() == child) children_.pop_back();
  return kEnqueueFailure;
}

DeviceKernel *EnqueueRun::kernelNamed(uint64_t name) {
  if (!name) return nullptr;
  const std::string_view text = memory_.textAt(name);
  {
    std::lock_guard lock(deviceSideMutex());
    if (const auto known = blocks_.find(text); known != blocks_.end()) return known->second.get();
  }
  Ref<DeviceKernel> kernel = runtime_.kernel->block(text);
  if (!kernel) return nullptr;
  std::lock_guard lock(deviceSideMutex());
  return blocks_.try_emplace(std::string(text), std::move(kernel)).first->second.get();
}

Expected<void> EnqueueRun::readLaunch(EnqueuedCommand &child, const uint64_t *words) {
  child.kernel = kernelNamed(words[kKernel]);
  if (!child.kernel) return fail(ErrorCode::InvalidKernelName, "the block has no kernel");
  child.range = valueAt<NdRange>(words[kRange]);
  readArray(words[kLocalSizes], words[kLocalCount], child.localSizes);
  const auto literal = valueAt<BlockLiteral>(words[kBlock]);
  const uint64_t alignment = std::max<uint64_t>(kBlockAlignment, literal.alignment);
  if (literal.size > kLargestBlock || literal.size < sizeof literal || alignment > kMostBlockAlignment ||
      !std::has_single_bit(alignment))
    return fail(ErrorCode::InvalidValue, "the block is damaged");
  child.block = memory_.copy(words[kBlock], literal.size, alignment);
  if (!child.block) return fail(ErrorCode::OutOfHostMemory, "there is no memory for the block");
  child.bytes = literal.size + child.localSizes.size() * sizeof(uint64_t);
  const uint32_t dimensions = child.range.dimensions;
  if (dimensions < 1 || dimensions > 3)
    return fail(ErrorCode::InvalidWorkDimension, "a range of " + std::to_string(dimensions) + " dimensions");
  return runtime_.device->check(launchOf(child));
}

LaunchCommand EnqueueRun::launchOf(const EnqueuedCommand &child) {
  const KernelInfo &info = child.kernel->info();
  LaunchCommand launch;
  launch.kernel = Ref<DeviceKernel>(child.kernel);
  launch.workDimensions = child.range.dimensions;
  for (uint32_t i = 0; i < child.range.dimensions; ++i) {
    launch.globalOffset[i] = child.range.offset[i];
    launch.globalSize[i] = child.range.globalSize[i];
    launch.localSize[i] = child.range.localSize[i];
  }
  if (launch.localSize[0] != 0)
    for (uint32_t i = child.range.dimensions; i < 3; ++i) launch.localSize[i] = 1;

  // The address of the captured values, then where the local arguments lie.
  launch.arguments.resize(info.argumentBlockSize);
  launch.localMemory = info.localMemory;
  const auto put = [&](size_t index, uint64_t word) {
    if (index < info.arguments.size())
      std::memcpy(launch.arguments.data() + info.arguments[index].offset, &word, sizeof word);
  };
  put(0, child.block);
  for (size_t i = 0; i < child.localSizes.size(); ++i) {
    const uint64_t begin = alignTo(launch.localMemory, kLocalAlignment);
    put(i + 1, begin);
    launch.localMemory = begin + std::min(child.localSizes[i], kMostLocal);
  }
  return launch;
}

Expected<uint64_t> EnqueueRun::admit(EnqueuedCommand &child, Place &caller, uint64_t queueArgument, bool wantsEvent) {
  const Ref<OnDeviceQueue> &known = runtime_.defaultQueue;
  Ref<OnDeviceQueue> queue = known && known->argument() == queueArgument ? known : OnDeviceQueue::at(queueArgument);
  if (!queue) return fail(ErrorCode::InvalidDeviceQueue, "what was given for a queue is none");
  std::lock_guard lock(deviceSideMutex());
  for (uint64_t one : child.waitList)
    if (!deviceEventFrom(one)) return fail(ErrorCode::InvalidEvent, "an event of the wait list is not valid");
  if (child.bytes > queue->size() - std::min<uint64_t>(queue->used, queue->size()))
    return fail(ErrorCode::OutOfResources, "the queue of " + std::to_string(queue->size()) + " bytes is full");
  if (wantsEvent) {
    child.event = createDeviceEvent(false);
    if (!child.event) return fail(ErrorCode::OutOfResources, "there are too many events");
  }
  const uint64_t handle = child.event ? child.event->handle : 0;
  child.parent = &caller;
  ++caller.open;
  queue->used += child.bytes;
  child.queue = std::move(queue);
  child.enqueued = true;
  ++incomplete_;
  child.waits = 1; // this function's
  for (uint64_t one : child.waitList) {
    DeviceEvent &event = *deviceEventFrom(one);
    child.failed |= event.status < 0;
    if (event.status != DeviceEvent::kPending) continue;
    event.waiters.push_back(&child);
    ++child.waits;
  }
  if (--child.waits == 0) settle(child);
  return handle;
}

uint64_t EnqueueRun::enqueue(Place &caller, const uint64_t *words, bool isMarker) {
  EnqueuedCommand *child;
  {
    std::lock_guard lock(deviceSideMutex());
    // The run's from the beginning: the kernel may be left below.
    child = children_.emplace_back(std::make_unique<EnqueuedCommand>(*this)).get();
  }
  const uint64_t eventCount = words[kEventCount];
  if (!words[kQueue]) return refuse(child, "there is no queue");
  if (words[kFlags] > 2) return refuse(child, std::to_string(words[kFlags]) + " is no flag");
  if (eventCount && !words[kWaitList])
    return refuse(child, "a wait list of " + std::to_string(eventCount) + " events is NULL");
  if (isMarker && eventCount == 0) return refuse(child, "a marker waits for nothing");
  if (eventCount > kMostWaits || words[kLocalCount] > kMostLocals)
    return refuse(child, "too many events or local arguments");
  readArray(words[kWaitList], eventCount, child->waitList);
  if (!isMarker)
    if (const Expected<void> good = readLaunch(*child, words); !good) return refuse(child, good.error().message);
  child->bytes += kRecordBytes + eventCount * sizeof(uint64_t);

  uint64_t handle = 0;
  if (Expected<uint64_t> event = admit(*child, caller, words[kQueue], words[kEvent] != 0); event)
    handle = *event;
  else
    return refuse(child, event.error().message);
  if (words[kEvent]) memory_.write(words[kEvent], std::as_bytes(std::span(&handle, 1)));
  return 0;
}

/// Now, or when the event is complete.
uint64_t EnqueueRun::captureProfiling(uint64_t handle, uint64_t destination) {
  uint64_t times[2];
  {
    std::lock_guard lock(deviceSideMutex());
    DeviceEvent *event = deviceEventFrom(handle);
    if (!event || event->isUser) return 0;
    if (event->status == DeviceEvent::kPending) {
      event->profile = destination;
      return 0;
    }
    std::ranges::copy(event->times, times);
  }
  memory_.write(destination, std::as_bytes(std::span(times)));
  return 0;
}

/// By DeviceFunction, from EnqueueKernel on.
const EnqueueRun::Function EnqueueRun::kFunctions[] = {
    [](EnqueueRun &run, Place &caller, const uint64_t *words) { return run.enqueue(caller, words, false); },
    [](EnqueueRun &run, Place &caller, const uint64_t *words) { return run.enqueue(caller, words, true); },
    // DefaultQueue
    [](EnqueueRun &run, Place &, const uint64_t *) {
      return run.runtime_.defaultQueue ? run.runtime_.defaultQueue->argument() : 0;
    },
    // RetainEvent
    [](EnqueueRun &, Place &, const uint64_t *words) {
      std::lock_guard lock(deviceSideMutex());
      if (DeviceEvent *event = deviceEventFrom(words[kSubject]); event && event->references) ++event->references;
      return uint64_t{0};
    },
    // ReleaseEvent
    [](EnqueueRun &, Place &, const uint64_t *words) {
      std::lock_guard lock(deviceSideMutex());
      DeviceEvent *event = deviceEventFrom(words[kSubject]);
      if (!event || event->references == 0) return uint64_t{0};
      // A user event that nobody waits for, and that nobody can name any more, needs no status.
      if (--event->references == 0 && event->isUser && event->waiters.empty() && event->status == DeviceEvent::kPending)
        event->status = 0;
      dropDeviceEvent(*event);
      return uint64_t{0};
    },
    // CreateUserEvent
    [](EnqueueRun &, Place &, const uint64_t *) {
      std::lock_guard lock(deviceSideMutex());
      const DeviceEvent *event = createDeviceEvent(true);
      return event ? event->handle : kNullEvent;
    },
    // SetUserEventStatus: "must be a user event", and CL_COMPLETE or a negative value, once.
    [](EnqueueRun &, Place &, const uint64_t *words) {
      const int status = static_cast<int>(words[kStatus]);
      std::lock_guard lock(deviceSideMutex());
      DeviceEvent *event = deviceEventFrom(words[kSubject]);
      if (!event || !event->isUser || event->status != DeviceEvent::kPending || status > 0) return uint64_t{0};
      std::vector<EnqueuedCommand *> work;
      completeEvent(*event, status, work);
      settle(work);
      changed().notify_all();
      return uint64_t{0};
    },
    // IsValidEvent
    [](EnqueueRun &, Place &, const uint64_t *words) {
      std::lock_guard lock(deviceSideMutex());
      const DeviceEvent *event = deviceEventFrom(words[kSubject]);
      return uint64_t{event && event->references};
    },
    [](EnqueueRun &run, Place &, const uint64_t *words) {
      return run.captureProfiling(words[kSubject], words[kDestination]);
    },
    // WorkGroupSize
    [](EnqueueRun &run, Place &, const uint64_t *words) {
      const DeviceKernel *kernel = run.kernelNamed(words[kKernel]);
      if (!kernel) return uint64_t{0};
      const Size3 &required = kernel->info().requiredWorkGroupSize;
      return required[0] ? required[0] * required[1] * required[2]
                         : uint64_t{run.runtime_.device->info().maxWorkGroupSize};
    },
    // PreferredMultiple
    [](EnqueueRun &run, Place &, const uint64_t *words) {
      return run.kernelNamed(words[kKernel]) ? uint64_t{run.runtime_.device->info().preferredWorkGroupSizeMultiple} : 0;
    },
    // SubGroupSize
    [](EnqueueRun &run, Place &, const uint64_t *words) {
      const DeviceKernel *kernel = run.kernelNamed(words[kKernel]);
      if (!kernel) return uint64_t{0};
      const uint32_t required = kernel->info().requiredSubGroupSize;
      return uint64_t{required ? required : run.runtime_.device->info().subGroupSize};
    },
};

std::optional<uint64_t> EnqueueRun::call(Launch &caller, DeviceFunction function, DeviceCall &call) {
  const auto row = static_cast<size_t>(function) - static_cast<size_t>(DeviceFunction::EnqueueKernel);
  if (row >= std::size(kFunctions)) return std::nullopt; // also what comes before
  try {
    return kFunctions[row](*this, static_cast<Place &>(caller), call.words);
  } catch (const std::bad_alloc &) {
    return kEnqueueFailure;
  }
}

Expected<DeviceRuntime::Work> EnqueueRun::next(Launch &, Launch *&, bool) {
  // Without the lock: their queues may be nobody else's.
  struct Clear {
    ~Clear() { commands.clear(); }
    std::vector<std::unique_ptr<EnqueuedCommand>> &commands;
  } const clear{gone_};
  std::unique_lock lock(deviceSideMutex());
  if (EnqueuedCommand *ended = std::exchange(running_, nullptr)) {
    ended->ended = std::max(monotonicNanoseconds(), ended->started + 1);
    settle(*ended);
    changed().notify_all();
  }
  for (;;) {
    // The finished ones at the front are of no use any more.
    while (!children_.empty() && (children_.front()->complete || !children_.front()->enqueued)) {
      gone_.push_back(std::move(children_.front()));
      children_.pop_front();
    }
    if (!ready_.empty()) {
      running_ = ready_.front();
      ready_.pop_front();
      running_->started = monotonicNanoseconds();
      lock.unlock();
      command_ = launchOf(*running_);
      return DeviceRuntime::Work{&command_, running_};
    }
    if (incomplete_ == 0) return DeviceRuntime::Work{};
    if (--activeRuns == 0) {
      ++activeRuns;
      return std::unexpected(errorOf(
          {.kind = FindingKind::EventsNeverComplete, .kernel = runtime_.kernel->info().name, .number = incomplete_}));
    }
    changed().notify_all(); // others that wait look again whether anybody is left
    changed().wait_for(lock, std::chrono::milliseconds(20));
    ++activeRuns;
  }
}

std::unique_ptr<DeviceRuntime::Run> EnqueueRuntime::begin(KernelMemory &memory) const {
  return std::make_unique<EnqueueRun>(*this, memory);
}

} // namespace

static ObjectPool<sizeof(EnqueuedCommand)> &commandPool() {
  static auto &pool = *new ObjectPool<sizeof(EnqueuedCommand)>;
  return pool;
}
void *EnqueuedCommand::operator new(size_t) { return commandPool().allocate(); }
void EnqueuedCommand::operator delete(void *memory) { commandPool().release(memory); }

EnqueuedCommand::~EnqueuedCommand() {
  if (block) run.memory().take(block, {});
}

Ref<DeviceRuntime> makeEnqueueRuntime(Device &device, DeviceKernel &kernel, Ref<OnDeviceQueue> defaultQueue) {
  return Ref<DeviceRuntime>(new EnqueueRuntime(device, kernel, std::move(defaultQueue)));
}

} // namespace us::core
