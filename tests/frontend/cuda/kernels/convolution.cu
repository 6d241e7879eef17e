// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A separable 5 x 5 filter: the image through a texture with clamped coordinates, the weights in constant memory, the
// result through a surface.
__constant__ float weights[5];

extern "C" __global__ void convolution(cudaSurfaceObject_t result, cudaTextureObject_t image, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i)
      sum += weights[i] * weights[j] * tex2D<float>(image, (float)(x + i - 2) + 0.5f, (float)(y + j - 2) + 0.5f);
  surf2Dwrite(sum, result, x * (int)sizeof(float), y);
}
