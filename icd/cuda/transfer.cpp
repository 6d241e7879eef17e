// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills. Which of them are complete when the call returns is the driver's synchronisation table: it depends
// on the memory more than on the function's name.
#include "icd/cuda/api_checks.h"
#include "icd/cuda/array.h"
#include "icd/cuda/capture.h"
#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"
#include "icd/cuda/memory.h"
#include "icd/cuda/stream_checks.h"

#include <cstring>

namespace us::cuda {
namespace {

/// No address of a program is larger, however many levels its page tables have.
constexpr uint64_t kHostEnd = uint64_t(1) << 56;

/// False if 64 bits do not hold it.
bool sum(uint64_t &result, uint64_t a, uint64_t b, uint64_t c = 0) {
  return !__builtin_add_overflow(a, b, &result) && !__builtin_add_overflow(result, c, &result);
}
bool product(uint64_t &result, uint64_t a, uint64_t b) { return !__builtin_mul_overflow(a, b, &result); }

/// One end of a copy.
struct End {
  uint64_t address = 0;
  bool isHost = false; ///< the application says so; it answers for the range
  PitchedLayout layout{};
  Ref<Array> array{}; ///< null: memory
};

/// What the synchronisation table asks of an end: whether somebody can look at it without asking the driver.
struct Place {
  bool isPageable = true, isHost = true, isManaged = false;
  bool wantsIt = false; ///< SYNC_MEMOPS
  bool isPlainDevice() const { return !isHost && !isManaged && !wantsIt; }
};

Place placeOf(const End &end) {
  const Ref<Allocation> found = findMemory(end.address);
  if (!found) return {};
  const bool isPinned = found->kind == MemoryKind::Host || found->kind == MemoryKind::Registered;
  return {false, isPinned, found->kind == MemoryKind::Managed, found->wantsSynchronousCopies};
}

/// "For transfers from any host memory to any host memory, the function is fully synchronous with respect to the host";
/// what comes from pageable memory has been taken, and what goes there has arrived, when the call returns. Of the rest
/// the asynchronous forms return at once. Of the synchronous ones, "for transfers from device memory to device memory,
/// no host-side synchronization is performed"; all others are complete.
bool copyIsComplete(const Place &to, const Place &from, bool isAsynchronous) {
  if (to.isPageable || from.isPageable || (to.isHost && from.isHost)) return true;
  return !isAsynchronous && !(to.isPlainDevice() && from.isPlainDevice());
}

/// Runs behind what is in the stream; where it need not be complete it is left to whoever waits for the stream first.
Expected<void> submit(Stream &stream, core::CommandRequest &&request, bool isComplete, bool isAsynchronous) {
  if (isComplete) return stream.run(std::move(request));
  US_CHECK(stream.enqueue(std::move(request)));
  // A synchronous form goes on as a launch does; who chose the other one wants it to run beside the host.
  if (!isAsynchronous) return {};
  return stream.queue().flush();
}

/// What the three structures of 2D and 3D copies say of an end.
struct EndText {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, pitch, height;
};

/// What a copy of a graph says of an end.
void describe(const End &end, const Size3 &region, EndText &text) {
  text = {};
  if (end.array) {
    text.type = CU_MEMORYTYPE_ARRAY;
    text.array = handleOf(*end.array);
    text.x = end.layout.offset % end.array->rowPitch();
    text.y = end.layout.offset % end.array->slicePitch() / end.array->rowPitch();
    text.z = end.layout.offset / end.array->slicePitch();
    return;
  }
  text.type = end.isHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  const uint64_t address = end.address + end.layout.offset;
  if (end.isHost)
    text.host = reinterpret_cast<const void *>(address);
  else
    text.device = address;
  text.pitch = end.layout.rowPitch ? end.layout.rowPitch : region[0];
  text.height = end.layout.slicePitch && text.pitch ? end.layout.slicePitch / text.pitch : region[1];
}

CopyWork copyWork(const Ref<Context> &context, const End &to, const End &from, const Size3 &region,
                  const CopyCommand &command) {
  EndText source, destination;
  describe(to, region, destination);
  describe(from, region, source);
  CopyWork work;
  CUDA_MEMCPY3D &text = work.text;
  text.srcMemoryType = source.type;
  text.srcHost = source.host;
  text.srcDevice = source.device;
  text.srcArray = source.array;
  text.srcXInBytes = source.x;
  text.srcY = source.y;
  text.srcZ = source.z;
  text.srcPitch = source.pitch;
  text.srcHeight = source.height;
  text.dstMemoryType = destination.type;
  text.dstHost = const_cast<void *>(destination.host);
  text.dstDevice = destination.device;
  text.dstArray = destination.array;
  text.dstXInBytes = destination.x;
  text.dstY = destination.y;
  text.dstZ = destination.z;
  text.dstPitch = destination.pitch;
  text.dstHeight = destination.height;
  text.WidthInBytes = region[0];
  text.Height = region[1];
  text.Depth = region[2];
  work.context = context;
  work.command = command;
  work.to = to.array;
  work.from = from.array;
  return work;
}

Expected<CopyCommand> copyCommand(const End &to, const End &from, const Size3 &region) {
  const auto checked = [&](const End &end, const char *what) -> Expected<void> {
    if (end.address == 0) return fail(CUDA_ERROR_INVALID_VALUE, format("the {} is null", what));
    const uint64_t span = spanOf(end.layout, region);
    if (!end.isHost) return checkDeviceRange(end.address + end.layout.offset, span, what);
    // The application answers for its memory, but there is none beyond the end of it.
    uint64_t past = 0;
    if (sum(past, end.address, end.layout.offset, span) && past <= kHostEnd) return {};
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at the {} {:#x}", span, what, end.address));
  };
  US_CHECK(checked(to, "destination"));
  US_CHECK(checked(from, "source"));
  return CopyCommand{reinterpret_cast<std::byte *>(to.address), to.layout,
                     reinterpret_cast<const std::byte *>(from.address), from.layout, region};
}

/// Keeps what it copies alive: a free that comes meanwhile waits by itself.
Expected<void> copy(CUstream handle, const End &to, const End &from, const Size3 &region, bool isAsynchronous) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  if (!isAsynchronous) US_CHECK(refuseCapture(*stream, "a copy that the host waits for"));
  if (region[0] == 0 || region[1] == 0 || region[2] == 0) return {};
  US_TRY(const CopyCommand command, copyCommand(to, from, region));
  US_TRY(const Ref<Capture> capture, captureOf(*stream));
  if (capture) return capture->add(*stream, copyWork(Ref<Context>(&stream->context()), to, from, region, command));
  core::CommandRequest request;
  request.command = command;
  return submit(*stream, std::move(request), copyIsComplete(placeOf(to), placeOf(from), isAsynchronous),
                isAsynchronous);
}

Expected<void> copyLinear(CUstream stream, End to, End from, uint64_t size, bool isAsynchronous) {
  return copy(stream, to, from, {size, 1, 1}, isAsynchronous);
}

uint64_t addressOf(const void *pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// A range of an array's only row, or of its first: what the one-dimensional forms reach.
Expected<End> rowEnd(CUarray handle, size_t offset, size_t size, const char *what) {
  US_TRY(const Ref<Array> array, arrayOf(handle));
  if (offset > array->rowBytes() || size > array->rowBytes() - offset)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} bytes at {} of the {}, an array with rows of {} bytes", size,
                                                 offset, what, array->rowBytes()));
  End end{array->begin()};
  end.layout.offset = offset;
  end.array = array;
  return end;
}

