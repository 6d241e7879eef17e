// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory management: copies and fills, of memory, arrays and variables.
#include "icd/cudart/channel_format.h"
#include "icd/cudart/copy_description.h"
#include "icd/cudart/entry_points.h"
#include "icd/cudart/registry.h"
#include "icd/cudart/thread_state.h"

#include <algorithm>
#include <optional>

namespace us::cudart {
namespace {

CUdeviceptr addressOf(const void *pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

bool isKind(cudaMemcpyKind kind) { return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault; }
bool isFromHost(cudaMemcpyKind kind) { return kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice; }
bool isToHost(cudaMemcpyKind kind) { return kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost; }

/// Whether a call comes back when the copy has begun; then in which stream.
using When = std::optional<cudaStream_t>;
constexpr When kWaiting = std::nullopt;

/// A call that waits: in the default stream that all threads share, as the driver's own does, or in the thread's own.
template <class Waiting, class InStream> cudaError_t run(When when, Waiting waiting, InStream inStream) {
  if (when) return errorOf(inStream(streamOf(*when)));
  if (!hasOwnDefaultStream()) return errorOf(waiting());
  US_RETURN_IF_ERROR(errorOf(inStream(CU_STREAM_PER_THREAD)));
  return errorOf(driver().cuStreamSynchronize(CU_STREAM_PER_THREAD));
}

// ---- one dimension
// ------------------------------------------------------------------------------------------------------

cudaError_t copy1D(void *to, const void *from, size_t size, cudaMemcpyKind kind, When when) {
  US_RETURN_IF_ERROR(useContext());
  // Whatever the direction, as NVIDIA's runtime answers.
  if (size == 0) return cudaSuccess;
  // "cudaErrorInvalidMemcpyDirection ... the direction of the memcpy passed to the API call is not one of the types
  // specified by cudaMemcpyKind"
  if (!isKind(kind)) return cudaErrorInvalidMemcpyDirection;
  const Driver &cu = driver();
  switch (kind) {
  case cudaMemcpyHostToDevice:
    return run(
        when, [&] { return cu.cuMemcpyHtoD_v2(addressOf(to), from, size); },
        [&](CUstream stream) { return cu.cuMemcpyHtoDAsync_v2(addressOf(to), from, size, stream); });
  case cudaMemcpyDeviceToHost:
    return run(
        when, [&] { return cu.cuMemcpyDtoH_v2(to, addressOf(from), size); },
        [&](CUstream stream) { return cu.cuMemcpyDtoHAsync_v2(to, addressOf(from), size, stream); });
  case cudaMemcpyDeviceToDevice:
    return run(
        when, [&] { return cu.cuMemcpyDtoD_v2(addressOf(to), addressOf(from), size); },
        [&](CUstream stream) { return cu.cuMemcpyDtoDAsync_v2(addressOf(to), addressOf(from), size, stream); });
  case cudaMemcpyHostToHost:
  case cudaMemcpyDefault:
    break;
  }
  // "the type of transfer is inferred from the pointer values"
  return run(
      when, [&] { return cu.cuMemcpy(addressOf(to), addressOf(from), size); },
      [&](CUstream stream) { return cu.cuMemcpyAsync(addressOf(to), addressOf(from), size, stream); });
}

cudaError_t copyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size, When when) {
  US_RETURN_IF_ERROR(useContext());
  CUcontext toContext = nullptr, fromContext = nullptr;
  US_RETURN_IF_ERROR(primaryContext(toDevice, &toContext));
  US_RETURN_IF_ERROR(primaryContext(fromDevice, &fromContext));
  return run(
      when, [&] { return driver().cuMemcpyPeer(addressOf(to), toContext, addressOf(from), fromContext, size); },
      [&](CUstream stream) {
        return driver().cuMemcpyPeerAsync(addressOf(to), toContext, addressOf(from), fromContext, size, stream);
      });
}

cudaError_t fill1D(void *to, int value, size_t size, When when) {
  US_RETURN_IF_ERROR(useContext());
  if (size == 0) return cudaSuccess;
  const auto byte = static_cast<unsigned char>(value);
  return run(
      when, [&] { return driver().cuMemsetD8_v2(addressOf(to), byte, size); },
      [&](CUstream stream) { return driver().cuMemsetD8Async(addressOf(to), byte, size, stream); });
}

// ---- two and three dimensions
// -------------------------------------------------------------------------------------------

/// One side of a copy.
struct Side {
  CUmemorytype type;
  void *pointer; ///< of memory, with its pitch and the rows of a plane
  size_t pitch, rows;
  CUarray array;
  size_t x, y, z; ///< x in bytes
};

Side memorySide(const void *pointer, size_t pitch, bool isHost, cudaMemcpyKind kind, size_t rows = 0) {
  const CUmemorytype type = kind == cudaMemcpyDefault ? CU_MEMORYTYPE_UNIFIED
                            : isHost                  ? CU_MEMORYTYPE_HOST
                                                      : CU_MEMORYTYPE_DEVICE;
  return {type, const_cast<void *>(pointer), pitch, rows, nullptr, 0, 0, 0};
}

Side arraySide(cudaArray_const_t array, size_t x, size_t y, size_t z = 0) {
  return {CU_MEMORYTYPE_ARRAY, nullptr, 0, 0, driverArray(array), x, y, z};
}

/// What the descriptions of copies in two and three dimensions have in common, also between devices.
template <class Description> Description describe(const Side &to, const Side &from, size_t width, size_t height) {
  Description copy = {};
  copy.srcXInBytes = from.x, copy.srcY = from.y;
  copy.srcMemoryType = from.type, copy.srcPitch = from.pitch;
  copy.srcHost = from.pointer, copy.srcDevice = addressOf(from.pointer), copy.srcArray = from.array;
  copy.dstXInBytes = to.x, copy.dstY = to.y;
  copy.dstMemoryType = to.type, copy.dstPitch = to.pitch;
  copy.dstHost = to.pointer, copy.dstDevice = addressOf(to.pointer), copy.dstArray = to.array;
  copy.WidthInBytes = width, copy.Height = height;
  return copy;
}

template <class Description>
Description describe(const Side &to, const Side &from, size_t width, size_t height, size_t depth) {
  auto copy = describe<Description>(to, from, width, height);
  copy.srcZ = from.z, copy.srcHeight = from.rows;
  copy.dstZ = to.z, copy.dstHeight = to.rows;
  copy.Depth = depth;
  return copy;
}

cudaError_t copy2D(const Side &to, const Side &from, size_t width, size_t height, When when) {
  US_RETURN_IF_ERROR(useContext());
  if (width == 0 || height == 0) return cudaSuccess;
  // "cudaErrorInvalidPitchValue": rows overlap.
  for (const Side &side : {to, from})
    if (side.type != CU_MEMORYTYPE_ARRAY && side.pitch < width && height > 1) return cudaErrorInvalidPitchValue;
  const auto copy = describe<CUDA_MEMCPY2D>(to, from, width, height);
  return run(
      when, [&] { return driver().cuMemcpy2DUnaligned_v2(&copy); },
      [&](CUstream stream) { return driver().cuMemcpy2DAsync_v2(&copy, stream); });
}

cudaError_t copyPitched(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                        cudaMemcpyKind kind, When when) {
  if (!isKind(kind)) return cudaErrorInvalidMemcpyDirection;
  return copy2D(memorySide(to, toPitch, isToHost(kind), kind), memorySide(from, fromPitch, isFromHost(kind), kind),
                width, height, when);
}

cudaError_t copyPitchedToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                               size_t height, cudaMemcpyKind kind, When when) {
  if (!isKind(kind)) return cudaErrorInvalidMemcpyDirection;
  return copy2D(arraySide(to, x, y), memorySide(from, pitch, isFromHost(kind), kind), width, height, when);
}

cudaError_t copyPitchedFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                 size_t height, cudaMemcpyKind kind, When when) {
  if (!isKind(kind)) return cudaErrorInvalidMemcpyDirection;
  return copy2D(memorySide(to, pitch, isToHost(kind), kind), arraySide(from, x, y), width, height, when);
}

