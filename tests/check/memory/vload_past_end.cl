// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel rgb
//! global 4
//! local 4
//! arg buffer uchar 12 fill(i)
//! arg buffer uchar 4
// Three bytes are read as four.
kernel void rgb(global const uchar *in, global uchar *out) {
  int i = get_global_id(0);
#ifdef FIXED
  uchar3 color = vload3(i, in);
#else
  uchar4 color = vload4(0, in + 3 * i); //~ out of bounds read: work-item 3 of work-group 0
#endif
  out[i] = color.x;
}
