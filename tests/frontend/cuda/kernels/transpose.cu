// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The transpose of a matrix, 32 x 32 elements of a block at a time, four rows a thread.
extern "C" __global__ void transpose(int *to, const int *from, int rows, int columns) {
  __shared__ int tile[32][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    const int y = blockIdx.y * 32 + j;
    if (x < columns && y < rows) tile[j][threadIdx.x] = from[y * columns + x];
  }
  __syncthreads();
  const int tx = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += blockDim.y) {
    const int ty = blockIdx.x * 32 + j;
    if (tx < rows && ty < columns) to[ty * rows + tx] = tile[threadIdx.x][j];
  }
}
