// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel count
//! global 8
//! local 4
//! arg buffer int 1
//! arg buffer int 8 fill(i % 2)
extern "C" __global__ void count(int *odd, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!in[i]) return;
#ifdef FIXED
  atomicAdd(odd, 1);
#else
  int before = *odd; //~ race of a read and a write: work-item 3 of work-group 0; work-items 1, 3 of work-group 1
  *odd = before + 1; //~ race of two writes: work-item 3 of work-group 0; work-items 1, 3 of work-group 1
#endif
}
