// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Wrong calls of the runtime API, and what each answers: "call: code, last code" in a line, where the last code is what
// cudaGetLastError() tells behind it. The library is opened by its name, so that NVIDIA's own answers can be had where
// there is one; runtime_mistakes.expected has them. Usage: runtime_mistakes LIBRARY
// What spoils a context is tried in processes of its own: runtime_mistakes LIBRARY NAME.
#include "cuda_runtime_api.h"

#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

void *library;

template <class F> F find(const char *name) {
  void *const found = dlsym(library, name);
  if (!found) {
    std::printf("%s: not there\n", name);
    std::fflush(stdout);
    _exit(3);
  }
  return reinterpret_cast<F>(found);
}
#define RT(NAME) find<decltype(&::NAME)>(#NAME)

void tell(const char *what, cudaError_t code) {
  const cudaError_t last = RT(cudaGetLastError)();
  std::printf("%s: %d, last %d\n", what, code, last);
}
// NVIDIA's runtime is not proof against all of this.
sigjmp_buf beforeCall;
void leaveCall(int) { siglongjmp(beforeCall, 1); }
// Where the arguments' spelling says too little.
#define TRY_AS(WHAT, NAME, ...)                                                                                        \
  do {                                                                                                                 \
    if (sigsetjmp(beforeCall, 1) == 0)                                                                                 \
      tell(WHAT, RT(NAME) __VA_ARGS__);                                                                                \
    else                                                                                                               \
      std::printf("%s: crashes\n", WHAT);                                                                              \
  } while (false)
#define TRY(NAME, ...) TRY_AS(#NAME #__VA_ARGS__, NAME, __VA_ARGS__)

constexpr const char *kCode = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 counter;
.visible .entry nothing() { ret; }
.visible .entry one_argument(.param .u64 to) {
  .reg .b64 %a<2>;
  ld.param.u64 %a1, [to];
  st.global.u32 [%a1], 7;
  ret;
}
.visible .entry small_blocks() .maxntid 64, 1, 1 { ret; }
.visible .entry stop() { trap; }
.visible .entry shared_memory() {
  .shared .align 4 .b8 all[4096];
  .reg .b32 %r<2>;
  ld.shared.u32 %r1, [all];
  st.shared.u32 [all+4], %r1;
  ret;
}
)";

cudaKernel_t kernel(const char *name) {
  static cudaLibrary_t code = nullptr;
  if (!code && RT(cudaLibraryLoadData)(&code, kCode, nullptr, nullptr, 0, nullptr, nullptr, 0) != cudaSuccess) {
    std::printf("the code is not loaded\n");
    _exit(4);
  }
  cudaKernel_t found = nullptr;
  RT(cudaLibraryGetKernel)(&found, code, name);
  return found;
}

void *any(uintptr_t value) { return reinterpret_cast<void *>(value); }

