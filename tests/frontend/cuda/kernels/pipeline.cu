// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies to shared memory one stage ahead of their use, by the primitives and by the class over them; arrival by a barrier.
#include <cuda_pipeline.h>

extern "C" __global__ void staged_sums(int *sums, const int4 *values, int stages) {
  __shared__ int4 room[2][64];
  const int i = threadIdx.x;
  int sum = 0;
  __pipeline_memcpy_async(&room[0][i], &values[i], sizeof(int4));
  __pipeline_commit();
  for (int stage = 0; stage < stages; ++stage) {
    if (stage + 1 < stages) __pipeline_memcpy_async(&room[(stage + 1) % 2][i], &values[(stage + 1) * 64 + i], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    const int4 other = room[stage % 2][63 - i];
    sum += other.x + 2 * other.y + 3 * other.z + 4 * other.w;
    __syncthreads();
  }
  sums[i] = sum;
}
/// The last `i % 3` words of each thread's copy are zeros.
extern "C" __global__ void partly(int4 *to, const int4 *from) {
  __shared__ int4 room[64];
  const int i = threadIdx.x;
  __pipeline_memcpy_async(&room[i], &from[i], 16, i % 3 * 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  to[i] = room[i];
}
extern "C" __global__ void by_class(double *to, const double *from) {
  __shared__ double room[64];
  const int i = threadIdx.x;
  nvcuda::experimental::pipeline copies;
  nvcuda::experimental::memcpy_async(room[i], from[i], copies);
  copies.wait(copies.commit());
  __syncthreads();
  to[i] = room[63 - i];
}
extern "C" __global__ void by_barrier(int *to, const int *from) {
  __shared__ int room[64];
  __shared__ __mbarrier_t barrier;
  const int i = threadIdx.x;
  if (i == 0) __mbarrier_init(&barrier, blockDim.x);
  __syncthreads();
  __pipeline_memcpy_async(&room[i], &from[i], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  const __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token)) {}
  to[i] = room[63 - i];
}
