// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cudart/thread_state.h"

#include <atomic>
#include <map>
#include <mutex>

namespace us::cudart {
namespace {

constexpr unsigned kDeepestLaunch = 16;

struct Thread {
  cudaError_t lastError;
  int device;
  CUcontext context;    ///< was found to be usable ...
  unsigned generation;  ///< ... when so many contexts had been reset
  unsigned ownDefaults; ///< how many calls count on an own default stream
  unsigned launches;
  LaunchShape shapes[kDeepestLaunch];
};
// Zero at first and without a destructor: calls come while threads begin and end.
constinit thread_local Thread thread = {};

struct Primary {
  CUcontext context = nullptr;
  bool isRetained = false;
  bool isSpoiled = false; ///< it was reset behind a fault
};
struct Primaries {
  std::mutex mutex; // guards all below
  std::map<int, Primary> ofDevice;
};
Primaries &primaries() {
  static auto &all = *new Primaries;
  return all;
}
/// How often a primary context was reset: what threads know of theirs may be out of date then.
std::atomic<unsigned> generation{0};

/// Needs the mutex.
cudaError_t retain(int device, Primary &primary) {
  if (primary.isRetained) return cudaSuccess;
  // "To continue using CUDA, the process must be terminated and relaunched": what NVIDIA's runtime says from then on.
  if (primary.isSpoiled) return cudaErrorDevicesUnavailable;
  US_RETURN_IF_ERROR(errorOf(driver().cuDevicePrimaryCtxRetain(&primary.context, device)));
  primary.isRetained = true;
  return cudaSuccess;
}

cudaError_t makeCurrent(int device) {
  CUcontext context = nullptr;
  US_RETURN_IF_ERROR(primaryContext(device, &context));
  US_RETURN_IF_ERROR(errorOf(driver().cuCtxSetCurrent(context)));
  thread.context = context;
  thread.generation = generation.load(std::memory_order_acquire);
  return cudaSuccess;
}

/// The device whose primary context was reset while it was current, or -1.
int deviceOfLost(CUcontext context) {
  std::lock_guard hold(primaries().mutex);
  for (const auto &[device, primary] : primaries().ofDevice)
    if (primary.context == context && !primary.isRetained) return device;
  return -1;
}

} // namespace

cudaError_t noteError(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) thread.lastError = error;
  return error;
}
cudaError_t lastError() { return thread.lastError; }
void forgetLastError() { thread.lastError = cudaSuccess; }

cudaError_t primaryContext(int device, CUcontext *context) {
  US_RETURN_IF_ERROR(startDriver());
  std::lock_guard hold(primaries().mutex);
  Primary &primary = primaries().ofDevice[device];
  US_RETURN_IF_ERROR(retain(device, primary));
  *context = primary.context;
  return cudaSuccess;
}

cudaError_t useContext() {
  US_RETURN_IF_ERROR(startDriver());
  CUcontext current = nullptr;
  US_RETURN_IF_ERROR(errorOf(driver().cuCtxGetCurrent(&current)));
  const unsigned now = generation.load(std::memory_order_acquire);
  if (current && current == thread.context && thread.generation == now) return cudaSuccess;
  if (!current) return makeCurrent(thread.device);
  if (const int device = deviceOfLost(current); device >= 0) return makeCurrent(device);
  thread.context = current;
  thread.generation = now;
  return cudaSuccess;
}

cudaError_t currentDevice(int *device) {
  US_RETURN_IF_ERROR(startDriver());
  CUcontext current = nullptr;
  CUdevice number = 0;
  if (driver().cuCtxGetCurrent(&current) == CUDA_SUCCESS && current && deviceOfLost(current) < 0 &&
      driver().cuCtxGetDevice(&number) == CUDA_SUCCESS) {
    *device = number;
    return cudaSuccess;
  }
  *device = thread.device;
  return cudaSuccess;
}

cudaError_t makeDeviceCurrent(int device) {
  US_RETURN_IF_ERROR(startDriver());
  int count = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuDeviceGetCount(&count)));
  if (count == 0) return cudaErrorNoDevice;
  if (device < 0 || device >= count) return cudaErrorInvalidDevice;
  US_RETURN_IF_ERROR(makeCurrent(device));
  thread.device = device;
  return cudaSuccess;
}

cudaError_t resetDevice() {
  int device = 0;
  US_RETURN_IF_ERROR(currentDevice(&device));
  std::lock_guard hold(primaries().mutex);
  Primary &primary = primaries().ofDevice[device];
  CUcontext current = nullptr;
  size_t left = 0, all = 0;
  if (primary.isRetained && driver().cuCtxGetCurrent(&current) == CUDA_SUCCESS && current == primary.context)
    primary.isSpoiled = driver().cuMemGetInfo_v2(&left, &all) != CUDA_SUCCESS;
  const cudaError_t error = errorOf(driver().cuDevicePrimaryCtxReset_v2(device));
  // A driver may keep count of who retained it; that it does not is no error.
  if (primary.isRetained) driver().cuDevicePrimaryCtxRelease_v2(device);
  primary.isRetained = false;
  generation.fetch_add(1, std::memory_order_release);
  return error;
}

bool pushLaunch(const LaunchShape &shape) {
  if (thread.launches == kDeepestLaunch) return false;
  thread.shapes[thread.launches++] = shape;
  return true;
}

bool popLaunch(LaunchShape &shape) {
  if (thread.launches == 0) return false;
  shape = thread.shapes[--thread.launches];
  return true;
}

PerThreadDefaultStream::PerThreadDefaultStream() { ++thread.ownDefaults; }
PerThreadDefaultStream::~PerThreadDefaultStream() { --thread.ownDefaults; }
bool hasOwnDefaultStream() { return thread.ownDefaults > 0; }

CUstream streamOf(cudaStream_t stream) { return stream || !hasOwnDefaultStream() ? stream : CU_STREAM_PER_THREAD; }

} // namespace us::cudart
