// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -rdc=true
// Kernels that launch kernels: a quicksort that halves its range until it is small.
#include "../check.h"

#include <algorithm>
#include <cuda_runtime.h>
#include <vector>

__global__ void sort(int *p, int from, int to, int depth) {
  if (to - from < 16 || depth > 12) {
    for (int i = from + 1; i <= to; ++i)
      for (int k = i; k > from && p[k - 1] > p[k]; --k) {
        const int other = p[k];
        p[k] = p[k - 1];
        p[k - 1] = other;
      }
    return;
  }
  const int pivot = p[(from + to) / 2];
  int left = from, right = to;
  while (left <= right) {
    while (p[left] < pivot) ++left;
    while (p[right] > pivot) --right;
    if (left > right) break;
    const int other = p[left];
    p[left++] = p[right];
    p[right--] = other;
  }
  if (from < right) sort<<<1, 1>>>(p, from, right, depth + 1);
  if (left < to) sort<<<1, 1>>>(p, left, to, depth + 1);
}

int main() {
  const int n = 3000;
  std::vector<int> values(n), sorted(n);
  for (int i = 0; i < n; ++i) values[i] = int(i * 2654435761u >> 8) % 5000;
  int *p;
  OK(cudaMalloc(&p, n * sizeof(int)));
  OK(cudaMemcpy(p, values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  sort<<<1, 1>>>(p, 0, n - 1, 0);
  OK(cudaGetLastError());
  OK(cudaDeviceSynchronize()); // the children have ended, too
  OK(cudaMemcpy(sorted.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost));
  std::sort(values.begin(), values.end());
  CHECK(sorted == values);
  OK(cudaFree(p));
  return failures != 0;
}
