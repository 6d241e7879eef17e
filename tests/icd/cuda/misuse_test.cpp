// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong gets the driver's code: a row per misuse. The codes are those of an NVIDIA H200 (driver of CUDA 13.0),
// on which this file was run (UNDERSTUDY_TEST_CUDA_LIBRARY names another library).
#include "icd/cuda/include/understudy.h"
#include "tests/icd/cuda/cuda_test.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

namespace us::cuda_test {
namespace {

/// What the rows need: two contexts of one device, the first current, a module and some memory.
struct Scene {
  CUcontext context = nullptr, other = nullptr;
  CUmodule module = nullptr;
  CUfunction add = nullptr, limited = nullptr;
  CUdeviceptr memory = 0, foreign = 0, freed = 0, managed = 0;
  CUstream stream = nullptr, foreignStream = nullptr, endedStream = nullptr;
  CUevent event = nullptr, foreignEvent = nullptr, untimed = nullptr, recorded = nullptr;
  void *host = nullptr;
  alignas(4096) char page[8192] = {};

  CUresult launch(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,
                  unsigned blockZ, unsigned shared, CUstream on = nullptr) {
    unsigned none = 0;
    void *parameters[] = {&memory, &memory, &memory, &none};
    return CU(cuLaunchKernel)(function, gridX, gridY, gridZ, blockX, blockY, blockZ, shared, on, parameters, nullptr);
  }
};

const std::string kLimited = kHead + R"(
.visible .entry limited(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n) .maxntid 64, 1, 1 { ret; }
.visible .entry exact() .reqntid 32, 1, 1 { ret; }
.visible .entry tooBig() { .shared .align 4 .b8 room[49152]; st.shared.u32 [room], 1; ret; }
.visible .entry plain() { ret; }
)";

struct Row {
  const char *what;
  CUresult expected;
  std::function<CUresult(Scene &)> call;
};

CUresult copy2D(Scene &s, size_t from, size_t to, size_t width, size_t height) {
  CUDA_MEMCPY2D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = s.page;
  copy.srcPitch = from;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = s.memory;
  copy.dstPitch = to;
  copy.WidthInBytes = width;
  copy.Height = height;
  return CU(cuMemcpy2D_v2)(&copy);
}

template <class T> T wild() { return reinterpret_cast<T>(uintptr_t(0x1230)); }

CUresult jit(const char *image, std::vector<CUjit_option> options, std::vector<void *> values) {
  CUmodule module = nullptr;
  return CU(cuModuleLoadDataEx)(&module, image, unsigned(options.size()), options.data(), values.data());
}
void *number(size_t value) { return reinterpret_cast<void *>(value); }

constexpr CUresult kOk = CUDA_SUCCESS, kValue = CUDA_ERROR_INVALID_VALUE, kHandle = CUDA_ERROR_INVALID_HANDLE,
                   kContext = CUDA_ERROR_INVALID_CONTEXT;

const std::vector<Row> kRows = {
    // Launch configuration
    {"no threads", kValue, [](Scene &s) { return s.launch(s.add, 1, 1, 1, 0, 1, 1, 0); }},
    {"no blocks", kValue, [](Scene &s) { return s.launch(s.add, 1, 0, 1, 1, 1, 1, 0); }},
    {"1025 threads", kValue, [](Scene &s) { return s.launch(s.add, 1, 1, 1, 1025, 1, 1, 0); }},
    {"33 x 32 threads", kValue, [](Scene &s) { return s.launch(s.add, 1, 1, 1, 33, 32, 1, 0); }},
    {"65 threads in z", kValue, [](Scene &s) { return s.launch(s.add, 1, 1, 1, 1, 1, 65, 0); }},
    {"65536 blocks in y", kValue, [](Scene &s) { return s.launch(s.add, 1, 65536, 1, 1, 1, 1, 0); }},
    {"65536 blocks in z", kValue, [](Scene &s) { return s.launch(s.add, 1, 1, 65536, 1, 1, 1, 0); }},
    {"2^31 blocks in x", kValue, [](Scene &s) { return s.launch(s.add, 1u << 31, 1, 1, 1, 1, 1, 0); }},
    {"more shared memory than there is", kValue, [](Scene &s) { return s.launch(s.add, 1, 1, 1, 1, 1, 1, 300000); }},
    {"more shared memory than was asked for", kValue, [](Scene &s) { return s.launch(s.add, 1, 1, 1, 1, 1, 1, 49153); }},
    {"dynamic and static shared memory together", kValue,
     [](Scene &s) {
       CUfunction big = nullptr;
       CU(cuModuleGetFunction)(&big, s.module, "tooBig");
       return CU(cuLaunchKernel)(big, 1, 1, 1, 1, 1, 1, 4, nullptr, nullptr, nullptr);
     }},
    {"more threads than .maxntid", kValue, [](Scene &s) { return s.launch(s.limited, 1, 1, 1, 65, 1, 1, 0); }},
    {"as many threads as .maxntid", kOk, [](Scene &s) { return s.launch(s.limited, 1, 1, 1, 64, 1, 1, 0); }},
    {"another shape than .reqntid", kValue,
     [](Scene &s) {
       CUfunction exact = nullptr;
       CU(cuModuleGetFunction)(&exact, s.module, "exact");
       return CU(cuLaunchKernel)(exact, 1, 1, 1, 16, 1, 1, 0, nullptr, nullptr, nullptr);
     }},
    {"no parameters", kValue,
     [](Scene &s) { return CU(cuLaunchKernel)(s.add, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr); }},
    {"no function", kHandle, [](Scene &s) { return s.launch(nullptr, 1, 1, 1, 1, 1, 1, 0); }},
    {"a cooperative grid that does not fit", CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE,
     [](Scene &s) {
       CUfunction plain = nullptr;
       CU(cuModuleGetFunction)(&plain, s.module, "plain");
       return CU(cuLaunchCooperativeKernel)(plain, 1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, nullptr);
     }},
    // Copies and fills
    {"copy to null", kValue, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(0, s.page, 16); }},
    {"copy from null", kValue, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(s.memory, nullptr, 16); }},
    {"copy of nothing", kOk, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(s.memory, s.page, 0); }},
    {"copy of nothing to null", kOk, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(0, s.page, 0); }},
    {"copy to a wild address", kValue, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(0x1230, s.page, 16); }},
    {"copy past the end", kValue, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(s.memory, s.page, 5 << 20); }},
    {"copy to freed memory", kValue, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(s.freed, s.page, 16); }},
    {"copy from freed memory", kValue, [](Scene &s) { return CU(cuMemcpyDtoH_v2)(s.page, s.freed, 16); }},
    {"copy between devices' freed memory", kValue, [](Scene &s) { return CU(cuMemcpyDtoD_v2)(s.memory, s.freed, 16); }},
    {"asynchronous copy to freed memory", kValue,
     [](Scene &s) { return CU(cuMemcpyHtoDAsync_v2)(s.freed, s.page, 16, s.stream); }},
    {"copy into another context's memory", kOk, [](Scene &s) { return CU(cuMemcpyHtoD_v2)(s.foreign, s.page, 16); }},
    {"copy through another context's stream", kOk,
     [](Scene &s) { return CU(cuMemcpyHtoDAsync_v2)(s.memory, s.page, 16, s.foreignStream); }},
    {"copy through a stream that is no more", kContext,
     [](Scene &s) { return CU(cuMemcpyHtoDAsync_v2)(s.memory, s.page, 16, s.endedStream); }},
    {"peer copy with no context", kOk,
     [](Scene &s) { return CU(cuMemcpyPeer)(s.memory, nullptr, s.memory + 64, s.context, 16); }},
    {"fill of null", kValue, [](Scene &) { return CU(cuMemsetD8_v2)(0, 1, 16); }},
    {"fill of freed memory", kValue, [](Scene &s) { return CU(cuMemsetD8_v2)(s.freed, 1, 16); }},
    {"fill past the end", kValue, [](Scene &s) { return CU(cuMemsetD8_v2)(s.memory, 1, 5 << 20); }},
    {"fill of a misaligned address", kValue, [](Scene &s) { return CU(cuMemsetD32_v2)(s.memory + 2, 1, 4); }},
    {"fill with a misaligned pitch", kValue, [](Scene &s) { return CU(cuMemsetD2D32_v2)(s.memory, 10, 1, 2, 2); }},
    {"fill with a pitch below the width", kValue, [](Scene &s) { return CU(cuMemsetD2D8_v2)(s.memory, 8, 1, 16, 2); }},
    {"2D copy with a pitch below the width", kValue, [](Scene &s) { return copy2D(s, 8, 32, 16, 2); }},
    {"2D copy to a pitch below the width", kValue, [](Scene &s) { return copy2D(s, 32, 8, 16, 2); }},
    {"2D copy of no rows", kOk, [](Scene &s) { return copy2D(s, 32, 32, 16, 0); }},
    {"2D copy past the end", kValue, [](Scene &s) { return copy2D(s, 16, 4 << 20, 16, 2); }},
    // Memory
    {"allocation of nothing", kValue, [](Scene &) { CUdeviceptr p = 0; return CU(cuMemAlloc_v2)(&p, 0); }},
    {"allocation of too much", CUDA_ERROR_OUT_OF_MEMORY,
     [](Scene &) { CUdeviceptr p = 0; return CU(cuMemAlloc_v2)(&p, size_t(1) << 50); }},
    {"free of a wild address", kValue, [](Scene &) { return CU(cuMemFree_v2)(0x1230); }},
    {"free in the middle", kValue, [](Scene &s) { return CU(cuMemFree_v2)(s.memory + 16); }},
    {"free twice", kValue, [](Scene &s) { return CU(cuMemFree_v2)(s.freed); }},
    {"free of page-locked memory", kValue, [](Scene &s) { return CU(cuMemFree_v2)(CUdeviceptr(s.host)); }},
    {"host free of device memory", kValue, [](Scene &s) { return CU(cuMemFreeHost)(number(s.memory)); }},
    {"host free of pageable memory", kValue, [](Scene &s) { return CU(cuMemFreeHost)(s.page); }},
    {"pitched memory with elements of 2 bytes", kValue,
     [](Scene &) { CUdeviceptr p = 0; size_t pitch; return CU(cuMemAllocPitch_v2)(&p, &pitch, 64, 4, 2); }},
    {"pitched memory of no width", kValue,
     [](Scene &) { CUdeviceptr p = 0; size_t pitch; return CU(cuMemAllocPitch_v2)(&p, &pitch, 0, 4, 4); }},
    {"managed memory without flags", kValue,
     [](Scene &) { CUdeviceptr p = 0; return CU(cuMemAllocManaged)(&p, 64, 0); }},
    {"managed memory of a single stream", kValue,
     [](Scene &) { CUdeviceptr p = 0; return CU(cuMemAllocManaged)(&p, 64, CU_MEM_ATTACH_SINGLE); }},
    {"managed memory of no size", kValue,
     [](Scene &) { CUdeviceptr p = 0; return CU(cuMemAllocManaged)(&p, 0, CU_MEM_ATTACH_GLOBAL); }},
    {"page-locked memory of no size", kOk, [](Scene &) { void *p; return CU(cuMemHostAlloc)(&p, 0, 0); }},
    {"page-locked memory with flags that are not", kValue,
     [](Scene &) { void *p; return CU(cuMemHostAlloc)(&p, 64, 0x100); }},
    {"registration of nothing", kValue, [](Scene &s) { return CU(cuMemHostRegister_v2)(s.page, 0, 0); }},
    {"registration with flags that are not", kValue,
     [](Scene &s) { return CU(cuMemHostRegister_v2)(s.page, 4096, 0x100); }},
    {"registration twice", CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
     [](Scene &s) {
       EXPECT_OK(CU(cuMemHostRegister_v2)(s.page, 4096, 0));
       const CUresult result = CU(cuMemHostRegister_v2)(s.page, 4096, 0);
       EXPECT_OK(CU(cuMemHostUnregister)(s.page));
       return result;
     }},
    {"registration of page-locked memory", kValue,
     [](Scene &s) { return CU(cuMemHostRegister_v2)(s.host, 64, 0); }},
    {"end of a registration that is not", CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
     [](Scene &s) { return CU(cuMemHostUnregister)(s.page); }},
    {"end of a registration of allocated memory", kValue,
     [](Scene &s) { return CU(cuMemHostUnregister)(s.host); }},
    {"device pointer of pageable memory", kValue,
     [](Scene &s) { CUdeviceptr p; return CU(cuMemHostGetDevicePointer_v2)(&p, s.page, 0); }},
    {"flags of device memory", kValue, [](Scene &s) { unsigned f; return CU(cuMemHostGetFlags)(&f, number(s.memory)); }},
    {"address range of a wild address", CUDA_ERROR_NOT_FOUND,
     [](Scene &) { CUdeviceptr p; size_t n; return CU(cuMemGetAddressRange_v2)(&p, &n, 0x1230); }},
    {"attribute of a wild address", kValue,
     [](Scene &) { unsigned t; return CU(cuPointerGetAttribute)(&t, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, 0x1230); }},
    // Streams and events
    {"a launch in another context's stream", kHandle,
     [](Scene &s) { return s.launch(s.add, 1, 1, 1, 1, 1, 1, 0, s.foreignStream); }},
    {"a launch in a stream that is no more", kContext,
     [](Scene &s) { return s.launch(s.add, 1, 1, 1, 1, 1, 1, 0, s.endedStream); }},
    {"record in another context's stream", kHandle, [](Scene &s) { return CU(cuEventRecord)(s.event, s.foreignStream); }},
    {"another context's event", kHandle, [](Scene &s) { return CU(cuEventRecord)(s.foreignEvent, s.stream); }},
    {"wait for another context's event", kOk, [](Scene &s) { return CU(cuStreamWaitEvent)(s.stream, s.foreignEvent, 0); }},
    {"query of an event that was never recorded", kOk, [](Scene &s) { return CU(cuEventQuery)(s.event); }},
    {"wait for an event that was never recorded", kOk, [](Scene &s) { return CU(cuEventSynchronize)(s.event); }},
    {"time of an event that was never recorded", kHandle,
     [](Scene &s) { float t; return CU(cuEventElapsedTime)(&t, s.recorded, s.event); }},
    {"time of an event without timing", kHandle,
     [](Scene &s) { float t; return CU(cuEventElapsedTime)(&t, s.recorded, s.untimed); }},
    {"event of two processes with timing", kValue,
     [](Scene &) { CUevent e; return CU(cuEventCreate)(&e, CU_EVENT_INTERPROCESS); }},
    {"event with flags that are not", kValue, [](Scene &) { CUevent e; return CU(cuEventCreate)(&e, 0x100); }},
    {"stream with flags that are not", kValue, [](Scene &) { CUstream t; return CU(cuStreamCreate)(&t, 0x100); }},
    {"stream with a priority out of range", kOk,
     [](Scene &) { CUstream t; return CU(cuStreamCreateWithPriority)(&t, 0, -100); }},
    {"a host function that is none", kValue, [](Scene &s) { return CU(cuLaunchHostFunc)(s.stream, nullptr, nullptr); }},
    // Contexts
    {"context on a device that is not", CUDA_ERROR_INVALID_DEVICE,
     [](Scene &) { CUcontext c; return CU(cuCtxCreate_v2)(&c, 0, 99); }},
    {"context with flags that are not", kValue, [](Scene &) { CUcontext c; return CU(cuCtxCreate_v2)(&c, 0x1000, 0); }},
    {"another context's function", kHandle,
     [](Scene &s) {
       EXPECT_OK(CU(cuCtxPushCurrent_v2)(s.other));
       const CUresult result = s.launch(s.add, 1, 1, 1, 1, 1, 1, 0);
       CUcontext popped;
       EXPECT_OK(CU(cuCtxPopCurrent_v2)(&popped));
       return result;
     }},
    {"no context", kContext,
     [](Scene &s) {
       EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
       CUdeviceptr p = 0;
       const CUresult result = CU(cuMemAlloc_v2)(&p, 16);
       EXPECT_OK(CU(cuCtxSetCurrent)(s.context));
       return result;
     }},
    {"pop of an empty stack", kContext,
     [](Scene &s) {
       EXPECT_OK(CU(cuCtxSetCurrent)(nullptr));
       CUcontext popped;
       const CUresult result = CU(cuCtxPopCurrent_v2)(&popped);
       EXPECT_OK(CU(cuCtxSetCurrent)(s.context));
       return result;
     }},
    {"destruction of no context", kValue, [](Scene &) { return CU(cuCtxDestroy_v2)(nullptr); }},
    {"attach with flags", kValue, [](Scene &) { CUcontext c; return CU(cuCtxAttach)(&c, 1); }},
    {"limit that is not", kValue, [](Scene &) { size_t n; return CU(cuCtxGetLimit)(&n, CUlimit(100)); }},
    {"cache configuration that is not", kValue, [](Scene &) { return CU(cuCtxSetCacheConfig)(CUfunc_cache(9)); }},
    {"peer access of a device to itself", CUDA_ERROR_PEER_ACCESS_UNSUPPORTED,
     [](Scene &s) { return CU(cuCtxEnablePeerAccess)(s.other, 0); }},
    {"end of peer access that is not", CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
     [](Scene &s) { return CU(cuCtxDisablePeerAccess)(s.other); }},
    {"primary context released too often", kContext, [](Scene &) { return CU(cuDevicePrimaryCtxRelease_v2)(0); }},
    // Modules and functions
    {"rubbish", CUDA_ERROR_INVALID_IMAGE, [](Scene &) { CUmodule m; return CU(cuModuleLoadData)(&m, "rubbish, all of it, really"); }},
    {"PTX with an error", CUDA_ERROR_INVALID_PTX,
     [](Scene &) { CUmodule m; return CU(cuModuleLoadData)(&m, (kHead + ".entry k() { add.s32 %r1, %r2, %r3; }").c_str()); }},
    {"PTX of a version to come", CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
     [](Scene &) { CUmodule m; return CU(cuModuleLoadData)(&m, ".version 99.0\n.target sm_80\n.address_size 64\n"); }},
    {"empty text", CUDA_ERROR_INVALID_IMAGE, [](Scene &) { CUmodule m; return CU(cuModuleLoadData)(&m, ""); }},
    {"no image", kValue, [](Scene &) { CUmodule m; return CU(cuModuleLoadData)(&m, nullptr); }},
    {"file that is not", CUDA_ERROR_FILE_NOT_FOUND, [](Scene &) { CUmodule m; return CU(cuModuleLoad)(&m, "/nowhere.ptx"); }},
    {"PTX that calls what is defined nowhere", CUDA_ERROR_INVALID_PTX,
     [](Scene &) {
       CUmodule m;
       return CU(cuModuleLoadData)(&m, (kHead + ".extern .func nowhere;\n.entry k() { call nowhere; ret; }").c_str());
     }},
    {"function that is not", CUDA_ERROR_NOT_FOUND,
     [](Scene &s) { CUfunction f; return CU(cuModuleGetFunction)(&f, s.module, "nothing"); }},
    {"variable that is not", CUDA_ERROR_NOT_FOUND,
     [](Scene &s) { CUdeviceptr p; size_t n; return CU(cuModuleGetGlobal_v2)(&p, &n, s.module, "nothing"); }},
    {"no module", kHandle, [](Scene &) { CUfunction f; return CU(cuModuleGetFunction)(&f, nullptr, "add"); }},
    {"attribute that cannot be set", kValue,
     [](Scene &s) { return CU(cuFuncSetAttribute)(s.add, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 64); }},
    {"more dynamic shared memory than possible", kValue,
     [](Scene &s) { return CU(cuFuncSetAttribute)(s.add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 300000); }},
    {"negative dynamic shared memory", kValue,
     [](Scene &s) { return CU(cuFuncSetAttribute)(s.add, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1); }},
    {"carveout of 101 percent", kValue,
     [](Scene &s) { return CU(cuFuncSetAttribute)(s.add, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101); }},
    {"attribute that is not", kValue,
     [](Scene &s) { int v; return CU(cuFuncGetAttribute)(&v, CUfunction_attribute(99), s.add); }},
    {"JIT option that is not", kValue, [](Scene &) { return jit(kLimited.c_str(), {CUjit_option(99)}, {nullptr}); }},
    {"JIT optimisation level 9", kOk,
     [](Scene &) { return jit(kLimited.c_str(), {CU_JIT_OPTIMIZATION_LEVEL}, {number(9)}); }},
    {"JIT fallback strategy 7", kOk,
     [](Scene &) { return jit(kLimited.c_str(), {CU_JIT_FALLBACK_STRATEGY}, {number(7)}); }},
    {"JIT options without an array", kValue,
     [](Scene &) { CUmodule m; return CU(cuModuleLoadDataEx)(&m, kLimited.c_str(), 1, nullptr, nullptr); }},
    {"occupancy of no threads", kValue,
     [](Scene &s) { int n; return CU(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&n, s.add, 0, 0); }},
    // Between processes
    {"export of managed memory", kValue,
     [](Scene &s) { CUipcMemHandle h; return CU(cuIpcGetMemHandle)(&h, s.managed); }},
    {"export of page-locked memory", kValue,
     [](Scene &s) { CUipcMemHandle h; return CU(cuIpcGetMemHandle)(&h, CUdeviceptr(s.host)); }},
    {"export of a wild address", kValue, [](Scene &) { CUipcMemHandle h; return CU(cuIpcGetMemHandle)(&h, 0x1230); }},
    {"memory of the same process opened", kContext,
     [](Scene &s) {
       CUipcMemHandle h;
       EXPECT_OK(CU(cuIpcGetMemHandle)(&h, s.memory));
       CUdeviceptr p = 0;
       return CU(cuIpcOpenMemHandle_v2)(&p, h, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
     }},
    {"memory opened without the flag", kValue,
     [](Scene &s) {
       CUipcMemHandle h;
       EXPECT_OK(CU(cuIpcGetMemHandle)(&h, s.memory));
       CUdeviceptr p = 0;
       return CU(cuIpcOpenMemHandle_v2)(&p, h, 0);
     }},
    {"export of an event of one process", kHandle,
     [](Scene &s) { CUipcEventHandle h; return CU(cuIpcGetEventHandle)(&h, s.untimed); }},
    {"close of memory that was not opened", kValue, [](Scene &s) { return CU(cuIpcCloseMemHandle)(s.memory); }},
    // Linking
    {"link of nothing", kOk,
     [](Scene &) {
       CUlinkState state = nullptr;
       EXPECT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
       void *image = nullptr;
       size_t size = 0;
       const CUresult result = CU(cuLinkComplete)(state, &image, &size);
       EXPECT_OK(CU(cuLinkDestroy)(state));
       return result;
     }},
    {"link of PTX with an error", CUDA_ERROR_INVALID_PTX,
     [](Scene &) {
       CUlinkState state = nullptr;
       EXPECT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
       std::string bad = kHead + ".entry k() { add.s32 %r1, %r2, %r3; }";
       const CUresult result = CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, bad.data(), bad.size() + 1, "bad", 0, nullptr, nullptr);
       EXPECT_OK(CU(cuLinkDestroy)(state));
       return result;
     }},
    {"link with a symbol that is nowhere", CUDA_ERROR_INVALID_SOURCE,
     [](Scene &) {
       CUlinkState state = nullptr;
       EXPECT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
       std::string text = kHead + ".extern .func nowhere;\n.visible .entry k() { call nowhere; ret; }";
       EXPECT_OK(CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "a", 0, nullptr, nullptr));
       void *image = nullptr;
       size_t size = 0;
       const CUresult result = CU(cuLinkComplete)(state, &image, &size);
       EXPECT_OK(CU(cuLinkDestroy)(state));
       return result;
     }},
    {"link with a symbol defined twice", CUDA_ERROR_INVALID_SOURCE,
     [](Scene &) {
       CUlinkState state = nullptr;
       EXPECT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
       std::string text = kHead + ".visible .entry k() { ret; }";
       EXPECT_OK(CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "a", 0, nullptr, nullptr));
       const CUresult result =
           CU(cuLinkAddData_v2)(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, "b", 0, nullptr, nullptr);
       EXPECT_OK(CU(cuLinkDestroy)(state));
       return result;
     }},
    {"link of a file that is not", CUDA_ERROR_FILE_NOT_FOUND,
     [](Scene &) {
       CUlinkState state = nullptr;
       EXPECT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
       const CUresult result = CU(cuLinkAddFile_v2)(state, CU_JIT_INPUT_PTX, "/nowhere.ptx", 0, nullptr, nullptr);
       EXPECT_OK(CU(cuLinkDestroy)(state));
       return result;
     }},
    {"link of an input of a type that is not", kValue,
     [](Scene &) {
       CUlinkState state = nullptr;
       EXPECT_OK(CU(cuLinkCreate_v2)(0, nullptr, nullptr, &state));
       char data[] = "x";
       const CUresult result = CU(cuLinkAddData_v2)(state, CUjitInputType(77), data, 2, "a", 0, nullptr, nullptr);
       EXPECT_OK(CU(cuLinkDestroy)(state));
       return result;
     }},
    {"link state that is not", kHandle, [](Scene &) { return CU(cuLinkDestroy)(nullptr); }},
    // Libraries
    {"kernel that is not", CUDA_ERROR_NOT_FOUND,
     [](Scene &) {
       CUlibrary library = nullptr;
       EXPECT_OK(CU(cuLibraryLoadData)(&library, kLimited.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
       CUkernel kernel = nullptr;
       const CUresult result = CU(cuLibraryGetKernel)(&kernel, library, "nothing");
       EXPECT_OK(CU(cuLibraryUnload)(library));
       return result;
     }},
    {"no library", kHandle, [](Scene &) { return CU(cuLibraryUnload)(nullptr); }},
};

class Misuse : public Cuda {};

TEST_F(Misuse, getsTheDriversCode) {
  Scene s;
  s.context = context;
  ASSERT_OK(CU(cuCtxCreate_v2)(&s.other, 0, 0));
  ASSERT_OK(CU(cuMemAlloc_v2)(&s.foreign, 4096));
  ASSERT_OK(CU(cuStreamCreate)(&s.foreignStream, 0));
  ASSERT_OK(CU(cuEventCreate)(&s.foreignEvent, 0));
  CUcontext popped = nullptr;
  ASSERT_OK(CU(cuCtxPopCurrent_v2)(&popped));
  s.module = load(kLimited);
  s.limited = function(s.module, "limited");
  s.add = function(load(kVectorAdd), "vectorAdd");
  s.memory = allocate(4 << 20);
  s.freed = allocate(64 << 20);
  ASSERT_OK(CU(cuMemFree_v2)(s.freed));
  ASSERT_OK(CU(cuMemAllocManaged)(&s.managed, 4096, CU_MEM_ATTACH_GLOBAL));
  ASSERT_OK(CU(cuMemHostAlloc)(&s.host, 4096, 0));
  ASSERT_OK(CU(cuStreamCreate)(&s.stream, 0));
  ASSERT_OK(CU(cuStreamCreate)(&s.endedStream, 0));
  ASSERT_OK(CU(cuStreamDestroy_v2)(s.endedStream));
  ASSERT_OK(CU(cuEventCreate)(&s.event, 0));
  ASSERT_OK(CU(cuEventCreate)(&s.recorded, 0));
  ASSERT_OK(CU(cuEventRecord)(s.recorded, nullptr));
  ASSERT_OK(CU(cuEventCreate)(&s.untimed, CU_EVENT_DISABLE_TIMING));
  ASSERT_OK(CU(cuEventRecord)(s.untimed, nullptr));
  ASSERT_OK(CU(cuCtxSynchronize)());
  for (const Row &row : kRows) {
    EXPECT_EQ(int(row.call(s)), int(row.expected)) << row.what;
    CUcontext current = nullptr;
    EXPECT_OK(CU(cuCtxGetCurrent)(&current));
    EXPECT_EQ(current, context) << row.what;
    ASSERT_OK(CU(cuCtxSynchronize)()) << row.what;
  }
  EXPECT_OK(CU(cuCtxDestroy_v2)(s.other));
}

// --- Kernels that go wrong: the code comes with the next call that waits, and with every one after it ---

struct Fault {
  const char *what;
  CUresult expected;
  const char *body;
};
constexpr Fault kFaults[] = {
    {"trap", CUDA_ERROR_LAUNCH_FAILED, "trap;"},
    {"writesOutOfRange", CUDA_ERROR_ILLEGAL_ADDRESS, "mov.u64 %rd1, 4096; st.global.u32 [%rd1], 1;"},
    {"readsOutOfRange", CUDA_ERROR_ILLEGAL_ADDRESS,
     "mov.u64 %rd1, 4096; ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd3], %r1;"},
    {"genericOutOfRange", CUDA_ERROR_ILLEGAL_ADDRESS, "mov.u64 %rd1, 4096; st.u32 [%rd1], 1;"},
    {"sharedOverrun", CUDA_ERROR_ILLEGAL_ADDRESS, "mov.u32 %r1, 0x100000; st.shared.u32 [%r1], 1;"},
    {"sharedOverrunNear", CUDA_ERROR_ILLEGAL_ADDRESS,
     "mov.u32 %r1, room; add.u32 %r1, %r1, 60000; st.shared.u32 [%r1], 1;"},
    // Misaligned: an access of every size and kind in each state space. %rd3 is aligned to 8 bytes at least.
    {"misalignedLoad16", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.global.u16 %rs1, [%rd3+1]; st.global.u16 [%rd3], %rs1;"},
    {"misalignedLoad32", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.global.u32 %r1, [%rd3+2]; st.global.u32 [%rd3], %r1;"},
    {"misalignedLoad64", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.global.u64 %rd1, [%rd3+4]; st.global.u64 [%rd3], %rd1;"},
    {"misalignedLoadNc", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.global.nc.u32 %r1, [%rd3+1]; st.global.u32 [%rd3], %r1;"},
    {"misalignedLoadVolatile", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.volatile.global.u32 %r1, [%rd3+1];"},
    {"misalignedLoadAcquire", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.acquire.gpu.global.u32 %r1, [%rd3+1];"},
    {"misalignedLoadGeneric", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.u32 %r1, [%rd3+1]; st.u32 [%rd3], %r1;"},
    {"misalignedStore16", CUDA_ERROR_MISALIGNED_ADDRESS, "mov.u16 %rs1, 1; st.global.u16 [%rd3+1], %rs1;"},
    {"misalignedStore32", CUDA_ERROR_MISALIGNED_ADDRESS, "st.global.u32 [%rd3+1], 1;"},
    {"misalignedStore64", CUDA_ERROR_MISALIGNED_ADDRESS, "mov.u64 %rd1, 1; st.global.u64 [%rd3+4], %rd1;"},
    {"misalignedPair", CUDA_ERROR_MISALIGNED_ADDRESS,
     "ld.global.v2.u32 {%r1, %r2}, [%rd3+4]; st.global.u32 [%rd3], %r1;"},
    {"misalignedQuad", CUDA_ERROR_MISALIGNED_ADDRESS, "st.global.v4.u32 [%rd3+8], {%r1, %r1, %r1, %r1};"},
    {"misalignedQuadLoad", CUDA_ERROR_MISALIGNED_ADDRESS,
     "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd3+8]; st.global.u32 [%rd3], %r4;"},
    {"misalignedShared", CUDA_ERROR_MISALIGNED_ADDRESS,
     "mov.u32 %r1, room; add.u32 %r1, %r1, %r2; st.shared.u32 [%r1+2], 1;"},
    {"misalignedSharedLoad", CUDA_ERROR_MISALIGNED_ADDRESS, "ld.shared.u32 %r1, [room+1]; st.global.u32 [%rd3], %r1;"},
    {"misalignedSharedPair", CUDA_ERROR_MISALIGNED_ADDRESS,
     "ld.shared.v2.u32 {%r1, %r2}, [room+4]; st.global.u32 [%rd3], %r1;"},
    {"misalignedLocal", CUDA_ERROR_MISALIGNED_ADDRESS,
     "{ .local .align 4 .b8 own[16]; mov.u64 %rd1, own; st.local.u32 [%rd1+1], 1; ld.local.u32 %r1, [%rd1+4]; "
     "st.global.u32 [%rd3], %r1; }"},
    {"misalignedAtomic", CUDA_ERROR_MISALIGNED_ADDRESS, "atom.global.add.u32 %r1, [%rd3+2], 1;"},
    {"misalignedAtomic64", CUDA_ERROR_MISALIGNED_ADDRESS, "mov.u64 %rd1, 1; atom.global.add.u64 %rd2, [%rd3+4], %rd1;"},
    {"misalignedReduction", CUDA_ERROR_MISALIGNED_ADDRESS, "red.global.add.u32 [%rd3+1], 1;"},
    {"misalignedExchange", CUDA_ERROR_MISALIGNED_ADDRESS, "atom.shared.cas.b32 %r1, [room+2], 0, 1;"},
    // In a loop that moves a pointer, and from an address that only memory knows.
    {"misalignedInLoop", CUDA_ERROR_MISALIGNED_ADDRESS,
     "add.u64 %rd1, %rd3, 2; mov.u32 %r1, 0; again: st.global.u32 [%rd1], %r1; add.u64 %rd1, %rd1, 4; "
     "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 4; @%p1 bra again;"},
    {"misalignedByteOffset", CUDA_ERROR_MISALIGNED_ADDRESS,
     "add.u32 %r1, %r2, 5; cvt.u64.u32 %rd1, %r1; add.u64 %rd1, %rd3, %rd1; st.global.u32 [%rd1], %r1;"},
    {"misalignedFromMemory", CUDA_ERROR_MISALIGNED_ADDRESS,
     "add.u64 %rd1, %rd3, 3; st.global.u64 [%rd3], %rd1; ld.volatile.global.u64 %rd2, [%rd3]; st.global.u16 [%rd2], "
     "1;"},
    {"misalignedInFunction", CUDA_ERROR_MISALIGNED_ADDRESS,
     "{ .param .b64 at; add.u64 %rd1, %rd3, 1; st.param.b64 [at], %rd1; call put, (at); }"},
    // Behind a barrier, where the address comes from before it.
    {"misalignedBehindBarrier", CUDA_ERROR_MISALIGNED_ADDRESS,
     "add.u64 %rd1, %rd3, 1; bar.sync 0; st.global.u32 [%rd1], 1;"},
    // Not executed, and so no fault.
    {"misalignedNotReached", CUDA_SUCCESS,
     "setp.ne.u32 %p1, %r2, 0; @%p1 st.global.u32 [%rd3+1], 1; @%p1 ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd3+4];"},
    {"misalignedNeverInLoop", CUDA_SUCCESS,
     "mov.u32 %r1, 0; bra test; again: st.global.u32 [%rd3+1], %r1; add.u32 %r1, %r1, 1; "
     "test: setp.lt.u32 %p1, %r1, %r2; @%p1 bra again;"},
    {"bytesAnywhere", CUDA_SUCCESS, "mov.u16 %rs1, 1; st.global.u8 [%rd3+1], %rs1; ld.global.u8 %rs1, [%rd3+3];"},
    {"stackOverflow", CUDA_ERROR_ILLEGAL_ADDRESS,
     "{ .param .b32 depth; .param .b32 result; st.param.b32 [depth], 1000000; call (result), dig, (depth); "
     "ld.param.b32 %r1, [result]; st.global.u32 [%rd3], %r1; }"},
};

std::string programOf(const Fault &fault) {
  return kHead + R"(
.func (.param .b32 out) dig(.param .b32 depth)
{
  .reg .b32 %r<8>;
  .reg .pred %p;
  .local .align 4 .b8 hole[256];
  .reg .b64 %rd<3>;
  ld.param.b32 %r1, [depth];
  mov.u64 %rd1, hole;
  and.b32 %r2, %r1, 252;
  cvt.u64.u32 %rd2, %r2;
  add.u64 %rd1, %rd1, %rd2;
  st.local.u32 [%rd1], %r1;
  setp.eq.u32 %p, %r1, 0;
  mov.u32 %r3, 0;
  @%p bra done;
  sub.u32 %r4, %r1, 1;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r4; call (b), dig, (a); ld.param.b32 %r3, [b]; }
  ld.local.u32 %r5, [%rd1];
  add.u32 %r3, %r3, %r5;
done:
  st.param.b32 [out], %r3;
  ret;
}
.func put(.param .b64 at)
{
  .reg .b64 %rd<2>;
  ld.param.b64 %rd1, [at];
  st.global.u32 [%rd1], 1;
  ret;
}
.visible .entry go(.param .u64 to, .param .u32 zero)
{
  .reg .b16 %rs<2>;
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<8>;
  .shared .align 8 .b8 room[64];
  ld.param.u64 %rd3, [to];
  ld.param.u32 %r2, [zero];
  mov.u32 %r1, %r2;
  st.shared.u32 [room], %r1;
)" + fault.body +
         "\n  ret;\n}\n";
}

class KernelFault : public testing::TestWithParam<Fault> {};

/// An NVIDIA driver gives no context any more after some of these: there, each is run in a process of its own.
void faultIn(const Fault &fault) {
  CUcontext context = nullptr;
  ASSERT_OK(CU(cuInit)(0));
  ASSERT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  CUmodule module = nullptr;
  ASSERT_OK(CU(cuModuleLoadData)(&module, programOf(fault).c_str()));
  CUfunction go = nullptr;
  ASSERT_OK(CU(cuModuleGetFunction)(&go, module, "go"));
  CUdeviceptr memory = 0, another = 0;
  ASSERT_OK(CU(cuMemAlloc_v2)(&memory, 64));
  CUstream stream = nullptr;
  CUevent event = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, 0));
  ASSERT_OK(CU(cuEventCreate)(&event, 0));
  unsigned zero = 0;
  void *parameters[] = {&memory, &zero};
  EXPECT_OK(CU(cuLaunchKernel)(go, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(int(CU(cuCtxSynchronize)()), int(fault.expected));
  if (testing::Test::HasFailure() || fault.expected == CUDA_SUCCESS) {
    EXPECT_OK(CU(cuCtxDestroy_v2)(context));
    return;
  }
  // It stays, whatever is called.
  const auto stays = [&](const char *what, CUresult result) { EXPECT_EQ(int(result), int(fault.expected)) << what; };
  char bytes[4] = {};
  stays("cuMemAlloc", CU(cuMemAlloc_v2)(&another, 4));
  stays("cuMemcpyDtoH", CU(cuMemcpyDtoH_v2)(bytes, memory, 4));
  stays("cuMemFree", CU(cuMemFree_v2)(memory));
  stays("cuStreamQuery", CU(cuStreamQuery)(stream));
  stays("cuStreamCreate", CU(cuStreamCreate)(&stream, 0));
  stays("cuEventRecord", CU(cuEventRecord)(event, nullptr));
  stays("cuEventQuery", CU(cuEventQuery)(event));
  stays("cuModuleUnload", CU(cuModuleUnload)(module));
  stays("cuLaunchKernel", CU(cuLaunchKernel)(go, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  stays("cuCtxSynchronize", CU(cuCtxSynchronize)());
  size_t bytesFree = 0, total = 0;
  stays("cuMemGetInfo", CU(cuMemGetInfo_v2)(&bytesFree, &total));
  EXPECT_OK(CU(cuCtxDestroy_v2)(context));
}

TEST_P(KernelFault, staysWithItsCode) { faultIn(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Kernels, KernelFault, testing::ValuesIn(kFaults),
                         [](const auto &info) { return std::string(info.param.what); });

// CMakeLists.txt runs this with UNDERSTUDY_TIME_LIMIT.
TEST(FindingCallback, hearsOfKernels) {
  if (!std::getenv("UNDERSTUDY_CHECK")) GTEST_SKIP() << "nothing is checked";
  using Heard = std::vector<std::pair<std::string, std::string>>;
  Heard heard;
  CU(cuUnderstudySetFindingCallback)
  ([](const char *sentence, const char *json, size_t size,
      void *to) { static_cast<Heard *>(to)->emplace_back(sentence, std::string(json, size)); },
   &heard);
  ASSERT_OK(CU(cuInit)(0));
  CUcontext context = nullptr;
  ASSERT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  const std::string text = kHead + R"(
.visible .entry beyond(.param .u64 at)
{
  .reg .b32 %r;
  .reg .b64 %rd;
  ld.param.u64 %rd, [at];
  mov.u32 %r, 1;
  st.global.u32 [%rd+64], %r;
  ret;
}
)";
  CUmodule module = nullptr;
  CUfunction beyond = nullptr;
  CUdeviceptr memory = 0;
  ASSERT_OK(CU(cuModuleLoadData)(&module, text.c_str()));
  ASSERT_OK(CU(cuModuleGetFunction)(&beyond, module, "beyond"));
  ASSERT_OK(CU(cuMemAlloc_v2)(&memory, 64));
  void *arguments[] = {&memory};
  for (int launch = 0; launch < 2; ++launch)
    EXPECT_OK(CU(cuLaunchKernel)(beyond, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT_OK(CU(cuCtxSynchronize)());
  ASSERT_EQ(heard.size(), 1u);
  EXPECT_NE(heard[0].first.find("kernel 'beyond' wrote 4 bytes out of bounds"), std::string::npos) << heard[0].first;
  EXPECT_NE(heard[0].second.find("\"class\":\"memory\""), std::string::npos) << heard[0].second;
  // And of what the host does.
  EXPECT_OK(CU(cuMemFree_v2)(memory));
  EXPECT_NE(CU(cuMemFree_v2)(memory), CUDA_SUCCESS);
  ASSERT_EQ(heard.size(), 2u);
  EXPECT_NE(heard[1].second.find("\"kind\":\"freed twice\""), std::string::npos) << heard[1].second;
  CUstream streams[2];
  ASSERT_OK(CU(cuMemAlloc_v2)(&memory, 64));
  for (CUstream &stream : streams) {
    ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
    EXPECT_OK(CU(cuMemsetD8Async)(memory, 1, 64, stream));
  }
  EXPECT_OK(CU(cuCtxSynchronize)());
  ASSERT_EQ(heard.size(), 3u);
  EXPECT_NE(heard[2].second.find("\"kind\":\"race between commands\""), std::string::npos) << heard[2].second;
  CU(cuUnderstudySetFindingCallback)(nullptr, nullptr);
  EXPECT_OK(CU(cuCtxDestroy_v2)(context));
}

/// Waits until the word is no longer 0.
const std::string kWaits = kHead + R"(
.visible .entry waits(.param .u64 at)
{
  .reg .pred %p;
  .reg .b32 %r;
  .reg .b64 %rd;
  ld.param.u64 %rd, [at];
again:
  ld.volatile.global.u32 %r, [%rd];
  setp.eq.u32 %p, %r, 0;
  @%p bra again;
  ret;
}
)";

TEST(CheckWait, knowsWhatTheHostMayWrite) {
  if (!std::getenv("UNDERSTUDY_CHECK_WAIT")) GTEST_SKIP() << "waits are not checked";
  ASSERT_OK(CU(cuInit)(0));
  CUcontext context = nullptr;
  ASSERT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  CUmodule module = nullptr;
  CUfunction waits = nullptr;
  ASSERT_OK(CU(cuModuleLoadData)(&module, kWaits.c_str()));
  ASSERT_OK(CU(cuModuleGetFunction)(&waits, module, "waits"));
  void *word = nullptr;
  ASSERT_OK(CU(cuMemHostAlloc)(&word, sizeof(uint32_t), CU_MEMHOSTALLOC_DEVICEMAP));
  std::atomic_ref<uint32_t> flag(*static_cast<uint32_t *>(word));
  flag = 0;
  void *arguments[] = {&word};
  EXPECT_OK(CU(cuLaunchKernel)(waits, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  std::this_thread::sleep_for(std::chrono::seconds(1));
  flag = 1;
  EXPECT_OK(CU(cuCtxSynchronize)());
  // Nobody writes this one.
  CUdeviceptr memory = 0;
  ASSERT_OK(CU(cuMemAlloc_v2)(&memory, 64));
  ASSERT_OK(CU(cuMemsetD32_v2)(memory, 0, 16));
  arguments[0] = &memory;
  EXPECT_OK(CU(cuLaunchKernel)(waits, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_FAILED);
  EXPECT_OK(CU(cuCtxDestroy_v2)(context));
}

TEST(TimeLimit, endsKernels) {
  if (!std::getenv("UNDERSTUDY_TIME_LIMIT")) GTEST_SKIP() << "there is no time limit";
  ASSERT_OK(CU(cuInit)(0));
  int limited = 0;
  EXPECT_OK(CU(cuDeviceGetAttribute)(&limited, CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, 0));
  EXPECT_EQ(limited, 1);
  CUcontext context = nullptr;
  ASSERT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  CUmodule module = nullptr;
  CUfunction waits = nullptr;
  CUdeviceptr memory = 0;
  ASSERT_OK(CU(cuModuleLoadData)(&module, kWaits.c_str()));
  ASSERT_OK(CU(cuModuleGetFunction)(&waits, module, "waits"));
  ASSERT_OK(CU(cuMemAlloc_v2)(&memory, 4));
  ASSERT_OK(CU(cuMemsetD32_v2)(memory, 0, 1));
  void *parameters[] = {&memory};
  EXPECT_OK(CU(cuLaunchKernel)(waits, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_EQ(CU(cuMemAlloc_v2)(&memory, 4), CUDA_ERROR_LAUNCH_TIMEOUT);
  EXPECT_OK(CU(cuCtxDestroy_v2)(context));
}

} // namespace
} // namespace us::cuda_test
