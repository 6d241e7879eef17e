// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of which arguments' memory the threads of a launch may have copies (docs/decisions/0060-private-copies.md).
#pragma once

#include <cstdint>

namespace us {
struct KernelInfo;
struct LaunchCommand;
} // namespace us

namespace us::emulator {

/// Whether anything may be copied, whatever the arguments are.
bool mayCopyArguments(const KernelInfo &kernel, uint64_t items);
/// Specialization::copied of a launch of so many work-items on so many threads: buffers that are worth it, to which no
/// other argument points, and which the host does not look at meanwhile.
uint64_t copiedArguments(const LaunchCommand &command, const KernelInfo &kernel, uint64_t items, unsigned threads);

} // namespace us::emulator
