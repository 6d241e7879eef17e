// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A device without concurrent managed access: the host may not touch managed memory while a kernel may use it.
// CMakeLists.txt runs this with UNDERSTUDY_DEVICE=gtx980.
#include "tests/icd/cuda/cuda_test.h"

#include <csignal>
#include <unistd.h>

namespace us::cuda_test {
namespace {

const std::string kIncrement = kHead + R"(
.visible .entry increment(.param .u64 at)
{
  .reg .b32 %r;
  .reg .b64 %rd;
  ld.param.u64 %rd, [at];
  ld.global.u32 %r, [%rd];
  add.u32 %r, %r, 1;
  st.global.u32 [%rd], %r;
  ret;
}
)";

class ManagedAccess : public Cuda {
protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Cuda::SetUp();
    int concurrent = -1;
    ASSERT_OK(CU(cuDeviceGetAttribute)(&concurrent, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 0));
    if (concurrent) GTEST_SKIP() << "the device has concurrent managed access";
    ASSERT_OK(CU(cuMemAllocManaged)(&memory, 4, CU_MEM_ATTACH_GLOBAL));
    ASSERT_OK(CU(cuMemAllocManaged)(&own, 4, CU_MEM_ATTACH_HOST));
    increment = function(load(kIncrement), "increment");
    ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  }
  void launch(CUdeviceptr at, CUstream on) {
    void *parameters[] = {&at};
    EXPECT_OK(CU(cuLaunchKernel)(increment, 1, 1, 1, 1, 1, 1, 0, on, parameters, nullptr));
  }
  static volatile int &at(CUdeviceptr address) { return *reinterpret_cast<volatile int *>(address); }

  CUdeviceptr memory = 0, own = 0;
  CUfunction increment = nullptr;
  CUstream stream = nullptr;
};

TEST_F(ManagedAccess, isFineWhenTheHostHasWaited) {
  at(memory) = 5;
  launch(memory, nullptr);
  EXPECT_OK(CU(cuCtxSynchronize)());
  EXPECT_EQ(at(memory), 6);
  launch(memory, stream);
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(at(memory), 7);
  CUevent event = nullptr;
  EXPECT_OK(CU(cuEventCreate)(&event, 0));
  launch(memory, stream);
  EXPECT_OK(CU(cuEventRecord)(event, stream));
  EXPECT_OK(CU(cuEventSynchronize)(event));
  EXPECT_EQ(at(memory), 8);
  launch(memory, stream);
  while (CU(cuStreamQuery)(stream) == CUDA_ERROR_NOT_READY) {
  }
  EXPECT_EQ(at(memory), 9);
  // Copies go through the driver, before and after kernels.
  launch(memory, nullptr);
  int got = 0;
  EXPECT_OK(CU(cuMemcpyDtoH_v2)(&got, memory, 4));
  EXPECT_EQ(got, 10);
  launch(memory, nullptr);
  EXPECT_OK(CU(cuMemsetD32_v2)(memory, 3, 1));
  EXPECT_EQ(at(memory), 3);
  EXPECT_OK(CU(cuMemFree_v2)(memory));
}

TEST_F(ManagedAccess, endsTheProcessWhileAKernelMayUseIt) {
  EXPECT_EXIT(
      {
        launch(memory, nullptr);
        at(memory) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "the host accessed managed memory at 0x[0-9a-f]+ while a kernel may use it");
  // Whichever the kernel uses.
  const CUdeviceptr plain = allocate(4);
  EXPECT_EXIT(
      {
        launch(plain, stream);
        at(memory) = 2;
      },
      testing::KilledBySignal(SIGSEGV), "managed memory at 0x");
  // It has run long ago, and nobody has waited for it.
  EXPECT_EXIT(
      {
        launch(memory, nullptr);
        usleep(100000);
        at(memory) = 2;
      },
      testing::KilledBySignal(SIGSEGV), "managed memory at 0x");
}

TEST_F(ManagedAccess, isFineForWhatIsAttachedElsewhere) {
  CUstream other = nullptr;
  EXPECT_OK(CU(cuStreamCreate)(&other, CU_STREAM_NON_BLOCKING));
  launch(allocate(4), stream);
  at(own) = 1; // CU_MEM_ATTACH_HOST
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_OK(CU(cuStreamAttachMemAsync)(other, memory, 0, CU_MEM_ATTACH_SINGLE));
  launch(allocate(4), stream);
  at(memory) = 1; // `other` has nothing to do
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_EXIT(
      {
        launch(memory, other);
        at(memory) = 1;
      },
      testing::KilledBySignal(SIGSEGV), "managed memory at 0x");
  EXPECT_OK(CU(cuStreamAttachMemAsync)(other, memory, 0, CU_MEM_ATTACH_GLOBAL));
}

// A kernel's own fault is the context's error, as on any device.
TEST_F(ManagedAccess, leavesKernelsTheirFaults) {
  launch(16, nullptr);
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ILLEGAL_ADDRESS);
}

} // namespace
} // namespace us::cuda_test
