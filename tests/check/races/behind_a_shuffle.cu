// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel largest
//! global 128
//! local 64
//! arg buffer int 1
//! arg buffer int 128 fill(i+1)
// A shuffle is among the threads of a warp: it orders nothing of other blocks.
extern "C" __global__ void largest(int *result, const int *data) {
  int value = data[blockIdx.x * blockDim.x + threadIdx.x];
  value = max(value, __nvvm_shfl_sync_bfly_i32(0xffffffff, value, 16, 31));
  if (threadIdx.x != 0) return;
#ifdef FIXED
  atomicMax(result, value);
#else
  int before = result[0];         //~ race of a read and a write: work-item 0 of work-group 1
  result[0] = max(before, value); //~ race of two writes: work-item 0 of work-group 1
#endif
}
