// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t

// CHECK: .visible .entry reads(
extern "C" __global__ void reads(float4 *out, cudaTextureObject_t t, cudaSurfaceObject_t s) {
  // CHECK: tex.1d.v4.f32.s32
  out[0] = tex1Dfetch<float4>(t, 3);
  // CHECK: tex.2d.v4.u32.f32
  out[1].x = tex2D<uchar4>(t, 0.5f, 1.5f).y;
  // CHECK: tex.3d.v4.s32.f32
  out[2].x = tex3D<int>(t, 0.5f, 1.5f, 2.5f);
  // CHECK: tex.a2d.v4.f32.f32
  out[3].x = tex2DLayered<float>(t, 0.5f, 1.5f, 2);
  // CHECK: tex.cube.v4.f32.f32
  out[4].x = texCubemap<float>(t, 0.5f, 1.5f, 2.5f);
  // CHECK: tex.level.2d.v4.f32.f32
  out[5].x = tex2DLod<float>(t, 0.5f, 1.5f, 1.0f);
  // CHECK: tex.grad.2d.v4.f32.f32
  out[6].x = tex2DGrad<float>(t, 0.5f, 1.5f, make_float2(1, 0), make_float2(0, 1));
  // CHECK: tld4.b.2d.v4.f32.f32
  out[7] = tex2Dgather<float4>(t, 0.5f, 1.5f, 2);
  // CHECK: suld.b.2d.v4.b32.zero
  out[8] = surf2Dread<float4>(s, 16, 1, cudaBoundaryModeZero);
  // CHECK: sust.b.3d.b32.trap
  surf3Dwrite(out[9].x, s, 16, 1, 2);
  // CHECK: sust.b.a2d.b8.clamp
  surf2DLayeredwrite((unsigned char)1, s, 16, 1, 2, cudaBoundaryModeClamp);
  // CHECK: suld.b.1d.v2.b32.trap
  short4 v;
  surf1Dread(&v, s, 8);
  out[10].x = v.z;
}
