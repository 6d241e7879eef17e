// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "icd/math/session.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <mutex>
#include <unistd.h>
#include <unordered_set>

namespace us::math {
namespace {

/// The driver as the process finds it.
struct Driver {
#define US_DRIVER(DO)                                                                                                  \
  DO(cuInit)                                                                                                           \
  DO(cuDeviceGetCount)                                                                                                 \
  DO(cuDevicePrimaryCtxRetain)                                                                                         \
  DO(cuCtxGetDevice)                                                                                                   \
  DO(cuCtxGetCurrent)                                                                                                  \
  DO(cuCtxSetCurrent)                                                                                                  \
  DO(cuCtxPushCurrent_v2)                                                                                              \
  DO(cuCtxPopCurrent_v2)                                                                                               \
  DO(cuMemAlloc_v2)                                                                                                    \
  DO(cuMemFree_v2)                                                                                                     \
  DO(cuMemAllocAsync)                                                                                                  \
  DO(cuMemFreeAsync)                                                                                                   \
  DO(cuModuleLoadData)                                                                                                 \
  DO(cuModuleUnload)                                                                                                   \
  DO(cuModuleGetFunction)                                                                                              \
  DO(cuLaunchKernel)                                                                                                   \
  DO(cuDeviceGetAttribute)                                                                                             \
  DO(cuMemcpyHtoD_v2)                                                                                                  \
  DO(cuMemcpy2DUnaligned_v2)                                                                                           \
  DO(cuMemcpy2DAsync_v2)                                                                                               \
  DO(cuPointerGetAttribute)                                                                                            \
  DO(cuLaunchHostFunc)                                                                                                 \
  DO(cuStreamSynchronize)                                                                                              \
  DO(cuStreamGetCaptureInfo_v2)                                                                                        \
  DO(cuUserObjectCreate)                                                                                               \
  DO(cuUserObjectRelease)                                                                                              \
  DO(cuGraphRetainUserObject)
#define US_DECLARE(NAME) decltype(&::NAME) NAME = nullptr;
  US_DRIVER(US_DECLARE)

  bool isComplete = false;

  Driver() {
    void *const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL); // never closed: its threads outlive us
    if (!library) return;
    isComplete = true;
#define US_FIND(NAME)                                                                                                  \
  NAME = reinterpret_cast<decltype(NAME)>(dlsym(library, #NAME));                                                      \
  isComplete = isComplete && NAME;
    US_DRIVER(US_FIND)
  }
};

const Driver &driver() {
  static const Driver found; // destroyed trivially: calls come while the process ends
  return found;
}

/// Can the host read there? The kernel is asked, which does not fault.
bool isReadable(CUdeviceptr address) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const bool isReadable = write(ends[1], reinterpret_cast<const void *>(address), 1) == 1;
  char value = 0;
  const bool isOurs = isReadable && read(ends[0], &value, 1) == 1 && value == 'U';
  close(ends[0]);
  close(ends[1]);
  return isOurs;
}

bool isDeviceMemoryReadable() {
  CUdeviceptr memory = 0;
  if (driver().cuMemAlloc_v2(&memory, 1) != CUDA_SUCCESS) return false;
  const bool is = driver().cuMemcpyHtoD_v2(memory, "U", 1) == CUDA_SUCCESS && isReadable(memory);
  driver().cuMemFree_v2(memory);
  return is;
}

/// A handle's context is the current one while a call does its work.
class Current {
public:
  explicit Current(CUcontext context) : result_(driver().cuCtxPushCurrent_v2(context)) {}
  ~Current() {
    CUcontext popped = nullptr;
    if (result_ == CUDA_SUCCESS) driver().cuCtxPopCurrent_v2(&popped);
  }
  Current(const Current &) = delete;
  Current &operator=(const Current &) = delete;
  CUresult result() const { return result_; }

private:
  CUresult result_;
};

using Work = std::function<void()>;
void callOnce(void *work) { (*std::unique_ptr<Work>(static_cast<Work *>(work)))(); }
void call(void *work) { (*static_cast<Work *>(work))(); }
void destroy(void *work) { delete static_cast<Work *>(work); }

/// Gives the work to the graph, which may run it often and outlive whoever asked for it.
CUresult giveToGraph(CUgraph graph, Work *work) {
  CUuserObject object = nullptr;
  if (const CUresult result = driver().cuUserObjectCreate(&object, work, destroy, 1, CU_USER_OBJECT_NO_DESTRUCTOR_SYNC);
      result != CUDA_SUCCESS) {
    delete work;
    return result;
  }
  const CUresult result = driver().cuGraphRetainUserObject(graph, object, 1, CU_GRAPH_USER_OBJECT_MOVE);
  if (result != CUDA_SUCCESS) driver().cuUserObjectRelease(object, 1);
  return result;
}

CUDA_MEMCPY2D box(const void *from, size_t fromPitch, void *into, size_t intoPitch, size_t width, size_t rows) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
  copy.srcDevice = reinterpret_cast<CUdeviceptr>(from);
  copy.dstDevice = reinterpret_cast<CUdeviceptr>(into);
  copy.srcPitch = fromPitch;
  copy.dstPitch = intoPitch;
  copy.WidthInBytes = width;
  copy.Height = rows;
  return copy;
}

std::mutex handlesMutex;
std::unordered_set<const void *> &handles() { // guarded by handlesMutex
  static auto *const all = new std::unordered_set<const void *>;
  return *all;
}

} // namespace

