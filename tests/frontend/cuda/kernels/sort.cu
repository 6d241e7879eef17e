// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bitonic sort of as many keys as a block has threads, by min and max between partners.
extern "C" __global__ void sort(unsigned int *keys) {
  __shared__ unsigned int shared[1024];
  const unsigned int i = threadIdx.x;
  shared[i] = keys[i];
  for (unsigned int size = 2; size <= blockDim.x; size *= 2)
    for (unsigned int distance = size / 2; distance > 0; distance /= 2) {
      __syncthreads();
      const unsigned int partner = i ^ distance;
      if (partner < i) continue;
      const unsigned int a = shared[i], b = shared[partner];
      const bool ascending = (i & size) == 0;
      shared[i] = ascending ? min(a, b) : max(a, b);
      shared[partner] = ascending ? max(a, b) : min(a, b);
    }
  __syncthreads();
  keys[i] = shared[i];
}