/// A row of an array in bytes.
cudaError_t rowOf(cudaArray_const_t array, size_t *bytes, size_t *element = nullptr) {
  US_RETURN_IF_ERROR(useContext());
  CUDA_ARRAY3D_DESCRIPTOR known;
  US_RETURN_IF_ERROR(errorOf(driver().cuArray3DGetDescriptor_v2(&known, driverArray(array))));
  const size_t size = ElementFormat{known.Format, known.NumChannels}.size();
  *bytes = known.Width * size;
  if (element) *element = size;
  return cudaSuccess;
}

/// "count bytes ... starting at hOffset rows and wOffset bytes from the upper left corner": the rest of a row, whole
/// rows, and the beginning of one.
template <class Copy> cudaError_t inRows(cudaArray_const_t array, size_t x, size_t y, size_t size, Copy copy) {
  size_t row = 0;
  US_RETURN_IF_ERROR(rowOf(array, &row));
  if (x >= row) return cudaErrorInvalidValue;
  for (size_t done = 0; done < size;) {
    const size_t left = size - done;
    const size_t width = std::min(row - x, left), height = x == 0 ? std::max<size_t>(left / row, 1) : 1;
    US_RETURN_IF_ERROR(copy(done, x, y, width, height));
    done += width * height;
    y += height;
    x = 0;
  }
  return cudaSuccess;
}

