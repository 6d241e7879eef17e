// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last error of a thread, which calls set and one call takes away; and the errors of wrong calls.
#include "../check.h"
#include <cstring>
#include <thread>

__global__ void nothing() {}
__global__ void withArgument(int) {}
void notAKernel() {}

int main() {
  OK(cudaGetLastError());
  void *pointer = nullptr;
  // "Returns the last error that has been produced by any of the runtime calls ... and resets it to cudaSuccess."
  EXPECT(cudaErrorMemoryAllocation, cudaMalloc(&pointer, size_t{1} << 50));
  CHECK(pointer == nullptr);
  EXPECT(cudaErrorMemoryAllocation, cudaPeekAtLastError());
  EXPECT(cudaErrorMemoryAllocation, cudaPeekAtLastError());
  OK(cudaDeviceSynchronize()); // a call that succeeds leaves it
  // "in the same instance of the CUDA Runtime library in the host thread"
  std::thread([] { OK(cudaGetLastError()); }).join();
  EXPECT(cudaErrorMemoryAllocation, cudaGetLastError());
  OK(cudaGetLastError());

  // Launches that the device cannot run.
  nothing<<<1, 2048>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<0, 1>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<dim3(1, 70000), 1>>>();
  EXPECT(cudaErrorInvalidConfiguration, cudaGetLastError());
  nothing<<<1, 1, 1 << 20>>>();
  EXPECT(cudaErrorInvalidValue, cudaGetLastError());
  // As NVIDIA's runtime answers, 13.0 on an H100; releases before had a number for it.
  const cudaError_t unknown = CUDART_VERSION >= 13000 ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
  EXPECT(unknown, cudaLaunchKernel((const void *)notAKernel, 1, 1, nullptr, 0, 0));
  cudaFuncAttributes attributes;
  EXPECT(unknown, cudaFuncGetAttributes(&attributes, (const void *)notAKernel));
  nothing<<<1, 1>>>();
  EXPECT(unknown, cudaGetLastError()); // of the calls before
  OK(cudaDeviceSynchronize());

  EXPECT(cudaErrorInvalidDevice, cudaSetDevice(1000));
  EXPECT(cudaErrorInvalidDevice, cudaSetDevice(-1));
  EXPECT(cudaErrorInvalidValue, cudaMalloc((void **)nullptr, 4));
  EXPECT(cudaErrorInvalidValue, cudaFree((void *)0x1234));
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpy(&pointer, &pointer, 4, (cudaMemcpyKind)9));
  EXPECT(cudaErrorInvalidValue, cudaMemset(nullptr, 0, 4));
  EXPECT(cudaErrorInvalidValue, cudaGetDeviceCount(nullptr));
  cudaGetLastError();

  // "cudaErrorNotReady is not considered an error": nothing is running, and nothing is left behind either.
  OK(cudaStreamQuery(0));
  OK(cudaGetLastError());

  CHECK(!std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));
  CHECK(!std::strcmp(cudaGetErrorName(cudaErrorLaunchFailure), "cudaErrorLaunchFailure"));
  CHECK(!std::strcmp(cudaGetErrorString(cudaSuccess), "no error"));
  CHECK(!std::strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code"));
  return failures != 0;
}
