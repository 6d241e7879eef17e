// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose a handle or an address is, where both sides are there.
#pragma once

#include "icd/cuda/api.h"

namespace us::cuda {

/// Ours say so themselves (handles.h).
bool isOwnHandle(uint64_t handle);
template <class Handle> bool isOwnHandle(Handle handle) { return isOwnHandle(reinterpret_cast<uint64_t>(handle)); }
/// A stream of the current context's, which no handle names.
bool isDefaultStream(CUstream stream);
/// In memory that an emulated device, or our cuMemHostRegister, knows.
bool isOwnAddress(uint64_t address);
/// Of an array of ours: CUDA_ERROR_INVALID_HANDLE.
CUresult contextOfArray(CUarray array, CUcontext &context);
/// In memory that the real driver knows; CU_MEMORYTYPE_UNIFIED is that of none.
CUmemorytype kindOfRealMemory(uint64_t address);

} // namespace us::cuda
