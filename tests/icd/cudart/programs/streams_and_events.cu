// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams run their commands in order, events order streams among each other and tell the time between them.
#include "../check.h"
#include <vector>

__global__ void fill(int *to, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}
__global__ void addTo(int *to, const int *from, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] += from[i];
}

static void called(void *data) { ++*static_cast<int *>(data); }
static void calledBack(cudaStream_t, cudaError_t status, void *data) {
  *static_cast<int *>(data) += status == cudaSuccess ? 10 : 1000;
}

int main() {
  const int n = 5000, blocks = (n + 127) / 128;
  int *a, *b, *host, calls = 0;
  OK(cudaMalloc(&a, n * sizeof(int)));
  OK(cudaMalloc(&b, n * sizeof(int)));
  OK(cudaMallocHost(&host, n * sizeof(int)));
  cudaStream_t first, second;
  OK(cudaStreamCreate(&first));
  OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  cudaEvent_t begin, filled, end;
  OK(cudaEventCreate(&begin));
  OK(cudaEventCreateWithFlags(&filled, cudaEventDisableTiming));
  OK(cudaEventCreate(&end, cudaEventBlockingSync));

  for (int round = 1; round <= 20; ++round) {
    OK(cudaEventRecord(begin, first));
    OK(cudaMemsetAsync(a, 0, n * sizeof(int), second));
    fill<<<blocks, 128, 0, first>>>(b, round, n);
    OK(cudaEventRecord(filled, first));
    OK(cudaStreamWaitEvent(second, filled, 0));
    addTo<<<blocks, 128, 0, second>>>(a, b, n);
    OK(cudaMemcpyAsync(host, a, n * sizeof(int), cudaMemcpyDeviceToHost, second));
    OK(cudaLaunchHostFunc(second, called, &calls));
    OK(cudaStreamAddCallback(second, calledBack, &calls, 0));
    OK(cudaEventRecord(end, second));
    OK(cudaEventSynchronize(end));
    OK(cudaEventQuery(end));
    OK(cudaStreamQuery(second));
    for (int i = 0; i < n; i += 7) CHECK(host[i] == round);
    CHECK(calls == 11 * round);
    float milliseconds = -1;
    OK(cudaEventElapsedTime(&milliseconds, begin, end));
    CHECK(milliseconds >= 0 && milliseconds < 10000);
    EXPECT(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&milliseconds, begin, filled)); // has no time
  }
  unsigned flags = 9;
  int least = 0, greatest = 0, priority = 9;
  OK(cudaStreamGetFlags(second, &flags));
  CHECK(flags == cudaStreamNonBlocking);
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t urgent;
  OK(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, greatest));
  OK(cudaStreamGetPriority(urgent, &priority));
  CHECK(priority == greatest);
  int device = 9;
  OK(cudaStreamGetDevice(urgent, &device));
  CHECK(device == 0);
  OK(cudaStreamDestroy(urgent));
  OK(cudaStreamDestroy(first));
  OK(cudaStreamDestroy(second));
  EXPECT(cudaErrorInvalidResourceHandle, cudaStreamDestroy(0));
  OK(cudaEventDestroy(begin));
  OK(cudaEventDestroy(filled));
  OK(cudaEventDestroy(end));
  OK(cudaFreeHost(host));
  return failures != 0;
}
