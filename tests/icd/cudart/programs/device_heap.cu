// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that allocate: lists in memory of malloc and new, which the next kernel finds.
#include "../check.h"

#include <cuda_runtime.h>

struct Link {
  int value;
  Link *next;
};
__device__ Link *heads[64];

__global__ void build(int length) {
  Link *head = nullptr;
  for (int i = 0; i < length; ++i) {
    Link *const link = i % 2 ? static_cast<Link *>(malloc(sizeof(Link))) : new Link;
    if (!link) return;
    link->value = i + int(threadIdx.x);
    link->next = head;
    head = link;
  }
  heads[threadIdx.x] = head;
}
__global__ void sum(int *sums) {
  int total = 0;
  for (const Link *link = heads[threadIdx.x]; link; link = link->next) total += link->value;
  sums[threadIdx.x] = total;
}
__global__ void destroy(int length) {
  Link *link = heads[threadIdx.x];
  for (int i = length - 1; link; --i) {
    Link *const next = link->next;
    if (i % 2)
      free(link);
    else
      delete link;
    link = next;
  }
  heads[threadIdx.x] = nullptr;
}
__global__ void tooMuch(int *failed) {
  void *volatile none = malloc(size_t(1) << 40); // a compiler may know better what no one keeps
  *failed = none == nullptr;
}

int main() {
  size_t size = 0;
  OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20));
  OK(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  CHECK(size >= 4 << 20);
  int *sums, host[64], failed = 0;
  OK(cudaMalloc(&sums, sizeof host));
  const int length = 9;
  for (int round = 0; round < 20; ++round) { // memory comes back
    build<<<1, 64>>>(length);
    sum<<<1, 64>>>(sums);
    destroy<<<1, 64>>>(length);
  }
  OK(cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) CHECK(host[i] == length * (length - 1) / 2 + length * i);
  tooMuch<<<1, 1>>>(sums);
  OK(cudaMemcpy(&failed, sums, sizeof failed, cudaMemcpyDeviceToHost));
  CHECK(failed == 1);
  return failures != 0;
}
