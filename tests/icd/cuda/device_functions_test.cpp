// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels ask of the driver while they run: printing, memory, assertions; and the limits that bound them.
#include "tests/icd/cuda/cuda_test.h"

namespace us::cuda_test {
namespace {

class DeviceFunctions : public Cuda {
protected:
  CUresult launch(CUmodule module, const char *name, unsigned blocks, unsigned threads, std::vector<void *> arguments) {
    return CU(cuLaunchKernel)(function(module, name), blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments.data(),
                              nullptr);
  }
};

/// Each thread prints its number and n, as %d of %d.
const std::string kPrints = kHead + R"(
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);
.global .align 1 .b8 format[] = {37, 100, 32, 111, 102, 32, 37, 100, 10, 0};
.visible .entry prints(.param .u32 n)
{
  .local .align 8 .b8 values[8];
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r1, %r1, %r2, %r3;
  st.local.u32 [values], %r1;
  ld.param.u32 %r2, [n];
  st.local.u32 [values+4], %r2;
  mov.u64 %rd1, format;
  mov.u64 %rd2, values;
  .param .b64 param0;
  st.param.b64 [param0], %rd1;
  .param .b64 param1;
  st.param.b64 [param1], %rd2;
  .param .b32 retval0;
  call.uni (retval0), vprintf, (param0, param1);
  ret;
}
)";

TEST_F(DeviceFunctions, printInTheOrderOfLaunchesBlocksAndThreads) {
  CUmodule module = load(kPrints);
  testing::internal::CaptureStdout();
  std::string expected;
  for (int n : {7, 8}) {
    EXPECT_OK(launch(module, "prints", 2, 3, {&n}));
    for (int i = 0; i < 6; ++i) expected += std::to_string(i) + " of " + std::to_string(n) + "\n";
  }
  EXPECT_OK(CU(cuCtxSynchronize)());
  EXPECT_EQ(testing::internal::GetCapturedStdout(), expected);
}

TEST_F(DeviceFunctions, printNoMoreThanTheBufferHolds) {
  CUmodule module = load(kPrints);
  const size_t small = 4096;
  EXPECT_OK(CU(cuCtxSetLimit)(CU_LIMIT_PRINTF_FIFO_SIZE, small));
  size_t found = 0;
  EXPECT_OK(CU(cuCtxGetLimit)(&found, CU_LIMIT_PRINTF_FIFO_SIZE));
  EXPECT_EQ(found, small);
  int n = 1;
  testing::internal::CaptureStdout();
  // One block: which of several is the last to print is a matter of the machine's load.
  EXPECT_OK(launch(module, "prints", 1, 1000, {&n}));
  EXPECT_OK(CU(cuCtxSynchronize)());
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_GT(text.size(), 0u);
  EXPECT_LT(text.size(), small);
  // "older output is overwritten": what is left is of the last threads.
  ASSERT_TRUE(text.ends_with(" of 1\n"));
  EXPECT_EQ(std::stoi(text.substr(text.rfind('\n', text.size() - 2) + 1)), 999);
}

/// results[thread] = malloc(size)
const std::string kAllocates = kHead + R"(
.extern .func (.param .b64 result) malloc (.param .b64 size);
.extern .func free (.param .b64 address);
.visible .entry allocates(.param .u64 results, .param .u64 size)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [size];
  .param .b64 param0;
  st.param.b64 [param0], %rd1;
  .param .b64 retval0;
  call.uni (retval0), malloc, (param0);
  ld.param.b64 %rd2, [retval0];
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd3, [results];
  mad.wide.u32 %rd3, %r1, 8, %rd3;
  st.global.u64 [%rd3], %rd2;
  ret;
}
.visible .entry frees(.param .u64 results)
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<5>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd3, [results];
  mad.wide.u32 %rd3, %r1, 8, %rd3;
  ld.global.u64 %rd2, [%rd3];
  st.u64 [%rd2], %rd2;
  .param .b64 param0;
  st.param.b64 [param0], %rd2;
  call.uni free, (param0);
  ret;
}
)";

TEST_F(DeviceFunctions, allocateNoMoreThanTheHeapHas) {
  EXPECT_OK(CU(cuCtxSetLimit)(CU_LIMIT_MALLOC_HEAP_SIZE, size_t(1) << 20));
  CUmodule module = load(kAllocates);
  CUdeviceptr results = allocate(64 * 8);
  uint64_t size = 32 << 10;
  const auto given = [&] {
    EXPECT_OK(launch(module, "allocates", 1, 64, {&results, &size}));
    size_t count = 0;
    for (uint64_t address : download<uint64_t>(results, 64)) count += address != 0;
    return count;
  };
  EXPECT_EQ(given(), 32u);
  std::vector<uint64_t> addresses = download<uint64_t>(results, 64);
  std::erase(addresses, 0u);
  ASSERT_EQ(addresses.size(), 32u);
  // "The size cannot be changed once a kernel has allocated."
  EXPECT_EQ(CU(cuCtxSetLimit)(CU_LIMIT_MALLOC_HEAP_SIZE, size_t(2) << 20), CUDA_ERROR_INVALID_VALUE);
  // Another kernel uses the memory and gives it back.
  CUdeviceptr kept = upload(addresses);
  EXPECT_OK(launch(module, "frees", 1, 32, {&kept}));
  EXPECT_OK(CU(cuCtxSynchronize)());
  EXPECT_EQ(given(), 32u);
}

const std::string kAsserts = kHead + R"(
.extern .func __assertfail (.param .b64 a0, .param .b64 a1, .param .b32 a2, .param .b64 a3, .param .b64 a4);
.global .align 1 .b8 message[] = {110, 32, 62, 32, 50, 0};
.global .align 1 .b8 file[] = {107, 46, 99, 117, 0};
.global .align 1 .b8 name[] = {102, 0};
.visible .entry asserts()
{
  .reg .pred %p<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p1, %r2, 2;
  @%p1 bra fine;
  mov.u64 %rd1, message;
  mov.u64 %rd2, file;
  mov.u64 %rd3, name;
  .param .b64 param0;
  st.param.b64 [param0], %rd1;
  .param .b64 param1;
  st.param.b64 [param1], %rd2;
  .param .b32 param2;
  st.param.b32 [param2], 12;
  .param .b64 param3;
  st.param.b64 [param3], %rd3;
  .param .b64 param4;
  st.param.b64 [param4], 1;
  call.uni __assertfail, (param0, param1, param2, param3, param4);
fine:
  ret;
}
)";

TEST_F(DeviceFunctions, assertionsStayWithTheContext) {
  CUmodule module = load(kAsserts);
  testing::internal::CaptureStderr();
  EXPECT_OK(launch(module, "asserts", 1, 4, {}));
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ASSERT);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "k.cu:12: f: block: [0,0,0], thread: [2,0,0] Assertion `n > 2` failed.\n"),
            std::string::npos);
  EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_ASSERT);
  CUdeviceptr memory = 0;
  EXPECT_EQ(CU(cuMemAlloc_v2)(&memory, 16), CUDA_ERROR_ASSERT);
}

} // namespace
} // namespace us::cuda_test
