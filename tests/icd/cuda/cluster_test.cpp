// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of blocks: what a launch may ask for, what functions say, occupancy, and graphs; and descriptions of
// tensors.
#include "tests/icd/cuda/cuda_test.h"

namespace us::cuda_test {
namespace {

/// Each block writes what it finds in the next one's shared memory, and how many it is with.
const std::string kClusters = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry next(.param .u64 out)
{
  .reg .b32 %r<12>;
  .reg .b64 %rd<4>;
  .shared .align 4 .b32 mine;
  mov.u32 %r1, %ctaid.x;
  st.shared.u32 [mine], %r1;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  mov.u32 %r2, %cluster_ctarank;
  mov.u32 %r3, %cluster_nctarank;
  add.u32 %r4, %r2, 1;
  rem.u32 %r4, %r4, %r3;
  mov.u32 %r5, mine;
  mapa.shared::cluster.u32 %r6, %r5, %r4;
  ld.shared::cluster.u32 %r7, [%r6];
  mad.lo.u32 %r7, %r3, 100, %r7;
  mul.wide.u32 %rd1, %r1, 4;
  ld.param.u64 %rd2, [out];
  add.u64 %rd2, %rd2, %rd1;
  st.global.u32 [%rd2], %r7;
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
}
.visible .entry pairs() .explicitcluster .reqnctapercluster 2 { ret; }
.visible .entry some() .explicitcluster { ret; }
.visible .entry few() .maxclusterrank 4 { ret; }
)";

class Clusters : public Cuda {
protected:
  CUlaunchConfig configuration(unsigned blocks, unsigned cluster) {
    attribute_ = {};
    attribute_.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    attribute_.value.clusterDim = {cluster, 1, 1};
    CUlaunchConfig config = {};
    config.gridDimX = blocks;
    config.gridDimY = config.gridDimZ = config.blockDimX = config.blockDimY = config.blockDimZ = 1;
    config.attrs = &attribute_;
    config.numAttrs = cluster != 0;
    return config;
  }
  CUresult launch(CUfunction kernel, unsigned blocks, unsigned cluster, std::vector<void *> arguments = {}) {
    const CUlaunchConfig config = configuration(blocks, cluster);
    return CU(cuLaunchKernelEx)(&config, kernel, arguments.data(), nullptr);
  }
  int attributeOf(CUfunction kernel, CUfunction_attribute attribute) {
    int value = -1;
    EXPECT_OK(CU(cuFuncGetAttribute)(&value, attribute, kernel));
    return value;
  }
  static std::vector<int> neighbours(int blocks, int cluster) {
    std::vector<int> all;
    for (int i = 0; i < blocks; ++i) all.push_back(cluster * 100 + i / cluster * cluster + (i + 1) % cluster);
    return all;
  }

