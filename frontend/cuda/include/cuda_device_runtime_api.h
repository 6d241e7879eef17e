// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dynamic parallelism: what device code has of the runtime API, and what launches in it are made of. Names, numbers and
// layouts are CUDA's; the device itself has the functions (emulator/exec/device_runtime.h).
#pragma once

enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInitializationError = 3,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidPitchValue = 12,
  cudaErrorInvalidSymbol = 13,
  cudaErrorInvalidMemcpyDirection = 21,
  cudaErrorLaunchMaxDepthExceeded = 65,
  cudaErrorSyncDepthExceeded = 68,
  cudaErrorLaunchPendingCountExceeded = 69,
  cudaErrorInvalidDeviceFunction = 98,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorInvalidResourceHandle = 400,
  cudaErrorNotReady = 600,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorLaunchTimeout = 702,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotPermitted = 800,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#if CUDART_VERSION >= 12000
/// What is launched here begins when the grid and all else that it launched has ended.
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
/// What is launched here waits for nothing that the grid launches.
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#endif

enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};

enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4
};

enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault = 0,
  cudaSharedMemBankSizeFourByte = 1,
  cudaSharedMemBankSizeEightByte = 2
};

enum cudaComputeMode {
  cudaComputeModeDefault = 0,
  cudaComputeModeExclusive = 1,
  cudaComputeModeProhibited = 2,
  cudaComputeModeExclusiveProcess = 3
};

/// How a conversion rounds: to nearest, towards zero, up, down.
enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrCanMapHostMemory = 19,
  cudaDevAttrComputeMode = 20,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
  cudaDevAttrMaxRegistersPerMultiprocessor = 82,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};

struct cudaFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes,
      preferredShmemCarveout;
#if CUDART_VERSION >= 12000
  int clusterDimMustBeSet, requiredClusterWidth, requiredClusterHeight, requiredClusterDepth,
      clusterSchedulingPolicyPreference, nonPortableClusterSizeAllowed, reserved[16];
#endif
};

extern "C" {
#define US_RUNTIME __host__ __device__
US_RUNTIME cudaError_t cudaGetLastError();
US_RUNTIME cudaError_t cudaPeekAtLastError();
US_RUNTIME const char *cudaGetErrorString(cudaError_t error);
US_RUNTIME const char *cudaGetErrorName(cudaError_t error);
US_RUNTIME cudaError_t cudaGetDeviceCount(int *count);
US_RUNTIME cudaError_t cudaGetDevice(int *device);
US_RUNTIME cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int device);
US_RUNTIME cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit);
US_RUNTIME cudaError_t cudaRuntimeGetVersion(int *version);
US_RUNTIME cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
US_RUNTIME cudaError_t cudaStreamDestroy(cudaStream_t stream);
US_RUNTIME cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags = 0);
US_RUNTIME cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
US_RUNTIME cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0);
US_RUNTIME cudaError_t cudaEventDestroy(cudaEvent_t event);
US_RUNTIME cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function);
US_RUNTIME cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind,
                                       cudaStream_t stream = 0);
US_RUNTIME cudaError_t cudaMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                                         size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0);
US_RUNTIME cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream = 0);
US_RUNTIME cudaError_t cudaMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                         cudaStream_t stream = 0);
US_RUNTIME cudaError_t cudaMalloc(void **pointer, size_t size);
US_RUNTIME cudaError_t cudaFree(void *pointer);
US_RUNTIME cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                                     size_t dynamicShared);
#if CUDART_VERSION < 12000
/// Waits for what the block launched; the runtime of CUDA 12 has it on the host only.
US_RUNTIME cudaError_t cudaDeviceSynchronize();
#else
__host__ cudaError_t cudaDeviceSynchronize();
#endif
__host__ cudaError_t cudaSetDevice(int device);

// What a launch consists of.
__device__ void *cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block,
                                        unsigned int sharedBytes, cudaStream_t stream);
__device__ void *cudaGetParameterBufferV2(void *function, dim3 grid, dim3 block, unsigned int sharedBytes);
__device__ cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream);

// What Clang calls for <<<>>>, by the release it takes us for. In device code neither is left (lower_launches).
US_RUNTIME unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t sharedBytes = 0,
                                                    cudaStream_t stream = 0);
US_RUNTIME unsigned int cudaConfigureCall(dim3 grid, dim3 block, size_t sharedBytes = 0, cudaStream_t stream = 0);
#undef US_RUNTIME
}

template <class T> static inline __host__ __device__ cudaError_t cudaMalloc(T **pointer, size_t size) {
  return ::cudaMalloc((void **)pointer, size); // also of const T
}
template <class T>
static inline __host__ __device__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(function));
}
template <class T>
static inline __host__ __device__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function,
                                                                                            int threads,
                                                                                            size_t dynamicShared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void *>(function), threads,
                                                         dynamicShared);
}
