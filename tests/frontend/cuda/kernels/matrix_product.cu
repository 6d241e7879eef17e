// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// c = a b for square matrices, through tiles in shared memory.
constexpr int kTile = 16;

template <class T> __device__ void multiply(T *c, const T *a, const T *b, int n) {
  __shared__ T left[kTile][kTile], right[kTile][kTile + 1];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  T sum = 0;
  for (int tile = 0; tile < n; tile += kTile) {
    left[threadIdx.y][threadIdx.x] = row < n && tile + threadIdx.x < n ? a[row * n + tile + threadIdx.x] : T(0);
    right[threadIdx.y][threadIdx.x] = column < n && tile + threadIdx.y < n ? b[(tile + threadIdx.y) * n + column] : T(0);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void matrix_product(float *c, const float *a, const float *b, int n) { multiply(c, a, b, n); }
