// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtime API has in C++ besides: functions that take typed pointers, kernels and variables by their names,
// and arguments that may be left out.
#pragma once

#include "cuda_runtime_api.h"

#include <type_traits>
#include <utility>

#define US_HOST static inline __host__
#define US_BOTH static inline __host__ __device__

// ---- Memory: also of const T
// ------------------------------------------------------------------------------------------
template <class T> US_BOTH cudaError_t cudaMalloc(T **pointer, size_t size) {
  return ::cudaMalloc((void **)(void *)pointer, size);
}
template <class T>
US_HOST cudaError_t cudaMallocManaged(T **pointer, size_t size, unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged((void **)(void *)pointer, size, flags);
}
template <class T> US_HOST cudaError_t cudaMallocHost(T **pointer, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc((void **)(void *)pointer, size, flags);
}
template <class T> US_HOST cudaError_t cudaHostAlloc(T **pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc((void **)(void *)pointer, size, flags);
}
template <class T> US_HOST cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned int flags) {
  return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}
template <class T> US_HOST cudaError_t cudaMallocPitch(T **pointer, size_t *pitch, size_t width, size_t height) {
  return ::cudaMallocPitch((void **)(void *)pointer, pitch, width, height);
}
template <class T> US_HOST cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync((void **)(void *)pointer, size, stream);
}
template <class T>
US_HOST cudaError_t cudaMallocFromPoolAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, size, pool, stream);
}
US_HOST cudaError_t cudaMallocAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(pointer, size, pool, stream);
}
template <class T>
US_HOST cudaError_t cudaMallocAsync(T **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync((void **)(void *)pointer, size, pool, stream);
}
template <class T>
US_HOST cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T *pointer, size_t length = 0,
                                             unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, (void *)pointer, length, flags);
}

// ---- Graphs: the forms of older releases, and variables by their names
// -----------------------------------------------------------------
US_HOST cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *errorNode,
                                         char *log, size_t size) {
  cudaGraphInstantiateParams parameters = {};
  const cudaError_t error = ::cudaGraphInstantiateWithParams(exec, graph, &parameters);
  if (errorNode) *errorNode = parameters.errNode_out;
  if (log && size) *log = 0;
  return error;
}
US_HOST cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *errorNode,
                                        cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info = {};
  const cudaError_t error = ::cudaGraphExecUpdate(exec, graph, &info);
  if (errorNode) *errorNode = info.errorNode;
  if (result) *result = info.result;
  return error;
}
template <class T>
US_HOST cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                   const cudaGraphNode_t *dependencies, size_t count, const T &symbol,
                                                   const void *from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeToSymbol(node, graph, dependencies, count, (const void *)&symbol, from, bytes, offset,
                                          kind);
}
template <class T>
US_HOST cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
                                                     const cudaGraphNode_t *dependencies, size_t count, void *to,
                                                     const T &symbol, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
  return ::cudaGraphAddMemcpyNodeFromSymbol(node, graph, dependencies, count, to, (const void *)&symbol, bytes, offset,
                                            kind);
}

// ---- Variables of the device, by their names
// --------------------------------------------------------------------------
template <class T>
US_HOST cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                       cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol((const void *)&symbol, from, size, offset, kind);
}
template <class T>
US_HOST cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size, size_t offset = 0,
                                            cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, size, offset, kind, stream);
}
template <class T>
US_HOST cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                         cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, size, offset, kind);
}
template <class T>
US_HOST cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset = 0,
                                              cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, size, offset, kind, stream);
}
template <class T> US_HOST cudaError_t cudaGetSymbolAddress(void **pointer, const T &symbol) {
  return ::cudaGetSymbolAddress(pointer, (const void *)&symbol);
}
template <class T> US_HOST cudaError_t cudaGetSymbolSize(size_t *size, const T &symbol) {
  return ::cudaGetSymbolSize(size, (const void *)&symbol);
}

// ---- Events
// -----------------------------------------------------------------------------------------------------------
US_HOST cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}

