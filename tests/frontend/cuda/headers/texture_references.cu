// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: env UNDERSTUDY_CUDA_VERSION=11.8 nvcc -arch=sm_86 --ptx %s -o %t && FileCheck %s < %t
// RUN: not nvcc -arch=sm_86 --ptx %s -o %t 2> %t.errors; FileCheck --check-prefix=GONE %s < %t.errors
// References are variables that the driver binds; CUDA 12 has them no more.
// GONE: error: no template named 'texture'

// CHECK-DAG: .global .texref image;
texture<float, 2, cudaReadModeElementType> image;
// CHECK-DAG: .global .texref bytes;
texture<uchar4, cudaTextureType1D, cudaReadModeNormalizedFloat> bytes;
// CHECK-DAG: .global .texref layers;
texture<int2, cudaTextureType2DLayered> layers;
// CHECK-DAG: .global .surfref result;
surface<void, cudaSurfaceType3D> result;

template <class T> static __device__ T through(texture<T, 2, cudaReadModeElementType> t, float x) { return tex2D(t, x, 1.0f); }

// CHECK: .visible .entry references(
extern "C" __global__ void references(float *out) {
  // CHECK-DAG: mov.u64 [[IMAGE:%rd[0-9]+]], image;
  // CHECK-DAG: tex.2d.v4.f32.f32
  out[0] = through(image, 2.0f);
  // CHECK-DAG: tex.1d.v4.f32.s32
  out[1] = tex1Dfetch(bytes, 3).w;
  // CHECK-DAG: tex.a2d.v4.s32.f32
  out[2] = tex2DLayered(layers, 1.0f, 2.0f, 3).y;
  // CHECK-DAG: sust.b.3d.v2.b32.trap
  surf3Dwrite(make_float2(1, 2), result, 8, 1, 2);
  int value;
  // CHECK-DAG: suld.b.3d.b32.zero
  surf3Dread(&value, result, 4, 1, 2, cudaBoundaryModeZero);
  out[3] = value;
}
