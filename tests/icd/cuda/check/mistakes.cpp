// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes in the use of CUDA's driver API that `understudy check` has to name; tests/icd/opencl/check/mistakes.cpp
// says how they are written.
#include <cuda.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

namespace {

bool isFixed = false;

constexpr size_t kBytes = 4096;
constexpr const char *kModule = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry write(.param .u64 to, .param .u64 offset) {
  .reg .b64 %a<4>;
  ld.param.u64 %a1, [to];
  ld.param.u64 %a2, [offset];
  add.u64 %a3, %a1, %a2;
  st.global.u64 [%a3], %a2;
  ret;
}
.visible .entry add_one(.param .u64 to, .param .u32 from) {
  .reg .b64 %a<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %a1, [to];
  ld.param.u32 %r1, [from];
  mov.u32 %r2, %tid.x;
  add.u32 %r1, %r1, %r2;
  mul.wide.u32 %a2, %r1, 4;
  add.u64 %a3, %a1, %a2;
  ld.global.u32 %r3, [%a3];
  add.u32 %r3, %r3, 1;
  st.global.u32 [%a3], %r3;
  ret;
}
.visible .entry count(.param .u64 to, .param .u32 unused) {
  .reg .b64 %a<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %a1, [to];
  atom.global.add.u32 %r1, [%a1], 1;
  ret;
}
.visible .entry paint(.param .u64 surface, .param .u32 from) {
  .reg .b64 %a<2>;
  .reg .b32 %r<4>;
  ld.param.u64 %a1, [surface];
  ld.param.u32 %r1, [from];
  mov.u32 %r2, %tid.x;
  add.u32 %r1, %r1, %r2;
  shl.b32 %r3, %r1, 2;
  sust.b.1d.b32.trap [%a1, {%r3}], {%r1};
  ret;
}
.visible .entry look(.param .u64 texture, .param .u32 from, .param .u64 to) {
  .reg .b64 %a<5>;
  .reg .b32 %r<8>;
  ld.param.u64 %a1, [texture];
  ld.param.u32 %r1, [from];
  ld.param.u64 %a2, [to];
  mov.u32 %r2, %tid.x;
  add.u32 %r1, %r1, %r2;
  tex.1d.v4.u32.s32 {%r4, %r5, %r6, %r7}, [%a1, {%r1}];
  mul.wide.u32 %a3, %r2, 4;
  add.u64 %a4, %a2, %a3;
  st.global.u32 [%a4], %r4;
  ret;
}
)";

void must(CUresult code, int line) {
  if (code == CUDA_SUCCESS) return;
  std::printf("line %d: error %d\n", line, int(code));
  std::exit(1);
}
#define MUST(call) must(call, __LINE__)

struct Session {
  CUdevice device{};
  CUcontext context{};
  Session() {
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
  }
};

void freedTwice() {
  Session all;
  CUdeviceptr memory, other;
  MUST(cuMemAlloc(&memory, kBytes)); //~ made
  MUST(cuMemFree(memory));           //~ freed
  MUST(cuMemAlloc(&other, 1 << 20));
  cuMemFree(isFixed ? other : memory); //~ freed twice
  if (!isFixed) MUST(cuMemFree(other));
}

void usedAfterFree() {
  Session all;
  CUdeviceptr memory;
  char bytes[16] = {};
  MUST(cuMemAlloc(&memory, kBytes));             //~ made
  if (!isFixed) MUST(cuMemFree(memory));         //~ freed
  cuMemcpyHtoD(memory + 8, bytes, sizeof bytes); //~ use after free
  if (isFixed) MUST(cuMemFree(memory));
}

void hostMemoryFreedTwice() {
  Session all;
  void *memory;
  MUST(cuMemAllocHost(&memory, kBytes)); //~ made
  MUST(cuMemFreeHost(memory));           //~ freed
  if (isFixed) MUST(cuMemAllocHost(&memory, kBytes));
  cuMemFreeHost(memory); //~ freed twice
}

void leaked() {
  Session all;
  CUdeviceptr memory;
  MUST(cuMemAlloc(&memory, kBytes)); //~ never freed
  if (isFixed) MUST(cuMemFree(memory));
}

/// Behind all that the runtime can do.
struct Late {
  CUdeviceptr memory = 0;
  ~Late() {
    if (memory) cuMemFree(memory);
  }
} late;

