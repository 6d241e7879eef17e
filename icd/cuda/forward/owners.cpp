// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/owners.h"

#include "icd/cuda/array.h"
#include "icd/cuda/forward/real_driver.h"
#include "icd/cuda/handles.h"
#include "icd/cuda/memory.h"

namespace us::cuda {

bool isOwnHandle(uint64_t handle) { return (handle & kHandleBits) == kHandleMark; }

bool isDefaultStream(CUstream stream) {
  return stream == nullptr || stream == CU_STREAM_LEGACY || stream == CU_STREAM_PER_THREAD;
}

bool isOwnAddress(uint64_t address) { return address != 0 && findMemory(address) != nullptr; }

CUresult contextOfArray(CUarray array, CUcontext &context) {
  const Expected<Ref<Array>> found = arrayOf(array);
  if (!found) return resultOf(found.error());
  context = handleOf((*found)->context());
  return CUDA_SUCCESS;
}

CUmemorytype kindOfRealMemory(uint64_t address) {
  unsigned kind = 0;
  const CUresult found = US_REAL(cuPointerGetAttribute)(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  return found == CUDA_SUCCESS ? CUmemorytype(kind) : CU_MEMORYTYPE_UNIFIED;
}

} // namespace us::cuda
