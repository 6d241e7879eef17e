// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default stream that all threads share waits for other streams and they for it; that of a thread does not.
#include "../check.h"
#include <thread>

__global__ void set(int *to, int value) { *to = value; }
__global__ void copy(int *to, const int *from) { *to = *from; }

int main() {
  int *a, *b;
  OK(cudaMalloc(&a, sizeof(int)));
  OK(cudaMalloc(&b, sizeof(int)));
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  for (int i = 0; i < 50; ++i) {
    set<<<1, 1, 0, stream>>>(a, i);
    copy<<<1, 1>>>(b, a);                // waits for the stream
    set<<<1, 1, 0, stream>>>(a, i + 1000); // waits for the default stream
    int result = -1;
    OK(cudaMemcpy(&result, b, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(result == i);
  }
  int result = 0;
  OK(cudaStreamSynchronize(cudaStreamLegacy));
  std::thread([&] {
    set<<<1, 1, 0, cudaStreamPerThread>>>(b, 77);
    OK(cudaMemcpyAsync(&result, b, sizeof(int), cudaMemcpyDeviceToHost, cudaStreamPerThread));
    OK(cudaStreamSynchronize(cudaStreamPerThread));
  }).join();
  CHECK(result == 77);
  OK(cudaStreamDestroy(stream));
  return failures != 0;
}
