// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches in all their forms: templates, structures as arguments, shared memory, through pointers, cooperative ones.
#include "../check.h"
#include <cooperative_groups.h>
#include <vector>

struct Plane {
  double a, b, c;
  char tag;
};
template <class T, int factor> __global__ void scale(T *values, int n, Plane plane, T offset = T(1)) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * factor + static_cast<T>(plane.b) + offset;
}
__global__ void sumOf(const int *values, int *sum) {
  extern __shared__ int partial[];
  partial[threadIdx.x] = values[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, partial[0]);
}
__global__ void __launch_bounds__(64, 2) acrossGrid(int *values) {
  const auto grid = cooperative_groups::this_grid();
  values[blockIdx.x] = blockIdx.x + 1;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += values[i];
    values[gridDim.x] = sum;
  }
}
static __global__ void position(uint3 *to) {
  if (threadIdx.x == 2 && threadIdx.y == 1 && blockIdx.z == 3) *to = make_uint3(gridDim.x, gridDim.y, blockDim.z);
}

int main() {
  const int n = 1024;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i;
  int *device, *sum;
  OK(cudaMalloc(&device, n * sizeof(int)));
  OK(cudaMalloc(&sum, sizeof(int)));
  OK(cudaMemcpy(device, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scale<int, 3><<<n / 128, 128>>>(device, n, Plane{1, 2, 3, 'x'});
  OK(cudaMemset(sum, 0, sizeof(int)));
  sumOf<<<n / 256, 256, 256 * sizeof(int)>>>(device, sum);
  int total = 0, expected = 0;
  OK(cudaMemcpy(&total, sum, sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) expected += 3 * i + 3;
  CHECK(total == expected);

  // Through a pointer, and by the API's own call.
  void (*through)(float *, int, Plane, float) = scale<float, 2>;
  float one = 1.5f, *number;
  OK(cudaMalloc(&number, sizeof(float)));
  OK(cudaMemcpy(number, &one, sizeof(float), cudaMemcpyHostToDevice));
  through<<<1, 1>>>(number, 1, Plane{0, 4, 0, 0}, 0.25f);
  OK(cudaMemcpy(&one, number, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(one == 7.25f);
  int count = 1;
  Plane plane = {0, 1, 0, 0};
  float offset = 0;
  void *arguments[] = {&number, &count, &plane, &offset};
  OK(cudaLaunchKernel(through, dim3(1), dim3(1), arguments, 0, 0));
  OK(cudaMemcpy(&one, number, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(one == 15.5f);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  OK(cudaLaunchKernelEx(&config, scale<float, 2>, number, 1, plane, 3)); // 3 becomes a float
  OK(cudaMemcpy(&one, number, sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(one == 35.0f);

  int blocks = 4;
  void *ofGrid[] = {&device};
  OK(cudaLaunchCooperativeKernel(acrossGrid, dim3(blocks), dim3(1), ofGrid));
  OK(cudaMemcpy(values.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(values[blocks] == 1 + 2 + 3 + 4);

  uint3 *shape, got;
  OK(cudaMalloc(&shape, sizeof(uint3)));
  position<<<dim3(2, 3, 4), dim3(4, 2, 5)>>>(shape);
  OK(cudaMemcpy(&got, shape, sizeof(uint3), cudaMemcpyDeviceToHost));
  CHECK(got.x == 2 && got.y == 3 && got.z == 5);

  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, acrossGrid));
  CHECK(attributes.maxThreadsPerBlock == 64);
  OK(cudaFuncGetAttributes(&attributes, scale<int, 3>));
  CHECK(attributes.sharedSizeBytes == 0 && attributes.maxThreadsPerBlock >= 512);
  OK(cudaFuncSetAttribute(sumOf, cudaFuncAttributeMaxDynamicSharedMemorySize, 8192));
  OK(cudaFuncGetAttributes(&attributes, sumOf));
  CHECK(attributes.maxDynamicSharedSizeBytes == 8192);
  OK(cudaFuncSetCacheConfig(sumOf, cudaFuncCachePreferShared));

  int perProcessor = 0, grid = 0, block = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perProcessor, sumOf, 256, 1024));
  CHECK(perProcessor >= 1);
  OK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, scale<int, 3>, 0, 0));
  CHECK(block >= 32 && block <= 1024 && grid >= 1);
  OK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, sumOf, [](int size) { return size * 4; }, 512));
  CHECK(block <= 512);
  return failures != 0;
}
