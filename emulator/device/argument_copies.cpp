// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/argument_copies.h"

#include "emulator/abi/image_abi.h"
#include "emulator/memory/address_space.h"
#include "runtime/device/argument_words.h"

#include <algorithm>

namespace us::emulator {
namespace {

/// A copy of more does not stay in a core's own caches.
constexpr uint64_t kLargest = 256 << 10;
/// What is read and written of a copy besides what the kernel does, a few bytes in the time of an atomic operation:
/// with so many work-items for each byte of all copies it is lost in what is gained, if half of them do one.
constexpr uint64_t kItemsForByte = 2;
/// And so many at least: a launch of fewer has ended before.
constexpr uint64_t kFewestItems = 1 << 15;

/// Where the memory of an argument is; null: it has none that could be copied.
uint64_t placeOf(const LaunchCommand &command, const ArgumentInfo &argument) {
  const bool isImage = argument.kind == ArgumentKind::Image;
  if (!isImage && !takesBuffer(argument.kind)) return 0;
  const uint64_t word = argumentWord(command, argument);
  if (!isImage || !word) return word;
  return reinterpret_cast<uint64_t>(reinterpret_cast<const abi::ImageDescriptor *>(word)->data);
}

} // namespace

bool mayCopyArguments(const KernelInfo &kernel, uint64_t items) { return kernel.usesAtomics && items >= kFewestItems; }

uint64_t copiedArguments(const LaunchCommand &command, const KernelInfo &kernel, uint64_t items, unsigned threads) {
  if (!mayCopyArguments(kernel, items)) return 0;
  uint64_t copied = 0;
  const auto &arguments = kernel.arguments;
  for (size_t number = 0; number < std::min<size_t>(arguments.size(), 64); ++number) {
    const ArgumentInfo &argument = arguments[number];
    if (argument.kind != ArgumentKind::GlobalPointer || !argument.read || !argument.written) continue;
    const uint64_t place = placeOf(command, argument);
    if (!place) continue;
    const FoundMemory memory = memory::AddressSpace::instance().locate(place);
    if (memory::isShared(memory) || memory.released || place - memory.base >= memory.size) continue;
    if (memory.size > std::min(kLargest, items / kItemsForByte / threads)) continue;
    const auto isThere = [&](const ArgumentInfo &other) {
      return &other != &argument && placeOf(command, other) - memory.base < memory.size;
    };
    if (std::ranges::none_of(arguments, isThere)) copied |= uint64_t(1) << number;
  }
  return copied;
}

} // namespace us::emulator
