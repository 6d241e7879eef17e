// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck --check-prefix=WHOLE %s < %t
// RUN: nvcc -arch=sm_86 -rdc=true --ptx %s -o %t && FileCheck --check-prefix=PARTS %s < %t
// RUN: nvcc -arch=sm_86 -dc --ptx %s -o %t && FileCheck --check-prefix=PARTS %s < %t
// A module that nothing is linked to keeps kernels and variables; one to be linked keeps functions and may lack some.

// WHOLE-NOT: .func
// WHOLE: .visible .global .align 4 .u32 counter
// WHOLE: .visible .entry kernel(
// PARTS-DAG: .extern .func {{.*}}elsewhere
// PARTS-DAG: .visible .func {{.*}}unused
// PARTS-DAG: .visible .entry kernel(
__device__ int counter;
#ifdef __CUDACC_RDC__
extern "C" __device__ int elsewhere(int);
#else
static __device__ __noinline__ int elsewhere(int x) { return x; }
#endif
extern "C" __device__ int unused(int x) { return x + 1; }
extern "C" __global__ void kernel(int *out) {
#ifdef __CUDACC_RDC__
  out[0] = elsewhere(counter);
#else
  out[0] = counter;
#endif
}
