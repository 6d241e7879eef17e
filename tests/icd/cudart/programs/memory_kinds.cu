// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Page-locked, mapped, registered, managed and pitched memory, memory of pools, and what is known of pointers.
#include "../check.h"
#include <cstdlib>
#include <vector>

__global__ void twice(int *values, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) values[i] *= 2;
}
__global__ void rows(char *to, size_t pitch, int width, int height) {
  for (int y = threadIdx.x; y < height; y += blockDim.x)
    for (int x = 0; x < width; ++x) to[y * pitch + x] = (char)(x + y);
}

static cudaMemoryType typeOf(const void *pointer) {
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, pointer));
  return attributes.type;
}

int main() {
  const int n = 1000;
  int *mapped, *seen, *managed, *device;
  OK(cudaHostAlloc(&mapped, n * sizeof(int), cudaHostAllocMapped | cudaHostAllocPortable));
  for (int i = 0; i < n; ++i) mapped[i] = i;
  OK(cudaHostGetDevicePointer(&seen, mapped, 0));
  twice<<<1, 64>>>(seen, n);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) CHECK(mapped[i] == 2 * i);
  CHECK(typeOf(mapped) == cudaMemoryTypeHost);
  OK(cudaFreeHost(mapped));

  std::vector<int> ordinary(4096 + n);
  OK(cudaHostRegister(ordinary.data(), ordinary.size() * sizeof(int), cudaHostRegisterDefault));
  OK(cudaHostGetDevicePointer(&seen, ordinary.data(), 0));
  for (int &value : ordinary) value = 3;
  twice<<<1, 64>>>(seen, n);
  OK(cudaDeviceSynchronize());
  CHECK(ordinary[n - 1] == 6 && ordinary[n] == 3);
  OK(cudaHostUnregister(ordinary.data()));
  EXPECT(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(ordinary.data()));
  CHECK(typeOf(ordinary.data()) == cudaMemoryTypeUnregistered);

  OK(cudaMallocManaged(&managed, n * sizeof(int)));
  for (int i = 0; i < n; ++i) managed[i] = i;
  twice<<<1, 64>>>(managed, n);
  OK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) CHECK(managed[i] == 2 * i);
  CHECK(typeOf(managed) == cudaMemoryTypeManaged);
  OK(cudaFree(managed));

  OK(cudaMalloc(&device, n * sizeof(int)));
  CHECK(typeOf(device + 5) == cudaMemoryTypeDevice);
  cudaPointerAttributes attributes;
  OK(cudaPointerGetAttributes(&attributes, device));
  CHECK(attributes.device == 0 && attributes.devicePointer == device);
  OK(cudaFree(device));

  char *pitched;
  size_t pitch = 0;
  const int width = 100, height = 37;
  OK(cudaMallocPitch(&pitched, &pitch, width, height));
  CHECK(pitch >= width && pitch % 32 == 0);
  rows<<<1, 32>>>(pitched, pitch, width, height);
  char packed[height][width];
  OK(cudaMemcpy2D(packed, width, pitched, pitch, width, height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) CHECK(packed[y][x] == (char)(x + y));
  OK(cudaMemset2D(pitched, pitch, 7, 50, 10));
  OK(cudaMemcpy2D(packed, width, pitched, pitch, width, height, cudaMemcpyDefault));
  CHECK(packed[9][49] == 7 && packed[9][50] == (char)59 && packed[10][0] == (char)10);
  EXPECT(cudaErrorInvalidPitchValue, cudaMemcpy2D(packed, 10, pitched, pitch, width, height, cudaMemcpyDeviceToHost));
  OK(cudaFree(pitched));

  size_t free = 0, total = 0;
  OK(cudaMemGetInfo(&free, &total));
  CHECK(free > 0 && free <= total);

  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));
  int *ofPool, result[4];
  OK(cudaMallocAsync(&ofPool, 4 * sizeof(int), stream));
  OK(cudaMemsetAsync(ofPool, 1, 4 * sizeof(int), stream));
  twice<<<1, 4, 0, stream>>>(ofPool, 4);
  OK(cudaMemcpyAsync(result, ofPool, sizeof(result), cudaMemcpyDeviceToHost, stream));
  OK(cudaFreeAsync(ofPool, stream));
  OK(cudaStreamSynchronize(stream));
  CHECK(result[3] == 0x02020202);

  // Nothing is no error.
  void *none = &none;
  OK(cudaMalloc(&none, 0));
  CHECK(none == nullptr);
  OK(cudaFreeHost(nullptr));
  OK(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice));
  return failures != 0;
}
