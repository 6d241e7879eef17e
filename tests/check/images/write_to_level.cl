// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel fill
//! options -cl-std=CL3.0
//! global 4
//! local 4
//! arg image 2d rgba unorm_int8 16 2
// "lod must be in the range [0, miplevels-1]": the image has one level.
kernel void fill(write_only image2d_t out) {
  int i = get_global_id(0);
#ifdef FIXED
  int level = get_image_num_mip_levels(out) - 1;
#else
  int level = 1;
#endif
  write_imagef(out, (int2)(i, 1), level, (float4)(1)); //~ write outside of an image: work-items 0-3 of work-group 0
}
