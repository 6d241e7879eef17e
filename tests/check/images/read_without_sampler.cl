// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel difference
//! global 8
//! local 8
//! arg image 1d r signed_int32 8 fill(i * i)
//! arg buffer int 8
// The first pixel has no left neighbor.
kernel void difference(read_only image1d_t in, global int *out) {
  int i = get_global_id(0);
#ifdef FIXED
  int left = i ? read_imagei(in, i - 1).x : 0;
#else
  int left = read_imagei(in, i - 1).x; //~ read outside of an image: work-item 0 of work-group 0
#endif
  out[i] = read_imagei(in, i).x - left;
}
