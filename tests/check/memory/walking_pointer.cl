// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel walking
//! global 1
//! local 1
//! arg buffer int 10 fill(i)
//! arg buffer int 1
// The pointer itself moves on.
kernel void walking(global const int *in, global int *out) {
  int sum = 0;
#ifdef FIXED
  const int steps = 10;
#else
  const int steps = 12;
#endif
  for (int k = 0; k < steps; ++k)
    sum += *in++; //~ out of bounds read: work-item 0 of work-group 0
  out[0] = sum;
}
