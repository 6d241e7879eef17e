// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic parallelism: what device code has besides the functions that cuda_runtime_api.h marks, and what launches in
// it are made of. The device itself has the functions (emulator/exec/device_runtime.h).
#pragma once

#include "cuda_runtime_api.h"

#if CUDART_VERSION >= 12000
/// What is launched here begins when the grid and all else that it launched has ended.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
/// What is launched here waits for nothing that the grid launches.
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#endif

#if defined(__CUDA__)
// A conditional handle is the address of a word that graphs look at: so it is with our driver, and only with ours.
static __device__ __forceinline__ void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  *(volatile unsigned int *)handle = value;
}

// Programmatic dependent launches: a grid waits here for those before it, and lets those after it begin.
static __device__ __forceinline__ void cudaGridDependencySynchronize() {
#if UNDERSTUDY_ARCH >= 900
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
static __device__ __forceinline__ void cudaTriggerProgrammaticLaunchCompletion() {
#if UNDERSTUDY_ARCH >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

extern "C" {
// What a launch consists of.
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block,
                                        unsigned int sharedBytes, cudaStream_t stream);
__device__ void *cudaGetParameterBufferV2(void *function, dim3 grid, dim3 block, unsigned int sharedBytes);
__device__ cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream);

// What Clang calls for <<<>>> by the release it takes us for, as well as __cudaPushCallConfiguration. In device code
// neither is left (lower_launches).
__host__ __device__ unsigned int cudaConfigureCall(dim3 grid, dim3 block, size_t sharedBytes = 0,
                                                   cudaStream_t stream = 0);
}
#endif
