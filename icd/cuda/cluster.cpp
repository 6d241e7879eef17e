// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/cluster.h"

#include "icd/cuda/device.h"
#include "icd/cuda/entry_points.h"

#include <algorithm>

namespace us::cuda {
namespace {

/// "Cluster sizes of up to 8 blocks are portable"; 16 is what an H100 takes beyond that.
constexpr uint64_t kPortableBlocks = 8, kMostBlocks = 16;

uint64_t blocksOf(const Size3 &size) { return size[0] * size[1] * size[2]; }

uint64_t mostOfDevice(const Function &function) { return function.mayBeNonPortable ? kMostBlocks : kPortableBlocks; }

std::string textOf(const Size3 &size) { return format("{} x {} x {}", size[0], size[1], size[2]); }

Expected<void> checkCluster(const Function &function, const LaunchShape &shape, const Size3 &size) {
  const uint64_t most = mostBlocksOfCluster(function);
  // Each dimension by itself: the product of three may wrap.
  const bool isLarge = size[0] > most || size[1] > most || size[2] > most || blocksOf(size) > most;
  if (isLarge)
    return fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                format("clusters of {} blocks, {} may have {}", textOf(size), function.name(), most));
  // "Must be a divisor of the grid X dimension."
  for (unsigned i = 0; i < 3; ++i)
    if (shape.grid[i] % size[i] != 0)
      return fail(
          CUDA_ERROR_INVALID_CLUSTER_SIZE,
          format("clusters of {} blocks do not divide a grid of {} in dimension {}", textOf(size), shape.grid[i], i));
  return {};
}

} // namespace

Expected<void> setCluster(LaunchShape &shape, const CUlaunchAttributeValue &value) {
  const auto &dim = value.clusterDim;
  const bool isNone = dim.x == 0 && dim.y == 0 && dim.z == 0;
  if (!isNone && (dim.x == 0 || dim.y == 0 || dim.z == 0))
    return fail(CUDA_ERROR_INVALID_CLUSTER_SIZE, format("clusters of {} x {} x {} blocks", dim.x, dim.y, dim.z));
  shape.cluster[0] = dim.x, shape.cluster[1] = dim.y, shape.cluster[2] = dim.z;
  return {};
}

Size3 requiredCluster(const Function &function) {
  if (function.info().requiredClusterSize[0] != 0) return function.info().requiredClusterSize;
  const auto &set = function.requiredCluster;
  return {uint64_t(set[0]), uint64_t(set[1]), uint64_t(set[2])};
}

uint64_t mostBlocksOfCluster(const Function &function) {
  uint64_t most = mostOfDevice(function);
  if (const uint64_t limit = function.info().maxClusterGroups) most = std::min(most, limit);
  return most;
}

Expected<Size3> clusterOf(const Function &function, const LaunchShape &shape) {
  const Size3 required = requiredCluster(function), asked{shape.cluster[0], shape.cluster[1], shape.cluster[2]};
  // "The required cluster dimension values must either all be 0 or all be positive."
  const bool isRequired = required[0] || required[1] || required[2];
  if (isRequired && !(required[0] && required[1] && required[2]))
    return fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                format("{} requires clusters of {} blocks", function.name(), textOf(required)));
  if (asked[0] != 0 && isRequired && asked != required)
    return fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                format("clusters of {} blocks, {} requires {}", textOf(asked), function.name(), textOf(required)));
  const Size3 size = asked[0] != 0 ? asked : required;
  if (size[0] != 0) {
    US_CHECK(checkCluster(function, shape, size));
    return size;
  }
  // "The kernel must launch with a valid cluster size specified."
  if (function.info().wantsClusters)
    return fail(CUDA_ERROR_INVALID_CLUSTER_SIZE,
                format("{} has to be launched with the size of its clusters", function.name()));
  return Size3{0, 0, 0};
}

Expected<void> occupancyMaxPotentialClusterSize(int *size, CUfunction handle, const CUlaunchConfig *config) {
  US_CHECK(checkOut(size, "the result"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  US_TRY(LaunchShape shape, shapeOf(config));
  // "The cluster dimensions in config are ignored. If func has a required cluster size set, the cluster size in config
  // must either be unspecified or match the required size."
  const Size3 required = requiredCluster(*function);
  if (required[0] != 0 && shape.cluster[0] != 0) US_CHECK(clusterOf(*function, shape));
  const int threads = int(shape.block[0] * shape.block[1] * shape.block[2]);
  if (threads <= 0) return fail(CUDA_ERROR_INVALID_VALUE, format("a block of {} threads", threads));
  const auto room = uint64_t(blocksOnDevice(*function, threads, shape.sharedBytes));
  // As a real driver, which leaves the function's own limit (.maxclusterrank) out.
  *size = int(std::min(mostOfDevice(*function), room));
  return {};
}

/// "The maximum number of clusters that could co-exist on the target device."
Expected<void> occupancyMaxActiveClusters(int *clusters, CUfunction handle, const CUlaunchConfig *config) {
  US_CHECK(checkOut(clusters, "the result"));
  US_TRY(const Ref<Function> function, functionOf(handle));
  US_TRY(LaunchShape shape, shapeOf(config));
  const int threads = int(shape.block[0] * shape.block[1] * shape.block[2]);
  if (threads <= 0) return fail(CUDA_ERROR_INVALID_VALUE, format("a block of {} threads", threads));
  US_TRY(const Size3 size, clusterOf(*function, shape));
  const auto room = uint64_t(blocksOnDevice(*function, threads, shape.sharedBytes));
  *clusters = int(room / std::max<uint64_t>(blocksOf(size), 1));
  return {};
}

} // namespace us::cuda