cudaError_t copyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind,
                        When when) {
  if (!isKind(kind)) return cudaErrorInvalidMemcpyDirection;
  return inRows(to, x, y, size, [&](size_t offset, size_t column, size_t row, size_t width, size_t height) {
    return copy2D(arraySide(to, column, row),
                  memorySide(static_cast<const char *>(from) + offset, width, isFromHost(kind), kind), width, height,
                  when);
  });
}

cudaError_t copyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind,
                          When when) {
  if (!isKind(kind)) return cudaErrorInvalidMemcpyDirection;
  return inRows(from, x, y, size, [&](size_t offset, size_t column, size_t row, size_t width, size_t height) {
    return copy2D(memorySide(static_cast<char *>(to) + offset, width, isToHost(kind), kind),
                  arraySide(from, column, row), width, height, when);
  });
}

/// A side of a cudaMemcpy3DParms. "The source or destination object, if present, will be used": exactly one of both.
cudaError_t side3D(cudaArray_const_t array, cudaPos at, const cudaPitchedPtr &memory, bool isHost, cudaMemcpyKind kind,
                   Side *side, size_t *element) {
  if ((array != nullptr) == (memory.ptr != nullptr)) return cudaErrorInvalidValue;
  if (array) {
    size_t row = 0;
    US_RETURN_IF_ERROR(rowOf(array, &row, element));
    *side = arraySide(array, at.x * *element, at.y, at.z);
    return cudaSuccess;
  }
  *side = memorySide(memory.ptr, memory.pitch, isHost, kind, memory.ysize);
  side->x = at.x, side->y = at.y, side->z = at.z;
  return cudaSuccess;
}

/// The two sides of a copy, and its width in bytes.
template <class Parameters>
cudaError_t sides3D(const Parameters &copy, cudaMemcpyKind kind, Side *to, Side *from, size_t *width) {
  if (!isKind(kind)) return cudaErrorInvalidMemcpyDirection;
  size_t toElement = 0, fromElement = 0;
  US_RETURN_IF_ERROR(side3D(copy.dstArray, copy.dstPos, copy.dstPtr, isToHost(kind), kind, to, &toElement));
  US_RETURN_IF_ERROR(side3D(copy.srcArray, copy.srcPos, copy.srcPtr, isFromHost(kind), kind, from, &fromElement));
  if (toElement && fromElement && toElement != fromElement) return cudaErrorInvalidValue;
  // "If a CUDA array is participating in the copy, the extent is defined in terms of that array's elements."
  *width = copy.extent.width * std::max({toElement, fromElement, size_t{1}});
  return cudaSuccess;
}

bool isEmpty(const cudaExtent &extent) { return extent.width == 0 || extent.height == 0 || extent.depth == 0; }

