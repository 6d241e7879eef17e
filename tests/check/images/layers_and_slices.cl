// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 4
//! local 4
//! arg image 2d_array rgba unsigned_int8 4 4 3
//! arg image 3d rgba unsigned_int8 4 4 3
//! arg image 2d_array rgba unsigned_int8 4 4 3 fill(i)
// There are three layers, and three slices. A layer that is read is clamped.
kernel void fill(write_only image2d_array_t layers, write_only image3d_t slices, read_only image2d_array_t in) {
  int i = get_global_id(0);
  uint4 color = read_imageui(in, (int4)(i, i, i, 0));
#ifdef FIXED
  if (i == 3) return;
#endif
  write_imageui(layers, (int4)(0, 0, i, 0), color); //~ write outside of an image: work-item 3 of work-group 0
  write_imageui(slices, (int4)(0, 0, i, 0), color); //~ write outside of an image: work-item 3 of work-group 0
}