/// "returns CUDA_ERROR_INVALID_VALUE" for null, where other forms say that the handle is invalid.
Expected<void> checkArray(CUarray handle, const char *what) {
  if (!handle) return fail(CUDA_ERROR_INVALID_VALUE, format("the {} is null", what));
  return {};
}

Expected<void> copyToArray(CUarray to, size_t toOffset, End from, size_t size, CUstream stream, bool isAsynchronous) {
  US_CHECK(currentContext());
  US_CHECK(checkArray(to, "destination"));
  US_TRY(const End row, rowEnd(to, toOffset, size, "destination"));
  return copyLinear(stream, row, from, size, isAsynchronous);
}

Expected<void> copyFromArray(End to, CUarray from, size_t fromOffset, size_t size, CUstream stream,
                             bool isAsynchronous) {
  US_CHECK(currentContext());
  US_CHECK(checkArray(from, "source"));
  US_TRY(const End row, rowEnd(from, fromOffset, size, "source"));
  return copyLinear(stream, to, row, size, isAsynchronous);
}

Expected<End> arrayEnd(const EndText &text, const Size3 &region, const char *what) {
  US_CHECK(checkArray(text.array, what));
  US_TRY(const Ref<Array> array, arrayOf(text.array));
  const uint64_t sizes[] = {array->rowBytes(), array->rows(), array->slices()};
  const size_t at[] = {text.x, text.y, text.z};
  for (unsigned i = 0; i < 3; ++i)
    if (at[i] > sizes[i] || region[i] > sizes[i] - at[i])
      return fail(CUDA_ERROR_INVALID_VALUE,
                  format("{} at {} in dimension {} of the {}, an array of {} bytes x {} rows x {} slices", region[i],
                         at[i], i, what, sizes[0], sizes[1], sizes[2]));
  End end{array->begin()};
  end.array = array;
  end.layout.rowPitch = array->rowPitch();
  end.layout.slicePitch = array->slicePitch();
  end.layout.offset = text.x + text.y * array->rowPitch() + text.z * array->slicePitch();
  return end;
}