cudaError_t copy3D(const cudaMemcpy3DParms *copy, When when) {
  if (!copy) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  if (isEmpty(copy->extent)) return cudaSuccess;
  CUDA_MEMCPY3D described;
  US_RETURN_IF_ERROR(describeCopy(copy, &described));
  return run(
      when, [&] { return driver().cuMemcpy3D_v2(&described); },
      [&](CUstream stream) { return driver().cuMemcpy3DAsync_v2(&described, stream); });
}

cudaError_t copy3DPeer(const cudaMemcpy3DPeerParms *copy, When when) {
  if (!copy) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  Side to, from;
  size_t width = 0;
  US_RETURN_IF_ERROR(sides3D(*copy, cudaMemcpyDeviceToDevice, &to, &from, &width));
  if (isEmpty(copy->extent)) return cudaSuccess;
  auto described = describe<CUDA_MEMCPY3D_PEER>(to, from, width, copy->extent.height, copy->extent.depth);
  US_RETURN_IF_ERROR(primaryContext(copy->dstDevice, &described.dstContext));
  US_RETURN_IF_ERROR(primaryContext(copy->srcDevice, &described.srcContext));
  return run(
      when, [&] { return driver().cuMemcpy3DPeer(&described); },
      [&](CUstream stream) { return driver().cuMemcpy3DPeerAsync(&described, stream); });
}

cudaError_t fill2D(void *to, size_t pitch, int value, size_t width, size_t height, When when) {
  US_RETURN_IF_ERROR(useContext());
  if (width == 0 || height == 0) return cudaSuccess;
  const auto byte = static_cast<unsigned char>(value);
  return run(
      when, [&] { return driver().cuMemsetD2D8_v2(addressOf(to), pitch, byte, width, height); },
      [&](CUstream stream) { return driver().cuMemsetD2D8Async(addressOf(to), pitch, byte, width, height, stream); });
}

cudaError_t fill3D(const cudaPitchedPtr &to, int value, const cudaExtent &extent, When when) {
  for (size_t z = 0; z < extent.depth; ++z)
    US_RETURN_IF_ERROR(fill2D(static_cast<char *>(to.ptr) + z * to.pitch * to.ysize, to.pitch, value, extent.width,
                              extent.height, when));
  return cudaSuccess;
}

/// A side of a copy of the driver's, as a position and one of array and memory.
cudaError_t sideOf(CUmemorytype type, const void *host, CUdeviceptr device, CUarray array, size_t pitch, size_t rows,
                   size_t *x, cudaArray_t *toArray, cudaPitchedPtr *memory, size_t *element) {
  *element = 0;
  if (type == CU_MEMORYTYPE_ARRAY) {
    *toArray = reinterpret_cast<cudaArray_t>(array);
    size_t row = 0;
    US_RETURN_IF_ERROR(rowOf(*toArray, &row, element));
    *x /= *element;
    return cudaSuccess;
  }
  void *const pointer = type == CU_MEMORYTYPE_HOST ? const_cast<void *>(host) : reinterpret_cast<void *>(device);
  *memory = {pointer, pitch, pitch, rows};
  return cudaSuccess;
}

// ---- variables
// ----------------------------------------------------------------------------------------------------------

/// A part of a variable.
cudaError_t partOf(const void *symbol, size_t size, size_t offset, void **part) {
  US_RETURN_IF_ERROR(useContext());
  Variable variable;
  US_RETURN_IF_ERROR(variableOf(symbol, &variable));
  if (offset > variable.size || size > variable.size - offset) return cudaErrorInvalidValue;
  *part = reinterpret_cast<void *>(variable.address + offset);
  return cudaSuccess;
}

cudaError_t copyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind,
                         When when) {
  void *to = nullptr;
  US_RETURN_IF_ERROR(partOf(symbol, size, offset, &to));
  if (!isKind(kind) || isToHost(kind)) return cudaErrorInvalidMemcpyDirection;
  return copy1D(to, from, size, kind, when);
}

cudaError_t copyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind, When when) {
  void *from = nullptr;
  US_RETURN_IF_ERROR(partOf(symbol, size, offset, &from));
  if (!isKind(kind) || isFromHost(kind)) return cudaErrorInvalidMemcpyDirection;
  return copy1D(to, from, size, kind, when);
}

} // namespace

