// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/transfer.h"

#include "runtime/base/geometry.h"
#include "runtime/forward/opencl/image_transfer.h"
#include "runtime/forward/opencl/last_event.h"
#include "runtime/forward/opencl/shared_memory.h"

#include <bit>
#include <cstring>
#include <string>

namespace us::forward {
namespace {

Expected<Side> sideOf(const MemoryTable &table, const std::byte *address, const PitchedLayout &layout,
                      const Size3 &region, bool isChecked) {
  Side side;
  side.layout = layout;
  side.place = table.find(reinterpret_cast<uint64_t>(address));
  if (!side.place.memory) {
    if (isChecked) return fail(ErrorCode::KernelFault, "a copy or fill that a kernel asked for finds no memory there");
    side.host = const_cast<std::byte *>(address);
    return side;
  }
  side.layout.offset += side.place.offset;
  const uint64_t size = side.place.memory->size(), span = spanOf(layout, region);
  if (side.layout.offset <= size && span <= size - side.layout.offset) return side;
  return fail(isChecked ? ErrorCode::KernelFault : ErrorCode::InvalidValue,
              "a copy or fill of " + std::to_string(span) + " bytes at " + std::to_string(side.layout.offset) +
                  " leaves a buffer of " + std::to_string(size));
}

/// "CL_INVALID_VALUE if row_pitch is not 0 and is less than region[0]"; "if slice_pitch is not 0 and is less than
/// region[1] x row_pitch and not a multiple of row_pitch".
bool isRect(const PitchedLayout &layout, const Size3 &region) {
  if (layout.rowPitch < region[0]) return false;
  return region[2] == 1 ||
         (layout.slicePitch >= region[1] * layout.rowPitch && layout.slicePitch % layout.rowPitch == 0);
}

/// A layout as the rect calls have it.
struct Rect {
  size_t origin[3], rowPitch, slicePitch;
  explicit Rect(const PitchedLayout &layout, const Size3 &region) {
    rowPitch = layout.rowPitch;
    slicePitch = region[2] == 1 ? 0 : layout.slicePitch;
    const uint64_t inSlice = slicePitch ? layout.offset % slicePitch : layout.offset;
    origin[0] = inSlice % rowPitch;
    origin[1] = inSlice / rowPitch;
    origin[2] = slicePitch ? layout.offset / slicePitch : 0;
  }
};

class Copier {
public:
  /// `isOne`: the copy is one call of the driver's.
  Copier(const RealDevice &device, const Side &to, const Side &from, Manner manner, bool isOne)
      : device_(device), to_(to), from_(from), blocks_(manner.mayBlock && isOne && (to.host || from.host)),
        last_(device, !blocks_ && manner.wantsEvent) {}

  Expected<void> line(uint64_t toOffset, uint64_t fromOffset, uint64_t size) {
    const cl_icd_dispatch &call = device_.call();
    const cl_command_queue queue = device_.queue();
    cl_event made = nullptr, *const event = last_.wantsEvents() ? &made : nullptr;
    if (to_.host)
      return last_.keep("clEnqueueReadBuffer",
                        call.clEnqueueReadBuffer(queue, memory(from_), blocks_, fromOffset, size, to_.host + toOffset,
                                                 0, nullptr, event),
                        made);
    if (from_.host)
      return last_.keep("clEnqueueWriteBuffer",
                        call.clEnqueueWriteBuffer(queue, memory(to_), blocks_, toOffset, size, from_.host + fromOffset,
                                                  0, nullptr, event),
                        made);
    return last_.keep(
        "clEnqueueCopyBuffer",
        call.clEnqueueCopyBuffer(queue, memory(from_), memory(to_), fromOffset, toOffset, size, 0, nullptr, event),
        made);
  }
  Expected<void> box(const Size3 &region) {
    const cl_icd_dispatch &call = device_.call();
    const cl_command_queue queue = device_.queue();
    const size_t size[3] = {region[0], region[1], region[2]};
    const Rect to(to_.layout, region), from(from_.layout, region);
    cl_event made = nullptr, *const event = last_.wantsEvents() ? &made : nullptr;
    if (to_.host)
      return last_.keep("clEnqueueReadBufferRect",
                        call.clEnqueueReadBufferRect(queue, memory(from_), blocks_, from.origin, to.origin, size,
                                                     from.rowPitch, from.slicePitch, to.rowPitch, to.slicePitch,
                                                     to_.host, 0, nullptr, event),
                        made);
    if (from_.host)
      return last_.keep("clEnqueueWriteBufferRect",
                        call.clEnqueueWriteBufferRect(queue, memory(to_), blocks_, to.origin, from.origin, size,
                                                      to.rowPitch, to.slicePitch, from.rowPitch, from.slicePitch,
                                                      from_.host, 0, nullptr, event),
                        made);
    return last_.keep("clEnqueueCopyBufferRect",
                      call.clEnqueueCopyBufferRect(queue, memory(from_), memory(to_), from.origin, to.origin, size,
                                                   from.rowPitch, from.slicePitch, to.rowPitch, to.slicePitch, 0,
                                                   nullptr, event),
                      made);
  }
  Begun take() {
    Begun begun = last_.take();
    begun.hasEnded = blocks_;
    return begun;
  }

private:
  static cl_mem memory(const Side &side) { return side.place.memory->object(); }