Expected<End> endFrom(const EndText &text, const Size3 &region, const char *what) {
  End end;
  switch (text.type) {
  case CU_MEMORYTYPE_HOST:
    end.address = addressOf(text.host);
    end.isHost = true;
    break;
  case CU_MEMORYTYPE_DEVICE:
    end.address = text.device;
    break;
  case CU_MEMORYTYPE_UNIFIED:
    // "srcDevice specifies the address of host or device memory."
    end.address = text.device;
    end.isHost = !findMemory(text.device);
    break;
  case CU_MEMORYTYPE_ARRAY:
    return arrayEnd(text, region, what);
  default:
    return fail(CUDA_ERROR_INVALID_VALUE, format("the {} has the memory type {}", what, int(text.type)));
  }
  // Where the copy begins, and how far it reaches, in 64 bits.
  PitchedLayout &layout = end.layout;
  layout.rowPitch = text.pitch;
  uint64_t rows = 0, slices = 0, moreRows = 0, moreSlices = 0, span = 0, past = 0;
  const bool hasSlices = text.z != 0 || region[2] > 1;
  const bool fits = (!hasSlices || product(layout.slicePitch, text.pitch, text.height)) &&
                    product(rows, text.y, text.pitch) && product(slices, text.z, layout.slicePitch) &&
                    sum(layout.offset, text.x, rows, slices) &&
                    product(moreRows, region[1] - (region[1] != 0), text.pitch) &&
                    product(moreSlices, region[2] - (region[2] != 0), layout.slicePitch) &&
                    sum(span, region[0], moreRows, moreSlices) && sum(past, end.address, layout.offset, span);
  if (fits) return end;
  return fail(CUDA_ERROR_INVALID_VALUE,
              format("{} x {} x {} at {}, {}, {} of the {} with a pitch of {} and a height "
                     "of {} are more than there can be",
                     region[0], region[1], region[2], text.x, text.y, text.z, what, text.pitch, text.height));
}

/// Both ends of a box, checked but for what memory there is.
Expected<std::pair<End, End>> endsOf(const Context &context, EndText to, EndText from, const Size3 &region) {
  const auto most = uint64_t(attributeOf(context.device(), CU_DEVICE_ATTRIBUTE_MAX_PITCH).value_or(0));
  for (EndText *text : {&to, &from}) {
    if (text->type == CU_MEMORYTYPE_ARRAY) continue;
    // "returns an error if any pitch is greater than the maximum allowed (CU_DEVICE_ATTRIBUTE_MAX_PITCH)"
    if (text->pitch > most)
      return fail(CUDA_ERROR_INVALID_VALUE, format("a pitch of {}, at most {} is possible", text->pitch, most));
    uint64_t width = 0, height = 0;
    if (!sum(width, region[0], text->x) || !sum(height, region[1], text->y))
      return fail(CUDA_ERROR_INVALID_VALUE,
                  format("{} bytes at {} of {} rows at {}", region[0], text->x, region[1], text->y));
    // "if the pitch is 0, the width is taken"; it must hold a row, if there is one: so NVIDIA's driver (580).
    if (text->pitch == 0) text->pitch = width;
    if (text->height == 0) text->height = height;
    if (text->pitch < width && region[1] != 0)
      return fail(CUDA_ERROR_INVALID_VALUE, format("a pitch of {} for rows of {} bytes", text->pitch, width));
  }
  US_TRY(const End destination, endFrom(to, region, "destination"));
  US_TRY(const End source, endFrom(from, region, "source"));
  return std::pair(destination, source);
}

Expected<void> copyBox(CUstream stream, const EndText &to, const EndText &from, const Size3 &region,
                       bool isAsynchronous) {
  US_TRY(const Ref<Context> context, currentContext());
  US_TRY(const auto ends, endsOf(*context, to, from, region));
  return copy(stream, ends.first, ends.second, region, isAsynchronous);
}

