// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What commands do with memory of which not all was written (emulator/memory/unwritten_buffers.h).
#pragma once

#include "runtime/device/command.h"
#include "runtime/device/executable.h"

namespace us::emulator {

/// Before it runs: what it writes counts as written. Not of a launch.
void noteWrites(const Command &command);

/// The arguments by which a launch may read memory of which some bytes are written and others not, or write such as is
/// not written: as Specialization::followed has them.
uint64_t followedArguments(const KernelInfo &kernel, const LaunchCommand &launch);
/// Before it runs: what it may write counts as written, unless its code follows it.
void beginsToWrite(const KernelInfo &kernel, const LaunchCommand &launch, uint64_t followed);
/// Afterwards.
void hasWritten(const KernelInfo &kernel, const LaunchCommand &launch, uint64_t followed);

} // namespace us::emulator
