// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel any
//! global 64
//! local 32
//! arg buffer int 64 fill(i)
// "until all non-exited threads corresponding to membermask have executed ... with the same ... membermask value"
extern "C" __global__ void any(int *data) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned members = threadIdx.x < 16 ? 0x0000ffff : 0xffff0000;
#ifndef FIXED
  if (threadIdx.x >= 16) members = 0xffffffff;
#endif
  data[i] = __nvvm_vote_any_sync(members, data[i] == 5); //~ different lane masks: work-items 16-31 of work-groups 0-1
}
