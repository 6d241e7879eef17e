// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exclusive prefix sums of all elements in one launch: each block publishes its sum and looks back for those before it.
struct Status {
  unsigned int state; ///< 0 nothing, 1 the block's sum, 2 the sum up to and with the block
  unsigned int value;
};
static_assert(sizeof(Status) == sizeof(unsigned long long), "published in one store");

__device__ unsigned long long packed(unsigned int state, unsigned int value) {
  return (unsigned long long)value << 32 | state;
}

extern "C" __global__ void look_back_scan(unsigned int *sums, const unsigned int *values,
                                          volatile unsigned long long *published, unsigned int *ticket) {
  __shared__ unsigned int block, before, scan[256];
  const unsigned int i = threadIdx.x;
  if (i == 0) block = atomicAdd(ticket, 1u);
  __syncthreads();
  const unsigned int at = block * blockDim.x + i, value = values[at];
  scan[i] = value;
  for (unsigned int distance = 1; distance < blockDim.x; distance *= 2) {
    __syncthreads();
    const unsigned int other = i >= distance ? scan[i - distance] : 0;
    __syncthreads();
    scan[i] += other;
  }
  if (i == blockDim.x - 1) {
    const unsigned int total = scan[i];
    published[block] = packed(block == 0 ? 2 : 1, total);
    __threadfence();
    unsigned int sum = 0;
    for (int other = (int)block - 1; other >= 0;) {
      const unsigned long long seen = published[other];
      if ((unsigned int)seen == 0) continue;
      sum += (unsigned int)(seen >> 32);
      if ((unsigned int)seen == 2) break;
      --other;
    }
    if (block != 0) published[block] = packed(2, sum + total);
    before = sum;
  }
  __syncthreads();
  sums[at] = before + scan[i] - value;
}
