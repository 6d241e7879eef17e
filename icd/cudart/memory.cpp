// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory management: allocations, and what is known of a pointer.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

namespace us::cudart {
namespace {

CUdeviceptr addressOf(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

/// Nothing is allocated for no bytes, which is no error.
template <class Allocate> cudaError_t allocate(void **pointer, size_t size, Allocate call) {
  if (!pointer) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  CUdeviceptr made = 0;
  US_RETURN_IF_ERROR(errorOf(call(&made)));
  *pointer = reinterpret_cast<void *>(made);
  return cudaSuccess;
}

} // namespace

cudaError_t malloc(void **pointer, size_t size) {
  return allocate(pointer, size, [&](CUdeviceptr *made) { return driver().cuMemAlloc_v2(made, size); });
}

cudaError_t free(void *pointer) {
  US_RETURN_IF_ERROR(useContext());
  // "If devPtr is 0, no operation is performed"; what a kernel left behind is told nevertheless.
  if (!pointer) {
    size_t left = 0, all = 0;
    return errorOf(driver().cuMemGetInfo_v2(&left, &all));
  }
  return errorOf(driver().cuMemFree_v2(addressOf(pointer)));
}

cudaError_t mallocManaged(void **pointer, size_t size, unsigned flags) {
  if (!pointer || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)) return cudaErrorInvalidValue;
  return allocate(pointer, size, [&](CUdeviceptr *made) { return driver().cuMemAllocManaged(made, size, flags); });
}

cudaError_t mallocHost(void **pointer, size_t size) { return hostAlloc(pointer, size, cudaHostAllocDefault); }

cudaError_t hostAlloc(void **pointer, size_t size, unsigned flags) {
  if (!pointer) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  return errorOf(driver().cuMemHostAlloc(pointer, size, flags));
}

cudaError_t freeHost(void *pointer) {
  US_RETURN_IF_ERROR(useContext());
  if (!pointer) return cudaSuccess;
  return errorOf(driver().cuMemFreeHost(pointer));
}

cudaError_t hostRegister(void *pointer, size_t size, unsigned flags) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemHostRegister_v2(pointer, size, flags));
}

cudaError_t hostUnregister(void *pointer) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemHostUnregister(pointer));
}

cudaError_t hostGetDevicePointer(void **device, void *host, unsigned flags) {
  if (!device) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemHostGetDevicePointer_v2(reinterpret_cast<CUdeviceptr *>(device), host, flags));
}

cudaError_t hostGetFlags(unsigned *flags, void *pointer) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemHostGetFlags(flags, pointer));
}

cudaError_t mallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
  if (!pitch) return cudaErrorInvalidValue;
  *pitch = 0;
  return allocate(pointer, width * height, [&](CUdeviceptr *made) {
    // Rows that begin where accesses of four bytes are coalesced.
    return driver().cuMemAllocPitch_v2(made, pitch, width, height, 4);
  });
}

cudaError_t malloc3D(cudaPitchedPtr *pointer, cudaExtent extent) {
  if (!pointer) return cudaErrorInvalidValue;
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return mallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

cudaError_t memGetInfo(size_t *free, size_t *total) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemGetInfo_v2(free, total));
}

cudaError_t pointerGetAttributes(cudaPointerAttributes *attributes, const void *pointer) {
  if (!attributes) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  unsigned type = 0, isManaged = 0;
  int device = cudaInvalidDeviceId;
  void *devicePointer = nullptr, *hostPointer = nullptr;
  CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                 CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                 CU_POINTER_ATTRIBUTE_HOST_POINTER};
  void *values[] = {&type, &isManaged, &device, &devicePointer, &hostPointer};
  US_RETURN_IF_ERROR(errorOf(driver().cuPointerGetAttributes(5, asked, values, addressOf(pointer))));
  cudaPointerAttributes all = {};
  all.type = isManaged                      ? cudaMemoryTypeManaged
             : type == CU_MEMORYTYPE_HOST   ? cudaMemoryTypeHost
             : type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice
                                            : cudaMemoryTypeUnregistered;
  all.device = device;
  all.devicePointer = devicePointer;
  all.hostPointer = hostPointer;
  if (all.type == cudaMemoryTypeUnregistered) {
    // "If pointer was not allocated in, mapped by or registered ... the type is unregistered": the host can read it.
    all.device = cudaInvalidDeviceId;
    all.devicePointer = nullptr;
    all.hostPointer = const_cast<void *>(pointer);
  }
  *attributes = all;
  return cudaSuccess;
}

// The numbers of advice, ranges and places are the driver's.
static_assert(sizeof(cudaMemLocation) == sizeof(CUmemLocation));

namespace {

CUmemLocation placeOf(cudaMemLocation location) { return {static_cast<CUmemLocationType>(location.type), location.id}; }

[[maybe_unused]] cudaMemLocation locationOf(int device) {
  if (device == cudaCpuDeviceId) return {cudaMemLocationTypeHost, 0};
  return {cudaMemLocationTypeDevice, device};
}

} // namespace

cudaError_t memAdviseAt(const void *pointer, size_t size, cudaMemoryAdvise advice, cudaMemLocation location) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(
      driver().cuMemAdvise_v2(addressOf(pointer), size, static_cast<CUmem_advise>(advice), placeOf(location)));
}

cudaError_t memPrefetchAsyncAt(const void *pointer, size_t size, cudaMemLocation location, unsigned flags,
                               cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemPrefetchAsync_v2(addressOf(pointer), size, placeOf(location), flags, streamOf(stream)));
}

