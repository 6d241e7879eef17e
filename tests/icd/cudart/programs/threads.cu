// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many host threads that launch, each with its own stream and its own last error.
#include "../check.h"
#include <atomic>
#include <thread>
#include <vector>

__global__ void addTo(int *to, int value) { atomicAdd(to, value); }

int main() {
  int *sums;
  constexpr int kThreads = 8, kRounds = 40;
  OK(cudaMalloc(&sums, kThreads * sizeof(int)));
  OK(cudaMemset(sums, 0, kThreads * sizeof(int)));
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([=, &wrong] {
      cudaStream_t stream;
      wrong += cudaSetDevice(0) != cudaSuccess;
      wrong += cudaStreamCreate(&stream) != cudaSuccess;
      for (int i = 0; i < kRounds; ++i) {
        addTo<<<2, 32, 0, stream>>>(sums + t, t + 1);
        if (t % 2) {
          addTo<<<1, 5000, 0, stream>>>(sums + t, 1);
          wrong += cudaGetLastError() != cudaErrorInvalidConfiguration;
        }
        wrong += cudaGetLastError() != cudaSuccess;
      }
      wrong += cudaStreamSynchronize(stream) != cudaSuccess;
      wrong += cudaStreamDestroy(stream) != cudaSuccess;
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(wrong == 0);
  int results[kThreads];
  OK(cudaMemcpy(results, sums, sizeof(results), cudaMemcpyDeviceToHost));
  for (int t = 0; t < kThreads; ++t) CHECK(results[t] == (t + 1) * 64 * kRounds);
  return failures != 0;
}
