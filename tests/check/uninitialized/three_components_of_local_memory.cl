// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel pick
//! global 1
//! local 1
//! arg buffer long 4 fill(i)
//! arg buffer long 4
// The sum is a long3, whose fourth component is nobody's.
kernel void pick(global const long *in, global long3 *out) {
  local long kept[4];
#ifdef FIXED
  const int count = 4;
#else
  const int count = 3;
#endif
  for (int i = 0; i < count; ++i) kept[i] = in[i];
  *out = vload3(0, kept) + vload3(0, kept + 1); //~ uninitialized store: work-item 0 of work-group 0
}
