// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters: blocks that run together and reach each other's shared memory.
#pragma once

#include "icd/cuda/launch.h"

namespace us::cuda {

/// CUDA_ERROR_INVALID_VALUE if only some dimensions are zero, which all are where the attribute is taken back.
Expected<void> setCluster(LaunchShape &shape, const CUlaunchAttributeValue &value);
/// How many blocks a cluster of the launch has, in each dimension; zeros: nobody asks for clusters.
/// CUDA_ERROR_INVALID_CLUSTER_SIZE for what the function, the grid or the device does not allow.
Expected<Size3> clusterOf(const Function &function, const LaunchShape &shape);
/// What a launch of the function has to have: what its text says, or was set; zeros: nothing.
Size3 requiredCluster(const Function &function);
/// So many blocks a cluster of the function may have.
uint64_t mostBlocksOfCluster(const Function &function);

} // namespace us::cuda
