// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code that the program loads while it runs, and the handles of kernels in the places of functions.
#include "../check.h"
#include <cstring>

static const char *const code = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .entry multiply(.param .u64 to) {
  .reg .b32 %r<4>;
  .reg .b64 %a<4>;
  ld.param.u64 %a1, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %a2, %r1, 4;
  add.u64 %a1, %a1, %a2;
  ld.global.u32 %r2, [factor];
  mul.lo.u32 %r3, %r1, %r2;
  st.global.u32 [%a1], %r3;
  ret;
}
.visible .entry second() { ret; }
)";

__global__ void add(int *to, int value) { to[threadIdx.x] += value; }

int main() {
  int *out;
  OK(cudaMallocManaged(&out, 32 * sizeof(int)));

  cudaLibrary_t library;
  OK(cudaLibraryLoadData(&library, code, nullptr, nullptr, 0, nullptr, nullptr, 0));
  unsigned count = 0;
  OK(cudaLibraryGetKernelCount(&count, library));
  CHECK(count == 2);
  cudaKernel_t kernels[2] = {}, multiply;
  OK(cudaLibraryEnumerateKernels(kernels, 2, library));
  OK(cudaLibraryGetKernel(&multiply, library, "multiply"));
  CHECK(multiply == kernels[0] || multiply == kernels[1]);
  // "cudaErrorSymbolNotFound"
  cudaKernel_t absent;
  EXPECT(cudaErrorSymbolNotFound, cudaLibraryGetKernel(&absent, library, "absent"));

  // "can be passed to cudaLaunchKernel by casting to void*"
  void *arguments[] = {&out};
  OK(cudaLaunchKernel((const void *)multiply, 1, 32, arguments, 0, 0));
  OK(cudaDeviceSynchronize());
  CHECK(out[5] == 15);
  const char *name = nullptr;
  OK(cudaFuncGetName(&name, (const void *)multiply));
  CHECK(!std::strcmp(name, "multiply"));
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, (const void *)multiply));
  CHECK(attributes.maxThreadsPerBlock > 0);
  OK(cudaKernelSetAttributeForDevice(multiply, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024, 0));

  void *factor;
  size_t size = 0;
  OK(cudaLibraryGetGlobal(&factor, &size, library, "factor"));
  CHECK(size == sizeof(int));
  const int seven = 7;
  OK(cudaMemcpy(factor, &seven, sizeof(int), cudaMemcpyHostToDevice));
  OK(cudaLaunchKernel((const void *)multiply, 1, 32, arguments, 0, 0));
  OK(cudaDeviceSynchronize());
  CHECK(out[31] == 217);

  // A kernel of the program's own has a handle, too.
  cudaKernel_t own;
  int value = 1000;
  void *two[] = {&out, &value};
  OK(cudaGetKernel(&own, (const void *)add));
  OK(cudaLaunchKernel((const void *)own, 1, 32, two, 0, 0));
  OK(cudaDeviceSynchronize());
  CHECK(out[31] == 1217);

  OK(cudaLibraryUnload(library));
  EXPECT(cudaErrorInvalidResourceHandle, cudaLaunchKernel((const void *)multiply, 1, 32, arguments, 0, 0));
  // NVIDIA's driver reads code when something of it is wanted.
  cudaError_t error =
      cudaLibraryLoadData(&library, ".version 7.0\n.target sm_70\nnonsense", nullptr, nullptr, 0, nullptr, nullptr, 0);
  if (error == cudaSuccess) error = cudaLibraryGetKernel(&absent, library, "nonsense");
  CHECK(error != cudaSuccess);
  EXPECT(cudaErrorFileNotFound,
         cudaLibraryLoadFromFile(&library, "/nowhere/to.be.found", nullptr, nullptr, 0, nullptr, nullptr, 0));
  cudaGetLastError();
  OK(cudaFree(out));
  return failures != 0;
}