void devices() {
  int value = 0, count = 0;
  RT(cudaGetDeviceCount)(&count);
  char text[64];
  static cudaDeviceProp properties;
  TRY(cudaGetDeviceCount, (nullptr));
  TRY(cudaSetDevice, (-1));
  TRY_AS("cudaSetDevice(count)", cudaSetDevice, (count));
  TRY(cudaGetDevice, (nullptr));
  TRY(cudaGetDeviceProperties, (nullptr, 0));
  TRY(cudaGetDeviceProperties, (&properties, 1000));
  TRY(cudaGetDeviceProperties, (&properties, -1));
  TRY(cudaDeviceGetAttribute, (nullptr, cudaDevAttrWarpSize, 0));
  TRY(cudaDeviceGetAttribute, (&value, (cudaDeviceAttr)9999, 0));
  TRY(cudaDeviceGetAttribute, (&value, (cudaDeviceAttr)0, 0));
  TRY(cudaDeviceGetAttribute, (&value, cudaDevAttrWarpSize, 1000));
  TRY(cudaDeviceGetPCIBusId, (nullptr, 13, 0));
  TRY(cudaDeviceGetPCIBusId, (text, 13, 1000));
  TRY(cudaDeviceGetPCIBusId, (text, 2, 0));
  TRY(cudaDeviceGetPCIBusId, (text, 0, 0));
  TRY(cudaDeviceGetByPCIBusId, (&value, "nonsense"));
  TRY(cudaDeviceGetByPCIBusId, (&value, nullptr));
  TRY(cudaDeviceGetByPCIBusId, (nullptr, "0000:00:00.0"));
  TRY(cudaDeviceGetByPCIBusId, (&value, "ffff:ff:1f.0"));
  TRY(cudaChooseDevice, (nullptr, nullptr));
  TRY(cudaChooseDevice, (&value, nullptr));
  TRY(cudaSetDeviceFlags, (0x4000));
  TRY(cudaGetDeviceFlags, (nullptr));
  TRY(cudaInitDevice, (1000, 0, 0));
  size_t limit = 0;
  TRY(cudaDeviceGetLimit, (nullptr, cudaLimitStackSize));
  TRY(cudaDeviceGetLimit, (&limit, (cudaLimit)77));
  TRY(cudaDeviceSetLimit, ((cudaLimit)77, 1));
  TRY(cudaDeviceCanAccessPeer, (&value, 0, 1000));
  TRY(cudaDeviceCanAccessPeer, (&value, 0, 0));
  TRY(cudaDeviceCanAccessPeer, (nullptr, 0, 0));
  TRY(cudaDeviceEnablePeerAccess, (0, 0));
  TRY(cudaDeviceEnablePeerAccess, (1000, 0));
  TRY(cudaDeviceDisablePeerAccess, (1000));
  TRY(cudaDeviceDisablePeerAccess, (0));
  TRY(cudaDeviceGetP2PAttribute, (&value, cudaDevP2PAttrAccessSupported, 0, 0));
  TRY(cudaRuntimeGetVersion, (nullptr));
  TRY(cudaDriverGetVersion, (nullptr));
}