  const RealDevice &device_;
  const Side &to_, &from_;
  const bool blocks_;
  LastEvent last_;
};

/// Where at least one side is memory of the device.
Expected<Begun> beginTransfer(const RealDevice &device, const Side &to, const Side &from, const Size3 &region,
                              Manner manner) {
  if (to.isImage() || from.isImage()) return beginImageCopy(device, to, from, region);
  const bool isLine = region[1] == 1 && region[2] == 1;
  const bool isBox = isRect(to.layout, region) && isRect(from.layout, region);
  Copier copier(device, to, from, manner, isLine || isBox);
  if (isLine) {
    US_CHECK(copier.line(to.layout.offset, from.layout.offset, region[0]));
  } else if (isBox) {
    US_CHECK(copier.box(region));
  } else {
    for (uint64_t z = 0; z < region[2]; ++z)
      for (uint64_t y = 0; y < region[1]; ++y) {
        const auto row = [&](const PitchedLayout &layout) {
          return layout.offset + z * layout.slicePitch + y * layout.rowPitch;
        };
        US_CHECK(copier.line(row(to.layout), row(from.layout), region[0]));
      }
  }
  return copier.take();
}

/// The same where the other side is shared memory: the driver takes it for the host's, which it is while it is mapped.
Expected<Begun> beginSharedTransfer(const RealDevice &device, const Side &to, const Side &from, const Size3 &region,
                                    Manner manner) {
  const cl_icd_dispatch &call = device.call();
  const Side &shared = to.host ? to : from;
  std::byte *const begin = shared.host + shared.layout.offset;
  US_CHECK(
      driverResult("clEnqueueSVMMap",
                   call.clEnqueueSVMMap(device.queue(), CL_TRUE, to.host ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ,
                                        begin, spanOf(shared.layout, region), 0, nullptr, nullptr)));
  const Expected<Begun> copied = beginTransfer(device, to, from, region, manner);
  Begun unmapped{.call = "clEnqueueSVMUnmap"};
  const cl_int code = call.clEnqueueSVMUnmap(device.queue(), begin, 0, nullptr, &unmapped.event);
  if (copied && copied->event) call.clReleaseEvent(copied->event);
  US_CHECK(driverResult(unmapped.call, code));
  if (copied) return unmapped;
  call.clReleaseEvent(unmapped.event);
  return copied;
}

} // namespace

Expected<Begun> beginCopy(const RealDevice &device, const MemoryTable &memory, const CopyCommand &copy, Manner manner) {
  const Size3 &region = copy.region;
  if (region[0] == 0 || region[1] == 0 || region[2] == 0) return Begun{};
  US_TRY(const Side to, sideOf(memory, copy.to, copy.toLayout, region, copy.isChecked));
  US_TRY(const Side from, sideOf(memory, copy.from, copy.fromLayout, region, copy.isChecked));
  const bool isShared = (to.host && memory.isShared(to.host)) || (from.host && memory.isShared(from.host));
  if (!to.host || !from.host)
    return isShared ? beginSharedTransfer(device, to, from, region, manner)
                    : beginTransfer(device, to, from, region, manner);
  if (isShared) return beginSharedCopy(device, to.host, to.layout, from.host, from.layout, region);
  device.call().clFinish(device.queue()); // what it reads may be written there
  copyPitched(to.host, copy.toLayout, from.host, copy.fromLayout, region);
  return Begun{};
}

Expected<bool> copyToEnd(const RealDevice &device, const MemoryTable &memory, const CopyCommand &copy,
                         Completion &completion) {
  const Size3 &region = copy.region;
  if (region[0] == 0 || region[1] != 1 || region[2] != 1) return false;
  US_TRY(const Side to, sideOf(memory, copy.to, copy.toLayout, region, copy.isChecked));
  US_TRY(const Side from, sideOf(memory, copy.from, copy.fromLayout, region, copy.isChecked));
  const std::byte *const host = to.host ? to.host : from.host;
  if (!host || (to.host && from.host) || to.isImage() || from.isImage() || memory.isShared(host)) return false;
  struct Transfer final : OneCall {
    Transfer(const RealDevice &device, const Side &to, const Side &from, uint64_t size)
        : copier(device, to, from, {.wantsEvent = false, .mayBlock = true}, true), to(to), from(from), size(size) {}
    Expected<void> give(cl_event *) override {
      US_CHECK(copier.line(to.layout.offset, from.layout.offset, size));
      (void)copier.take();
      return {};
    }
    Copier copier;
    const Side &to, &from;
    const uint64_t size;
  } transfer(device, to, from, region[0]);
  US_CHECK(completion.run(transfer));
  return true;
}

Expected<Begun> beginFill(const RealDevice &device, const MemoryTable &memory, const FillCommand &fill) {
  const Size3 region{fill.size, fill.rows, fill.slices};
  if (fill.size == 0 || fill.rows == 0 || fill.slices == 0) return Begun{};
  const PitchedLayout layout{0, fill.rowPitch, fill.slicePitch};
  US_TRY(const Side to, sideOf(memory, fill.to, layout, region, fill.isChecked));
  if (to.host && memory.isShared(to.host)) return beginSharedFill(device, fill);
  if (!to.place.memory) return fail(ErrorCode::InvalidValue, "a fill of memory that is not the device's");
  if (to.isImage()) return beginImageFill(device, to, fill);
  const cl_icd_dispatch &call = device.call();
  const cl_command_queue queue = device.queue();
  const cl_mem buffer = to.place.memory->object();
  const uint32_t pattern = fill.patternSize;
  std::vector<std::byte> source; // before what waits for those that read it
  LastEvent last(device);
  for (uint64_t row = 0; row < fill.rows * fill.slices; ++row) {
    const uint64_t offset = to.layout.offset + row / fill.rows * fill.slicePitch + row % fill.rows * fill.rowPitch;
    cl_event event = nullptr;
    // "CL_INVALID_VALUE if ... pattern_size is not one of { 1, 2, 4, 8, 16, 32, 64, 128 }"; "if offset and size are not
    // a multiple of pattern_size"
    if (std::has_single_bit(pattern) && offset % pattern == 0 && fill.size % pattern == 0) {
      const cl_int code =
          call.clEnqueueFillBuffer(queue, buffer, fill.pattern.data(), pattern, offset, fill.size, 0, nullptr, &event);
      US_CHECK(last.keep("clEnqueueFillBuffer", code, event));
      continue;
    }
    if (source.empty()) {
      source.resize(fill.size);
      for (uint64_t at = 0; at < fill.size; ++at) source[at] = fill.pattern[at % pattern];
    }
    const cl_int code =
        call.clEnqueueWriteBuffer(queue, buffer, CL_FALSE, offset, fill.size, source.data(), 0, nullptr, &event);
    US_CHECK(last.keep("clEnqueueWriteBuffer", code, event));
  }
  Begun begun = last.take();
  begun.source = std::move(source);
  return begun;
}

} // namespace us::forward
