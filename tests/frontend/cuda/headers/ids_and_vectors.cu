// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
// Built-in variables are special registers, vector types are loaded and stored whole, dim3 converts.

// CHECK: .target sm_86
// CHECK: .visible .entry ids(
extern "C" __global__ void ids(uint3 *out) {
  // CHECK-DAG: %tid.x
  // CHECK-DAG: %ctaid.y
  // CHECK-DAG: %ntid.z
  // CHECK-DAG: %nctaid.x
  const dim3 block = blockDim;
  out[0] = make_uint3(threadIdx.x, blockIdx.y, block.z + gridDim.x);
}

// CHECK: .visible .entry vectors(
extern "C" __global__ void vectors(float4 *to, const float4 *from, short2 *narrow) {
  // CHECK: ld.global.v4.f32
  // CHECK: st.global.v4.f32
  const float4 v = from[1];
  to[0] = make_float4(v.x + 1, v.y + 2, v.z + 3, v.w + 4);
  // CHECK: ld.global.{{v2.u16|u32}}
  narrow[0] = make_short2(narrow[1].y, narrow[1].x);
}

static_assert(alignof(float4) == 16 && sizeof(float3) == 12 && alignof(uchar4) == 4 && alignof(double2) == 16 &&
                  alignof(longlong4) == 16 && sizeof(dim3) == 12,
              "the ABI that host and device share");
