// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Devices without concurrent managed access: "the CPU may not access managed memory while the GPU is active". There the
// memory is out of the host's reach from a launch on until the host has waited for it, and who touches it is told so.
#pragma once

#include "icd/cuda/context.h"

namespace us::cuda {

/// CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS is 0.
bool lacksConcurrentAccess(const Device &device);

/// Memory that a context's launches take from the host (MemoryRequest::isRestrictable), until `unguardManaged`.
void guardManaged(const Context &context, DeviceMemory &memory, unsigned attachment);
void unguardManaged(uint64_t begin);
/// CU_MEM_ATTACH_*; `stream` counts for CU_MEM_ATTACH_SINGLE. False if no such memory is guarded.
bool attachManaged(uint64_t begin, unsigned attachment, const Stream &stream);

/// True if anything is guarded at all: else the two below need not be called.
bool guardsManaged();
/// A kernel was enqueued; the host has found that nothing of the stream is left.
void managedLaunched(const Stream &stream);
void managedIdle(const Stream &stream);

} // namespace us::cuda
