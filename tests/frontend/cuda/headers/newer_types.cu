// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
// RUN: nvcc -arch=sm_75 --ptx %s -o %t && FileCheck --check-prefix=OLD %s < %t
// RUN: not nvcc -arch=sm_86 -DMATRICES --ptx %s -o %t 2> %t.messages && FileCheck --check-prefix=MATRICES %s < %t.messages
// Pipelines of copies are the instructions where the device has them; 8-bit numbers need none; tensor cores are refused by name.
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#ifdef MATRICES
// MATRICES: mma.h:{{.*}}error: {{.*}}has no tensor cores
#include <mma.h>
#endif

// CHECK-LABEL: .entry copies(
// CHECK: cp.async.cg.shared.global [%r{{[0-9]+}}], [%rd{{[0-9]+}}], 16, %r{{[0-9]+}};
// CHECK: cp.async.commit_group;
// CHECK: cp.async.wait_group 0;
// OLD-NOT: cp.async
extern "C" __global__ void copies(int4 *to, const int4 *from) {
  __shared__ int4 room[32];
  __pipeline_memcpy_async(&room[threadIdx.x], &from[threadIdx.x], sizeof(int4));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  to[threadIdx.x] = room[threadIdx.x];
}
// CHECK-LABEL: .entry bytes(
// CHECK-NOT: e4m3
// CHECK: ret;
extern "C" __global__ void bytes(__nv_fp8_e4m3 *to, const float *from) { to[threadIdx.x] = __nv_fp8_e4m3(from[threadIdx.x]); }