void memory() {
  void *pointer = nullptr, *good = nullptr;
  char host[256] = {};
  size_t pitch = 0;
  RT(cudaMalloc)(&good, 4096);
  TRY(cudaMalloc, (nullptr, 16));
  TRY_AS("cudaMalloc(&pointer, 2^50)", cudaMalloc, (&pointer, size_t{1} << 50));
  TRY_AS("cudaMalloc(&pointer, SIZE_MAX)", cudaMalloc, (&pointer, SIZE_MAX));
  TRY(cudaMalloc, (&pointer, 0));
  TRY(cudaFree, (nullptr));
  TRY(cudaFree, (any(0x1234)));
  TRY(cudaFree, (host));
  TRY_AS("cudaFree(good + 1)", cudaFree, (static_cast<char *>(good) + 1));
  void *twice = nullptr;
  RT(cudaMalloc)(&twice, 64);
  RT(cudaFree)(twice);
  TRY_AS("cudaFree, a second time", cudaFree, (twice));
  TRY(cudaMallocManaged, (nullptr, 16, cudaMemAttachGlobal));
  TRY(cudaMallocManaged, (&pointer, 16, 77));
  TRY(cudaMallocManaged, (&pointer, 0, cudaMemAttachGlobal));
  TRY(cudaMallocHost, (nullptr, 16));
  TRY(cudaHostAlloc, (&pointer, 16, 0x400));
  TRY(cudaHostAlloc, (nullptr, 16, 0));
  TRY(cudaFreeHost, (nullptr));
  TRY(cudaFreeHost, (host));
  TRY_AS("cudaFreeHost(device memory)", cudaFreeHost, (good));
  TRY(cudaHostRegister, (nullptr, 16, 0));
  TRY_AS("cudaHostRegister(host, 0, 0)", cudaHostRegister, (host, 0, 0));
  TRY(cudaHostRegister, (host, 16, 0x4000));
  TRY(cudaHostUnregister, (host));
  TRY(cudaHostUnregister, (nullptr));
  TRY(cudaHostGetDevicePointer, (&pointer, nullptr, 0));
  TRY_AS("cudaHostGetDevicePointer(flags 1)", cudaHostGetDevicePointer, (&pointer, host, 1));
  unsigned flags = 0;
  TRY(cudaHostGetFlags, (&flags, host));
  TRY(cudaHostGetFlags, (nullptr, host));
  TRY(cudaMallocPitch, (nullptr, &pitch, 16, 16));
  TRY(cudaMallocPitch, (&pointer, nullptr, 16, 16));
  TRY(cudaMallocPitch, (&pointer, &pitch, 0, 16));
  TRY(cudaMalloc3D, (nullptr, {1, 1, 1}));
  TRY(cudaMemGetInfo, (nullptr, nullptr));
  TRY(cudaMemcpy, (nullptr, host, 16, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy, (good, nullptr, 16, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy, (good, host, 16, (cudaMemcpyKind)9));
  TRY(cudaMemcpy, (good, host, 16, (cudaMemcpyKind)-1));
  TRY(cudaMemcpy, (good, host, 0, (cudaMemcpyKind)9));
  TRY(cudaMemcpy, (nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  TRY_AS("cudaMemcpy, behind the end", cudaMemcpy, (good, host, size_t{1} << 40, cudaMemcpyDeviceToDevice));
  TRY_AS("cudaMemcpy, host to device of two of the host", cudaMemcpy, (host, host + 128, 16, cudaMemcpyHostToDevice));
  TRY_AS("cudaMemcpyAsync(stream -5)", cudaMemcpyAsync, (nullptr, host, 16, cudaMemcpyHostToDevice, nullptr));
  TRY(cudaMemset, (nullptr, 0, 16));
  TRY(cudaMemset, (nullptr, 0, 0));
  TRY(cudaMemset, (any(0x1000), 0, 16));
  TRY(cudaMemset2D, (good, 16, 0, 32, 4));
  TRY(cudaMemset3D, ({nullptr, 0, 0, 0}, 0, {1, 1, 1}));
  TRY(cudaMemcpy2D, (good, 8, host, 16, 16, 4, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy2D, (good, 16, host, 8, 16, 4, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy2D, (nullptr, 16, host, 16, 16, 4, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy2D, (good, 16, host, 16, 16, 4, (cudaMemcpyKind)9));
  TRY(cudaMemcpy2D, (good, 16, host, 16, 0, 4, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy3D, (nullptr));
  cudaMemcpy3DParms parameters = {};
  TRY(cudaMemcpy3D, (&parameters));
  parameters.extent = {16, 1, 1};
  TRY_AS("cudaMemcpy3D(no places)", cudaMemcpy3D, (&parameters));
  parameters.srcPtr = {host, 16, 16, 1};
  parameters.dstPtr = {good, 16, 16, 1};
  parameters.kind = (cudaMemcpyKind)9;
  TRY_AS("cudaMemcpy3D(kind 9)", cudaMemcpy3D, (&parameters));
  TRY(cudaMemcpyPeer, (good, 1000, good, 0, 16));
  TRY(cudaMemcpyPeer, (nullptr, 0, good, 0, 16));
  TRY(cudaMemcpyToSymbol, (host, host, 16, 0, cudaMemcpyHostToDevice));
  TRY(cudaMemcpyFromSymbol, (host, nullptr, 16, 0, cudaMemcpyDeviceToHost));
  TRY(cudaGetSymbolAddress, (&pointer, host));
  TRY(cudaGetSymbolAddress, (nullptr, host));
  TRY(cudaGetSymbolSize, (&pitch, host));
  cudaPointerAttributes attributes;
  TRY(cudaPointerGetAttributes, (nullptr, host));
  TRY(cudaPointerGetAttributes, (&attributes, nullptr));
  TRY(cudaPointerGetAttributes, (&attributes, host));
  TRY(cudaMemPrefetchAsync, (host, 16, {cudaMemLocationTypeDevice, 0}, 0, nullptr));
  TRY(cudaMemPrefetchAsync, (good, 16, {cudaMemLocationTypeDevice, 0}, 0, nullptr));
  TRY(cudaMemAdvise, (good, 16, cudaMemAdviseSetReadMostly, {cudaMemLocationTypeDevice, 0}));
  TRY(cudaMemAdvise, (nullptr, 16, (cudaMemoryAdvise)77, {cudaMemLocationTypeDevice, 0}));
  cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat},
                        wrong = {5, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaArray_t array = nullptr;
  TRY(cudaMallocArray, (nullptr, &format, 16, 16, 0));
  TRY(cudaMallocArray, (&array, nullptr, 16, 16, 0));
  TRY(cudaMallocArray, (&array, &wrong, 16, 16, 0));
  TRY(cudaMallocArray, (&array, &format, 0, 0, 0));
  TRY(cudaMallocArray, (&array, &format, 1 << 30, 1 << 30, 0));
  TRY(cudaFreeArray, (nullptr));
  TRY(cudaMalloc3DArray, (&array, &format, {16, 16, 16}, 0x8000));
  TRY(cudaMallocMipmappedArray, (nullptr, &format, {16, 16, 0}, 1, 0));
  RT(cudaMallocArray)(&array, &format, 16, 16, 0);
  TRY(cudaMemcpy2DToArray, (array, 0, 0, host, 64, 128, 1, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy2DToArray, (nullptr, 0, 0, host, 64, 64, 1, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy2DToArray, (array, 0, 0, host, 32, 64, 1, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy2DFromArray, (host, 64, array, 0, 30, 64, 1, cudaMemcpyDeviceToHost));
  cudaTextureObject_t texture = 0;
  cudaResourceDesc resource = {};
  cudaTextureDesc sampler = {};
  TRY(cudaCreateTextureObject, (nullptr, &resource, &sampler, nullptr));
  TRY(cudaCreateTextureObject, (&texture, nullptr, &sampler, nullptr));
  TRY(cudaCreateTextureObject, (&texture, &resource, nullptr, nullptr));
  TRY(cudaCreateTextureObject, (&texture, &resource, &sampler, nullptr));
  TRY(cudaDestroyTextureObject, (0));
  cudaSurfaceObject_t surface = 0;
  TRY(cudaCreateSurfaceObject, (&surface, nullptr));
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  TRY_AS("cudaCreateSurfaceObject(array without surface loads)", cudaCreateSurfaceObject, (&surface, &resource));
  TRY(cudaDestroySurfaceObject, (0));
  cudaMemPool_t pool = nullptr;
  TRY(cudaMallocAsync, (nullptr, 16, nullptr));
  TRY(cudaFreeAsync, (nullptr, nullptr));
  TRY(cudaFreeAsync, (host, nullptr));
  TRY(cudaMemPoolCreate, (&pool, nullptr));
  TRY(cudaDeviceGetDefaultMemPool, (&pool, 1000));
  TRY(cudaDeviceGetDefaultMemPool, (nullptr, 0));
  TRY(cudaMemPoolDestroy, (nullptr));
  RT(cudaDeviceGetDefaultMemPool)(&pool, 0);
  TRY_AS("cudaMemPoolDestroy(default)", cudaMemPoolDestroy, (pool));
  TRY(cudaMemPoolGetAttribute, (pool, (cudaMemPoolAttr)77, &pointer));
  cudaIpcMemHandle_t shared = {};
  TRY(cudaIpcGetMemHandle, (nullptr, good));
  TRY(cudaIpcGetMemHandle, (&shared, host));
  TRY(cudaIpcCloseMemHandle, (good));
  RT(cudaFreeArray)(array);
  RT(cudaFree)(good);
}

void streams() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr, other = nullptr;
  float time = 0;
  TRY(cudaStreamCreate, (nullptr));
  TRY(cudaStreamCreateWithFlags, (&stream, 77));
  TRY(cudaStreamCreateWithPriority, (&stream, cudaStreamNonBlocking, 100));
  RT(cudaStreamCreate)(&stream);
  TRY(cudaStreamDestroy, (nullptr));
  TRY(cudaStreamWaitEvent, (stream, nullptr, 0));
  TRY(cudaStreamGetFlags, (stream, nullptr));
  TRY(cudaStreamGetPriority, (stream, nullptr));
  TRY(cudaStreamAddCallback, (stream, nullptr, nullptr, 0));
  TRY(cudaLaunchHostFunc, (stream, nullptr, nullptr));
  TRY(cudaStreamAttachMemAsync, (stream, nullptr, 0, cudaMemAttachGlobal));
  TRY(cudaStreamIsCapturing, (stream, nullptr));
  TRY(cudaEventCreate, (nullptr));
  TRY(cudaEventCreateWithFlags, (&event, 0x4000));
  TRY(cudaEventRecord, (nullptr, stream));
  TRY(cudaEventQuery, (nullptr));
  TRY(cudaEventSynchronize, (nullptr));
  TRY(cudaEventDestroy, (nullptr));
  RT(cudaEventCreate)(&event);
  RT(cudaEventCreateWithFlags)(&other, cudaEventDisableTiming);
  TRY(cudaEventElapsedTime, (nullptr, event, event));
  TRY_AS("cudaEventElapsedTime(never recorded)", cudaEventElapsedTime, (&time, event, event));
  RT(cudaEventRecord)(event, stream);
  RT(cudaEventRecord)(other, stream);
  RT(cudaStreamSynchronize)(stream);
  TRY_AS("cudaEventElapsedTime(without times)", cudaEventElapsedTime, (&time, event, other));
  TRY(cudaEventElapsedTime, (&time, nullptr, event));
  TRY_AS("cudaEventQuery(never recorded)", cudaEventQuery, (other));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  TRY(cudaStreamEndCapture, (stream, &graph));
  TRY(cudaStreamBeginCapture, (nullptr, cudaStreamCaptureModeGlobal));
  TRY(cudaStreamBeginCapture, (stream, (cudaStreamCaptureMode)77));
  RT(cudaStreamBeginCapture)(stream, cudaStreamCaptureModeGlobal);
  TRY_AS("cudaStreamBeginCapture, a second time", cudaStreamBeginCapture, (stream, cudaStreamCaptureModeGlobal));
  TRY_AS("cudaStreamSynchronize, while it captures", cudaStreamSynchronize, (stream));
  TRY_AS("cudaStreamEndCapture, of what was spoiled", cudaStreamEndCapture, (stream, &graph));
  RT(cudaStreamBeginCapture)(stream, cudaStreamCaptureModeGlobal);
  void *pointer = nullptr;
  TRY_AS("cudaMalloc, while a stream captures", cudaMalloc, (&pointer, 16));
  RT(cudaStreamEndCapture)(stream, &graph);
  RT(cudaGetLastError)();
  TRY(cudaGraphCreate, (nullptr, 0));
  TRY(cudaGraphCreate, (&graph, 77));
  TRY(cudaGraphInstantiate, (&executable, nullptr, 0));
  TRY(cudaGraphInstantiate, (nullptr, graph, 0));
  TRY(cudaGraphLaunch, (nullptr, stream));
  TRY(cudaGraphDestroy, (nullptr));
  TRY(cudaGraphExecDestroy, (nullptr));
  TRY(cudaGraphAddEmptyNode, (nullptr, nullptr, nullptr, 0));
  TRY(cudaGraphDebugDotPrint, (nullptr, "nowhere", 0));
  RT(cudaEventDestroy)(event);
  RT(cudaEventDestroy)(other);
  RT(cudaStreamDestroy)(stream);
}

void launches() {
  const void *const nothing = kernel("nothing"), *const small = kernel("small_blocks");
  char host[16] = {};
  cudaFuncAttributes attributes;
  int blocks = 0;
  TRY(cudaLaunchKernel, (nullptr, 1, 1, nullptr, 0, nullptr));
  TRY(cudaLaunchKernel, (host, 1, 1, nullptr, 0, nullptr));
  TRY(cudaLaunchKernel, (nothing, 0, 1, nullptr, 0, nullptr));
  TRY(cudaLaunchKernel, (nothing, 1, 0, nullptr, 0, nullptr));
  TRY(cudaLaunchKernel, (nothing, 1, 2048, nullptr, 0, nullptr));
  TRY(cudaLaunchKernel, (nothing, dim3(1, 70000), 1, nullptr, 0, nullptr));
  TRY(cudaLaunchKernel, (nothing, 1, dim3(1, 1, 65), nullptr, 0, nullptr));
  TRY(cudaLaunchKernel, (nothing, 1, 1, nullptr, 1 << 20, nullptr));
  TRY(cudaLaunchKernel, (small, 1, 128, nullptr, 0, nullptr));
  TRY(cudaLaunchKernelExC, (nullptr, nothing, nullptr));
  cudaLaunchConfig_t config = {};
  TRY_AS("cudaLaunchKernelExC(no blocks)", cudaLaunchKernelExC, (&config, nothing, nullptr));
  TRY(cudaLaunchCooperativeKernel, (nothing, 1 << 20, 1024, nullptr, 0, nullptr));
  TRY(cudaLaunchCooperativeKernel, (host, 1, 1, nullptr, 0, nullptr));
  TRY(cudaFuncGetAttributes, (nullptr, nothing));
  TRY(cudaFuncGetAttributes, (&attributes, host));
  TRY(cudaFuncSetAttribute, (nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 24));
  TRY(cudaFuncSetAttribute, (nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  TRY(cudaFuncSetAttribute, (nothing, (cudaFuncAttribute)77, 1));
  TRY(cudaFuncSetAttribute, (host, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  TRY(cudaFuncSetCacheConfig, (nothing, (cudaFuncCache)77));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (nullptr, nothing, 64, 0));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (&blocks, nothing, 0, 0));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (&blocks, nothing, 4096, 0));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (&blocks, host, 64, 0));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor, (&blocks, nothing, -5, 0));
  cudaLibrary_t code = nullptr;
  cudaKernel_t found = nullptr;
  TRY(cudaLibraryLoadData, (&code, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  TRY(cudaLibraryLoadData, (&code, "this is no code", nullptr, nullptr, 0, nullptr, nullptr, 0));
  TRY(cudaLibraryLoadFromFile, (&code, "/nowhere.cubin", nullptr, nullptr, 0, nullptr, nullptr, 0));
  RT(cudaLibraryLoadData)(&code, kCode, nullptr, nullptr, 0, nullptr, nullptr, 0);
  TRY(cudaLibraryGetKernel, (&found, code, "absent"));
  TRY(cudaLibraryGetKernel, (nullptr, code, "nothing"));
  void *address = nullptr;
  size_t size = 0;
  TRY(cudaLibraryGetGlobal, (&address, &size, code, "absent"));
  TRY(cudaLibraryGetGlobal, (&address, &size, code, "counter"));
  TRY(cudaLibraryGetManaged, (&address, &size, code, "counter"));
  TRY(cudaLibraryUnload, (nullptr));
  cudaFunction_t function = nullptr;
  TRY(cudaGetFuncBySymbol, (&function, host));
  TRY(cudaGetKernel, (&found, host));
  RT(cudaLibraryUnload)(code);
}

// ---- what a fault leaves behind

/// What every call answers from then on, and what a reset mends.
void afterwards() {
  void *pointer = nullptr;
  char host[16];
  int count = 0, device = 0;
  size_t total = 0;
  tell("  peek", RT(cudaPeekAtLastError)());
  tell("  peek again", RT(cudaPeekAtLastError)());
  TRY(cudaMalloc, (&pointer, 16));
  TRY(cudaMemcpy, (host, host, 16, cudaMemcpyHostToHost));
  TRY(cudaDeviceSynchronize, ());
  TRY(cudaStreamQuery, (nullptr));
  TRY(cudaLaunchKernel, (kernel("nothing"), 1, 1, nullptr, 0, nullptr));
  TRY(cudaFree, (nullptr));
  TRY(cudaMemGetInfo, (&total, &total));
  TRY(cudaGetDeviceCount, (&count));
  TRY(cudaGetDevice, (&device));
  TRY(cudaSetDevice, (0));
  TRY(cudaDeviceGetAttribute, (&device, cudaDevAttrWarpSize, 0));
  TRY(cudaDeviceReset, ());
  TRY(cudaMalloc, (&pointer, 16));
  TRY(cudaDeviceSynchronize, ());
}

void faultWith(const char *name, uint64_t to) {
  void *arguments[] = {&to};
  TRY_AS("  launch", cudaLaunchKernel, (kernel(name), 1, 1, arguments, 0, nullptr));
  tell("  wait", RT(cudaDeviceSynchronize)());
  afterwards();
}

void lastErrors() {
  void *pointer = nullptr;
  // An error that is not sticky: the next calls succeed, and the last error stays until it is read.
  RT(cudaMalloc)(nullptr, 1);
  std::printf("  %d %d\n", RT(cudaMalloc)(&pointer, 16), RT(cudaPeekAtLastError)());
  RT(cudaSetDevice)(-1);
  std::printf("  %d %d\n", RT(cudaPeekAtLastError)(), RT(cudaDeviceSynchronize)());
  std::printf("  %d\n", RT(cudaGetLastError)());
  std::printf("  %d\n", RT(cudaGetLastError)());
  RT(cudaMalloc)(nullptr, 1);
  const cudaKernel_t nothing = kernel("nothing");
  std::printf("  %d\n", RT(cudaPeekAtLastError)());
  const cudaError_t launched = RT(cudaLaunchKernel)(nothing, 0, 1, nullptr, 0, nullptr);
  std::printf("  %d %d\n", launched, RT(cudaGetLastError)());
  std::printf("  %d\n", RT(cudaGetLastError)());
  std::printf("  %s %s\n", RT(cudaGetErrorName)(cudaErrorInvalidValue), RT(cudaGetErrorName)((cudaError_t)12345));
  // "cudaErrorNotReady ... is not considered an error"
  RT(cudaFree)(pointer);
}

struct Scenario {
  const char *name;
  void (*run)();
};
const Scenario kScenarios[] = {
    {"devices", devices},
    {"memory", memory},
    {"streams", streams},
    {"launches", launches},
    {"last_errors", lastErrors},
    {"illegal_address", [] { faultWith("one_argument", 0x10); }},
    {"misaligned_address",
     [] {
       void *pointer = nullptr;
       RT(cudaMalloc)(&pointer, 64);
       faultWith("one_argument", reinterpret_cast<uint64_t>(pointer) + 1);
     }},
    {"trap", [] { faultWith("stop", 0); }},
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  if (argc == 2) {
    // Each in a process of its own, in order.
    for (const Scenario &scenario : kScenarios) {
      std::printf("== %s\n", scenario.name);
      std::fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        execl("/proc/self/exe", argv[0], argv[1], scenario.name, nullptr);
        _exit(5);
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (status != 0) std::printf("ended with %d\n", status);
    }
    return 0;
  }
  std::setvbuf(stdout, nullptr, _IOLBF, 1 << 12);
  struct sigaction action = {};
  action.sa_handler = leaveCall;
  sigaction(SIGSEGV, &action, nullptr);
  library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    std::printf("%s\n", dlerror());
    return 3;
  }
  for (const Scenario &scenario : kScenarios)
    if (!std::strcmp(scenario.name, argv[2])) scenario.run();
  std::fflush(stdout);
  return 0;
}
