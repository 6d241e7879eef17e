// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! nvcc: -Xcompiler -fopenmp
//! nvcc: -Xcompiler=-fopenmp,-O2 -arch=sm_86
// OpenMP beside CUDA in one source: each of the host's threads launches on a stream of its own.
#include "../check.h"

#include <cuda_runtime.h>
#include <omp.h>
#include <vector>

#ifndef _OPENMP
#error "-fopenmp is for both compilations of a source"
#endif

__global__ void scale(int *p, int factor, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) p[i] *= factor;
}

int main() {
  const int threads = 4, n = 1000;
  std::vector<int> host(threads * n, 1);
  int *p = nullptr, seen = 0;
  OK(cudaMalloc(&p, host.size() * sizeof(int)));
  OK(cudaMemcpy(p, host.data(), host.size() * sizeof(int), cudaMemcpyHostToDevice));
#pragma omp parallel num_threads(threads) reduction(+ : seen)
  {
    const int mine = omp_get_thread_num();
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    scale<<<4, 64, 0, stream>>>(p + mine * n, mine + 1, n);
    OK(cudaStreamSynchronize(stream));
    OK(cudaStreamDestroy(stream));
    seen += 1;
  }
  CHECK(seen == threads);
  OK(cudaMemcpy(host.data(), p, host.size() * sizeof(int), cudaMemcpyDeviceToHost));
  long long sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 7)
  for (size_t i = 0; i < host.size(); ++i) sum += host[i];
  CHECK(sum == (1 + 2 + 3 + 4) * n);
  OK(cudaFree(p));
  return failures != 0;
}
