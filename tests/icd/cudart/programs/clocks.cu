// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel learns of time and place: clocks that go forward, sleep, where it runs; and what events measure of it.
#include "../check.h"

#include <cuda_runtime.h>

__global__ void clocks(long long *into) {
  unsigned smid, lane, warps;
  unsigned long long before, after;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%nwarpid;" : "=r"(warps));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(before));
  const long long begin = clock64();
  __nanosleep(200000);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(after));
  const long long end = clock64();
  if (blockIdx.x == 0 && threadIdx.x == 37) {
    into[0] = end - begin;
    into[1] = (long long)(after - before);
    into[2] = lane;
    into[3] = smid;
    into[4] = warps;
  }
}

int main() {
  long long *p, host[5];
  cudaEvent_t begin, end;
  float milliseconds = -1;
  int processors = 0;
  OK(cudaMalloc(&p, sizeof host));
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreate(&end));
  OK(cudaEventRecord(begin));
  clocks<<<2, 64>>>(p);
  OK(cudaEventRecord(end));
  EXPECT(cudaSuccess, cudaEventSynchronize(end));
  OK(cudaEventElapsedTime(&milliseconds, begin, end));
  OK(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
  OK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(host[0] > 0);
  CHECK(host[1] >= 0);
  CHECK(host[2] == 37 % 32);
  CHECK(host[3] >= 0 && host[3] < processors);
  CHECK(host[4] > 0);
  CHECK(milliseconds >= 0);
  // The wrong way round is a negative time.
  float back = 1;
  OK(cudaEventElapsedTime(&back, end, begin));
  CHECK(back == -milliseconds);
  return failures != 0;
}
