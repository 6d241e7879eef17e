// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
extern "C" {
// As programs do that put everything into such a block.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

// CHECK-DAG: .extern .func {{.*}}vprintf
// CHECK-DAG: .extern .func {{.*}}__assertfail
// CHECK-DAG: .extern .func {{.*}}malloc
// CHECK-DAG: .extern .func {{.*}}free
// CHECK: .visible .entry system_calls(
__global__ void system_calls(int *out) {
  // CHECK: __assertfail
  assert(out != 0);
  // CHECK: vprintf
  printf("%d %f\n", out[0], 1.5);
  // CHECK: malloc
  int *p = (int *)malloc(16);
  p[threadIdx.x] = 1;
  out[1] = p[0];
  // CHECK: free
  free(p);
  int *q = new int[4];
  out[2] = q[threadIdx.x];
  delete[] q;
}
}
