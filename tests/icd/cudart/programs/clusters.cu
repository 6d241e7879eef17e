// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters as programs of the runtime have them: sizes by __cluster_dims__ and by launch attributes, the shared memory
// of other blocks through cooperative groups, and what the runtime says of them.
//! nvcc: -arch=sm_90
//! environment: UNDERSTUDY_DEVICE=h200
#include "../check.h"

#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <vector>

namespace cg = cooperative_groups;

constexpr int kBins = 64, kBlocks = 8, kThreads = 96, kValues = 100000;

/// The bins are spread over the blocks of a cluster.
__global__ void histogram(const int *values, int count, int *bins) {
  __shared__ int mine[kBins];
  const cg::cluster_group cluster = cg::this_cluster();
  const int each = kBins / int(cluster.num_blocks());
  for (int i = int(threadIdx.x); i < each; i += int(blockDim.x)) mine[i] = 0;
  cluster.sync();
  for (int i = int(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += int(gridDim.x * blockDim.x)) {
    const int bin = values[i];
    atomicAdd(cluster.map_shared_rank(mine, bin / each) + bin % each, 1);
  }
  cluster.sync();
  for (int i = int(threadIdx.x); i < each; i += int(blockDim.x))
    atomicAdd(&bins[int(cluster.block_rank()) * each + i], mine[i]);
}

__global__ void __cluster_dims__(2, 2, 1) places(unsigned *out) {
  const cg::cluster_group cluster = cg::this_cluster();
  __shared__ int here;
  const unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
  auto token = cluster.barrier_arrive();
  cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
  if (cluster.block_rank() == 1 && threadIdx.x == 0) *cluster.map_shared_rank(&here, 2) = 77;
  cluster.sync();
  if (threadIdx.x != 5) return;
  out += block * 10;
  out[0] = cluster.block_rank();
  out[1] = cluster.num_blocks();
  out[2] = cluster.block_index().x + 10 * cluster.block_index().y;
  out[3] = cluster.dim_blocks().x + 10 * cluster.dim_blocks().y + 100 * cluster.dim_blocks().z;
  out[4] = cluster.thread_rank();
  out[5] = cluster.num_threads();
  out[6] = cluster.query_shared_rank(cluster.map_shared_rank(&here, 3));
  out[7] = cluster.dim_threads().x + 1000 * cluster.dim_threads().y;
  out[8] = cluster.thread_index().x + 1000 * cluster.thread_index().y;
  out[9] = cluster.block_rank() == 2 ? unsigned(here) : 0u;
}

template <int X> __global__ void __cluster_dims__(X) templated(int *out) {
  if (threadIdx.x == 0) out[blockIdx.x] = int(cg::this_cluster().num_blocks());
}

int main() {
  int isSupported = 0;
  OK(cudaDeviceGetAttribute(&isSupported, cudaDevAttrClusterLaunch, 0));
  CHECK(isSupported == 1);

  std::vector<int> values(kValues), expected(kBins), bins(kBins);
  unsigned state = 1;
  for (int &value : values) {
    state = state * 1664525u + 1013904223u;
    value = int(state >> 20) % kBins;
    ++expected[size_t(value)];
  }
  int *given, *found;
  OK(cudaMalloc(&given, kValues * sizeof(int)));
  OK(cudaMalloc(&found, kBins * sizeof(int)));
  OK(cudaMemcpy(given, values.data(), kValues * sizeof(int), cudaMemcpyHostToDevice));
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(kBlocks);
  config.blockDim = dim3(kThreads);
  config.attrs = &attribute;
  config.numAttrs = 1;
  for (const unsigned size : {1u, 2u, 4u, 8u}) {
    attribute.val.clusterDim.x = size, attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    OK(cudaMemset(found, 0, kBins * sizeof(int)));
    OK(cudaLaunchKernelEx(&config, histogram, static_cast<const int *>(given), int(kValues), found));
    OK(cudaMemcpy(bins.data(), found, kBins * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(bins == expected);
  }
  attribute.val.clusterDim.x = 3;
  const int *const input = given;
  EXPECT(cudaErrorInvalidClusterSize, cudaLaunchKernelEx(&config, histogram, input, 1, found));
  EXPECT(cudaErrorInvalidClusterSize, cudaGetLastError());
  attribute.val.clusterDim.x = 4;
  int number = 0;
  OK(cudaOccupancyMaxPotentialClusterSize(&number, histogram, &config));
  CHECK(number == 8);
  OK(cudaOccupancyMaxActiveClusters(&number, histogram, &config));
  CHECK(number > 0);
  OK(cudaFuncSetAttribute(histogram, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  config.gridDim = dim3(16);
  attribute.val.clusterDim.x = 16;
  OK(cudaMemset(found, 0, kBins * sizeof(int)));
  OK(cudaLaunchKernelEx(&config, histogram, static_cast<const int *>(given), int(kValues), found));
  OK(cudaMemcpy(bins.data(), found, kBins * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(bins == expected);

  unsigned *out, told[240];
  OK(cudaMalloc(&out, sizeof told));
  places<<<dim3(6, 4), 32>>>(out);
  OK(cudaGetLastError());
  OK(cudaMemcpy(told, out, sizeof told, cudaMemcpyDeviceToHost));
  for (unsigned block = 0; block < 24; ++block) {
    const unsigned x = block % 6 % 2, y = block / 6 % 2, rank = y * 2 + x, *mine = told + block * 10;
    CHECK(mine[0] == rank && mine[1] == 4 && mine[2] == x + 10 * y && mine[3] == 122);
    CHECK(mine[4] == rank * 32 + 5 && mine[5] == 128 && mine[6] == 3 && mine[7] == 64 + 2000);
    CHECK(mine[8] == x * 32 + 5 + 1000 * y && mine[9] == (rank == 2 ? 77u : 0u));
  }
  places<<<dim3(5, 4), 32>>>(out);
  EXPECT(cudaErrorInvalidClusterSize, cudaGetLastError());
  cudaFuncAttributes attributes;
  OK(cudaFuncGetAttributes(&attributes, places));
  CHECK(attributes.requiredClusterWidth == 2 && attributes.requiredClusterHeight == 2);
  CHECK(attributes.requiredClusterDepth == 1 && attributes.clusterDimMustBeSet == 1);
  templated<4><<<8, 32>>>(found);
  OK(cudaMemcpy(bins.data(), found, 8 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 8; ++i) CHECK(bins[size_t(i)] == 4);
  return failures != 0;
}
