// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory in the order of streams: pools of a device, what they keep, and that a stream takes what another freed.
#include "../check.h"

#include <cuda_runtime.h>

__global__ void put(int *p, int value) { p[threadIdx.x] = value; }

int main() {
  cudaStream_t a, b;
  OK(cudaStreamCreate(&a));
  OK(cudaStreamCreate(&b));
  cudaMemPool_t pool, current;
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  OK(cudaMemPoolCreate(&pool, &properties));
  unsigned long long keep = ~0ull, used = 1, reserved = 0;
  OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  OK(cudaDeviceSetMemPool(0, pool));
  OK(cudaDeviceGetMemPool(&current, 0));
  CHECK(current == pool);
  int *first, *second, values[32];
  OK(cudaMallocAsync(&first, 1 << 20, a));
  put<<<1, 32, 0, a>>>(first, 5);
  OK(cudaMemcpyAsync(values, first, sizeof values, cudaMemcpyDeviceToHost, a));
  OK(cudaFreeAsync(first, a));
  // The same stream may have it again at once.
  OK(cudaMallocAsync(&second, 1 << 20, a));
  CHECK(second == first);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  CHECK(used >= 1 << 20);
  OK(cudaFreeAsync(second, a));
  OK(cudaStreamSynchronize(a));
  CHECK(values[0] == 5 && values[31] == 5);
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  CHECK(reserved >= 1 << 20); // kept, as the threshold says
  OK(cudaMallocFromPoolAsync(&second, 4096, pool, b));
  OK(cudaMemsetAsync(second, 0, 4096, b));
  OK(cudaFreeAsync(second, b));
  OK(cudaStreamSynchronize(b));
  OK(cudaMemPoolTrimTo(pool, 0));
  OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved));
  CHECK(reserved == 0);
  OK(cudaDeviceGetDefaultMemPool(&current, 0));
  CHECK(current != pool);
  OK(cudaMemPoolDestroy(pool));
  OK(cudaDeviceGetMemPool(&pool, 0));
  CHECK(pool == current); // "sets the default mempool as the current one"
  EXPECT(cudaErrorInvalidValue, cudaMemPoolDestroy(current));
  return failures != 0;
}