  CUlaunchAttribute attribute_;
};

TEST_F(Clusters, reachEachOther) {
  CUmodule module = load(kClusters);
  CUfunction next = function(module, "next");
  CUdeviceptr out = allocate(256 * sizeof(int));
  for (const int cluster : {1, 2, 4, 8}) {
    EXPECT_OK(launch(next, 64, unsigned(cluster), {&out}));
    EXPECT_EQ(download<int>(out, 64), neighbours(64, cluster));
  }
  // A launch that says nothing.
  EXPECT_OK(launch(next, 8, 0, {&out}));
  EXPECT_EQ(download<int>(out, 8), neighbours(8, 1));
}

TEST_F(Clusters, haveTheSizeThatIsAllowed) {
  CUmodule module = load(kClusters);
  CUfunction next = function(module, "next"), pairs = function(module, "pairs"), some = function(module, "some");
  CUdeviceptr out = allocate(64 * sizeof(int));
  EXPECT_EQ(launch(next, 5, 2, {&out}), CUDA_ERROR_INVALID_CLUSTER_SIZE); // does not divide the grid
  EXPECT_EQ(launch(next, 9, 9, {&out}), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_EQ(launch(next, 16, 16, {&out}), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_OK(CU(cuFuncSetAttribute)(next, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  EXPECT_EQ(attributeOf(next, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED), 1);
  EXPECT_OK(launch(next, 16, 16, {&out}));
  EXPECT_EQ(download<int>(out, 16), neighbours(16, 16));
  EXPECT_EQ(launch(next, 32, 32, {&out}), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  CUlaunchConfig config = configuration(4, 2);
  attribute_.value.clusterDim.y = 0;
  void *arguments[] = {&out};
  EXPECT_EQ(CU(cuLaunchKernelEx)(&config, next, arguments, nullptr), CUDA_ERROR_INVALID_CLUSTER_SIZE);

  // What the text says.
  EXPECT_EQ(attributeOf(pairs, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET), 1);
  EXPECT_EQ(attributeOf(pairs, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH), 2);
  EXPECT_EQ(attributeOf(pairs, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT), 1);
  EXPECT_EQ(attributeOf(pairs, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH), 1);
  EXPECT_OK(launch(pairs, 4, 0));
  EXPECT_OK(launch(pairs, 4, 2));
  EXPECT_EQ(launch(pairs, 4, 4), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_EQ(launch(pairs, 3, 0), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_EQ(CU(cuLaunchKernel)(pairs, 3, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_OK(CU(cuLaunchKernel)(pairs, 4, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  EXPECT_OK(CU(cuFuncSetAttribute)(pairs, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2)); // as it was compiled
  EXPECT_EQ(CU(cuFuncSetAttribute)(pairs, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 4), CUDA_ERROR_NOT_PERMITTED);
  EXPECT_EQ(attributeOf(some, CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET), 1);
  EXPECT_EQ(launch(some, 4, 0), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_OK(launch(some, 4, 4));
  CUfunction few = function(module, "few");
  EXPECT_EQ(launch(few, 8, 8), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_OK(launch(few, 8, 4));

  // What is set: all dimensions or none.
  EXPECT_OK(CU(cuFuncSetAttribute)(few, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, 2));
  EXPECT_EQ(launch(few, 8, 0), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_OK(CU(cuFuncSetAttribute)(few, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT, 1));
  EXPECT_OK(CU(cuFuncSetAttribute)(few, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH, 1));
  EXPECT_OK(launch(few, 8, 0));
  EXPECT_EQ(launch(few, 8, 4), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_EQ(CU(cuFuncSetAttribute)(few, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH, -1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuFuncSetAttribute)(few, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 2),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuFuncSetAttribute)(few, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 1));
  EXPECT_EQ(attributeOf(few, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE), 1);
  EXPECT_EQ(CU(cuFuncSetAttribute)(few, CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE, 3),
            CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Clusters, occupancy) {
  CUmodule module = load(kClusters);
  CUfunction next = function(module, "next"), pairs = function(module, "pairs");
  int number = -1;
  CUlaunchConfig config = configuration(64, 4);
  EXPECT_OK(CU(cuOccupancyMaxPotentialClusterSize)(&number, next, &config));
  EXPECT_EQ(number, 8);
  EXPECT_EQ(CU(cuOccupancyMaxPotentialClusterSize)(&number, pairs, &config), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_EQ(CU(cuOccupancyMaxPotentialClusterSize)(nullptr, next, &config), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuOccupancyMaxPotentialClusterSize)(&number, next, nullptr), CUDA_ERROR_INVALID_VALUE);
  int blocks = 0, processors = 0;
  EXPECT_OK(CU(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, next, 1, 0));
  EXPECT_OK(CU(cuDeviceGetAttribute)(&processors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  EXPECT_OK(CU(cuOccupancyMaxActiveClusters)(&number, next, &config));
  EXPECT_EQ(number, blocks * processors / 4);
  config = configuration(64, 3);
  EXPECT_EQ(CU(cuOccupancyMaxActiveClusters)(&number, next, &config), CUDA_ERROR_INVALID_CLUSTER_SIZE);
  EXPECT_EQ(CU(cuOccupancyMaxActiveClusters)(nullptr, next, &config), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Clusters, ofANodeOfAGraph) {
  CUmodule module = load(kClusters);
  CUdeviceptr out = allocate(8 * sizeof(int));
  void *arguments[] = {&out};
  CUDA_KERNEL_NODE_PARAMS parameters = {};
  parameters.func = function(module, "next");
  parameters.gridDimX = 8;
  parameters.gridDimY = parameters.gridDimZ = parameters.blockDimX = parameters.blockDimY = parameters.blockDimZ = 1;
  parameters.kernelParams = arguments;
  CUgraph graph = nullptr;
  CUgraphNode node = nullptr;
  CUgraphExec exec = nullptr;
  ASSERT_OK(CU(cuGraphCreate)(&graph, 0));
  ASSERT_OK(CU(cuGraphAddKernelNode_v2)(&node, graph, nullptr, 0, &parameters));
  CUkernelNodeAttrValue value = {};
  value.clusterDim = {3, 1, 1};
  EXPECT_EQ(CU(cuGraphKernelNodeSetAttribute)(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value),
            CUDA_ERROR_INVALID_CLUSTER_SIZE);
  value.clusterDim = {4, 1, 1};
  EXPECT_OK(CU(cuGraphKernelNodeSetAttribute)(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value));
  // It stays when parameters change.
  EXPECT_OK(CU(cuGraphKernelNodeSetParams_v2)(node, &parameters));
  value = {};
  EXPECT_OK(CU(cuGraphKernelNodeGetAttribute)(node, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, &value));
  EXPECT_EQ(value.clusterDim.x, 4u);
  ASSERT_OK(CU(cuGraphInstantiateWithFlags)(&exec, graph, 0));
  EXPECT_OK(CU(cuGraphLaunch)(exec, nullptr));
  EXPECT_EQ(download<int>(out, 8), neighbours(8, 4));
  EXPECT_OK(CU(cuGraphExecDestroy)(exec));
  EXPECT_OK(CU(cuGraphDestroy)(graph));
}

/// What the copies do, and all that is refused, is in tests/frontend/ptx/tensor_copies_test.py.
TEST_F(Cuda, tensorMaps) {
  CUdeviceptr memory = allocate(1024);
  CUtensorMap map;
  const cuuint64_t sizes[] = {16, 16}, strides[] = {64};
  const cuuint32_t box[] = {16, 4}, steps[] = {1, 1};
  const auto encode = [&](cuuint32_t rank) {
    return CU(cuTensorMapEncodeTiled)(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rank, reinterpret_cast<void *>(memory),
                                      sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                      CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  };
  EXPECT_OK(encode(2));
  EXPECT_EQ(encode(6), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuTensorMapReplaceAddress)(&map, reinterpret_cast<void *>(memory + 64)));
  EXPECT_EQ(CU(cuTensorMapReplaceAddress)(&map, reinterpret_cast<void *>(memory + 8)), CUDA_ERROR_INVALID_VALUE);
  map = {};
  EXPECT_EQ(CU(cuTensorMapReplaceAddress)(&map, reinterpret_cast<void *>(memory)), CUDA_ERROR_INVALID_VALUE);
}

} // namespace
} // namespace us::cuda_test