Expected<void> copy2D(const CUDA_MEMCPY2D *c, CUstream stream, bool isAsynchronous) {
  US_CHECK(checkOut(c, "the copy"));
  return copyBox(stream,
                 {c->dstMemoryType, c->dstHost, c->dstDevice, c->dstArray, c->dstXInBytes, c->dstY, 0, c->dstPitch, 0},
                 {c->srcMemoryType, c->srcHost, c->srcDevice, c->srcArray, c->srcXInBytes, c->srcY, 0, c->srcPitch, 0},
                 {c->WidthInBytes, c->Height, 1}, isAsynchronous);
}

template <class Copy> EndText destinationOf(const Copy &c) {
  return {c.dstMemoryType, c.dstHost, c.dstDevice, c.dstArray, c.dstXInBytes, c.dstY, c.dstZ, c.dstPitch, c.dstHeight};
}
template <class Copy> EndText sourceOf(const Copy &c) {
  return {c.srcMemoryType, c.srcHost, c.srcDevice, c.srcArray, c.srcXInBytes, c.srcY, c.srcZ, c.srcPitch, c.srcHeight};
}

template <class Copy> Expected<void> copy3D(const Copy *c, CUstream stream, bool isAsynchronous) {
  US_CHECK(checkOut(c, "the copy"));
  if (c->srcLOD != 0 || c->dstLOD != 0) return fail(CUDA_ERROR_INVALID_VALUE, "levels of detail must be 0");
  return copyBox(stream, destinationOf(*c), sourceOf(*c), {c->WidthInBytes, c->Height, c->Depth}, isAsynchronous);
}

/// UVA: an address that is nobody's allocation is the host's.
End anyEnd(CUdeviceptr address) { return {address, !findMemory(address)}; }

/// `width` and `pitch` in elements and bytes, as the API has them.
Expected<FillCommand> fillCommand(const CUDA_MEMSET_NODE_PARAMS &fill) {
  const unsigned element = fill.elementSize;
  // "Dst must be aligned to the element's size."
  if (fill.dst % element != 0 || fill.pitch % element != 0)
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("{:#x} is not aligned to elements of {} bytes", uint64_t(fill.dst), element));
  uint64_t bytes = 0, more = 0, span = 0;
  if (!product(bytes, fill.width, element) || !product(more, fill.pitch, fill.height - 1) || !sum(span, bytes, more))
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("{} rows of {} elements, {} bytes apart", fill.height, fill.width, fill.pitch));
  if (fill.height > 1 && fill.pitch < bytes)
    return fail(CUDA_ERROR_INVALID_VALUE, format("a pitch of {} for rows of {} bytes", fill.pitch, bytes));
  US_CHECK(checkDeviceRange(fill.dst, span, "destination"));
  FillCommand command;
  command.to = reinterpret_cast<std::byte *>(fill.dst);
  command.size = bytes;
  std::memcpy(command.pattern.data(), &fill.value, element);
  command.patternSize = element;
  command.rows = fill.height;
  command.rowPitch = fill.pitch;
  return command;
}

Expected<void> fill(const CUDA_MEMSET_NODE_PARAMS &text, CUstream handle, bool isAsynchronous) {
  US_TRY(const Ref<Stream> stream, streamOf(handle));
  if (!isAsynchronous) US_CHECK(refuseCapture(*stream, "a fill without a stream"));
  if (text.width == 0 || text.height == 0) {
    if (text.dst % text.elementSize == 0 && text.pitch % text.elementSize == 0) return {};
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("{:#x} is not aligned to elements of {} bytes", uint64_t(text.dst), text.elementSize));
  }
  US_TRY(const FillCommand command, fillCommand(text));
  US_TRY(const Ref<Capture> capture, captureOf(*stream));
  if (capture) return capture->add(*stream, FillWork{text, Ref<Context>(&stream->context()), command});
  core::CommandRequest request;
  request.command = command;
  // "The synchronous memset functions are asynchronous with respect to the host except when the target is pinned host
  // memory or a Unified Memory region, in which case they are fully synchronous. The Async versions are always
  // asynchronous with respect to the host."
  return submit(*stream, std::move(request), !isAsynchronous && !placeOf({text.dst}).isPlainDevice(), isAsynchronous);
}

/// The contexts say nothing that an address does not say; null means the current one.
Expected<void> checkPeers(CUcontext to, CUcontext from) {
  for (const CUcontext context : {to, from})
    if (context) US_CHECK(contextOf(context));
  return {};
}

