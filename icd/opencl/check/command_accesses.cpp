// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/check/command_accesses.h"

#include "icd/opencl/cl.h"
#include "runtime/core/image.h"

#include <algorithm>
#include <cstring>

namespace us::opencl {

const core::Buffer &wholeOf(const core::Buffer &buffer) {
  const core::Buffer *whole = &buffer;
  while (whole->parent()) whole = whole->parent();
  return *whole;
}

Side hostSideOf(uint32_t type) {
  switch (type) {
  case CL_COMMAND_READ_BUFFER:
  case CL_COMMAND_READ_BUFFER_RECT:
  case CL_COMMAND_READ_IMAGE:
    return Side::To;
  case CL_COMMAND_WRITE_BUFFER:
  case CL_COMMAND_WRITE_BUFFER_RECT:
  case CL_COMMAND_WRITE_IMAGE:
    return Side::From;
  default:
    return Side::Neither;
  }
}

std::optional<HostSide> hostSideOf(const core::CommandRequest &request) {
  const auto *const copy = std::get_if<CopyCommand>(&request.command);
  const Side side = copy ? hostSideOf(request.apiTag) : Side::Neither;
  if (side == Side::Neither) return std::nullopt;
  if (side == Side::To) return HostSide{copy->to, copy->toLayout, copy->region, true};
  return HostSide{copy->from, copy->fromLayout, copy->region, false};
}

bool isSvmTransfer(uint32_t type) { return type == CL_COMMAND_SVM_MEMCPY || type == CL_COMMAND_SVM_MEMFILL; }

CommandAccesses::CommandAccesses(const core::CommandRequest &request, const Device &device) : device_(device) {
  for (const Ref<Object> &kept : request.keep)
    if (auto *const image = dynamic_cast<core::Image *>(kept.get()))
      images_.push_back(&image->memory());
    else if (auto *const buffer = dynamic_cast<core::Buffer *>(kept.get()))
      buffers_.push_back(buffer);
  if (const auto *const launch = std::get_if<LaunchCommand>(&request.command)) addArguments(*launch);
  if (const auto *const copy = std::get_if<CopyCommand>(&request.command)) {
    addRange(copy->to + copy->toLayout.offset, spanOf(copy->toLayout, copy->region), false, true);
    addRange(copy->from + copy->fromLayout.offset, spanOf(copy->fromLayout, copy->region), true, false);
  }
  if (const auto *const fill = std::get_if<FillCommand>(&request.command)) {
    const PitchedLayout layout{0, fill->rowPitch, fill->slicePitch};
    addRange(fill->to, spanOf(layout, {fill->size, fill->rows, fill->slices}), false, true);
  }
}

std::vector<core::Buffer *> CommandAccesses::memories() const {
  std::vector<core::Buffer *> all = buffers_;
  all.insert(all.end(), images_.begin(), images_.end());
  return all;
}

void CommandAccesses::add(const core::Buffer &buffer, uint64_t begin, uint64_t end, bool reads, bool writes) {
  const core::Buffer &whole = wholeOf(buffer);
  accesses_.push_back({whole.weak(), buffer.origin() + begin, buffer.origin() + end, reads, writes});
}

/// What a kernel's code does with its arguments is known; with how much of one is not.
void CommandAccesses::addArguments(const LaunchCommand &launch) {
  size_t image = 0;
  for (const ArgumentInfo &argument : launch.kernel->info().arguments) {
    if (argument.kind == ArgumentKind::Image && image < images_.size()) {
      const core::Buffer &memory = *images_[image++];
      add(memory, 0, memory.size(), argument.access != AccessQualifier::WriteOnly,
          argument.access != AccessQualifier::ReadOnly);
    }
    if (!takesBuffer(argument.kind) || !(argument.read || argument.written)) continue;
    uint64_t address = 0;
    std::memcpy(&address, launch.arguments.data() + argument.offset, sizeof address);
    const auto buffer =
        std::ranges::find(buffers_, address, [&](const core::Buffer *one) { return one->addressIfOn(device_); });
    if (address && buffer != buffers_.end())
      add(**buffer, 0, (*buffer)->size(), argument.read, argument.written);
    else if (address)
      followsPointers_ = true;
  }
  followsPointers_ |= launch.indirect != nullptr;
}

void CommandAccesses::addRange(const std::byte *memory, uint64_t size, bool reads, bool writes) {
  const auto begin = reinterpret_cast<uint64_t>(memory), end = begin + size;
  for (const std::vector<core::Buffer *> &all : {buffers_, images_})
    for (const core::Buffer *const buffer : all) {
      const uint64_t base = buffer->addressIfOn(device_);
      if (base && begin < base + buffer->size() && base < end)
        return add(*buffer, std::max(begin, base) - base, std::min(end, base + buffer->size()) - base, reads, writes);
    }
}

} // namespace us::opencl
