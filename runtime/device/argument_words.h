// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a launch's argument block holds of arguments that are no values: 8 bytes each.
#pragma once

#include "runtime/device/command.h"
#include "runtime/device/executable.h"

#include <cstring>

namespace us {

inline uint64_t argumentWord(const LaunchCommand &launch, const ArgumentInfo &argument) {
  uint64_t word = 0;
  std::memcpy(&word, launch.arguments.data() + argument.offset, sizeof word);
  return word;
}

/// Bytes of a local argument, with what follows it for the next one's alignment: the block says where each begins in
/// the launch's local memory, one behind the other.
inline uint64_t localArgumentSize(const LaunchCommand &launch, const KernelInfo &kernel, size_t index) {
  uint64_t end = launch.localMemory;
  for (size_t next = kernel.arguments.size() - 1; next > index; --next)
    if (kernel.arguments[next].kind == ArgumentKind::LocalPointer) end = argumentWord(launch, kernel.arguments[next]);
  return end - argumentWord(launch, kernel.arguments[index]);
}

} // namespace us