// ---- Kernels
// ----------------------------------------------------------------------------------------------------------
template <class T>
US_HOST cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t sharedBytes = 0,
                                     cudaStream_t stream = 0) {
  return ::cudaLaunchKernel((const void *)function, grid, block, arguments, sharedBytes, stream);
}
template <class T>
US_HOST cudaError_t cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **arguments,
                                                size_t sharedBytes = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, arguments, sharedBytes, stream);
}
template <class T>
US_HOST cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, T *function, void **arguments) {
  return ::cudaLaunchKernelExC(config, (const void *)function, arguments);
}
template <class... Parameters, class... Arguments>
US_HOST cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(Parameters...),
                                       Arguments &&...arguments) {
  // Each argument as the kernel's parameter.
  return [&](Parameters... converted) {
    void *pointers[] = {(void *)&converted..., nullptr};
    return ::cudaLaunchKernelExC(config, (const void *)kernel, pointers);
  }(std::forward<Arguments>(arguments)...);
}
template <class T> US_HOST cudaError_t cudaFuncSetCacheConfig(T *function, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig((const void *)function, config);
}
template <class T> US_HOST cudaError_t cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}
template <class T> US_HOST cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}
template <class T> US_HOST cudaError_t cudaFuncGetName(const char **name, T *function) {
  return ::cudaFuncGetName(name, (const void *)function);
}
template <class T> US_HOST cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, T *symbol) {
  return ::cudaGetFuncBySymbol(function, (const void *)symbol);
}
template <class T> US_HOST cudaError_t cudaGetKernel(cudaKernel_t *kernel, T *symbol) {
  return ::cudaGetKernel(kernel, (const void *)symbol);
}
template <class T> US_BOTH cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
  return ::cudaFuncGetAttributes(attributes, (const void *)function);
}

// ---- Occupancy
// --------------------------------------------------------------------------------------------------------
template <class T>
US_BOTH cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function, int threads,
                                                                  size_t dynamicShared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads, dynamicShared);
}
template <class T>
US_HOST cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T *function, int threads,
                                                                           size_t dynamicShared, unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function, threads,
                                                                  dynamicShared, flags);
}
template <class T>
US_HOST cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *function, int blocks, int threads) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)function, blocks, threads);
}

/// The block size of the most threads on a multiprocessor at once, and how many such blocks fill the device.
/// sharedBytesOf says how many dynamic bytes a block of a size needs; limit 0 is none.
template <class Size, class T>
US_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(int *minGridSize, int *blockSize,
                                                                            T function, Size sharedBytesOf,
                                                                            int limit = 0, unsigned int flags = 0) {
  if (!minGridSize || !blockSize || !(const void *)function) return cudaErrorInvalidValue;
  int device = 0, processors = 0, most = 0, warp = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerBlock, device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error == cudaSuccess) error = ::cudaFuncGetAttributes(&attributes, (const void *)function);
  if (error != cudaSuccess) return error;
  if (attributes.maxThreadsPerBlock < most) most = attributes.maxThreadsPerBlock;
  if (limit > 0 && limit < most) most = limit;
  int bestThreads = 0, bestSize = 0, bestBlocks = 0;
  // Whole warps, and the limit itself, the largest first: of two sizes that fill a multiprocessor alike, the larger.
  for (int size = most; size > 0; size = (size - 1) / warp * warp) {
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void *)function, size,
                                                                     (size_t)sharedBytesOf(size), flags);
    if (error != cudaSuccess) return error;
    if (blocks * size <= bestThreads) continue;
    bestThreads = blocks * size;
    bestSize = size;
    bestBlocks = blocks;
  }
  *minGridSize = bestBlocks * processors;
  *blockSize = bestSize;
  return cudaSuccess;
}
template <class Size, class T>
US_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *minGridSize, int *blockSize, T function,
                                                                   Size sharedBytesOf, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(minGridSize, blockSize, function, sharedBytesOf,
                                                                 limit);
}
template <class T>
US_HOST cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *minGridSize, int *blockSize, T function,
                                                                size_t dynamicShared = 0, int limit = 0,
                                                                unsigned int flags = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      minGridSize, blockSize, function, [=](int) { return dynamicShared; }, limit, flags);
}
template <class T>
US_HOST cudaError_t cudaOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, T function,
                                                       size_t dynamicShared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(minGridSize, blockSize, function, dynamicShared, limit);
}

template <class T>
US_HOST cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, T *function, const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)function, config);
}
template <class T>
US_HOST cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, T *function, const cudaLaunchConfig_t *config) {
  return ::cudaOccupancyMaxPotentialClusterSize(size, (const void *)function, config);
}