#if CUDART_VERSION < 13000
cudaError_t memAdvise(const void *pointer, size_t size, cudaMemoryAdvise advice, int device) {
  return memAdviseAt(pointer, size, advice, locationOf(device));
}

cudaError_t memPrefetchAsync(const void *pointer, size_t size, int device, cudaStream_t stream) {
  return memPrefetchAsyncAt(pointer, size, locationOf(device), 0, stream);
}
#endif

cudaError_t memRangeGetAttribute(void *data, size_t dataSize, cudaMemRangeAttribute attribute, const void *pointer,
                                 size_t size) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemRangeGetAttribute(data, dataSize, static_cast<CUmem_range_attribute>(attribute),
                                                 addressOf(pointer), size));
}

cudaError_t memRangeGetAttributes(void **data, size_t *dataSizes, cudaMemRangeAttribute *attributes, size_t count,
                                  const void *pointer, size_t size) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemRangeGetAttributes(
      data, dataSizes, reinterpret_cast<CUmem_range_attribute *>(attributes), count, addressOf(pointer), size));
}

// ---- in the order of streams
// -------------------------------------------------------------------------------------------

cudaError_t mallocAsync(void **pointer, size_t size, cudaStream_t stream) {
  return allocate(pointer, size,
                  [&](CUdeviceptr *made) { return driver().cuMemAllocAsync(made, size, streamOf(stream)); });
}

cudaError_t mallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return allocate(pointer, size, [&](CUdeviceptr *made) {
    return driver().cuMemAllocFromPoolAsync(made, size, pool, streamOf(stream));
  });
}

cudaError_t freeAsync(void *pointer, cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  if (!pointer) return cudaSuccess;
  return errorOf(driver().cuMemFreeAsync(addressOf(pointer), streamOf(stream)));
}

cudaError_t deviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGetDefaultMemPool(pool, device));
}

cudaError_t deviceGetMemPool(cudaMemPool_t *pool, int device) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceGetMemPool(pool, device));
}

cudaError_t deviceSetMemPool(int device, cudaMemPool_t pool) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuDeviceSetMemPool(device, pool));
}

// Descriptions of pools have the driver's numbers and layouts.
static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps));
static_assert(sizeof(cudaMemAccessDesc) == sizeof(CUmemAccessDesc));

cudaError_t memPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *properties) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolCreate(pool, reinterpret_cast<const CUmemPoolProps *>(properties)));
}

cudaError_t memPoolDestroy(cudaMemPool_t pool) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolDestroy(pool));
}

// What a pool was made for is checked by the driver: "The handle can be shared with other processes".
cudaError_t memPoolExportToShareableHandle(void *handle, cudaMemPool_t pool, cudaMemAllocationHandleType type,
                                           unsigned flags) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(
      driver().cuMemPoolExportToShareableHandle(handle, pool, static_cast<CUmemAllocationHandleType>(type), flags));
}

cudaError_t memPoolImportFromShareableHandle(cudaMemPool_t *pool, void *handle, cudaMemAllocationHandleType type,
                                             unsigned flags) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(
      driver().cuMemPoolImportFromShareableHandle(pool, handle, static_cast<CUmemAllocationHandleType>(type), flags));
}

static_assert(sizeof(cudaMemPoolPtrExportData) == sizeof(CUmemPoolPtrExportData));

cudaError_t memPoolExportPointer(cudaMemPoolPtrExportData *data, void *pointer) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolExportPointer(reinterpret_cast<CUmemPoolPtrExportData *>(data), addressOf(pointer)));
}

cudaError_t memPoolImportPointer(void **pointer, cudaMemPool_t pool, cudaMemPoolPtrExportData *data) {
  if (!pointer) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(startDriver());
  CUdeviceptr made = 0;
  US_RETURN_IF_ERROR(
      errorOf(driver().cuMemPoolImportPointer(&made, pool, reinterpret_cast<CUmemPoolPtrExportData *>(data))));
  *pointer = reinterpret_cast<void *>(made);
  return cudaSuccess;
}

cudaError_t memGetDefaultMemPool(cudaMemPool_t *pool, cudaMemLocation *location, cudaMemAllocationType type) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemGetDefaultMemPool(pool, reinterpret_cast<CUmemLocation *>(location),
                                                 static_cast<CUmemAllocationType>(type)));
}

cudaError_t memGetMemPool(cudaMemPool_t *pool, cudaMemLocation *location, cudaMemAllocationType type) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemGetMemPool(pool, reinterpret_cast<CUmemLocation *>(location),
                                          static_cast<CUmemAllocationType>(type)));
}

cudaError_t memSetMemPool(cudaMemLocation *location, cudaMemAllocationType type, cudaMemPool_t pool) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemSetMemPool(reinterpret_cast<CUmemLocation *>(location),
                                          static_cast<CUmemAllocationType>(type), pool));
}

cudaError_t memPoolTrimTo(cudaMemPool_t pool, size_t bytesToKeep) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolTrimTo(pool, bytesToKeep));
}

cudaError_t memPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolSetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value));
}

cudaError_t memPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolGetAttribute(pool, static_cast<CUmemPool_attribute>(attribute), value));
}

cudaError_t memPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *descriptions, size_t count) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolSetAccess(pool, reinterpret_cast<const CUmemAccessDesc *>(descriptions), count));
}

cudaError_t memPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool, cudaMemLocation *location) {
  US_RETURN_IF_ERROR(startDriver());
  return errorOf(driver().cuMemPoolGetAccess(reinterpret_cast<CUmemAccess_flags *>(flags), pool,
                                             reinterpret_cast<CUmemLocation *>(location)));
}

} // namespace us::cudart
