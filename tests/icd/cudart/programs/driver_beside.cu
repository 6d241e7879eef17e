// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver API in the same program: its current context is the runtime's, and the primary context is one for both.
//! nvcc: -lcuda
#include "../check.h"
#include <cuda.h>

__device__ int value = 11;
__global__ void read(int *to) { *to = value; }

int main() {
  // Nothing is current before the runtime is used.
  CUcontext context = nullptr, primary = nullptr;
  CHECK(cuInit(0) == CUDA_SUCCESS);
  CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context == nullptr);
  OK(cudaFree(0));
  CHECK(cuCtxGetCurrent(&context) == CUDA_SUCCESS && context != nullptr);
  CHECK(cuDevicePrimaryCtxRetain(&primary, 0) == CUDA_SUCCESS && primary == context);

  // Memory of one is memory of the other.
  CUdeviceptr pointer = 0;
  int result = 0;
  CHECK(cuMemAlloc(&pointer, sizeof(int)) == CUDA_SUCCESS);
  read<<<1, 1>>>(reinterpret_cast<int *>(pointer));
  CHECK(cuMemcpyDtoH(&result, pointer, sizeof(int)) == CUDA_SUCCESS && result == 11);
  OK(cudaFree(reinterpret_cast<void *>(pointer)));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  CHECK(cuStreamSynchronize(stream) == CUDA_SUCCESS);
  OK(cudaStreamDestroy(stream));

  // In a context of the program's own the variables are others.
  CUcontext own = nullptr;
  CHECK(cuCtxCreate(&own, nullptr, 0, 0) == CUDA_SUCCESS);
  const int other = 22;
  OK(cudaMemcpyToSymbol(value, &other, sizeof(int)));
  int *memory;
  OK(cudaMalloc(&memory, sizeof(int)));
  read<<<1, 1>>>(memory);
  OK(cudaMemcpy(&result, memory, sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(result == 22);
  CHECK(cuCtxDestroy(own) == CUDA_SUCCESS);
  OK(cudaSetDevice(0));
  OK(cudaMemcpyFromSymbol(&result, value, sizeof(int)));
  CHECK(result == 11);
  cudaFunction_t function;
  OK(cudaGetFuncBySymbol(&function, read));
  void *entry = nullptr;
  OK(cudaGetDriverEntryPointByVersion("cuMemAlloc", &entry, 12000, cudaEnableDefault));
  CHECK(entry != nullptr);
  return failures != 0;
}
