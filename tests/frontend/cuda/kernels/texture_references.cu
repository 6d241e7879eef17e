// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references, as CUDA had them until release 11.
texture<float, 2, cudaReadModeElementType> plane;
texture<uchar4, 1, cudaReadModeNormalizedFloat> bytes;
surface<void, cudaSurfaceType2D> result;

static __device__ float read(texture<float, 2, cudaReadModeElementType> t, int x, int y) { return tex2D(t, x, y); }

extern "C" __global__ void texture_references(float *out) {
  const int x = threadIdx.x;
  out[x] = read(plane, x, 1);
  out[8 + x] = tex1Dfetch(bytes, x).z;
  surf2Dwrite((float)x * 2.0f, result, x * 4, 0, cudaBoundaryModeTrap);
}
