// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! global 20
//! local 4
//! arg image 2d rgba unorm_int8 16 2
// The image is 16 pixels wide.
kernel void fill(write_only image2d_t out) {
  int i = get_global_id(0);
#ifdef FIXED
  if (i < get_image_width(out))
#endif
  write_imagef(out, (int2)(i, 1), (float4)(1)); //~ write outside of an image: work-items 0-3 of work-group 4
}
