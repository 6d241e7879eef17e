// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams that wait for events of the other side. Neither side knows the other's events, and no thread waits for them:
// when such an event ends, its side calls back, and what it calls lets the stream go on. An emulated stream waits for a
// user event of the core's, a real one for a word of pinned memory.
#include "icd/cuda/event.h"
#include "icd/cuda/forward/both.h"
#include "icd/cuda/forward/current_side.h"
#include "icd/cuda/forward/owners.h"
#include "icd/cuda/forward/real_driver.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

namespace us::cuda::both {
namespace {

/// For a while the real driver's current context of this thread.
class CurrentReal {
public:
  explicit CurrentReal(CUcontext context) : result_(US_REAL(cuCtxPushCurrent_v2)(context)) {}
  ~CurrentReal() {
    CUcontext popped = nullptr;
    if (result_ == CUDA_SUCCESS) US_REAL(cuCtxPopCurrent_v2)(&popped);
  }
  CurrentReal(const CurrentReal &) = delete;
  CurrentReal &operator=(const CurrentReal &) = delete;
  CUresult result() const { return result_; }

private:
  const CUresult result_;
};

/// A context that stays: the first real device's primary one, held from now on. "The hEvent may be from a different
/// context or device than hStream", so this one serves for the events of all.
CUcontext keptContext() {
  static std::mutex mutex;
  static CUcontext kept = nullptr;
  std::lock_guard hold(mutex);
  if (!kept && US_REAL(cuDevicePrimaryCtxRetain)(&kept, 0) != CUDA_SUCCESS) kept = nullptr;
  return kept;
}

/// Words that the host and the real devices see. One is free while it is 0, which the stream that waited makes it
/// again.
class Words {
public:
  static constexpr uint32_t kFree = 0, kAwaited = 1, kThere = 2;

  /// Null if there is none.
  std::atomic<uint32_t> *take() {
    std::lock_guard hold(mutex_);
    if (!isThere() && !allocate()) return nullptr;
    for (size_t i = 0; i < kCount; ++i) {
      uint32_t was = kFree;
      std::atomic<uint32_t> &word = words_[next_++ % kCount];
      if (word.compare_exchange_strong(was, kAwaited)) return &word;
    }
    return nullptr;
  }

private:
  static constexpr size_t kCount = 1024;

  /// cuDevicePrimaryCtxReset frees what its context has.
  bool isThere() const { return words_ && kindOfRealMemory(reinterpret_cast<uint64_t>(words_)) == CU_MEMORYTYPE_HOST; }
  bool allocate() {
    void *memory = nullptr;
    const CurrentReal here(keptContext());
    constexpr size_t kSize = kCount * sizeof(std::atomic<uint32_t>);
    if (here.result() != CUDA_SUCCESS ||
        US_REAL(cuMemHostAlloc)(&memory, kSize, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP) != CUDA_SUCCESS)
      return false;
    words_ = new (memory) std::atomic<uint32_t>[kCount]();
    return true;
  }

