// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in three dimensions: allocation, filling, and copies of boxes to and from it.
#include "../check.h"

__global__ void addOne(cudaPitchedPtr box, cudaExtent extent) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  char *row = static_cast<char *>(box.ptr) + (z * box.ysize + y) * box.pitch;
  if (x < extent.width / sizeof(int)) reinterpret_cast<int *>(row)[x] += 1;
}

int main() {
  constexpr int width = 20, height = 6, depth = 5;
  static int from[depth][height][width], to[depth][height][width];
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) from[z][y][x] = z * 10000 + y * 100 + x;
  const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr box;
  OK(cudaMalloc3D(&box, extent));
  CHECK(box.xsize == extent.width && box.ysize == height && box.pitch >= extent.width);
  OK(cudaMemset3D(box, 0, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from, width * sizeof(int), width * sizeof(int), height);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  OK(cudaMemcpy3D(&copy));
  addOne<<<dim3(height, depth), 32>>>(box, extent);
  // A box in it: from (2, 1, 1) on.
  cudaMemcpy3DParms back = {};
  back.srcPtr = box;
  back.srcPos = make_cudaPos(2 * sizeof(int), 1, 1);
  back.dstPtr = make_cudaPitchedPtr(to, width * sizeof(int), width * sizeof(int), height);
  back.extent = make_cudaExtent(10 * sizeof(int), 4, 3);
  back.kind = cudaMemcpyDeviceToHost;
  OK(cudaMemcpy3DAsync(&back, 0));
  OK(cudaDeviceSynchronize());
  for (int z = 0; z < depth; ++z)
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        CHECK(to[z][y][x] == (x < 10 && y < 4 && z < 3 ? from[z + 1][y + 1][x + 2] + 1 : 0));
  back.kind = (cudaMemcpyKind)17;
  EXPECT(cudaErrorInvalidMemcpyDirection, cudaMemcpy3D(&back));
  OK(cudaFree(box.ptr));
  return failures != 0;
}
