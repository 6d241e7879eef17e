// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order in every function that a kernel calls: first the kernel's memory is read, with no lock held, because a bad
// pointer leaves the kernel from there; then the tree changes under the lock; then the kernel's memory is written.
#include "emulator/exec/launch_tree.h"

#include "emulator/exec/device_events.h"
#include "emulator/exec/safe_write.h"
#include "runtime/base/align.h"
#include "runtime/base/clock.h"
#include "runtime/base/log.h"
#include "runtime/device/finding.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <new>
#include <unordered_set>

namespace us::exec {
namespace {

constexpr uint64_t kRecordBytes = 128;
constexpr uint64_t kMostLocal = uint64_t{1} << 40; ///< more than any device has, and sums of it are numbers still
constexpr uint32_t kMostWaits = 65536, kMostLocals = 1024, kLargestBlock = 1 << 20;
constexpr uint64_t kLocalAlignment = 128; ///< OpenCL C's local arguments point to void: any type may lie there

std::condition_variable &changed() {
  static std::condition_variable &variable = *new std::condition_variable;
  return variable;
}

uint32_t runningTrees = 0; ///< guarded by deviceSideMutex: trees that do not wait for events

/// Guarded by deviceSideMutex: the queues there are. A kernel may take any bits for a queue_t, and what they point to
/// is not touched with a lock held, nor written, unless it is one of these.
std::unordered_set<const OnDeviceQueue *> &liveQueues() {
  static std::unordered_set<const OnDeviceQueue *> &queues = *new std::unordered_set<const OnDeviceQueue *>;
  return queues;
}

} // namespace

OnDeviceQueue::OnDeviceQueue(uint32_t size) : size_(size) {
  std::lock_guard lock(deviceSideMutex());
  liveQueues().insert(this);
}

OnDeviceQueue::~OnDeviceQueue() {
  std::lock_guard lock(deviceSideMutex());
  liveQueues().erase(this);
}

ChildLaunch::~ChildLaunch() { std::free(block); }

uint64_t placeLocalArguments(const KernelInfo &kernel, const std::vector<uint64_t> &sizes,
                             std::vector<uint64_t> *offsets) {
  uint64_t used = kernel.localMemory;
  for (uint64_t size : sizes) {
    used = alignTo(used, kLocalAlignment);
    if (offsets) offsets->push_back(used);
    used += std::min(size, kMostLocal);
  }
  return used;
}

LaunchTree::LaunchTree(const BlockKernels &kernels, std::string_view kernelName, uint64_t defaultQueue)
    : kernels_(kernels), kernelName_(kernelName), defaultQueue_(defaultQueue) {
  root_.tree = this;
  std::lock_guard lock(deviceSideMutex());
  ++runningTrees;
}

LaunchTree::~LaunchTree() {
  std::lock_guard lock(deviceSideMutex());
  --runningTrees;
  std::vector<ChildLaunch *> others;
  for (const std::unique_ptr<ChildLaunch> &child : children_)
    if (child->enqueued && !child->complete) {
      forget(*child);
      if (child->event) {
        child->event->profile = nullptr;
        completeEvent(*child->event, abi::kEventDropped, others);
      }
    }
  // Waiting commands of this tree were forgotten above, or are dropped too.
  std::erase_if(others, [this](const ChildLaunch *child) { return child->tree == this; });
  settle(std::move(others));
  changed().notify_all();
}

/// Takes an incomplete command out of what refers to it.
void LaunchTree::forget(ChildLaunch &child) {
  child.complete = true;
  if (child.queue) child.queue->used_ -= child.bytes;
  for (uint64_t handle : child.waitList)
    if (DeviceEvent *event = deviceEventFrom(handle)) {
      std::erase(event->waiters, &child);
      dropDeviceEvent(*event);
    }
}

void LaunchTree::completeEvent(DeviceEvent &event, int status, std::vector<ChildLaunch *> &work) {
  event.status = status;
  for (ChildLaunch *waiter : event.waiters) {
    waiter->failed |= status < 0;
    if (--waiter->waits == 0) work.push_back(waiter);
  }
  event.waiters.clear();
  dropDeviceEvent(event);
}

/// Commands that wait for nothing any more: what is no kernel to run is complete at once, which may go on with others.
/// `ended` in a command's state decides: a launch comes here a second time when it has run.
void LaunchTree::settle(std::vector<ChildLaunch *> work) {
  while (!work.empty()) {
    ChildLaunch *child = work.back();
    work.pop_back();
    const bool runs = child->kernel && !child->failed && child->ended == 0;
    if (runs) {
      child->tree->ready_.push_back(child);
      continue;
    }
    if (child->ended == 0) {
      child->status = child->failed ? abi::kEventFailedWaitList : 0;
      child->started = child->ended = monotonicNanoseconds();
    }
    // Up the tree: whoever has ended and has no open part left is complete.
    for (LaunchNode *node = child; --node->open == 0 && node->parent; node = node->parent) {
      auto &done = static_cast<ChildLaunch &>(*node);
      done.complete = true;
      --done.tree->incomplete_;
      done.queue->used_ -= done.bytes;
      if (DeviceEvent *event = std::exchange(done.event, nullptr)) {
        event->times[0] = done.ended - done.started;
        event->times[1] = monotonicNanoseconds() - done.started;
        // Kernels may have given any pointer.
        if (event->profile) writeSafely(event->profile, event->times, sizeof event->times);
        completeEvent(*event, done.status, work);
      }
    }
  }
}

int64_t LaunchTree::refuse(ChildLaunch *child, const std::string &why) {
  if (logs(LogLevel::Debug))
    log(LogLevel::Debug, "enqueue on the device" +
                             (child->kernel ? " of '" + child->kernel->name + "'" : std::string()) + " failed: " + why);
  std::lock_guard lock(deviceSideMutex());
  // Others may have come after it; then it goes when the launch has ended.
  if (children_.back().get() == child) children_.pop_back();
  return abi::kEnqueueFailure;
}

const KernelInfo *LaunchTree::kernelOf(const Request &request) const {
  return request.kernel ? kernels_.find(std::string_view(request.kernel)) : nullptr;
}

Expected<uint64_t> LaunchTree::admit(ChildLaunch &child, LaunchNode &node, OnDeviceQueue &queue, bool wantsEvent) {
  std::lock_guard lock(deviceSideMutex());
  if (!liveQueues().contains(&queue)) return fail(ErrorCode::InvalidDeviceQueue, "what was given for a queue is none");
  for (uint64_t one : child.waitList)
    if (!deviceEventFrom(one)) return fail(ErrorCode::InvalidEvent, "an event of the wait list is not valid");
  if (child.bytes > queue.size_ - std::min<uint64_t>(queue.used_, queue.size_))
    return fail(ErrorCode::OutOfResources, "the queue of " + std::to_string(queue.size_) + " bytes is full");
  if (wantsEvent) {
    child.event = createDeviceEvent(false);
    if (!child.event) return fail(ErrorCode::OutOfResources, "there are too many events");
  }
  const uint64_t handle = child.event ? child.event->handle : 0;
  child.tree = this;
  child.parent = &node;
  ++node.open;
  child.queue = &queue;
  queue.used_ += child.bytes;
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
  if (--child.waits == 0) settle({&child});
  return handle;
}

int64_t LaunchTree::enqueue(LaunchNode &node, const Request &request, bool isMarker) {
  ChildLaunch *child;
  {
    std::lock_guard lock(deviceSideMutex());
    // The tree's from the beginning: the kernel may be left below.
    child = children_.emplace_back(std::make_unique<ChildLaunch>()).get();
  }
  auto *queue = reinterpret_cast<OnDeviceQueue *>(request.queue);
  if (!queue) return refuse(child, "there is no queue");
  if (request.flags > 2) return refuse(child, std::to_string(request.flags) + " is no flag");
  if (request.eventCount && !request.waitList)
    return refuse(child, "a wait list of " + std::to_string(request.eventCount) + " events is NULL");
  if (isMarker && request.eventCount == 0) return refuse(child, "a marker waits for nothing");
  if (request.eventCount > kMostWaits || request.localCount > kMostLocals)
    return refuse(child, "too many events or local arguments");
  child->waitList.assign(request.waitList, request.waitList + request.eventCount);
  if (!isMarker) {
    child->kernel = kernelOf(request);
    if (!child->kernel) return refuse(child, "the block has no kernel");
    child->range = *request.range;
    child->localSizes.assign(request.localSizes, request.localSizes + request.localCount);
    const abi::BlockLiteral literal = *request.block;
    if (literal.size > kLargestBlock || literal.size < sizeof(abi::BlockLiteral) || literal.alignment > 4096)
      return refuse(child, "the block is damaged");
    const uint64_t alignment = std::max<uint64_t>(128, literal.alignment);
    child->block = static_cast<std::byte *>(std::aligned_alloc(alignment, alignTo(literal.size, alignment)));
    if (!child->block) return refuse(child, "there is no memory for the block");
    std::memcpy(child->block, request.block, literal.size);
    const uint64_t local = placeLocalArguments(*child->kernel, child->localSizes);
    if (Expected<void> good = kernels_.check(*child->kernel, child->range, local); !good)
      return refuse(child, good.error().message);
    child->bytes = literal.size + child->localSizes.size() * sizeof(uint64_t);
  }
  child->bytes += kRecordBytes + child->waitList.size() * sizeof(uint64_t);

  uint64_t handle = 0;
  if (Expected<uint64_t> event = admit(*child, node, *queue, request.event != nullptr); event)
    handle = *event;
  else
    return refuse(child, event.error().message);
  if (request.event) *request.event = handle;
  return 0;
}

struct LaunchTree::Row {
  int64_t (*act)(LaunchTree &tree, LaunchNode &node, const Request &request);
};

/// By abi::DeviceQueueOperation.
const LaunchTree::Row LaunchTree::kOperations[] = {
    {[](LaunchTree &tree, LaunchNode &node, const Request &request) { return tree.enqueue(node, request, false); }},
    {[](LaunchTree &tree, LaunchNode &node, const Request &request) { return tree.enqueue(node, request, true); }},
    {[](LaunchTree &tree, LaunchNode &, const Request &) { return static_cast<int64_t>(tree.defaultQueue_); }},
    // Retain
    {[](LaunchTree &, LaunchNode &, const Request &request) {
      std::lock_guard lock(deviceSideMutex());
      if (DeviceEvent *event = deviceEventFrom(request.subjectEvent); event && event->references) ++event->references;
      return int64_t{0};
    }},
    // Release
    {[](LaunchTree &, LaunchNode &, const Request &request) {
      std::lock_guard lock(deviceSideMutex());
      DeviceEvent *event = deviceEventFrom(request.subjectEvent);
      if (!event || event->references == 0) return int64_t{0};
      // A user event that nobody waits for, and that nobody can name any more, needs no status.
      if (--event->references == 0 && event->isUser && event->waiters.empty() && event->status == DeviceEvent::kPending)
        event->status = 0;
      dropDeviceEvent(*event);
      return int64_t{0};
    }},
    // CreateUserEvent
    {[](LaunchTree &, LaunchNode &, const Request &) {
      std::lock_guard lock(deviceSideMutex());
      const DeviceEvent *event = createDeviceEvent(true);
      return static_cast<int64_t>(event ? event->handle : abi::kNullEvent);
    }},
    // SetUserEventStatus: "must be a user event", and CL_COMPLETE or a negative value, once.
    {[](LaunchTree &, LaunchNode &, const Request &request) {
      std::lock_guard lock(deviceSideMutex());
      DeviceEvent *event = deviceEventFrom(request.subjectEvent);
      if (!event || !event->isUser || event->status != DeviceEvent::kPending || request.status > 0) return int64_t{0};
      std::vector<ChildLaunch *> work;
      completeEvent(*event, request.status, work);
      settle(std::move(work));
      changed().notify_all();
      return int64_t{0};
    }},
    // IsValidEvent
    {[](LaunchTree &, LaunchNode &, const Request &request) {
      std::lock_guard lock(deviceSideMutex());
      const DeviceEvent *event = deviceEventFrom(request.subjectEvent);
      return int64_t{event && event->references};
    }},
    // CaptureProfiling: now, or when the event is complete.
    {[](LaunchTree &, LaunchNode &, const Request &request) {
      uint64_t times[2];
      {
        std::lock_guard lock(deviceSideMutex());
        DeviceEvent *event = deviceEventFrom(request.subjectEvent);
        if (!event || event->isUser) return int64_t{0};
        if (event->status == DeviceEvent::kPending) {
          event->profile = static_cast<uint64_t *>(request.destination);
          return int64_t{0};
        }
        std::copy(event->times, event->times + 2, times);
      }
      std::memcpy(request.destination, times, sizeof times);
      return int64_t{0};
    }},
    // WorkGroupSize
    {[](LaunchTree &tree, LaunchNode &, const Request &request) {
      const KernelInfo *kernel = tree.kernelOf(request);
      return static_cast<int64_t>(kernel ? tree.kernels_.maxWorkGroupSize(*kernel) : 0);
    }},
    // PreferredMultiple
    {[](LaunchTree &tree, LaunchNode &, const Request &request) {
      const KernelInfo *kernel = tree.kernelOf(request);
      return static_cast<int64_t>(kernel ? tree.kernels_.preferredMultiple(*kernel) : 0);
    }},
};

int64_t LaunchTree::ask(LaunchNode &node, abi::DeviceQueueOperation operation, const Request &request) {
  const auto row = static_cast<size_t>(operation);
  if (row >= std::size(kOperations)) return 0;
  try {
    return kOperations[row].act(*node.tree, node, request);
  } catch (const std::bad_alloc &) {
    return abi::kEnqueueFailure; // nothing can be thrown through a kernel
  }
}

Expected<ChildLaunch *> LaunchTree::next() {
  std::unique_lock lock(deviceSideMutex());
  for (;;) {
    // The finished ones at the front are of no use any more.
    while (!children_.empty() && (children_.front()->complete || !children_.front()->enqueued)) children_.pop_front();
    if (!ready_.empty()) {
      ChildLaunch *child = ready_.front();
      ready_.pop_front();
      return child;
    }
    if (incomplete_ == 0) return nullptr;
    if (--runningTrees == 0) {
      ++runningTrees;
      return std::unexpected(errorOf(
          {.kind = FindingKind::EventsNeverComplete, .kernel = std::string(kernelName_), .number = incomplete_}));
    }
    changed().notify_all(); // others that wait look again whether anybody is left
    changed().wait_for(lock, std::chrono::milliseconds(20));
    ++runningTrees;
  }
}

void LaunchTree::start(ChildLaunch &child) { child.started = monotonicNanoseconds(); }

void LaunchTree::end(ChildLaunch &child) {
  std::lock_guard lock(deviceSideMutex());
  child.ended = std::max(monotonicNanoseconds(), child.started + 1);
  settle({&child});
  changed().notify_all();
}

} // namespace us::exec
