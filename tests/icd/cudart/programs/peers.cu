// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//! environment: UNDERSTUDY_DEVICES=2
// Two devices in one process: each has its own memory, streams and events, and reaches the other's.
#include "../check.h"

#include <cuda_runtime.h>
#include <vector>

__global__ void addFrom(int *to, const int *from, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) to[i] += from[i];
}
__device__ int home;

int main() {
  int count = 0, can = 0;
  OK(cudaGetDeviceCount(&count));
  CHECK(count >= 2);
  OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  CHECK(can == 1);
  OK(cudaDeviceCanAccessPeer(&can, 1, 1));
  CHECK(can == 0);
  const int n = 1000;
  int *memory[2];
  cudaStream_t streams[2];
  for (int device = 0; device < 2; ++device) {
    OK(cudaSetDevice(device));
    OK(cudaStreamCreate(&streams[device]));
    OK(cudaMalloc(&memory[device], n * sizeof(int)));
    std::vector<int> values(n, device + 1);
    OK(cudaMemcpy(memory[device], values.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    // A variable is another one on each device.
    OK(cudaMemcpyToSymbol(home, &device, sizeof device));
  }
  OK(cudaSetDevice(0));
  OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  (void)cudaGetLastError();
  // A kernel on one device reads the other's memory; an event orders the two.
  cudaEvent_t ready;
  OK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  addFrom<<<1, 128, 0, streams[0]>>>(memory[0], memory[1], n);
  OK(cudaEventRecord(ready, streams[0]));
  OK(cudaSetDevice(1));
  OK(cudaStreamWaitEvent(streams[1], ready));
  OK(cudaMemcpyPeerAsync(memory[1], 1, memory[0], 0, n * sizeof(int), streams[1]));
  addFrom<<<1, 128, 0, streams[1]>>>(memory[1], memory[1], n);
  OK(cudaGetLastError());
  OK(cudaStreamSynchronize(streams[1]));
  std::vector<int> values(n);
  OK(cudaMemcpy(values.data(), memory[1], n * sizeof(int), cudaMemcpyDefault));
  CHECK(values[0] == 6 && values[n - 1] == 6);
  for (int device = 0; device < 2; ++device) {
    int seen = -1;
    cudaPointerAttributes attributes;
    OK(cudaSetDevice(device));
    OK(cudaMemcpyFromSymbol(&seen, home, sizeof seen));
    CHECK(seen == device);
    OK(cudaPointerGetAttributes(&attributes, memory[device]));
    CHECK(attributes.device == device && attributes.type == cudaMemoryTypeDevice);
    // An event of one device is not recorded in a stream of another.
    if (device == 1) EXPECT(cudaErrorInvalidResourceHandle, cudaEventRecord(ready, streams[1]));
    OK(cudaStreamDestroy(streams[device]));
  }
  (void)cudaGetLastError();
  OK(cudaSetDevice(0));
  OK(cudaDeviceDisablePeerAccess(1));
  EXPECT(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  EXPECT(cudaErrorInvalidDevice, cudaSetDevice(count));
  return failures != 0;
}
