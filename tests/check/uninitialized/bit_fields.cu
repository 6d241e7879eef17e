// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel move
//! global 8
//! local 8
//! arg buffer uint 8 written(4)
//! arg buffer uint 8
// To copy a field of some bits is no use of it, wherever in its word it comes to lie; to count on is.
struct From {
  unsigned low : 3, high : 29;
};
struct To {
  unsigned high : 29, low : 3;
};
extern "C" __global__ void move(const From *in, To *out) {
  int i = threadIdx.x;
#ifdef FIXED
  unsigned low = in[i].low;
#else
  unsigned low = in[i].low + 1;
#endif
  out[i].low = low;
  out[i].high = 1; //~ uninitialized store: work-items 4-7 of work-group 0
}