void say(const char *function, const char *format, ...) {
  char sentence[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(sentence, sizeof sentence, format, arguments);
  va_end(arguments);
  std::fprintf(stderr, "understudy: %s: %s\n", function, sentence);
}

namespace {

CUresult initialize(const char *function) {
  if (driver().isComplete && driver().cuInit(0) == CUDA_SUCCESS) return CUDA_SUCCESS;
  say(function, "there is no CUDA driver (libcuda.so.1); start the program with 'understudy run'");
  return CUDA_ERROR_NOT_INITIALIZED;
}

CUresult checkThatItIsEmulated(const char *function) {
  if (isDeviceMemoryReadable()) return CUDA_SUCCESS;
  say(function, "this library computes on emulated devices; for the current device, a real one, use NVIDIA's own");
  return CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace

CUresult Session::start(const char *function) {
  if (const CUresult result = initialize(function); result != CUDA_SUCCESS) return result;
  if (const CUresult result = driver().cuCtxGetCurrent(&context_); result != CUDA_SUCCESS) return result;
  if (!context_) {
    if (const CUresult result = driver().cuDevicePrimaryCtxRetain(&context_, 0); result != CUDA_SUCCESS) return result;
    if (const CUresult result = driver().cuCtxSetCurrent(context_); result != CUDA_SUCCESS) return result;
  }
  return checkThatItIsEmulated(function);
}

CUresult Session::startOn(const char *function, int device) {
  if (const CUresult result = initialize(function); result != CUDA_SUCCESS) return result;
  if (const CUresult result = driver().cuDevicePrimaryCtxRetain(&context_, device); result != CUDA_SUCCESS)
    return result;
  const Current current(context_);
  return current.result() == CUDA_SUCCESS ? checkThatItIsEmulated(function) : current.result();
}

CUresult Session::run(std::function<void()> work, bool wait) const {
  const Current current(context_);
  if (current.result() != CUDA_SUCCESS) return current.result();
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  cuuint64_t id = 0;
  CUgraph graph = nullptr;
  if (const CUresult result = driver().cuStreamGetCaptureInfo_v2(stream, &status, &id, &graph, nullptr, nullptr);
      result != CUDA_SUCCESS)
    return result;
  auto *const kept = new Work(std::move(work));
  if (status == CU_STREAM_CAPTURE_STATUS_ACTIVE) {
    if (const CUresult result = giveToGraph(graph, kept); result != CUDA_SUCCESS) return result;
    return driver().cuLaunchHostFunc(stream, call, kept);
  }
  if (const CUresult result = driver().cuLaunchHostFunc(stream, callOnce, kept); result != CUDA_SUCCESS) {
    delete kept;
    return result;
  }
  return wait ? driver().cuStreamSynchronize(stream) : CUDA_SUCCESS;
}

CUresult Session::synchronize() const {
  const Current current(context_);
  return current.result() == CUDA_SUCCESS ? driver().cuStreamSynchronize(stream) : current.result();
}

CUresult Session::where(int *device, int *count) const {
  const Current current(context_);
  if (current.result() != CUDA_SUCCESS) return current.result();
  if (const CUresult result = driver().cuDeviceGetCount(count); result != CUDA_SUCCESS) return result;
  return driver().cuCtxGetDevice(device);
}

bool Session::reaches(const void *pointer, size_t bytes) {
  auto address = reinterpret_cast<CUdeviceptr>(pointer);
  // Reserved addresses may have several mappings in a row: pools of clients grow so.
  while (bytes > 0) {
    CUdeviceptr start = 0;
    size_t size = 0;
    if (driver().cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) != CUDA_SUCCESS ||
        driver().cuPointerGetAttribute(&size, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) != CUDA_SUCCESS ||
        address - start >= size)
      return false;
    const size_t here = std::min<size_t>(bytes, size - (address - start));
    address += here;
    bytes -= here;
  }
  return true;
}

CUresult Session::allocate(void **memory, size_t bytes) const {
  const Current current(context_);
  if (current.result() != CUDA_SUCCESS) return current.result();
  CUdeviceptr address = 0;
  const CUresult result = driver().cuMemAlloc_v2(&address, bytes);
  *memory = reinterpret_cast<void *>(address);
  return result;
}

CUresult Session::release(void *memory) { return driver().cuMemFree_v2(reinterpret_cast<CUdeviceptr>(memory)); }

CUresult Session::allocateOnStream(void **memory, size_t bytes) const {
  const Current current(context_);
  if (current.result() != CUDA_SUCCESS) return current.result();
  CUdeviceptr address = 0;
  const CUresult result = driver().cuMemAllocAsync(&address, bytes, stream);
  *memory = reinterpret_cast<void *>(address);
  return result;
}

CUresult Session::releaseOnStream(void *memory) const {
  const Current current(context_);
  return current.result() == CUDA_SUCCESS ? driver().cuMemFreeAsync(reinterpret_cast<CUdeviceptr>(memory), stream)
                                          : current.result();
}

CUresult Session::load(const void *image, CUmodule *module) const {
  const Current current(context_);
  return current.result() == CUDA_SUCCESS ? driver().cuModuleLoadData(module, image) : current.result();
}

CUresult Session::find(CUmodule module, const char *name, CUfunction *kernel) const {
  const Current current(context_);
  return current.result() == CUDA_SUCCESS ? driver().cuModuleGetFunction(kernel, module, name) : current.result();
}

CUresult Session::unload(CUmodule module) const {
  const Current current(context_);
  return current.result() == CUDA_SUCCESS ? driver().cuModuleUnload(module) : current.result();
}

CUresult Session::launch(CUfunction kernel, unsigned blocks, unsigned threads, unsigned sharedBytes,
                         void *parameter) const {
  const Current current(context_);
  if (current.result() != CUDA_SUCCESS) return current.result();
  return driver().cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, sharedBytes, stream, &parameter, nullptr);
}

CUresult Session::architecture(int *number) const {
  int device = 0, count = 0, major = 0, minor = 0;
  if (const CUresult result = where(&device, &count); result != CUDA_SUCCESS) return result;
  driver().cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  driver().cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  *number = major * 10 + minor;
  return CUDA_SUCCESS;
}

CUresult Session::copy(const void *from, size_t fromPitch, void *into, size_t intoPitch, size_t width,
                       size_t rows) const {
  if (!driver().isComplete) return CUDA_ERROR_NOT_INITIALIZED;
  const CUDA_MEMCPY2D what = box(from, fromPitch, into, intoPitch, width, rows);
  return driver().cuMemcpy2DUnaligned_v2(&what);
}

CUresult Session::copyAsync(const void *from, size_t fromPitch, void *into, size_t intoPitch, size_t width, size_t rows,
                            CUstream on) const {
  if (!driver().isComplete) return CUDA_ERROR_NOT_INITIALIZED;
  const CUDA_MEMCPY2D what = box(from, fromPitch, into, intoPitch, width, rows);
  return driver().cuMemcpy2DAsync_v2(&what, on);
}

void addHandle(const void *handle) {
  const std::lock_guard lock(handlesMutex);
  handles().insert(handle);
}

bool isHandle(const void *handle) {
  const std::lock_guard lock(handlesMutex);
  return handles().count(handle) != 0;
}

bool removeHandle(const void *handle) {
  const std::lock_guard lock(handlesMutex);
  return handles().erase(handle) != 0;
}

} // namespace us::math