void freedLate() {
  Session all;
  CUdeviceptr memory;
  MUST(cuMemAllocManaged(&memory, kBytes, CU_MEM_ATTACH_GLOBAL)); //~ never freed
  if (isFixed) late.memory = memory;
}

/// A context takes its memory with it.
void leftToItsContext() {
  Session all;
  CUcontext context;
  CUdeviceptr memory;
  MUST(cuCtxCreate(&context, nullptr, 0, all.device));
  MUST(cuMemAlloc(&memory, kBytes)); //~ never freed
  if (isFixed) MUST(cuCtxDestroy(context));
}

void outOfBounds() {
  Session all;
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr memory;
  MUST(cuModuleLoadData(&module, kModule));
  MUST(cuModuleGetFunction(&kernel, module, "write"));
  MUST(cuMemAlloc(&memory, kBytes)); //~ made
  size_t offset = isFixed ? kBytes - 8 : kBytes;
  void *parameters[] = {&memory, &offset};
  MUST(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr)); //~ enqueued
  MUST(cuCtxSynchronize());
  MUST(cuMemFree(memory));
}

// --- Races between commands of streams ---

constexpr unsigned kThreads = 64;

/// Two streams, and memory that nobody uses any more.
struct Streams : Session {
  CUstream one{}, other{};
  CUmodule module{};
  CUdeviceptr memory{};
  explicit Streams(unsigned flags = CU_STREAM_DEFAULT) {
    MUST(cuModuleLoadData(&module, kModule));
    MUST(cuStreamCreate(&one, flags));
    MUST(cuStreamCreate(&other, flags));
    MUST(cuMemAlloc(&memory, kBytes));
    clear(memory);
  }
  ~Streams() {
    MUST(cuCtxSynchronize());
    MUST(cuMemFree(memory));
    MUST(cuStreamDestroy(one));
    MUST(cuStreamDestroy(other));
    MUST(cuModuleUnload(module));
  }
  void clear(CUdeviceptr what) {
    MUST(cuMemsetD8(what, 0, kBytes));
    MUST(cuCtxSynchronize());
  }
  CUfunction kernel(const char *name) {
    CUfunction found;
    MUST(cuModuleGetFunction(&found, module, name));
    return found;
  }
};

// The line that a finding names is that of the call.
#define LAUNCH(kernel, stream, memory, from)                                                                           \
  do {                                                                                                                 \
    CUdeviceptr to = memory;                                                                                           \
    unsigned first = from;                                                                                             \
    void *parameters[] = {&to, &first};                                                                                \
    MUST(cuLaunchKernel(kernel, 1, 1, 1, kThreads, 1, 1, 0, stream, parameters, nullptr));                             \
  } while (false)

/// An event, or nothing, between two kernels.
void streams() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  CUevent event;
  MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  LAUNCH(kernel, all.one, all.memory, 0); //~ other side
  MUST(cuEventRecord(event, all.one));
  if (isFixed) MUST(cuStreamWaitEvent(all.other, event, 0));
  LAUNCH(kernel, all.other, all.memory, 0); //~ race between commands
  MUST(cuEventDestroy(event));
}

/// What an event stands for is what was in the stream when it was recorded.
void recordedTooEarly() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  CUevent event;
  MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  if (!isFixed) MUST(cuEventRecord(event, all.one));
  LAUNCH(kernel, all.one, all.memory, 0); //~ other side
  if (isFixed) MUST(cuEventRecord(event, all.one));
  MUST(cuEventSynchronize(event));
  LAUNCH(kernel, all.other, all.memory, 0); //~ race between commands
  MUST(cuEventDestroy(event));
}

/// The default stream waits for blocking streams, and they for it; others do not.
void besideTheDefaultStream() {
  Streams all(isFixed ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
  CUfunction kernel = all.kernel("add_one");
  MUST(cuMemsetD32(all.memory, 5, kThreads)); //~ other side
  LAUNCH(kernel, all.one, all.memory, 0);     //~ race between commands
}

/// Two blocking streams are in no order with each other; work of the default stream between the two makes one.
void betweenBlockingStreams() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  LAUNCH(kernel, all.one, all.memory, 0); //~ other side
  LAUNCH(kernel, isFixed ? nullptr : all.one, all.memory, kThreads);
  LAUNCH(kernel, all.other, all.memory, 0); //~ race between commands
}

