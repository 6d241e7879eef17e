// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pairs
//! global 1
//! local 1
//! arg buffer int 64 fill(i)
//! arg buffer int 1
//! arg value ulong 0
// n - 1 of no elements is the greatest number that there is.
kernel void pairs(global const int *in, global int *out, ulong n) {
  int sum = 0;
#ifdef FIXED
  for (ulong i = 0; i + 1 < n; ++i)
#else
  for (ulong i = 0; i < n - 1; ++i) //~ no progress: work-item 0 of work-group 0
#endif
    sum += in[i & 63];
  out[0] = sum;
}
