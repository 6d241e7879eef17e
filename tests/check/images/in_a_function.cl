// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! options -cl-std=CL3.0
//! kernel shift
//! global 8
//! local 8
//! arg image 1d_array r float 8 2 fill(i)
//! arg image 1d_buffer r float 6
void put(write_only image1d_buffer_t to, int at, float value) {
  write_imagef(to, at, value); //~ write outside of an image: work-items 6-7 of work-group 0
}
kernel void shift(read_write image1d_array_t both, write_only image1d_buffer_t line) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i >= 6) return;
  put(line, i, read_imagef(both, (int2)(i, 0)).x);
#else
  put(line, i, read_imagef(both, (int2)(i + 1, 0)).x); //~ read outside of an image: work-item 7 of work-group 0
#endif
}
