// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A launch and what it enqueues on the device, directly or not. Kernels put launches into the tree while they run; when
// the launch that came from the host has ended, its thread takes them out, one after the other, runs them (each on all
// threads, like any launch), and ends them. A launch is complete when it has ended and all that it enqueued is.
// Nothing here is of OpenCL C but the request: another language's device-side launches can use the same tree.
#pragma once

#include "emulator/abi/device_queue_abi.h"
#include "runtime/base/expected.h"
#include "runtime/device/device_queue.h"
#include "runtime/device/device_runtime.h"
#include "runtime/device/executable.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace us::exec {

struct DeviceEvent;
class LaunchTree;

/// What queue_t points to. It only counts: what is enqueued lies in the tree.
class OnDeviceQueue final : public DeviceQueue {
public:
  explicit OnDeviceQueue(uint32_t size);
  ~OnDeviceQueue() override;
  uint32_t size() const override { return size_; }
  uint64_t argument() const override { return reinterpret_cast<uint64_t>(this); }

private:
  friend class LaunchTree;
  const uint32_t size_;
  uint64_t used_ = 0; ///< bytes; guarded by deviceSideMutex
};

/// What the kernels of a launch call of an API's device runtime.
class GridCalls {
public:
  GridCalls(DeviceRuntime &runtime, DeviceRuntime::Grid &grid, KernelMemory &memory)
      : runtime_(runtime), grid_(grid), memory_(memory) {}
  virtual ~GridCalls() = default;
  uint64_t call(DeviceFunction function, DeviceCall &call) {
    const uint64_t result = runtime_.call(grid_, function, call, memory_);
    if (function == DeviceFunction::DeviceSynchronize && result == 0) runChildren();
    return result;
  }

protected:
  /// Runs what the launch has launched so far, while its own threads wait.
  virtual void runChildren() = 0;
  DeviceRuntime &runtime_;
  DeviceRuntime::Grid &grid_;
  KernelMemory &memory_;
};

/// A place in the tree: what a running kernel enqueues belongs there. Null: the kernel has no tree, or no runtime.
struct LaunchNode {
  GridCalls *grids = nullptr;
  LaunchTree *tree = nullptr;
  LaunchNode *parent = nullptr;
  uint32_t open = 1; ///< itself and those it enqueued that are not complete
};

/// A kernel, or a marker, that was enqueued on the device.
struct ChildLaunch : LaunchNode {
  const KernelInfo *kernel = nullptr; ///< null: a marker
  abi::NdRange range;
  std::byte *block = nullptr; ///< a copy of the literal, aligned as it asks
  std::vector<uint64_t> localSizes;

  ChildLaunch() = default;
  ChildLaunch(const ChildLaunch &) = delete;
  ChildLaunch &operator=(const ChildLaunch &) = delete;
  ~ChildLaunch();

private:
  friend class LaunchTree;
  OnDeviceQueue *queue = nullptr;
  uint64_t bytes = 0; ///< taken from the queue
  DeviceEvent *event = nullptr;
  std::vector<uint64_t> waitList;
  uint32_t waits = 0;
  bool enqueued = false, failed = false, complete = false;
  uint64_t started = 0, ended = 0;
  int status = 0;
};

/// What blocks were made into, and what may be asked of a launch.
class BlockKernels {
public:
  virtual ~BlockKernels() = default;
  /// Null if there is none of that name.
  virtual const KernelInfo *find(std::string_view name) const = 0;
  /// Whether the device can launch that.
  virtual Expected<void> check(const KernelInfo &kernel, const abi::NdRange &range, uint64_t localMemory) const = 0;
  virtual uint64_t maxWorkGroupSize(const KernelInfo &kernel) const = 0;
  virtual uint64_t preferredMultiple(const KernelInfo &kernel) const = 0;
};

/// Bytes of a work-group's local memory for such a launch; `offsets` receives where the arguments lie.
uint64_t placeLocalArguments(const KernelInfo &kernel, const std::vector<uint64_t> &sizes,
                             std::vector<uint64_t> *offsets = nullptr);

class LaunchTree {
public:
  /// `kernelName`: of the host's launch. `defaultQueue`: what get_default_queue() gives, or 0.
  LaunchTree(const BlockKernels &kernels, std::string_view kernelName, uint64_t defaultQueue);
  /// What was not run is dropped; its events have an error.
  ~LaunchTree();
  LaunchTree(const LaunchTree &) = delete;
  LaunchTree &operator=(const LaunchTree &) = delete;

  /// Where the launch of the host stands.
  LaunchNode &root() { return root_; }

  /// Called by kernels: does what is asked in the name of `node`'s launch.
  static int64_t ask(LaunchNode &node, abi::DeviceQueueOperation operation, const abi::DeviceQueueRequest &request);

  /// After the root's launch has ended: the next launch to run, null if there is none. Waits for other trees to set
  /// events where some are waited for; the finding EventsNeverComplete if nobody is left who could.
  Expected<ChildLaunch *> next();
  void start(ChildLaunch &child);
  void end(ChildLaunch &child);

private:
  using Request = abi::DeviceQueueRequest;
  int64_t enqueue(LaunchNode &node, const Request &request, bool isMarker);
  Expected<uint64_t> admit(ChildLaunch &child, LaunchNode &node, OnDeviceQueue &queue, bool wantsEvent);
  int64_t refuse(ChildLaunch *child, const std::string &why);
  const KernelInfo *kernelOf(const Request &request) const;
  static void settle(std::vector<ChildLaunch *> work);
  static void completeEvent(DeviceEvent &event, int status, std::vector<ChildLaunch *> &work);
  void forget(ChildLaunch &child);

  struct Row;
  static const Row kOperations[];

  const BlockKernels &kernels_;
  const std::string_view kernelName_;
  const uint64_t defaultQueue_;
  LaunchNode root_;
  // Guarded by deviceSideMutex:
  std::deque<std::unique_ptr<ChildLaunch>> children_;
  std::deque<ChildLaunch *> ready_;
  uint64_t incomplete_ = 0; ///< enqueued and not complete
};

} // namespace us::exec