/// Kernels that use different parts of an allocation may run at the same time.
void parts() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  LAUNCH(kernel, all.one, all.memory, 0);                                   //~ other side
  LAUNCH(kernel, all.other, all.memory, isFixed ? kThreads : kThreads - 1); //~ race between commands
}

/// The program waits for the wrong stream.
void waitedForAnother() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  void *results;
  MUST(cuMemAllocHost(&results, kBytes));
  LAUNCH(kernel, all.one, all.memory, 0); //~ other side
  MUST(cuStreamSynchronize(isFixed ? all.one : all.other));
  MUST(cuMemcpyDtoHAsync(results, all.memory, kBytes, all.other)); //~ race between commands
  MUST(cuStreamSynchronize(all.other));
  MUST(cuMemFreeHost(results));
}

/// A query that says yes tells as much as a wait does; what has ended without that is in no order.
void polled() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  LAUNCH(kernel, all.one, all.memory, 0); //~ other side
  while (cuStreamQuery(isFixed ? all.one : all.other) == CUDA_ERROR_NOT_READY) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  LAUNCH(kernel, all.other, all.memory, 0); //~ race between commands
}

/// A copy between peers is behind all that there is, in any stream, and before all that comes; not so its other form.
void besideAPeersCopy() {
  Streams all(CU_STREAM_NON_BLOCKING);
  const CUdeviceptr to = all.memory + 2048, from = all.memory + 1024;
  MUST(cuMemsetD8Async(all.memory, 1, 64, all.one)); //~ other side
  if (isFixed)
    MUST(cuMemcpyPeer(to, all.context, from, all.context, 64));
  else
    MUST(cuMemcpyPeerAsync(to, all.context, from, all.context, 64, all.one));
  MUST(cuMemsetD8Async(all.memory, 2, 64, all.other)); //~ race between commands
}

/// Two copies into the same page-locked memory.
void copiedToTheSame() {
  Streams all;
  char *results;
  MUST(cuMemHostAlloc(reinterpret_cast<void **>(&results), kBytes, 0));                 //~ made
  MUST(cuMemcpyDtoHAsync(results, all.memory, 256, all.one));                           //~ other side
  MUST(cuMemcpyDtoHAsync(results + (isFixed ? 256 : 255), all.memory, 256, all.other)); //~ race between commands
  MUST(cuCtxSynchronize());
  MUST(cuMemFreeHost(results));
}

/// Rows with room between them.
void rowsOfACopy() {
  Streams all;
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = all.memory;
  copy.dstDevice = all.memory + 2048;
  copy.srcPitch = copy.dstPitch = 128;
  copy.WidthInBytes = isFixed ? 64 : 65;
  copy.Height = 4;
  MUST(cuMemcpy2DAsync(&copy, all.one));                                     //~ other side
  MUST(cuMemsetD2D8Async(all.memory + 2048 + 64, 128, 1, 64, 4, all.other)); //~ race between commands
}

void managedMemory() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  CUdeviceptr managed;
  MUST(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL)); //~ made
  all.clear(managed);
  LAUNCH(kernel, all.one, managed, 0); //~ other side
  if (isFixed) MUST(cuCtxSynchronize());
  LAUNCH(kernel, all.other, managed, 0); //~ race between commands
  MUST(cuCtxSynchronize());
  MUST(cuMemFree(managed));
}

/// Memory is there where the stream has come to its allocation.
void usedBeforeItIsThere() {
  Streams all;
  CUdeviceptr memory;
  MUST(cuMemAllocAsync(&memory, kBytes, all.one)); //~ other side
  if (isFixed) MUST(cuStreamSynchronize(all.one));
  MUST(cuMemsetD8Async(memory, 0, kBytes, all.other)); //~ race between commands
  MUST(cuStreamSynchronize(all.other));
  MUST(cuMemFreeAsync(memory, all.one));
}

/// Freed in the order of a stream, while another one may still use it.
void freedInAnotherStream() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  CUdeviceptr memory;
  CUevent event;
  MUST(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
  MUST(cuMemAllocAsync(&memory, kBytes, all.one));
  MUST(cuMemsetD8Async(memory, 0, kBytes, all.one));
  MUST(cuStreamSynchronize(all.one));
  LAUNCH(kernel, all.one, memory, 0); //~ other side
  MUST(cuEventRecord(event, all.one));
  if (isFixed) MUST(cuStreamWaitEvent(all.other, event, 0));
  MUST(cuMemFreeAsync(memory, all.other)); //~ race between commands
  MUST(cuEventDestroy(event));
}

