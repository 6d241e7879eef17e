// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that launch kernels: a recursive quicksort, a tree whose kernels are templates, streams that order what they
// are given, a tail that sees all that came before it, and the functions that only ask.

constexpr unsigned int kSmall = 16, kMostDepth = 20;

__global__ void selection_sort(unsigned int *data, int left, int right) {
  for (int i = left; i <= right; ++i)
    for (int k = i + 1; k <= right; ++k)
      if (data[k] < data[i]) {
        const unsigned int other = data[i];
        data[i] = data[k];
        data[k] = other;
      }
}

/// One thread partitions, and launches itself for both parts, in a stream each.
extern "C" __global__ void quicksort(unsigned int *data, int left, int right, unsigned int depth) {
  if (depth >= kMostDepth || right - left <= int(kSmall)) {
    selection_sort<<<1, 1>>>(data, left, right);
    return;
  }
  unsigned int *low = data + left, *high = data + right;
  const unsigned int pivot = data[(left + right) / 2];
  while (low <= high) {
    while (*low < pivot) ++low;
    while (*high > pivot) --high;
    if (low > high) break;
    const unsigned int other = *low;
    *low++ = *high;
    *high-- = other;
  }
  cudaStream_t first, second;
  const int highEnd = int(high - data), lowEnd = int(low - data);
  if (left < highEnd) {
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, first>>>(data, left, highEnd, depth + 1);
    cudaStreamDestroy(first);
  }
  if (lowEnd < right) {
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    quicksort<<<1, 1, 0, second>>>(data, lowEnd, right, depth + 1);
    cudaStreamDestroy(second);
  }
}

/// Adds the value to each leaf's counter: a node launches a block per child, 4^levels leaves in all.
struct Weight {
  char tag;
  double factor;
};
template <class T> __global__ void tree(T *leaves, int levels, int node, bool counts, Weight weight, float4 shift) {
  if (levels == 0) {
    if (counts && threadIdx.x == 0) leaves[node] += T(node * weight.factor + weight.tag + shift.z);
    return;
  }
  if (threadIdx.x < 4)
    tree<<<1, 4 + levels>>>(leaves, levels - 1, node * 4 + int(threadIdx.x), counts, weight, shift);
}
extern "C" __global__ void grow(double *leaves, int levels) {
  tree<<<1, 32>>>(leaves, levels, 0, true, Weight{3, 0.5}, make_float4(9, 9, 100, 9));
}

__global__ void append(int *list, int value) {
  if (threadIdx.x == 0) list[++list[0]] = value;
}
__global__ void sum(int *list, const int *from, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) total += from[i];
  list[++list[0]] = total;
}
__device__ int staging[64];

/// list[0] numbers follow: what each stream and the tail have appended.
extern "C" __global__ void streams(int *list, const int *from) {
  if (threadIdx.x != 0) return;
  append<<<1, 32, 0, cudaStreamTailLaunch>>>(list, 1000);
  append<<<1, 1, 0, cudaStreamTailLaunch>>>(list, 2000);
  cudaMemsetAsync(staging, 0, sizeof staging, 0);
  cudaMemcpyAsync(staging, from, 32 * sizeof(int), cudaMemcpyDeviceToDevice, 0);
  sum<<<1, 1>>>(list, staging, 64);
  cudaMemset2DAsync(staging, 4 * sizeof(int), 1, sizeof(int), 16, 0);
  sum<<<1, 1>>>(list, staging, 1);
  cudaStream_t other;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  cudaEventRecord(event, 0);
  cudaStreamWaitEvent(other, event, 0);
  for (int i = 1; i <= 5; ++i) append<<<1, 1, 0, other>>>(list, i);
  cudaEventDestroy(event);
  cudaStreamDestroy(other);
}

__device__ int collatz(int n) { return n % 2 ? 3 * n + 1 : n / 2; }
/// A grid that is its own tail: as long as it takes, far beyond the nesting limit.
extern "C" __global__ void steps(int *count, int n) {
  if (n == 1) return;
  ++*count;
  steps<<<1, 1, 0, cudaStreamTailLaunch>>>(count, collatz(n));
}

extern "C" __global__ void dynamic_shared(int *out, int n) {
  extern __shared__ int room[];
  room[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
  if (n > 0 && threadIdx.x == 0) dynamic_shared<<<1, blockDim.x, blockDim.x * sizeof(int)>>>(out, n - 1);
}

/// Each thread asks, and keeps its own last error.
extern "C" __global__ void answers(int *out) {
  int *mine = out + 12 * threadIdx.x;
  int device = -1, count = 0;
  mine[0] = cudaGetLastError();
  if (threadIdx.x == 1) append<<<1, 100000>>>(out, 1);
  mine[1] = cudaPeekAtLastError();
  mine[2] = cudaGetLastError();
  mine[3] = cudaGetLastError();
  mine[4] = cudaGetDeviceCount(&count) == cudaSuccess && count > 0 && cudaGetDevice(&device) == cudaSuccess && device < count;
  cudaDeviceGetAttribute(&mine[5], cudaDevAttrMaxThreadsPerBlock, device);
  mine[6] = cudaDeviceGetAttribute(&mine[7], cudaDevAttrWarpSize, 1000);
  cudaFuncAttributes attributes;
  cudaFuncGetAttributes(&attributes, answers);
  mine[7] = attributes.maxThreadsPerBlock;
  size_t limit = 0;
  cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount);
  mine[8] = int(limit);
  cudaStream_t stream;
  mine[9] = cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
  mine[10] = cudaStreamDestroy((cudaStream_t)&device);
  int *memory = nullptr;
  mine[11] = cudaMalloc(&memory, 400) == cudaSuccess && memory && cudaFree(memory) == cudaSuccess &&
             cudaGetErrorName(cudaErrorInvalidValue)[9] == 'I';
}
