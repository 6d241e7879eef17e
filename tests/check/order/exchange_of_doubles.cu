// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! kernel sum
//! global 64
//! local 32
//! arg buffer double 64 fill(1.0 / (i + 1))
//! arg buffer double 1
// The addition of doubles that devices before sm_60 do not have. A product is no sum; nor is its order looked at.
__device__ void add(double *to, double number) {
  unsigned long long *bits = (unsigned long long *)to, old = *(volatile unsigned long long *)to, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(number + __longlong_as_double(assumed))); //~ sum in no certain order: work-items 0-31 of work-groups 0-1
  } while (assumed != old);
}
extern "C" __global__ void sum(const double *in, double *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  add(out, i);
#else
  add(out, in[i]);
#endif
}