cudaError_t describeCopy(const cudaMemcpy3DParms *copy, CUDA_MEMCPY3D *described) {
  if (!copy) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  Side to, from;
  size_t width = 0;
  US_RETURN_IF_ERROR(sides3D(*copy, copy->kind, &to, &from, &width));
  *described = describe<CUDA_MEMCPY3D>(to, from, width, copy->extent.height, copy->extent.depth);
  return cudaSuccess;
}

cudaError_t describeCopy(const CUDA_MEMCPY3D &c, cudaMemcpy3DParms *copy) {
  *copy = {};
  size_t fromX = c.srcXInBytes, toX = c.dstXInBytes, fromElement = 0, toElement = 0;
  US_RETURN_IF_ERROR(sideOf(c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcPitch, c.srcHeight, &fromX,
                            &copy->srcArray, &copy->srcPtr, &fromElement));
  US_RETURN_IF_ERROR(sideOf(c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstPitch, c.dstHeight, &toX,
                            &copy->dstArray, &copy->dstPtr, &toElement));
  copy->srcPos = {fromX, c.srcY, c.srcZ};
  copy->dstPos = {toX, c.dstY, c.dstZ};
  copy->extent = {c.WidthInBytes / std::max({fromElement, toElement, size_t{1}}), c.Height, c.Depth};
  const bool fromHost = c.srcMemoryType == CU_MEMORYTYPE_HOST, toHost = c.dstMemoryType == CU_MEMORYTYPE_HOST;
  const bool isOpen = c.srcMemoryType == CU_MEMORYTYPE_UNIFIED || c.dstMemoryType == CU_MEMORYTYPE_UNIFIED;
  copy->kind = isOpen     ? cudaMemcpyDefault
               : fromHost ? (toHost ? cudaMemcpyHostToHost : cudaMemcpyHostToDevice)
                          : (toHost ? cudaMemcpyDeviceToHost : cudaMemcpyDeviceToDevice);
  return cudaSuccess;
}

cudaError_t memcpy(void *to, const void *from, size_t size, cudaMemcpyKind kind) {
  return copy1D(to, from, size, kind, kWaiting);
}
cudaError_t memcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy1D(to, from, size, kind, stream);
}

cudaError_t memcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size) {
  return copyPeer(to, toDevice, from, fromDevice, size, kWaiting);
}
cudaError_t memcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t size,
                            cudaStream_t stream) {
  return copyPeer(to, toDevice, from, fromDevice, size, stream);
}

cudaError_t memcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                     cudaMemcpyKind kind) {
  return copyPitched(to, toPitch, from, fromPitch, width, height, kind, kWaiting);
}
cudaError_t memcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                          cudaMemcpyKind kind, cudaStream_t stream) {
  return copyPitched(to, toPitch, from, fromPitch, width, height, kind, stream);
}

cudaError_t memcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                            size_t height, cudaMemcpyKind kind) {
  return copyPitchedToArray(to, x, y, from, pitch, width, height, kind, kWaiting);
}
cudaError_t memcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch, size_t width,
                                 size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyPitchedToArray(to, x, y, from, pitch, width, height, kind, stream);
}

cudaError_t memcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                              size_t height, cudaMemcpyKind kind) {
  return copyPitchedFromArray(to, pitch, from, x, y, width, height, kind, kWaiting);
}
cudaError_t memcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                   size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copyPitchedFromArray(to, pitch, from, x, y, width, height, kind, stream);
}

cudaError_t memcpy2DArrayToArray(cudaArray_t to, size_t toX, size_t toY, cudaArray_const_t from, size_t fromX,
                                 size_t fromY, size_t width, size_t height, cudaMemcpyKind) {
  return copy2D(arraySide(to, toX, toY), arraySide(from, fromX, fromY), width, height, kWaiting);
}

cudaError_t memcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind) {
  return copyToArray(to, x, y, from, size, kind, kWaiting);
}
cudaError_t memcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from, size_t size, cudaMemcpyKind kind,
                               cudaStream_t stream) {
  return copyToArray(to, x, y, from, size, kind, stream);
}

