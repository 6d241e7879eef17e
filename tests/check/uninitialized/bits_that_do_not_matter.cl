// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel bits
//! global 4
//! local 4
//! arg buffer uint 4 fill(i)
//! arg buffer uint 4
// Bits that are masked away may have any value.
kernel void bits(global const uint *in, global uint *out) {
  uint i = get_global_id(0), word;
  uchar *bytes = (uchar *)&word;
  bytes[0] = in[i];
#ifdef FIXED
  out[i] = word & 0xff;
#else
  out[i] = word & 0x1ff; //~ uninitialized store: work-items 0-3 of work-group 0
#endif
}