// ---- The format of an array's elements
// --------------------------------------------------------------------------------
US_HOST cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return ::cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
template <class T> US_HOST cudaChannelFormatDesc cudaCreateChannelDesc() {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
#define US_CHANNELS(T, BITS1, BITS2, BITS3, BITS4, KIND)                                                               \
  template <> inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                                       \
    return ::cudaCreateChannelDesc(BITS1, BITS2, BITS3, BITS4, cudaChannelFormatKind##KIND);                           \
  }
#define US_CHANNELS_OF(BASE, BITS, KIND)                                                                               \
  US_CHANNELS(BASE##1, BITS, 0, 0, 0, KIND)                                                                            \
  US_CHANNELS(BASE##2, BITS, BITS, 0, 0, KIND)                                                                         \
  US_CHANNELS(BASE##3, BITS, BITS, BITS, 0, KIND)                                                                      \
  US_CHANNELS(BASE##4, BITS, BITS, BITS, BITS, KIND)
US_CHANNELS(char, 8, 0, 0, 0, Signed)
US_CHANNELS(signed char, 8, 0, 0, 0, Signed)
US_CHANNELS(unsigned char, 8, 0, 0, 0, Unsigned)
US_CHANNELS(short, 16, 0, 0, 0, Signed)
US_CHANNELS(unsigned short, 16, 0, 0, 0, Unsigned)
US_CHANNELS(int, 32, 0, 0, 0, Signed)
US_CHANNELS(unsigned int, 32, 0, 0, 0, Unsigned)
US_CHANNELS(float, 32, 0, 0, 0, Float)
US_CHANNELS_OF(char, 8, Signed)
US_CHANNELS_OF(uchar, 8, Unsigned)
US_CHANNELS_OF(short, 16, Signed)
US_CHANNELS_OF(ushort, 16, Unsigned)
US_CHANNELS_OF(int, 32, Signed)
US_CHANNELS_OF(uint, 32, Unsigned)
US_CHANNELS_OF(float, 32, Float)
#undef US_CHANNELS_OF
#undef US_CHANNELS

#if CUDART_VERSION < 12000
// ---- Texture and surface references -----------------------------------------------------------------------------
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference, const void *pointer,
                                    const cudaChannelFormatDesc &format, size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, &reference, pointer, &format, size);
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaBindTexture(size_t *offset, const texture<T, type, mode> &reference, const void *pointer,
                                    size_t size = 0xffffffffu) {
  return ::cudaBindTexture(offset, reference, pointer, cudaCreateChannelDesc<T>(), size);
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference, const void *pointer,
                                      const cudaChannelFormatDesc &format, size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, &reference, pointer, &format, width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, type, mode> &reference, const void *pointer,
                                      size_t width, size_t height, size_t pitch) {
  return ::cudaBindTexture2D(offset, reference, pointer, cudaCreateChannelDesc<T>(), width, height, pitch);
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &reference, cudaArray_const_t array,
                                           const cudaChannelFormatDesc &format) {
  return ::cudaBindTextureToArray(&reference, array, &format);
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaBindTextureToArray(const texture<T, type, mode> &reference, cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t error = ::cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? ::cudaBindTextureToArray(&reference, array, &format) : error;
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode> &reference,
                                                    cudaMipmappedArray_const_t mipmaps,
                                                    const cudaChannelFormatDesc &format) {
  return ::cudaBindTextureToMipmappedArray(&reference, mipmaps, &format);
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaUnbindTexture(const texture<T, type, mode> &reference) {
  return ::cudaUnbindTexture(&reference);
}
template <class T, int type, cudaTextureReadMode mode>
US_HOST cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, type, mode> &reference) {
  return ::cudaGetTextureAlignmentOffset(offset, &reference);
}
template <class T, int type>
US_HOST cudaError_t cudaBindSurfaceToArray(const surface<T, type> &reference, cudaArray_const_t array,
                                           const cudaChannelFormatDesc &format) {
  return ::cudaBindSurfaceToArray(&reference, array, &format);
}
template <class T, int type>
US_HOST cudaError_t cudaBindSurfaceToArray(const surface<T, type> &reference, cudaArray_const_t array) {
  cudaChannelFormatDesc format;
  const cudaError_t error = ::cudaGetChannelDesc(&format, array);
  return error == cudaSuccess ? ::cudaBindSurfaceToArray(&reference, array, &format) : error;
}
#endif

#undef US_BOTH
#undef US_HOST
