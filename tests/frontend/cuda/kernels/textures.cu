// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture objects of several shapes, and reads of surfaces.
extern "C" __global__ void texture_shapes(float *out, cudaTextureObject_t line, cudaTextureObject_t plane,
                                          cudaTextureObject_t bytes, cudaTextureObject_t volume) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(line, i);
  out[8 + i] = tex2D<float>(plane, i + 0.5f, 1.5f);
  out[16 + i] = tex2D<float4>(bytes, i + 0.5f, 0.5f).y;
  out[24 + i] = tex3D<float>(volume, i % 2 + 0.5f, i / 2 % 2 + 0.5f, i / 4 + 0.5f);
  out[32 + i] = tex2Dgather<float4>(plane, i % 3 + 1.0f, 1.0f).x;
}
extern "C" __global__ void surface_shapes(cudaSurfaceObject_t plane, float *out) {
  const int x = threadIdx.x;
  float value;
  surf2Dread(&value, plane, x * 4, 1);
  out[x] = value;
  surf2Dwrite(value + 100.0f, plane, x * 4, 2, cudaBoundaryModeZero);
  out[8 + x] = surf2Dread<float>(plane, x * 4 - 4, 0, cudaBoundaryModeClamp);
  out[16 + x] = surf2Dread<float>(plane, x * 4 - 4, 0, cudaBoundaryModeZero);
}
