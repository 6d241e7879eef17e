// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel bytes
//! global 8
//! local 8
//! arg buffer uchar 9
// Bytes of one word are different memory; the same byte is not.
kernel void bytes(global uchar *out) {
  int i = get_local_id(0);
  out[i] = i; //~ race of two writes: work-item 4 of work-group 0
#ifndef FIXED
  if (i == 3) out[4] = 9;
#endif
}
