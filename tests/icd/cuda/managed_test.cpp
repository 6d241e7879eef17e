// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Managed memory's advice, attributes of pointers, cooperative launches, and the compute mode.
#include "tests/icd/cuda/cuda_test.h"

#include <unistd.h>

namespace us::cuda_test {
namespace {

TEST_F(Cuda, managedAdvice) {
  CUdeviceptr memory = 0;
  ASSERT_OK(CU(cuMemAllocManaged)(&memory, 8192, CU_MEM_ATTACH_GLOBAL));
  const auto attribute = [&](CUmem_range_attribute which) {
    int value = -9;
    EXPECT_OK(CU(cuMemRangeGetAttribute)(&value, sizeof value, which, memory, 8192));
    return value;
  };
  EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 0);
  EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_INVALID);
  EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), CU_DEVICE_INVALID);
  EXPECT_OK(CU(cuMemAdvise)(memory, 8192, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
  EXPECT_OK(CU(cuMemAdvise)(memory, 8192, CU_MEM_ADVISE_SET_PREFERRED_LOCATION, CU_DEVICE_CPU));
  EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), CU_DEVICE_CPU);
  EXPECT_OK(CU(cuMemAdvise_v2)(memory, 8192, CU_MEM_ADVISE_SET_ACCESSED_BY, {CU_MEM_LOCATION_TYPE_DEVICE, 0}));
  int devices[2] = {-9, -9};
  EXPECT_OK(CU(cuMemRangeGetAttribute)(devices, sizeof devices, CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY, memory, 8192));
  EXPECT_EQ(devices[0], 0);
  EXPECT_EQ(devices[1], CU_DEVICE_INVALID);
  EXPECT_OK(CU(cuMemPrefetchAsync)(memory, 4096, 0, nullptr));
  EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), 0);
  EXPECT_OK(CU(cuMemPrefetchAsync_v2)(memory, 4096, {CU_MEM_LOCATION_TYPE_HOST, 0}, 0, nullptr));
  EXPECT_EQ(attribute(CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), CU_DEVICE_CPU);
  EXPECT_EQ(CU(cuMemPrefetchAsync)(memory, 4096, 9, nullptr), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuMemPrefetchAsync)(memory, 9000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemAdvise)(allocate(64), 64, CU_MEM_ADVISE_SET_READ_MOSTLY, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemAdvise)(memory, 64, CUmem_advise(99), 0), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, managedVariables) {
  CUmodule module =
      load(kHead + ".global .attribute(.managed) .align 4 .u32 shared = 10;\n.global .align 4 .u32 own;\n");
  CUdeviceptr shared = 0, own = 0;
  size_t size = 0;
  ASSERT_OK(CU(cuModuleGetGlobal_v2)(&shared, &size, module, "shared"));
  ASSERT_OK(CU(cuModuleGetGlobal_v2)(&own, &size, module, "own"));
  unsigned isManaged = 9;
  EXPECT_OK(CU(cuPointerGetAttribute)(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, shared));
  EXPECT_EQ(isManaged, 1u);
  int *place = nullptr;
  ASSERT_OK(CU(cuPointerGetAttribute)(&place, CU_POINTER_ATTRIBUTE_HOST_POINTER, shared));
  EXPECT_EQ(*place, 10);
  EXPECT_OK(CU(cuMemAdvise)(shared, 4, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  EXPECT_OK(CU(cuPointerGetAttribute)(&isManaged, CU_POINTER_ATTRIBUTE_IS_MANAGED, own));
  EXPECT_EQ(isManaged, 0u);
  EXPECT_CU(CUDA_ERROR_INVALID_VALUE, CU(cuPointerGetAttribute)(&place, CU_POINTER_ATTRIBUTE_HOST_POINTER, own));
}

TEST_F(Cuda, attributesOfPointersTogether) {
  const CUdeviceptr memory = allocate(1000);
  CUpointer_attribute which[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                 CU_POINTER_ATTRIBUTE_RANGE_START_ADDR};
  unsigned type = 99;
  size_t size = 99;
  CUdeviceptr begin = 99;
  void *values[] = {&type, &size, &begin};
  EXPECT_OK(CU(cuPointerGetAttributes)(3, which, values, memory + 10));
  EXPECT_EQ(type, unsigned(CU_MEMORYTYPE_DEVICE));
  EXPECT_EQ(size, 1000u);
  EXPECT_EQ(begin, memory);
  // Memory that the driver does not know.
  EXPECT_OK(CU(cuPointerGetAttributes)(3, which, values, CUdeviceptr(&size)));
  EXPECT_EQ(type, 0u);
  EXPECT_EQ(size, 0u);
  const unsigned yes = 1;
  EXPECT_OK(CU(cuPointerSetAttribute)(&yes, CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory));
  EXPECT_EQ(CU(cuPointerSetAttribute)(&yes, CU_POINTER_ATTRIBUTE_CONTEXT, memory), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, cooperativeLaunches) {
  CUfunction add = function(load(kVectorAdd), "vectorAdd");
  const CUdeviceptr a = upload(std::vector<float>(64, 2)), b = upload(std::vector<float>(64, 3)), c = allocate(256);
  unsigned n = 64;
  void *parameters[] = {const_cast<CUdeviceptr *>(&a), const_cast<CUdeviceptr *>(&b), const_cast<CUdeviceptr *>(&c),
                        &n};
  EXPECT_OK(CU(cuLaunchCooperativeKernel)(add, 2, 1, 1, 32, 1, 1, 0, nullptr, parameters));
  EXPECT_EQ(download<float>(c, 64), std::vector<float>(64, 5));
  CUlaunchAttribute attribute = {};
  attribute.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attribute.value.cooperative = 1;
  CUlaunchConfig config = {1 << 20, 1, 1, 1024, 1, 1, 0, nullptr, &attribute, 1};
  EXPECT_EQ(CU(cuLaunchKernelEx)(&config, add, parameters, nullptr), CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
  config.gridDimX = 2;
  config.blockDimX = 32;
  EXPECT_OK(CU(cuLaunchKernelEx)(&config, add, parameters, nullptr));
  EXPECT_OK(CU(cuCtxSynchronize)());
}

/// Each block waits until all have added 1 to the counter; thread 0 of it waits, the others are at a barrier.
const std::string kWaitsForAll = kHead + R"(
.visible .entry waitsForAll(.param .u64 counter)
{
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [counter];
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra together;
  red.release.gpu.global.add.u32 [%rd1], 1;
  mov.u32 %r2, %nctaid.x;
wait:
  ld.acquire.gpu.global.u32 %r3, [%rd1];
  setp.lt.u32 %p2, %r3, %r2;
  @%p2 bra wait;
together:
  bar.sync 0;
  ret;
}
)";

TEST_F(Cuda, blocksOfACooperativeLaunchMakeProgressTogether) {
  int offered = 0, multiprocessors = 0, blocks = 0;
  EXPECT_OK(CU(cuDeviceGetAttribute)(&offered, CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH, 0));
  EXPECT_EQ(offered, 1);
  EXPECT_OK(CU(cuDeviceGetAttribute)(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0));
  CUfunction waits = function(load(kWaitsForAll), "waitsForAll");
  // As many as fit, however large the blocks are.
  for (const unsigned threads : {64u, 512u}) {
    EXPECT_OK(CU(cuOccupancyMaxActiveBlocksPerMultiprocessor)(&blocks, waits, int(threads), 0));
    const auto most = unsigned(blocks * multiprocessors);
    const CUdeviceptr counter = upload(std::vector<unsigned>{0});
    void *parameters[] = {const_cast<CUdeviceptr *>(&counter)};
    EXPECT_EQ(CU(cuLaunchCooperativeKernel)(waits, most + 1, 1, 1, threads, 1, 1, 0, nullptr, parameters),
              CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE);
    EXPECT_OK(CU(cuLaunchCooperativeKernel)(waits, most, 1, 1, threads, 1, 1, 0, nullptr, parameters));
    EXPECT_EQ(download<unsigned>(counter, 1)[0], most);
  }
}

TEST_F(Cuda, contextFlagsCanBeSet) {
  unsigned flags = 0;
  EXPECT_OK(CU(cuCtxSetFlags)(CU_CTX_SCHED_YIELD));
  EXPECT_OK(CU(cuCtxGetFlags)(&flags));
  EXPECT_EQ(flags, unsigned(CU_CTX_SCHED_YIELD));
  EXPECT_EQ(CU(cuCtxSetFlags)(3), CUDA_ERROR_INVALID_VALUE);
}

// UNDERSTUDY_CUDA_COMPUTE_MODE; CMakeLists.txt runs this in both modes.
TEST(ComputeMode, saysWhoMayMakeContexts) {
  const char *const mode = std::getenv("UNDERSTUDY_CUDA_COMPUTE_MODE");
  ASSERT_OK(CU(cuInit)(0));
  int value = -1;
  EXPECT_OK(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, 0));
  CUcontext context = nullptr;
  const CUresult made = CU(cuCtxCreate_v2)(&context, 0, 0);
  if (!mode) {
    EXPECT_EQ(value, CU_COMPUTEMODE_DEFAULT);
    EXPECT_OK(made);
    EXPECT_OK(CU(cuCtxDestroy_v2)(context));
    return;
  }
  if (std::string(mode) == "prohibited") {
    EXPECT_EQ(value, CU_COMPUTEMODE_PROHIBITED);
    EXPECT_EQ(made, CUDA_ERROR_DEVICE_UNAVAILABLE);
    return;
  }
  EXPECT_EQ(value, CU_COMPUTEMODE_EXCLUSIVE_PROCESS);
  if (std::getenv("UNDERSTUDY_SECOND")) {
    EXPECT_EQ(made, CUDA_ERROR_DEVICE_UNAVAILABLE);
    return;
  }
  EXPECT_OK(made);
  EXPECT_OK(CU(cuCtxCreate_v2)(&context, 0, 0));
  char program[4096] = "";
  ASSERT_GT(readlink("/proc/self/exe", program, sizeof program - 1), 0);
  const std::string command =
      "UNDERSTUDY_SECOND=1 '" + std::string(program) + "' --gtest_filter=ComputeMode.* > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
}

} // namespace
} // namespace us::cuda_test
