// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Batches of copies, pools and their memory that are handed to others, and what is asked about ranges and arrays.
//! nvcc:
//! nvcc: -std=c++17
#include "../check.h"
#include <cstring>
#include <unistd.h>

__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }

int main() {
  const int n = 64;
  int *a, *b, host[n], back[n];
  OK(cudaMalloc(&a, sizeof(host)));
  OK(cudaMalloc(&b, sizeof(host)));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t stream;
  OK(cudaStreamCreate(&stream));

#if CUDART_VERSION >= 13000
  {
    const void *to[] = {a, b}, *from[] = {host, host + n / 2};
    const size_t sizes[] = {sizeof(host), sizeof(host) / 2};
    cudaMemcpyAttributes attributes = {};
    attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    size_t first = 0;
    OK(cudaMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, stream));
    OK(cudaMemcpyAsync(back, b, sizeof(host) / 2, cudaMemcpyDeviceToHost, stream));
    OK(cudaStreamSynchronize(stream));
    CHECK(back[0] == n / 2 && back[n / 2 - 1] == n - 1);
    EXPECT(cudaErrorInvalidValue, cudaMemcpyBatchAsync(nullptr, from, sizes, 2, &attributes, &first, 1, stream));
    cudaGetLastError();
  }
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t usual, ofLocation;
  OK(cudaDeviceGetDefaultMemPool(&usual, 0));
  OK(cudaMemGetDefaultMemPool(&ofLocation, &here, cudaMemAllocationTypePinned));
  CHECK(usual == ofLocation);
  OK(cudaMemGetMemPool(&ofLocation, &here, cudaMemAllocationTypePinned));
  CHECK(usual == ofLocation);
#endif

  // A pool that others may open by a descriptor; here they are the same process.
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.handleTypes = cudaMemHandleTypePosixFileDescriptor;
  properties.location = {cudaMemLocationTypeDevice, 0};
  cudaMemPool_t pool, opened;
  OK(cudaMemPoolCreate(&pool, &properties));
  int descriptor = -1;
  OK(cudaMemPoolExportToShareableHandle(&descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0));
  CHECK(descriptor >= 0);
  int *shared, *seen;
  OK(cudaMallocFromPoolAsync(&shared, n * sizeof(int), pool, stream));
  fill<<<1, n, 0, stream>>>(shared, 42);
  OK(cudaStreamSynchronize(stream));
  cudaMemPoolPtrExportData data;
  OK(cudaMemPoolExportPointer(&data, shared));
  OK(cudaMemPoolImportFromShareableHandle(&opened, (void *)(size_t)descriptor, cudaMemHandleTypePosixFileDescriptor,
                                          0));
  OK(cudaMemPoolImportPointer((void **)&seen, opened, &data));
  OK(cudaMemcpy(back, seen, n * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(back[0] == 42 && back[n - 1] == 42);
  OK(cudaFree(seen));
  OK(cudaFreeAsync(shared, stream));
  OK(cudaMemPoolDestroy(opened));
  OK(cudaMemPoolDestroy(pool));
  close(descriptor);

  int *managed, readMostly = -1, preferred = -7;
  OK(cudaMallocManaged(&managed, 1 << 16));
  void *answers[] = {&readMostly, &preferred};
  size_t answerSizes[] = {sizeof(int), sizeof(int)};
  cudaMemRangeAttribute attributes[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation};
  OK(cudaMemRangeGetAttributes(answers, answerSizes, attributes, 2, managed, 1 << 16));
  CHECK(readMostly == 0 && preferred == cudaInvalidDeviceId);

  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array, plane;
  OK(cudaMallocArray(&array, &format, 16, 16));
  // "cudaErrorInvalidValue" for what has no planes, and for what was not made with cudaArrayDeferredMapping
  EXPECT(cudaErrorInvalidValue, cudaArrayGetPlane(&plane, array, 0));
  cudaGetLastError();
  OK(cudaFreeArray(array));
  OK(cudaFree(a));
  OK(cudaFree(b));
  OK(cudaFree(managed));
  OK(cudaStreamDestroy(stream));
  return failures != 0;
}