/// cuMemcpyPeer, and cuMemcpy3DPeer likewise: "serialized with respect all pending and future asynchronous work in to
/// the current context, srcContext, and dstContext", whatever their streams.
template <class Copy> Expected<void> betweenAll(Copy copy) {
  StreamChecks *const checks = streamChecks();
  if (checks) checks->hostMayKnowAll();
  const Expected<void> done = copy();
  if (checks) checks->hostMayKnowAll();
  return done;
}

} // namespace

// --- For graphs ---

Expected<CopyWork> copyWorkOf(const CUDA_MEMCPY3D &text, const Ref<Context> &context) {
  if (text.srcLOD != 0 || text.dstLOD != 0) return fail(CUDA_ERROR_INVALID_VALUE, "levels of detail must be 0");
  const Size3 region{text.WidthInBytes, text.Height, text.Depth};
  if (region[0] == 0 || region[1] == 0 || region[2] == 0) return fail(CUDA_ERROR_INVALID_VALUE, "a copy of nothing");
  US_TRY(const auto ends, endsOf(*context, destinationOf(text), sourceOf(text), region));
  US_TRY(const CopyCommand command, copyCommand(ends.first, ends.second, region));
  CopyWork work = copyWork(context, ends.first, ends.second, region, command);
  work.text = text;
  return work;
}

Expected<FillWork> fillWorkOf(const CUDA_MEMSET_NODE_PARAMS &text, const Ref<Context> &context) {
  if (text.elementSize != 1 && text.elementSize != 2 && text.elementSize != 4)
    return fail(CUDA_ERROR_INVALID_VALUE, format("elements of {} bytes", text.elementSize));
  if (text.width == 0 || text.height == 0) return fail(CUDA_ERROR_INVALID_VALUE, "a fill of nothing");
  US_TRY(const FillCommand command, fillCommand(text));
  return FillWork{text, context, command};
}

std::vector<std::pair<uint64_t, uint64_t>> memoryOf(const Work &work) {
  std::vector<std::pair<uint64_t, uint64_t>> ranges;
  if (const auto *copy = std::get_if<CopyWork>(&work)) {
    const CopyCommand &c = copy->command;
    const auto add = [&](const std::byte *at, const PitchedLayout &layout, CUmemorytype type) {
      if (type != CU_MEMORYTYPE_DEVICE) return; // the application answers for its own, and an array is kept
      ranges.emplace_back(reinterpret_cast<uint64_t>(at) + layout.offset, spanOf(layout, c.region));
    };
    add(c.to, c.toLayout, copy->text.dstMemoryType);
    add(c.from, c.fromLayout, copy->text.srcMemoryType);
  }
  if (const auto *fill = std::get_if<FillWork>(&work)) {
    const FillCommand &f = fill->command;
    ranges.emplace_back(reinterpret_cast<uint64_t>(f.to), f.size + f.rowPitch * (f.rows - 1));
  }
  return ranges;
}

Expected<void> memcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copyLinear(nullptr, anyEnd(to), anyEnd(from), size, false);
}
Expected<void> memcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return copyLinear(stream, anyEnd(to), anyEnd(from), size, true);
}
Expected<void> memcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
  return copyLinear(nullptr, {to}, {addressOf(from), true}, size, false);
}
Expected<void> memcpyDtoH(void *to, CUdeviceptr from, size_t size) {
  return copyLinear(nullptr, {addressOf(to), true}, {from}, size, false);
}
Expected<void> memcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copyLinear(nullptr, {to}, {from}, size, false);
}
Expected<void> memcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  return copyLinear(stream, {to}, {addressOf(from), true}, size, true);
}
Expected<void> memcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  return copyLinear(stream, {addressOf(to), true}, {from}, size, true);
}
Expected<void> memcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  return copyLinear(stream, {to}, {from}, size, true);
}
Expected<void> memcpyPeer(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext, size_t size) {
  US_CHECK(checkPeers(toContext, fromContext));
  return betweenAll([&] { return copyLinear(nullptr, {to}, {from}, size, false); });
}
Expected<void> memcpyPeerAsync(CUdeviceptr to, CUcontext toContext, CUdeviceptr from, CUcontext fromContext,
                               size_t size, CUstream stream) {
  US_CHECK(checkPeers(toContext, fromContext));
  return copyLinear(stream, {to}, {from}, size, true);
}
Expected<void> memcpy2D(const CUDA_MEMCPY2D *copy) { return copy2D(copy, nullptr, false); }
Expected<void> memcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream) { return copy2D(copy, stream, true); }
Expected<void> memcpy3D(const CUDA_MEMCPY3D *copy) { return copy3D(copy, nullptr, false); }
Expected<void> memcpy3DAsync(const CUDA_MEMCPY3D *copy, CUstream stream) { return copy3D(copy, stream, true); }
Expected<void> memcpy3DPeer(const CUDA_MEMCPY3D_PEER *copy) {
  return betweenAll([&] { return copy3D(copy, nullptr, false); });
}
Expected<void> memcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *copy, CUstream stream) { return copy3D(copy, stream, true); }

