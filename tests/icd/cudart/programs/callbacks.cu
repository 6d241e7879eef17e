// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host's functions among a stream's work: in its order, on another thread, with what the work before has written.
#include "../check.h"

#include <atomic>
#include <cuda_runtime.h>
#include <thread>
#include <vector>

__global__ void put(int *p, int value) { *p = value; }

struct Seen {
  const int *value;
  std::vector<int> values;
  std::vector<cudaError_t> errors;
  std::thread::id thread;
};

int main() {
  cudaStream_t stream, other;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  OK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
  int *p;
  OK(cudaHostAlloc(&p, sizeof(int), cudaHostAllocMapped));
  Seen seen = {p, {}, {}, {}};
  for (int i = 1; i <= 5; ++i) {
    put<<<1, 1, 0, stream>>>(p, i);
    if (i % 2)
      OK(cudaLaunchHostFunc(
          stream,
          [](void *data) {
            auto *const all = static_cast<Seen *>(data);
            all->values.push_back(*all->value);
            all->thread = std::this_thread::get_id();
          },
          &seen));
    else
      OK(cudaStreamAddCallback(
          stream,
          [](cudaStream_t, cudaError_t error, void *data) {
            auto *const all = static_cast<Seen *>(data);
            all->values.push_back(-*all->value);
            all->errors.push_back(error);
          },
          &seen, 0));
  }
  OK(cudaStreamSynchronize(stream));
  CHECK((seen.values == std::vector<int>{1, -2, 3, -4, 5}));
  CHECK((seen.errors == std::vector<cudaError_t>{cudaSuccess, cudaSuccess}));
  CHECK(seen.thread != std::this_thread::get_id());
  // A stream that waits for one whose function takes its time.
  std::atomic<int> go{0};
  cudaEvent_t event;
  OK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  OK(cudaLaunchHostFunc(
      stream,
      [](void *data) {
        while (static_cast<std::atomic<int> *>(data)->load() == 0) std::this_thread::yield();
      },
      &go));
  OK(cudaEventRecord(event, stream));
  OK(cudaStreamWaitEvent(other, event));
  put<<<1, 1, 0, other>>>(p, 77);
  EXPECT(cudaErrorNotReady, cudaEventQuery(event));
  EXPECT(cudaErrorNotReady, cudaStreamQuery(other));
  OK(cudaGetLastError()); // not ready is no error
  CHECK(*static_cast<volatile int *>(p) == 5);
  go = 1;
  OK(cudaStreamSynchronize(other));
  CHECK(*p == 77);
  return failures != 0;
}
