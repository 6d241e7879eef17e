// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 64
//! local 16
//! arg buffer float 64 fill(1.0 / (i + 1))
//! arg buffer float 1
// The addition that OpenCL 1.2 does not have.
void add(volatile global float *to, float number) {
  union {
    unsigned bits;
    float value;
  } before, after;
  do {
    before.bits = atomic_or((volatile global unsigned *)to, 0);
    after.value = before.value + number; //~ sum in no certain order: work-items 0-15 of work-groups 0-3
  } while (atomic_cmpxchg((volatile global unsigned *)to, before.bits, after.bits) != before.bits);
}
kernel void sum(global const float *in, global float *out) {
  int i = get_global_id(0);
#ifdef FIXED
  add(out, (float)i);
#else
  add(out, in[i]);
#endif
}
