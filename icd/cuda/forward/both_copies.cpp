// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between the two sides. To a real driver an emulated device's memory is memory of the host, so it makes these
// copies alone, through the pinned memory that it keeps for such. What the emulated device still does there is waited
// for first; when the call returns the copy is complete, whichever form it has. Arrays of ours have no
// address that the driver could be given: their pixels go by way of packed ones.
#include "icd/cuda/forward/both.h"
#include "icd/cuda/forward/current_side.h"
#include "icd/cuda/forward/owners.h"
#include "icd/cuda/forward/real_driver.h"
#include "icd/cuda/memory.h"

#include <algorithm>
#include <memory>
#include <new>

namespace us::cuda::both {
namespace {

/// A context of the real driver that may copy that memory: the current one, or for the time of the copy its own.
class RealContext {
public:
  explicit RealContext(CUdeviceptr memory) {
    if (currentSide() == CudaSide::Real) return;
    CUcontext owner = nullptr;
    result_ = US_REAL(cuPointerGetAttribute)(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory);
    if (result_ == CUDA_SUCCESS && !owner) result_ = CUDA_ERROR_INVALID_CONTEXT; // of a pool, which has none
    if (result_ == CUDA_SUCCESS) result_ = US_REAL(cuCtxPushCurrent_v2)(owner);
    isPushed_ = result_ == CUDA_SUCCESS;
  }
  ~RealContext() {
    CUcontext popped = nullptr;
    if (isPushed_) US_REAL(cuCtxPopCurrent_v2)(&popped);
  }
  RealContext(const RealContext &) = delete;
  RealContext &operator=(const RealContext &) = delete;
  CUresult result() const { return result_; }

private:
  bool isPushed_ = false;
  CUresult result_ = CUDA_SUCCESS;
};

/// Waits for the emulated device whose memory it is; and nothing of [address, address + size) is anybody else's.
CUresult settleOwn(CUdeviceptr address, uint64_t size) {
  const Ref<Allocation> own = findMemory(address);
  // "CUDA_ERROR_INVALID_VALUE: one or more of the parameters passed to the API call is not within an acceptable range"
  if (!own || size > own->address() + own->size() - address) return CUDA_ERROR_INVALID_VALUE;
  if (own->context) return US_EMULATED(cuCtxSynchronize_v2)(handleOf(*own->context));
  return currentSide() == CudaSide::Emulated ? US_EMULATED(cuCtxSynchronize)() : CUDA_SUCCESS;
}

/// Waits for the stream, if it is of the one side or the other.
CUresult settleStream(CUstream stream) {
  const bool isOwn = isDefaultStream(stream) ? currentSide() == CudaSide::Emulated : isOwnHandle(stream);
  return isOwn ? US_EMULATED(cuStreamSynchronize)(stream) : US_REAL(cuStreamSynchronize)(stream);
}

/// Ends of boxes that are emulated become the host's; no arrays.
template <class Box> void toHost(Box &box) {
  const auto isDevice = [](CUmemorytype type) { return type == CU_MEMORYTYPE_DEVICE || type == CU_MEMORYTYPE_UNIFIED; };
  if (isDevice(box.dstMemoryType) && isOwnAddress(box.dstDevice)) {
    box.dstMemoryType = CU_MEMORYTYPE_HOST;
    box.dstHost = reinterpret_cast<void *>(box.dstDevice);
  }
  if (isDevice(box.srcMemoryType) && isOwnAddress(box.srcDevice)) {
    box.srcMemoryType = CU_MEMORYTYPE_HOST;
    box.srcHost = reinterpret_cast<const void *>(box.srcDevice);
  }
}

CUDA_MEMCPY3D solid(const CUDA_MEMCPY3D &box) { return box; }
CUDA_MEMCPY3D solid(const CUDA_MEMCPY3D_PEER &box) {
  CUDA_MEMCPY3D plain{};
  plain.srcXInBytes = box.srcXInBytes, plain.srcY = box.srcY, plain.srcZ = box.srcZ, plain.srcLOD = box.srcLOD;
  plain.srcMemoryType = box.srcMemoryType, plain.srcHost = box.srcHost, plain.srcDevice = box.srcDevice;
  plain.srcArray = box.srcArray, plain.srcPitch = box.srcPitch, plain.srcHeight = box.srcHeight;
  plain.dstXInBytes = box.dstXInBytes, plain.dstY = box.dstY, plain.dstZ = box.dstZ, plain.dstLOD = box.dstLOD;
  plain.dstMemoryType = box.dstMemoryType, plain.dstHost = box.dstHost, plain.dstDevice = box.dstDevice;
  plain.dstArray = box.dstArray, plain.dstPitch = box.dstPitch, plain.dstHeight = box.dstHeight;
  plain.WidthInBytes = box.WidthInBytes, plain.Height = box.Height, plain.Depth = box.Depth;
  return plain;
}
CUDA_MEMCPY2D solid(const CUDA_MEMCPY2D &box) { return box; }

struct Extent {
  size_t rows, slices;
};
Extent extentOf(const CUDA_MEMCPY2D &box) { return {box.Height, 1}; }
Extent extentOf(const CUDA_MEMCPY3D &box) { return {box.Height, box.Depth}; }

struct EndLayout {
  size_t x, y, z, pitch, height;
};
EndLayout destinationOf(const CUDA_MEMCPY2D &b) { return {b.dstXInBytes, b.dstY, 0, b.dstPitch, 0}; }
EndLayout destinationOf(const CUDA_MEMCPY3D &b) { return {b.dstXInBytes, b.dstY, b.dstZ, b.dstPitch, b.dstHeight}; }
EndLayout sourceOf(const CUDA_MEMCPY2D &b) { return {b.srcXInBytes, b.srcY, 0, b.srcPitch, 0}; }
EndLayout sourceOf(const CUDA_MEMCPY3D &b) { return {b.srcXInBytes, b.srcY, b.srcZ, b.srcPitch, b.srcHeight}; }

/// How many bytes behind its address the end reaches; all there are if that is more than there can be.
uint64_t reachOf(const EndLayout &end, size_t width, const Extent &extent) {
  if (width == 0 || extent.rows == 0 || extent.slices == 0) return 0;
  uint64_t pitch = end.pitch ? end.pitch : end.x + width, height = end.height ? end.height : end.y + extent.rows;
  uint64_t slices = 0, rows = 0, row = 0, reach = 0, last = 0;
  const bool isTooMuch = __builtin_add_overflow(end.z, extent.slices - 1, &last) ||
                         __builtin_mul_overflow(last, height, &slices) ||
                         __builtin_add_overflow(end.y, extent.rows - 1, &row) ||
                         __builtin_add_overflow(slices, row, &rows) || __builtin_mul_overflow(rows, pitch, &reach) ||
                         __builtin_add_overflow(reach, end.x, &reach) || __builtin_add_overflow(reach, width, &reach);
  return isTooMuch ? UINT64_MAX : reach;
}

CUresult copyReal(const CUDA_MEMCPY2D &box) { return US_REAL(cuMemcpy2DUnaligned_v2)(&box); }
CUresult copyReal(const CUDA_MEMCPY3D &box) { return US_REAL(cuMemcpy3D_v2)(&box); }

CUresult copyOwn(const CUDA_MEMCPY2D &box) { return US_EMULATED(cuMemcpy2DUnaligned_v2)(&box); }
CUresult copyOwn(const CUDA_MEMCPY3D &box) { return US_EMULATED(cuMemcpy3D_v2)(&box); }

bool isOwnArray(CUmemorytype type, CUarray array) { return type == CU_MEMORYTYPE_ARRAY && isOwnHandle(array); }

void packDestination(CUDA_MEMCPY2D &box, std::byte *at) {
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = at;
  box.dstXInBytes = box.dstY = 0;
  box.dstPitch = box.WidthInBytes;
}
void packDestination(CUDA_MEMCPY3D &box, std::byte *at) {
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = at;
  box.dstXInBytes = box.dstY = box.dstZ = box.dstLOD = 0;
  box.dstPitch = box.WidthInBytes;
  box.dstHeight = box.Height;
}
void packSource(CUDA_MEMCPY2D &box, const std::byte *at) {
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = at;
  box.srcXInBytes = box.srcY = 0;
  box.srcPitch = box.WidthInBytes;
}
void packSource(CUDA_MEMCPY3D &box, const std::byte *at) {
  box.srcMemoryType = CU_MEMORYTYPE_HOST;
  box.srcHost = at;
  box.srcXInBytes = box.srcY = box.srcZ = box.srcLOD = 0;
  box.srcPitch = box.WidthInBytes;
  box.srcHeight = box.Height;
}

/// The half of such a copy that is ours, with the array's context current to our side.
template <class Box> CUresult copyOwnArray(CUarray handle, const Box &box) {
  CUcontext context = nullptr, popped = nullptr;
  if (const CUresult found = contextOfArray(handle, context); found != CUDA_SUCCESS) return found;
  CUresult result = US_EMULATED(cuCtxPushCurrent_v2)(context);
  if (result != CUDA_SUCCESS) return result;
  result = US_EMULATED(cuCtxSynchronize)();
  if (result == CUDA_SUCCESS) result = copyOwn(box);
  US_EMULATED(cuCtxPopCurrent_v2)(&popped);
  return result;
}

template <class Box> CUresult copyRealEnd(CUmemorytype type, CUdeviceptr memory, const Box &box) {
  if (type == CU_MEMORYTYPE_ARRAY) return copyReal(box); // nobody tells of which context it is
  const RealContext context(memory);
  return context.result() == CUDA_SUCCESS ? copyReal(box) : context.result();
}

template <class Box> CUresult copyByPackedPixels(const Box &box, bool isFromOwn) {
  const Extent extent = extentOf(box);
  uint64_t size = 0;
  if (__builtin_mul_overflow(box.WidthInBytes, extent.rows, &size) ||
      __builtin_mul_overflow(size, extent.slices, &size))
    return CUDA_ERROR_INVALID_VALUE;
  const std::unique_ptr<std::byte[]> pixels(new (std::nothrow) std::byte[std::max<uint64_t>(size, 1)]);
  if (!pixels) return CUDA_ERROR_OUT_OF_MEMORY;
  Box out = box, in = box;
  packDestination(out, pixels.get());
  packSource(in, pixels.get());
  const CUresult read =
      isFromOwn ? copyOwnArray(box.srcArray, out) : copyRealEnd(box.srcMemoryType, box.srcDevice, out);
  if (read != CUDA_SUCCESS) return read;
  return isFromOwn ? copyRealEnd(box.dstMemoryType, box.dstDevice, in) : copyOwnArray(box.dstArray, in);
}

template <class Box> CUresult copyBox(const Box &given) {
  auto box = solid(given);
  const bool isToOwn = isOwnAddress(given.dstDevice) && given.dstMemoryType != CU_MEMORYTYPE_ARRAY &&
                       given.dstMemoryType != CU_MEMORYTYPE_HOST;
  if (isOwnArray(box.dstMemoryType, box.dstArray)) return copyByPackedPixels(box, false);
  if (isOwnArray(box.srcMemoryType, box.srcArray)) return copyByPackedPixels(box, true);
  toHost(box);
  const uint64_t reach = reachOf(isToOwn ? destinationOf(box) : sourceOf(box), box.WidthInBytes, extentOf(box));
  const CUresult settled = settleOwn(isToOwn ? given.dstDevice : given.srcDevice, reach);
  if (settled != CUDA_SUCCESS) return settled;
  const RealContext context(isToOwn ? given.srcDevice : given.dstDevice);
  return context.result() == CUDA_SUCCESS ? copyReal(box) : context.result();
}

template <class Box> CUresult copyBoxAfter(CUstream stream, const Box &box) {
  const CUresult settled = settleStream(stream);
  return settled == CUDA_SUCCESS ? copyBox(box) : settled;
}

} // namespace

CUresult splitCopy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  const bool isToOwn = isOwnAddress(to);
  if (const CUresult settled = settleOwn(isToOwn ? to : from, size); settled != CUDA_SUCCESS) return settled;
  const RealContext context(isToOwn ? from : to);
  if (context.result() != CUDA_SUCCESS) return context.result();
  return isToOwn ? US_REAL(cuMemcpyDtoH_v2)(reinterpret_cast<void *>(to), from, size)
                 : US_REAL(cuMemcpyHtoD_v2)(to, reinterpret_cast<const void *>(from), size);
}

CUresult splitCopyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  const CUresult settled = settleStream(stream);
  return settled == CUDA_SUCCESS ? splitCopy(to, from, size) : settled;
}

// The contexts say nothing that the addresses do not say.
CUresult splitCopyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t size) {
  return splitCopy(to, from, size);
}
CUresult splitCopyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext, size_t size, CUstream stream) {
  return splitCopyAsync(to, from, size, stream);
}

CUresult splitCopy2D(const CUDA_MEMCPY2D *copy) { return copyBox(*copy); }
CUresult splitCopy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) { return copyBoxAfter(stream, *copy); }
CUresult splitCopy3D(const CUDA_MEMCPY3D *copy) { return copyBox(*copy); }
CUresult splitCopy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) { return copyBoxAfter(stream, *copy); }
CUresult splitCopy3DPeer(const CUDA_MEMCPY3D_PEER *copy) { return copyBox(*copy); }
CUresult splitCopy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream) { return copyBoxAfter(stream, *copy); }

} // namespace us::cuda::both
