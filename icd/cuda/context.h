// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts: one device each, its streams, its limits, and the error that stays with it.
#pragma once

#include "icd/cuda/device.h"
#include "icd/cuda/handles.h"
#include "runtime/core/context.h"
#include "runtime/core/memory_pool.h"
#include "runtime/core/queue.h"

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <vector>

namespace us::cuda {

class Context;
struct CheckedStream;
struct StreamCapture;

/// "[least, greatest] priority": 0 is the lowest.
inline constexpr int kHighestPriority = -5;

/// What an attribute of streams is before it is set.
CUlaunchAttributeValue initialStreamAttribute(CUstreamAttrID attribute);

/// A stream is an in-order queue of the core.
class Stream final : public Object {
public:
  Stream(Context &context, unsigned flags, int priority);

  Context &context() const { return *context_; }
  core::Queue &queue() const { return *queue_; }
  unsigned flags() const { return flags_; }
  int priority() const { return attribute(CU_LAUNCH_ATTRIBUTE_PRIORITY).priority; }
  CUlaunchAttributeValue attribute(CUstreamAttrID which) const {
    std::lock_guard hold(mutex_);
    const auto found = attributes_.find(which);
    return found == attributes_.end() ? initialStreamAttribute(which) : found->second;
  }
  void setAttribute(CUstreamAttrID which, const CUlaunchAttributeValue &value) {
    std::lock_guard hold(mutex_);
    attributes_[which] = value;
  }
  uint64_t id() const { return id_; }
  /// Its work waits for the legacy stream's, and the other way round.
  bool isBlocking() const { return (flags_ & CU_STREAM_NON_BLOCKING) == 0; }

  /// Adds a command, which runs behind what the default-stream rules demand.
  Expected<Ref<core::Event>> enqueue(core::CommandRequest &&request);
  /// Adds a command behind everything in the context's streams, and before all that is added to any of them later.
  Expected<void> enqueueBetweenAll(core::CommandRequest &&request);
  /// Adds a command and waits for it.
  Expected<void> run(core::CommandRequest &&request);
  /// Waits for everything; then the context knows of every failure.
  Expected<void> synchronise();
  /// True if nothing is left to do.
  bool isIdle();

  /// A free of memory from a pool, behind all there is now.
  Expected<core::FreePoint> freePoint(core::CommandRequest &&request);
  /// Which of those frees a command that is added now runs behind.
  core::FreeOrder order();
  /// The same of the last command.
  core::FreeOrder known() const;
  void learn(const core::FreeOrder &order);

  std::shared_ptr<CheckedStream> checked; ///< StreamChecks'
  std::shared_ptr<StreamCapture> capture; ///< null: it captures nothing; guarded by graphMutex

private:
  friend class Context;
  /// The legacy stream's next command runs behind all blocking streams, which later ones of theirs may rely on.
  void orderLegacy();
  std::vector<Ref<core::Event>> mustPrecede();
  /// Its last command, if that has not ended.
  void addLast(std::vector<Ref<core::Event>> &events);
  void note(const Ref<core::Event> &event);
  /// Looks at what has ended.
  void settle();

  Context *const context_; ///< outlives it: a context destroys its streams
  const Ref<core::Queue> queue_;
  const unsigned flags_;
  const uint64_t id_;

  mutable std::mutex mutex_;                                    // guards all below
  std::map<CUstreamAttrID, CUlaunchAttributeValue> attributes_; ///< those that were set
  std::deque<Ref<core::Event>> unsettled_;                      ///< what may still fail, oldest first
  core::FreeOrder behind_; ///< frees of other streams behind which the last command runs
  uint64_t frees_ = 0;     ///< of pools' memory, so far
};

class Context final : public Object {
public:
  Context(Device &device, CUdevice number, unsigned flags, bool isPrimary);

  Device &device() const { return *device_; }
  CUdevice number() const { return number_; }
  const LaunchLimits &launchLimits() const { return launchLimits_; }
  core::Context &core() const { return *core_; }
  uint64_t id() const { return id_; }
  bool isPrimary() const { return isPrimary_; }

  /// The error that a kernel left behind: every later call in the context returns it.
  Expected<void> check() const;
  void fails(const Error &error);

  Stream &legacyStream() { return *legacy_; }
  /// The same, or null while that is made.
  Stream *legacyIfMade() { return legacy_.get(); }
  /// The calling thread's own default stream.
  Ref<Stream> threadStream();
  Ref<Stream> makeStream(unsigned flags, int priority);
  void forget(Stream &stream);
  std::vector<Ref<Stream>> streams();
  /// Waits for all streams.
  Expected<void> synchronise();
  /// Looks at what has ended in all of them.
  void settle();
  /// What all that is added to its streams runs behind; null: nothing.
  Ref<core::Event> fence();
  void setFence(Ref<core::Event> event);
  /// What its kernels allocate from, of the size that CU_LIMIT_MALLOC_HEAP_SIZE says.
  Ref<KernelHeap> heap();

  std::atomic<unsigned> flags;
  std::atomic<int> cacheConfig{CU_FUNC_CACHE_PREFER_NONE}, sharedConfig{CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE};
  std::atomic<int> attachments{1}; ///< cuCtxAttach and cuCtxDetach
  std::array<std::atomic<size_t>, CU_LIMIT_MAX> limits;
  std::atomic<bool> destroyed{false};
  /// True if that was not so before.
  bool addPeer(uint64_t id) {
    std::lock_guard hold(mutex_);
    return peers_.insert(id).second;
  }
  bool removePeer(uint64_t id) {
    std::lock_guard hold(mutex_);
    return peers_.erase(id) != 0;
  }

private:
  friend class Stream;
  const Ref<Device> device_;
  const LaunchLimits launchLimits_;
  const CUdevice number_;
  const bool isPrimary_;
  const uint64_t id_;
  const Ref<core::Context> core_;
  Ref<Stream> legacy_;

  mutable std::mutex mutex_;         // guards all below
  std::vector<Ref<Stream>> streams_; ///< but the legacy one
  std::map<std::thread::id, Ref<Stream>> perThread_;
  std::set<uint64_t> peers_; ///< the contexts whose memory it may reach
  std::optional<Error> failure_;
  Ref<KernelHeap> heap_;
  Ref<core::Event> fence_;
  std::atomic<bool> hasFence_{false};
  std::atomic<bool> hasFailed_{false};
};

/// The calling thread's current context, which is usable: CUDA_ERROR_NOT_INITIALIZED, CUDA_ERROR_INVALID_CONTEXT,
/// CUDA_ERROR_CONTEXT_IS_DESTROYED, or the error that stays with it.
Expected<Ref<Context>> currentContext();
/// The same, without looking at the error that stays.
Expected<Ref<Context>> currentContextAnyState();
/// For calls that need no context: null if none is current. The errors of currentContext but for that.
Expected<Ref<Context>> currentContextIfAny();
/// Waits for all that is under way, in all contexts.
void synchroniseContexts();
/// CUDA_ERROR_INVALID_CONTEXT.
Expected<Ref<Context>> contextOf(CUcontext handle);
CUcontext handleOf(const Context &context);

/// A context that is destroyed takes its streams with it.
void forgetStreamsOf(const Context &context);

/// The stream of a handle, default streams too: CUDA_ERROR_INVALID_HANDLE, and the errors of currentContext.
Expected<Ref<Stream>> streamOf(CUstream handle);
/// The same, but only the default streams need a current context.
Expected<Ref<Stream>> streamAnywhere(CUstream handle);

} // namespace us::cuda
