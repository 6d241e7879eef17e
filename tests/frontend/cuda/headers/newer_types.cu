// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
// RUN: nvcc -arch=sm_75 --ptx %s -o %t && FileCheck --check-prefix=OLD %s < %t
// Pipelines of copies are the instructions where the device has them; 8-bit numbers need none. Of fragments each device
// has its own, halves all of these; what kernels make of them is in kernels/tensor_products.cu.
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>

// CHECK-LABEL: .entry squares(
// OLD-LABEL: .entry squares(
// CHECK: wmma.load.a.sync.aligned.row.m16n16k16.f16
// CHECK: wmma.load.b.sync.aligned.col.m16n16k16.f16
// CHECK: wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16.satfinite
// OLD: wmma.mma.sync.aligned.row.col.m16n16k16.f16.f16.satfinite
// CHECK: wmma.store.d.sync.aligned.col.m16n16k16.f16
extern "C" __global__ void squares(__half *to, const __half *from) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, __half, row_major> a;
  fragment<matrix_b, 16, 16, 16, __half, col_major> b;
  fragment<accumulator, 16, 16, 16, __half> sum;
  fill_fragment(sum, __half(1.0f));
  load_matrix_sync(a, from, 16);
  load_matrix_sync(b, from, 16);
  mma_sync(sum, a, b, sum, true);
  store_matrix_sync(to, sum, 16, mem_col_major);
}

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
extern "C" __global__ void bytes(__nv_fp8_e4m3 *to, const float *from) {
  to[threadIdx.x] = __nv_fp8_e4m3(from[threadIdx.x]);
}