/// Atomic operations are in some order, and all count.
void counters() {
  Streams all;
  LAUNCH(all.kernel("count"), all.one, all.memory, 0);                         //~ other side
  LAUNCH(all.kernel(isFixed ? "count" : "add_one"), all.other, all.memory, 0); //~ race between commands
}

/// A function of the program's runs behind what is before it in its stream, and may say so to the rest.
void toldByAFunction() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  static std::atomic<bool> isTold{false};
  const CUhostFn tell = [](void *) { isTold = true; };
  if (!isFixed) MUST(cuLaunchHostFunc(all.one, tell, nullptr));
  LAUNCH(kernel, all.one, all.memory, 0); //~ other side
  if (isFixed) MUST(cuLaunchHostFunc(all.one, tell, nullptr));
  while (!isTold) std::this_thread::yield();
  LAUNCH(kernel, all.other, all.memory, 0); //~ race between commands
}

// --- What the program does itself ---

/// The kernel has been enqueued, and the program goes on writing.
void managedMemoryWritten() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  CUdeviceptr managed;
  MUST(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL)); //~ made
  all.clear(managed);
  LAUNCH(kernel, nullptr, managed, 0); //~ race with the host
  if (isFixed) MUST(cuCtxSynchronize());
  reinterpret_cast<unsigned *>(managed)[kThreads - 1] = 7;
  MUST(cuCtxSynchronize());
  MUST(cuMemFree(managed));
}

/// Of one allocation the program may have one half, and the kernel the other one.
void managedMemoryDivided() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  CUdeviceptr managed;
  MUST(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL)); //~ made
  all.clear(managed);
  LAUNCH(kernel, all.one, managed, 0); //~ race with the host
  for (unsigned i = isFixed ? kThreads : kThreads - 1; i < 2 * kThreads; ++i)
    reinterpret_cast<unsigned *>(managed)[i] = 7;
  MUST(cuCtxSynchronize());
  MUST(cuMemFree(managed));
}

/// Behind a function of the program's, which may have waited for what the program writes, nothing is told.
void writtenForAFunction() {
  Streams all;
  CUfunction kernel = all.kernel("add_one");
  CUdeviceptr managed;
  static std::atomic<bool> goesOn{false};
  MUST(cuMemAllocManaged(&managed, kBytes, CU_MEM_ATTACH_GLOBAL)); //~ made
  all.clear(managed);
  const CUhostFn wait = [](void *) {
    while (!goesOn) std::this_thread::yield();
  };
  goesOn = !isFixed;
  if (isFixed) MUST(cuLaunchHostFunc(all.one, wait, nullptr));
  LAUNCH(kernel, all.one, managed, 0); //~ race with the host
  reinterpret_cast<unsigned *>(managed)[0] = 7;
  goesOn = true;
  MUST(cuCtxSynchronize());
  MUST(cuMemFree(managed));
}

// --- Arrays, surfaces and textures ---

constexpr unsigned kTexels = 256;

CUarray arrayOf(unsigned flags) {
  CUDA_ARRAY3D_DESCRIPTOR form{};
  form.Width = kTexels;
  form.Format = CU_AD_FORMAT_UNSIGNED_INT32;
  form.NumChannels = 1;
  form.Flags = flags;
  CUarray array;
  MUST(cuArray3DCreate(&array, &form));
  CUDA_MEMCPY2D copy{};
  unsigned zeros[kTexels] = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = zeros;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = sizeof zeros;
  copy.Height = 1;
  MUST(cuMemcpy2D(&copy));
  MUST(cuCtxSynchronize());
  return array;
}

CUtexObject textureOf(const CUDA_RESOURCE_DESC &from) {
  CUDA_TEXTURE_DESC how{};
  how.flags = CU_TRSF_READ_AS_INTEGER;
  CUtexObject texture;
  MUST(cuTexObjectCreate(&texture, &from, &how, nullptr));
  return texture;
}

CUDA_RESOURCE_DESC resourceOf(CUarray array) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_ARRAY;
  resource.res.array.hArray = array;
  return resource;
}

