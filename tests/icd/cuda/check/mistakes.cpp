// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mistakes in the use of CUDA's driver API that `understudy check` has to name; tests/icd/opencl/check/mistakes.cpp
// says how they are written.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

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

struct Case {
  std::string_view name;
  void (*run)();
} const kCases[] = {
#define CASE(name) {#name, name}
    CASE(freedTwice), CASE(usedAfterFree),    CASE(hostMemoryFreedTwice), CASE(leaked),
    CASE(freedLate),  CASE(leftToItsContext), CASE(outOfBounds),
};

} // namespace

int main(int count, char **words) {
  isFixed = count > 2;
  for (const Case &one : kCases)
    if (count > 1 && one.name == words[1]) return one.run(), 0;
  for (const Case &one : kCases) std::printf("%s\n", std::string(one.name).c_str());
  return count > 1;
}
