// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/unwritten_memory.h"

#include "emulator/abi/compiler_api.h"
#include "emulator/abi/image_abi.h"
#include "emulator/memory/unwritten_buffers.h"

#include <cstring>

namespace us::emulator {
namespace {

memory::UnwrittenBuffers &buffers() { return memory::UnwrittenBuffers::instance(); }

void note(const CopyCommand &copy) {
  const auto to = reinterpret_cast<uint64_t>(copy.to) + copy.toLayout.offset;
  const auto from = reinterpret_cast<uint64_t>(copy.from) + copy.fromLayout.offset;
  for (uint64_t slice = 0; slice < copy.region[2]; ++slice)
    for (uint64_t row = 0; row < copy.region[1]; ++row)
      buffers().copied(to + slice * copy.toLayout.slicePitch + row * copy.toLayout.rowPitch,
                       from + slice * copy.fromLayout.slicePitch + row * copy.fromLayout.rowPitch, copy.region[0]);
}

void note(const FillCommand &fill) {
  for (uint64_t slice = 0; slice < fill.slices; ++slice)
    for (uint64_t row = 0; row < fill.rows; ++row)
      buffers().written(reinterpret_cast<uint64_t>(fill.to) + slice * fill.slicePitch + row * fill.rowPitch, fill.size);
}

void note(const MapCommand &map) {
  if (map.willWrite) buffers().written(map.address, map.size);
}

void note(const HostCallCommand &) { buffers().allWritten(); }

template <class Other> void note(const Other &) {}

/// Calls `use` with each word of the arguments that may be the address of a buffer, whether it may be written, and the
/// bit by which code follows it.
template <class Use> void forAddresses(const KernelInfo &kernel, const LaunchCommand &launch, Use use) {
  for (size_t number = 0; number < kernel.arguments.size(); ++number) {
    const ArgumentInfo &argument = kernel.arguments[number];
    if (!takesBuffer(argument.kind) && argument.kind != ArgumentKind::Value) continue;
    // A value may be an address, or a structure that has one.
    const bool isOne = argument.size == sizeof(uint64_t) && number < abi::kFollowedArguments;
    const uint64_t bit = isOne ? uint64_t(1) << number : abi::kFollowsPointers;
    for (uint64_t at = 0; at + sizeof(uint64_t) <= argument.size; at += sizeof(uint64_t)) {
      uint64_t word = 0;
      std::memcpy(&word, launch.arguments.data() + argument.offset + at, sizeof word);
      if (word) use(word, argument.kind == ArgumentKind::Value || argument.written, bit);
    }
  }
}

} // namespace

void noteWrites(const Command &command) {
  if (buffers().isAny()) std::visit([](const auto &one) { note(one); }, command);
}

uint64_t followedArguments(const KernelInfo &kernel, const LaunchCommand &launch) {
  uint64_t followed = 0;
  if (buffers().isAny())
    forAddresses(kernel, launch, [&](uint64_t address, bool isWritten, uint64_t bit) {
      if (buffers().isPartly(address) || (isWritten && buffers().holds(address))) followed |= bit;
    });
  return followed;
}

void beginsToWrite(const KernelInfo &kernel, const LaunchCommand &launch, uint64_t followed) {
  if (!buffers().isAny()) return;
  for (const ArgumentInfo &argument : kernel.arguments) {
    if (argument.kind != ArgumentKind::Image) continue;
    uint64_t word = 0;
    std::memcpy(&word, launch.arguments.data() + argument.offset, sizeof word);
    if (word) buffers().written(reinterpret_cast<uint64_t>(reinterpret_cast<const abi::ImageDescriptor *>(word)->data));
  }
  forAddresses(kernel, launch, [&](uint64_t address, bool isWritten, uint64_t bit) {
    if (isWritten && (followed & bit) != 0)
      buffers().follow(address);
    else if (isWritten)
      buffers().written(address);
  });
}

void hasWritten(const KernelInfo &kernel, const LaunchCommand &launch, uint64_t followed) {
  if (followed == 0) return;
  forAddresses(kernel, launch, [&](uint64_t address, bool isWritten, uint64_t bit) {
    if (isWritten && (followed & bit) != 0) buffers().settle(address);
  });
}

} // namespace us::emulator
