// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel words
//! global 4
//! local 4
//! arg buffer uchar 32 fill(i)
//! arg buffer int 4
// The bytes of an int begin anywhere, but an int does not.
kernel void words(global const uchar *bytes, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  out[i] = ((global const int *)bytes)[i];
#else
  out[i] = *(global const int *)(bytes + 4 * i + i); //~ misaligned access: work-items 1-3 of work-group 0
#endif
}