  std::mutex mutex_; // guards all below
  std::atomic<uint32_t> *words_ = nullptr;
  size_t next_ = 0;
};

Words &words() {
  static auto &all = *new Words;
  return all;
}

using Then = std::function<void()>;

/// Calls `then` when what was last recorded in an emulated event has ended, well or not: errors stay with their side.
CUresult afterOwn(CUevent handle, Then then) {
  const Expected<Ref<Event>> event = eventOf(handle);
  if (!event) return resultOf(event.error());
  // "a dependency would have been created which crosses the capture sequence boundary"
  if ((*event)->isCaptured.load(std::memory_order_acquire)) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  if ((*event)->shared()) { // nobody calls when another process is done
    const CUresult ended = US_EMULATED(cuEventSynchronize)(handle);
    if (ended == CUDA_SUCCESS) then();
    return ended;
  }
  const Ref<core::Event> recorded = (*event)->recorded();
  // "If hEvent was not recorded, the call does nothing."
  if (!recorded) {
    then();
    return CUDA_SUCCESS;
  }
  recorded->addCallback(core::EventState::Complete, [then = std::move(then)](const core::EventStatus &) { then(); });
  return CUDA_SUCCESS;
}

void callThen(CUstream, CUresult, void *then) { (*std::unique_ptr<Then>(static_cast<Then *>(then)))(); }

/// The same of a real event. A callback of a stream's is called after a failure, too, which a host function is not.
CUresult afterReal(CUevent event, Then then) {
  const CurrentReal here(keptContext());
  if (here.result() != CUDA_SUCCESS) return here.result();
  CUstream stream = nullptr;
  CUresult result = US_REAL(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING);
  if (result != CUDA_SUCCESS) return result;
  result = US_REAL(cuStreamWaitEvent)(stream, event, 0);
  CUstreamCaptureStatus captures = CU_STREAM_CAPTURE_STATUS_NONE;
  if (result == CUDA_SUCCESS) result = US_REAL(cuStreamIsCapturing)(stream, &captures);
  if (captures != CU_STREAM_CAPTURE_STATUS_NONE) result = CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  if (result == CUDA_SUCCESS) {
    auto held = std::make_unique<Then>(std::move(then));
    result = US_REAL(cuStreamAddCallback)(stream, &callThen, held.get(), 0);
    if (result == CUDA_SUCCESS) (void)held.release();
  }
  // "In case the device is still doing work in the stream ... the resources ... will be released automatically once the
  // device has completed all work"
  US_REAL(cuStreamDestroy_v2)(stream);
  return result;
}

CUresult ownWaits(CUstream stream, CUevent event) {
  const Expected<Ref<Stream>> waiting = streamOf(stream);
  if (!waiting) return resultOf(waiting.error());
  Context &context = (*waiting)->context();
  const Ref<core::Event> end = core::Event::createUser(context.core());
  const CUresult result = afterReal(event, [end] { (void)end->completeUser(0); });
  if (result != CUDA_SUCCESS) return result;
  auto carrier = makeRef<Event>(context, unsigned(CU_EVENT_DISABLE_TIMING));
  carrier->record(end, {});
  const CUevent handle = addEvent(std::move(carrier));
  const CUresult waits = US_EMULATED(cuStreamWaitEvent)(stream, handle, 0);
  US_EMULATED(cuEventDestroy_v2)(handle);
  return waits;
}

void waitForWord(void *given) {
  const std::unique_ptr<std::shared_ptr<std::atomic<bool>>> word(
      static_cast<std::shared_ptr<std::atomic<bool>> *>(given));
  (*word)->wait(false);
}

/// Without waits for values: a thread of the driver's waits.
CUresult realWaitsOnTheHost(CUstream stream, CUevent event) {
  auto isThere = std::make_shared<std::atomic<bool>>(false);
  const CUresult result = afterOwn(event, [isThere] {
    *isThere = true;
    isThere->notify_all();
  });
  if (result != CUDA_SUCCESS) return result;
  auto held = std::make_unique<std::shared_ptr<std::atomic<bool>>>(isThere);
  const CUresult waits = US_REAL(cuLaunchHostFunc)(stream, &waitForWord, held.get());
  if (waits == CUDA_SUCCESS) (void)held.release();
  return waits;
}

CUresult realWaits(CUstream stream, CUevent event) {
  CUcontext context = nullptr;
  CUresult result = US_REAL(cuStreamGetCtx)(stream, &context);
  if (result != CUDA_SUCCESS) return result;
  const CurrentReal here(context);
  if (here.result() != CUDA_SUCCESS) return here.result();
  CUstreamCaptureStatus captures = CU_STREAM_CAPTURE_STATUS_NONE;
  result = US_REAL(cuStreamIsCapturing)(stream, &captures);
  if (result != CUDA_SUCCESS) return result;
  if (captures != CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;

  std::atomic<uint32_t> *const word = words().take();
  if (!word) return realWaitsOnTheHost(stream, event);
  const auto address = reinterpret_cast<CUdeviceptr>(word);
  result = US_REAL(cuStreamWaitValue32_v2)(stream, address, Words::kThere, CU_STREAM_WAIT_VALUE_GEQ);
  if (result != CUDA_SUCCESS) { // not every device and stream can
    word->store(Words::kFree);
    return realWaitsOnTheHost(stream, event);
  }
  const CUresult follows = afterOwn(event, [word] { word->store(Words::kThere); });
  if (follows != CUDA_SUCCESS) word->store(Words::kThere);
  result = US_REAL(cuStreamWriteValue32_v2)(stream, address, Words::kFree, 0);
  return follows == CUDA_SUCCESS ? result : follows;
}

} // namespace

CUresult splitStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  // "CU_EVENT_WAIT_DEFAULT" and "CU_EVENT_WAIT_EXTERNAL" are the flags.
  if (flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  return isOwnHandle(event) ? realWaits(stream, event) : ownWaits(stream, event);
}

} // namespace us::cuda::both