/// Texels that one stream writes, and another copies.
void arrayCopiedBesideASurface() {
  Streams all;
  CUarray array = arrayOf(CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = resourceOf(array);
  CUsurfObject surface;
  MUST(cuSurfObjectCreate(&surface, &resource));
  CUfunction kernel = all.kernel("paint");
  LAUNCH(kernel, all.one, surface, 0); //~ other side
  unsigned *results;
  MUST(cuMemAllocHost(reinterpret_cast<void **>(&results), kBytes));
  const size_t from = 4 * (isFixed ? kThreads : kThreads - 1);
  MUST(cuMemcpyAtoHAsync(results, array, from, 64, all.other)); //~ race between commands
  MUST(cuCtxSynchronize());
  MUST(cuMemFreeHost(results));
  MUST(cuSurfObjectDestroy(surface));
  MUST(cuArrayDestroy(array));
}

/// Of one array there are a surface and a texture.
void textureBesideASurface() {
  Streams all;
  CUarray array = arrayOf(CUDA_ARRAY3D_SURFACE_LDST);
  const CUDA_RESOURCE_DESC resource = resourceOf(array);
  CUsurfObject surface;
  MUST(cuSurfObjectCreate(&surface, &resource));
  CUtexObject texture = textureOf(resource);
  CUfunction kernel = all.kernel("paint");
  LAUNCH(kernel, all.one, surface, 0); //~ other side
  unsigned from = isFixed ? kThreads : kThreads - 1;
  void *parameters[] = {&texture, &from, &all.memory};
  MUST(cuLaunchKernel(all.kernel("look"), 1, 1, 1, kThreads, 1, 1, 0, all.other, parameters,
                      nullptr)); //~ race between commands
  MUST(cuCtxSynchronize());
  MUST(cuTexObjectDestroy(texture));
  MUST(cuSurfObjectDestroy(surface));
  MUST(cuArrayDestroy(array));
}

/// A texture of device memory.
void textureOfMemory() {
  Streams all;
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear = {all.memory, CU_AD_FORMAT_UNSIGNED_INT32, 1, 1024};
  CUtexObject texture = textureOf(resource);
  LAUNCH(all.kernel("add_one"), all.one, all.memory, 0); //~ other side
  unsigned from = isFixed ? kThreads : kThreads - 1;
  CUdeviceptr to = all.memory + 2048;
  void *parameters[] = {&texture, &from, &to};
  MUST(cuLaunchKernel(all.kernel("look"), 1, 1, 1, kThreads, 1, 1, 0, all.other, parameters,
                      nullptr)); //~ race between commands
  MUST(cuCtxSynchronize());
  MUST(cuTexObjectDestroy(texture));
}

/// Copies into one array.
void arrayCopiedTwice() {
  Streams all;
  CUarray array = arrayOf(0);
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = all.memory;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = 256;
  copy.Height = 1;
  MUST(cuMemcpy2DAsync(&copy, all.one)); //~ other side
  copy.dstXInBytes = isFixed ? 256 : 252;
  MUST(cuMemcpy2DAsync(&copy, all.other)); //~ race between commands
  MUST(cuCtxSynchronize());
  MUST(cuArrayDestroy(array));
}

struct Case {
  std::string_view name;
  void (*run)();
} const kCases[] = {
#define CASE(name) {#name, name}
    CASE(freedTwice),
    CASE(usedAfterFree),
    CASE(hostMemoryFreedTwice),
    CASE(leaked),
    CASE(freedLate),
    CASE(leftToItsContext),
    CASE(outOfBounds),
    CASE(streams),
    CASE(recordedTooEarly),
    CASE(besideTheDefaultStream),
    CASE(betweenBlockingStreams),
    CASE(parts),
    CASE(waitedForAnother),
    CASE(polled),
    CASE(besideAPeersCopy),
    CASE(copiedToTheSame),
    CASE(rowsOfACopy),
    CASE(managedMemory),
    CASE(usedBeforeItIsThere),
    CASE(freedInAnotherStream),
    CASE(counters),
    CASE(toldByAFunction),
    CASE(managedMemoryWritten),
    CASE(managedMemoryDivided),
    CASE(writtenForAFunction),
    CASE(arrayCopiedBesideASurface),
    CASE(textureBesideASurface),
    CASE(textureOfMemory),
    CASE(arrayCopiedTwice),
};

} // namespace

int main(int count, char **words) {
  isFixed = count > 2;
  for (const Case &one : kCases)
    if (count > 1 && one.name == words[1]) return one.run(), 0;
  for (const Case &one : kCases) std::printf("%s\n", std::string(one.name).c_str());
  return count > 1;
}