Expected<void> memcpyAtoA(CUarray to, size_t toOffset, CUarray from, size_t fromOffset, size_t size) {
  US_CHECK(currentContext());
  US_CHECK(checkArray(from, "source"));
  US_TRY(const End row, rowEnd(from, fromOffset, size, "source"));
  return copyToArray(to, toOffset, row, size, nullptr, false);
}
Expected<void> memcpyAtoD(CUdeviceptr to, CUarray from, size_t fromOffset, size_t size) {
  return copyFromArray({to}, from, fromOffset, size, nullptr, false);
}
Expected<void> memcpyDtoA(CUarray to, size_t toOffset, CUdeviceptr from, size_t size) {
  return copyToArray(to, toOffset, {from}, size, nullptr, false);
}
Expected<void> memcpyAtoH(void *to, CUarray from, size_t fromOffset, size_t size) {
  return copyFromArray({addressOf(to), true}, from, fromOffset, size, nullptr, false);
}
Expected<void> memcpyHtoA(CUarray to, size_t toOffset, const void *from, size_t size) {
  return copyToArray(to, toOffset, {addressOf(from), true}, size, nullptr, false);
}
Expected<void> memcpyAtoHAsync(void *to, CUarray from, size_t fromOffset, size_t size, CUstream stream) {
  return copyFromArray({addressOf(to), true}, from, fromOffset, size, stream, true);
}
Expected<void> memcpyHtoAAsync(CUarray to, size_t toOffset, const void *from, size_t size, CUstream stream) {
  return copyToArray(to, toOffset, {addressOf(from), true}, size, stream, true);
}

// The first driver's offsets and sizes had 32 bits.
Expected<void> memcpyAtoAOld(CUarray to, unsigned toOffset, CUarray from, unsigned fromOffset, unsigned size) {
  return memcpyAtoA(to, toOffset, from, fromOffset, size);
}
Expected<void> memcpyHtoAOld(CUarray to, unsigned toOffset, const void *from, unsigned size) {
  return memcpyHtoA(to, toOffset, from, size);
}
Expected<void> memcpyHtoAAsyncOld(CUarray to, unsigned toOffset, const void *from, unsigned size, CUstream stream) {
  return memcpyHtoAAsync(to, toOffset, from, size, stream);
}
Expected<void> memcpyAtoHOld(void *to, CUarray from, unsigned fromOffset, unsigned size) {
  return memcpyAtoH(to, from, fromOffset, size);
}
Expected<void> memcpyAtoHAsyncOld(void *to, CUarray from, unsigned fromOffset, unsigned size, CUstream stream) {
  return memcpyAtoHAsync(to, from, fromOffset, size, stream);
}

#define US_FILLS(bits, type)                                                                                           \
  Expected<void> memsetD##bits(CUdeviceptr to, type value, size_t count) {                                             \
    return fill({to, 0, value, sizeof(type), count, 1}, nullptr, false);                                               \
  }                                                                                                                    \
  Expected<void> memsetD##bits##Async(CUdeviceptr to, type value, size_t count, CUstream stream) {                     \
    return fill({to, 0, value, sizeof(type), count, 1}, stream, true);                                                 \
  }                                                                                                                    \
  Expected<void> memsetD2D##bits(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height) {              \
    return fill({to, pitch, value, sizeof(type), width, height}, nullptr, false);                                      \
  }                                                                                                                    \
  Expected<void> memsetD2D##bits##Async(CUdeviceptr to, size_t pitch, type value, size_t width, size_t height,         \
                                        CUstream stream) {                                                             \
    return fill({to, pitch, value, sizeof(type), width, height}, stream, true);                                        \
  }
US_FILLS(8, unsigned char)
US_FILLS(16, unsigned short)
US_FILLS(32, unsigned int)
#undef US_FILLS

} // namespace us::cuda