cudaError_t memcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind) {
  return copyFromArray(to, from, x, y, size, kind, kWaiting);
}
cudaError_t memcpyFromArrayAsync(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size, cudaMemcpyKind kind,
                                 cudaStream_t stream) {
  return copyFromArray(to, from, x, y, size, kind, stream);
}

cudaError_t memcpy3D(const cudaMemcpy3DParms *copy) { return copy3D(copy, kWaiting); }
cudaError_t memcpy3DAsync(const cudaMemcpy3DParms *copy, cudaStream_t stream) { return copy3D(copy, stream); }
cudaError_t memcpy3DPeer(const cudaMemcpy3DPeerParms *copy) { return copy3DPeer(copy, kWaiting); }
cudaError_t memcpy3DPeerAsync(const cudaMemcpy3DPeerParms *copy, cudaStream_t stream) {
  return copy3DPeer(copy, stream);
}

cudaError_t memset(void *to, int value, size_t size) { return fill1D(to, value, size, kWaiting); }
cudaError_t memsetAsync(void *to, int value, size_t size, cudaStream_t stream) {
  return fill1D(to, value, size, stream);
}
cudaError_t memset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  return fill2D(to, pitch, value, width, height, kWaiting);
}
cudaError_t memset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
  return fill2D(to, pitch, value, width, height, stream);
}
cudaError_t memset3D(cudaPitchedPtr to, int value, cudaExtent extent) { return fill3D(to, value, extent, kWaiting); }
cudaError_t memset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
  return fill3D(to, value, extent, stream);
}

cudaError_t memcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind) {
  return copyToSymbol(symbol, from, size, offset, kind, kWaiting);
}
cudaError_t memcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset, cudaMemcpyKind kind,
                                cudaStream_t stream) {
  return copyToSymbol(symbol, from, size, offset, kind, stream);
}
cudaError_t memcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind) {
  return copyFromSymbol(to, symbol, size, offset, kind, kWaiting);
}
cudaError_t memcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                  cudaStream_t stream) {
  return copyFromSymbol(to, symbol, size, offset, kind, stream);
}

cudaError_t getSymbolAddress(void **pointer, const void *symbol) {
  void *found = nullptr;
  US_RETURN_IF_ERROR(partOf(symbol, 0, 0, &found));
  if (!pointer) return cudaErrorInvalidValue;
  *pointer = found;
  return cudaSuccess;
}

cudaError_t getSymbolSize(size_t *size, const void *symbol) {
  if (!size) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(useContext());
  Variable variable;
  US_RETURN_IF_ERROR(variableOf(symbol, &variable));
  *size = variable.size;
  return cudaSuccess;
}

// The driver reads the lists only, and its structure is the same.
static_assert(sizeof(cudaMemcpyAttributes) == sizeof(CUmemcpyAttributes));
#if CUDART_VERSION < 13000
cudaError_t memcpyBatchAsync(void **to, void **from, size_t *sizes, size_t count, cudaMemcpyAttributes *attributes,
                             size_t *first, size_t attributeCount, size_t *failed, cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemcpyBatchAsync(reinterpret_cast<CUdeviceptr *>(to), reinterpret_cast<CUdeviceptr *>(from),
                                             sizes, count, reinterpret_cast<CUmemcpyAttributes *>(attributes), first,
                                             attributeCount, failed, streamOf(stream)));
}
#else
cudaError_t memcpyBatchAsync(const void **to, const void **from, const size_t *sizes, size_t count,
                             cudaMemcpyAttributes *attributes, size_t *first, size_t attributeCount,
                             cudaStream_t stream) {
  US_RETURN_IF_ERROR(useContext());
  return errorOf(driver().cuMemcpyBatchAsync_v2(
      reinterpret_cast<CUdeviceptr *>(to), reinterpret_cast<CUdeviceptr *>(from), const_cast<size_t *>(sizes), count,
      reinterpret_cast<CUmemcpyAttributes *>(attributes), first, attributeCount, streamOf(stream)));
}
#endif

} // namespace us::cudart
