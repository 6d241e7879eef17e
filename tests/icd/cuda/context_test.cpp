// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts, streams and events.
#include "tests/icd/cuda/cuda_test.h"
#include "tests/icd/cuda/gate.h"

#include <chrono>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace us::cuda_test {
namespace {

TEST_F(Cuda, contextStack) {
  CUcontext current = nullptr, second = nullptr, popped = nullptr;
  EXPECT_OK(CU(cuCtxGetCurrent)(&current));
  EXPECT_EQ(current, context);
  EXPECT_OK(CU(cuCtxCreate_v4)(&second, nullptr, CU_CTX_SCHED_YIELD, 0));
  EXPECT_OK(CU(cuCtxGetCurrent)(&current));
  EXPECT_EQ(current, second);
  unsigned flags = 0;
  EXPECT_OK(CU(cuCtxGetFlags)(&flags));
  EXPECT_EQ(flags, unsigned(CU_CTX_SCHED_YIELD));
  EXPECT_OK(CU(cuCtxPopCurrent_v2)(&popped));
  EXPECT_EQ(popped, second);
  EXPECT_OK(CU(cuCtxPushCurrent_v2)(second));
  EXPECT_OK(CU(cuCtxDestroy_v2)(second));
  EXPECT_OK(CU(cuCtxGetCurrent)(&current));
  EXPECT_EQ(current, context);
  EXPECT_EQ(CU(cuCtxPushCurrent_v2)(second), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(CU(cuCtxDestroy_v2)(second), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_EQ(CU(cuCtxCreate_v2)(&second, 3, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuCtxCreate_v2)(&second, 0, 99), CUDA_ERROR_INVALID_DEVICE);
  std::thread([&] {
    CUcontext none = context;
    EXPECT_OK(CU(cuCtxGetCurrent)(&none));
    EXPECT_EQ(none, nullptr);
    EXPECT_EQ(CU(cuCtxSynchronize)(), CUDA_ERROR_INVALID_CONTEXT);
    EXPECT_OK(CU(cuCtxSetCurrent)(context));
    EXPECT_OK(CU(cuCtxSynchronize)());
  }).join();
}

TEST_F(Cuda, attachAndDetach) {
  CUcontext attached = nullptr;
  EXPECT_OK(CU(cuCtxAttach)(&attached, 0));
  EXPECT_EQ(attached, context);
  EXPECT_OK(CU(cuCtxDetach)(context));
  EXPECT_OK(CU(cuCtxSynchronize)());
  unsigned version = 0;
  EXPECT_OK(CU(cuCtxGetApiVersion)(context, &version));
  EXPECT_EQ(version, 3020u);
}

TEST_F(Cuda, primaryContext) {
  CUcontext first = nullptr, second = nullptr;
  unsigned flags = 9;
  int active = 9;
  EXPECT_OK(CU(cuDevicePrimaryCtxGetState)(0, &flags, &active));
  EXPECT_EQ(active, 0);
  EXPECT_OK(CU(cuDevicePrimaryCtxRetain)(&first, 0));
  EXPECT_OK(CU(cuDevicePrimaryCtxRetain)(&second, 0));
  EXPECT_EQ(first, second);
  EXPECT_EQ(CU(cuCtxDestroy_v2)(first), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(CU(cuDevicePrimaryCtxRelease_v2)(0));
  EXPECT_OK(CU(cuDevicePrimaryCtxGetState)(0, &flags, &active));
  EXPECT_EQ(active, 1);
  EXPECT_OK(CU(cuDevicePrimaryCtxRelease_v2)(0));
  EXPECT_EQ(CU(cuDevicePrimaryCtxRelease_v2)(0), CUDA_ERROR_INVALID_CONTEXT);
}

TEST_F(Cuda, limitsAndConfigurations) {
  size_t value = 0;
  EXPECT_OK(CU(cuCtxGetLimit)(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 1024u);
  EXPECT_OK(CU(cuCtxSetLimit)(CU_LIMIT_STACK_SIZE, 4096));
  EXPECT_OK(CU(cuCtxGetLimit)(&value, CU_LIMIT_STACK_SIZE));
  EXPECT_EQ(value, 4096u);
  // "Kernels of devices of compute capability 9.0 and above cannot wait for kernels."
  int capability = 0;
  EXPECT_OK(CU(cuDeviceGetAttribute)(&capability, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  EXPECT_EQ(CU(cuCtxGetLimit)(&value, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH),
            capability >= 9 ? CUDA_ERROR_UNSUPPORTED_LIMIT : CUDA_SUCCESS);
  EXPECT_EQ(CU(cuCtxGetLimit)(&value, CUlimit(77)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuCtxSetCacheConfig)(CU_FUNC_CACHE_PREFER_L1));
  CUfunc_cache cache;
  EXPECT_OK(CU(cuCtxGetCacheConfig)(&cache));
  EXPECT_EQ(cache, CU_FUNC_CACHE_PREFER_L1);
}

TEST_F(Cuda, streams) {
  CUstream stream = nullptr;
  EXPECT_OK(CU(cuStreamCreateWithPriority)(&stream, CU_STREAM_NON_BLOCKING, -99));
  unsigned flags = 0;
  int priority = 0;
  EXPECT_OK(CU(cuStreamGetFlags)(stream, &flags));
  EXPECT_EQ(flags, unsigned(CU_STREAM_NON_BLOCKING));
  EXPECT_OK(CU(cuStreamGetPriority)(stream, &priority));
  EXPECT_EQ(priority, -5);
  CUcontext owner = nullptr;
  EXPECT_OK(CU(cuStreamGetCtx)(stream, &owner));
  EXPECT_EQ(owner, context);
  EXPECT_OK(CU(cuStreamQuery)(stream));
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_OK(CU(cuStreamDestroy_v2)(stream));
  EXPECT_EQ(CU(cuStreamSynchronize)(stream), CUDA_ERROR_INVALID_CONTEXT); // as an H200 answers
  EXPECT_EQ(CU(cuStreamCreate)(&stream, 8), CUDA_ERROR_INVALID_VALUE);
  for (const CUstream special : {CUstream(nullptr), CU_STREAM_LEGACY, CU_STREAM_PER_THREAD})
    EXPECT_OK(CU(cuStreamSynchronize)(special));
}

TEST_F(Cuda, legacyStreamWaitsForOthers) {
  CUstream blocking = nullptr, free = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&blocking, CU_STREAM_DEFAULT));
  ASSERT_OK(CU(cuStreamCreate)(&free, CU_STREAM_NON_BLOCKING));
  Gate gate;
  ASSERT_OK(CU(cuLaunchHostFunc)(blocking, Gate::wait, &gate));
  const CUdeviceptr memory = allocate(64);
  ASSERT_OK(CU(cuMemsetD8Async)(memory, 1, 64, nullptr));
  EXPECT_EQ(CU(cuStreamQuery)(nullptr), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(CU(cuStreamQuery)(blocking), CUDA_ERROR_NOT_READY);
  // A non-blocking stream goes its own way.
  EXPECT_OK(CU(cuMemsetD8Async)(memory, 2, 64, free));
  EXPECT_OK(CU(cuStreamSynchronize)(free));
  gate.isOpen = true;
  EXPECT_OK(CU(cuStreamSynchronize)(nullptr));
  EXPECT_EQ(download<unsigned char>(memory, 64), std::vector<unsigned char>(64, 1));
}

TEST_F(Cuda, events) {
  CUevent begin = nullptr, end = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&begin, 0));
  ASSERT_OK(CU(cuEventCreate)(&end, CU_EVENT_BLOCKING_SYNC));
  float time = -1;
  // An H200 says that an event which was never recorded is complete; it has no time.
  EXPECT_OK(CU(cuEventQuery)(begin));
  EXPECT_EQ(CU(cuEventElapsedTime_v2)(&time, begin, end), CUDA_ERROR_INVALID_HANDLE);
  Gate gate;
  ASSERT_OK(CU(cuEventRecord)(begin, nullptr));
  ASSERT_OK(CU(cuLaunchHostFunc)(nullptr, Gate::wait, &gate));
  ASSERT_OK(CU(cuEventRecord)(end, nullptr));
  EXPECT_EQ(CU(cuEventQuery)(end), CUDA_ERROR_NOT_READY);
  EXPECT_EQ(CU(cuEventElapsedTime_v2)(&time, begin, end), CUDA_ERROR_NOT_READY);
  while (!gate.isEntered) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  gate.isOpen = true;
  EXPECT_OK(CU(cuEventSynchronize)(end));
  EXPECT_OK(CU(cuEventElapsedTime_v2)(&time, begin, end));
  EXPECT_GE(time, 15);
  CUevent untimed = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&untimed, CU_EVENT_DISABLE_TIMING));
  ASSERT_OK(CU(cuEventRecord)(untimed, nullptr));
  EXPECT_OK(CU(cuEventSynchronize)(untimed));
  EXPECT_EQ(CU(cuEventElapsedTime_v2)(&time, begin, untimed), CUDA_ERROR_INVALID_HANDLE);
  EXPECT_EQ(CU(cuEventCreate)(&untimed, CU_EVENT_INTERPROCESS), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuEventDestroy_v2)(begin));
  EXPECT_EQ(CU(cuEventQuery)(begin), CUDA_ERROR_INVALID_HANDLE);
}

TEST_F(Cuda, streamWaitEvent) {
  CUstream first = nullptr, second = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&first, CU_STREAM_NON_BLOCKING));
  ASSERT_OK(CU(cuStreamCreate)(&second, CU_STREAM_NON_BLOCKING));
  CUevent event = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&event, 0));
  Gate gate;
  ASSERT_OK(CU(cuLaunchHostFunc)(first, Gate::wait, &gate));
  ASSERT_OK(CU(cuEventRecord)(event, first));
  ASSERT_OK(CU(cuStreamWaitEvent)(second, event, 0));
  EXPECT_EQ(CU(cuStreamQuery)(second), CUDA_ERROR_NOT_READY);
  gate.isOpen = true;
  EXPECT_OK(CU(cuStreamSynchronize)(second));
  EXPECT_OK(CU(cuStreamQuery)(first));
}

TEST_F(Cuda, forkedChildIsNotInitialised) {
  const pid_t child = fork();
  if (child == 0) {
    const char *name = nullptr, *text = nullptr;
    const bool knows = CU(cuGetErrorName)(CUDA_ERROR_NOT_INITIALIZED, &name) == CUDA_SUCCESS && name &&
                       CU(cuGetErrorString)(CUDA_ERROR_NOT_INITIALIZED, &text) == CUDA_SUCCESS && text;
    _exit(knows && CU(cuCtxSynchronize)() == CUDA_ERROR_NOT_INITIALIZED ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

// "CU_LIMIT_STACK_SIZE controls the stack size in bytes of each GPU thread": a function that calls itself five
// thousand times needs more than the 1,024 there are at first.
TEST_F(Cuda, stackLimitActs) {
  // What is read of the array the compiler cannot know, so that each call has one on its stack.
  const std::string text = kHead + R"(
.global .u32 zero;
.func (.param .b32 out) dig(.param .b32 depth)
{
  .reg .b32 %r<7>;
  .reg .pred %p;
  .local .align 4 .b8 hole[256];
  .reg .b64 %rd<3>;
  ld.param.b32 %r1, [depth];
  mov.u64 %rd1, hole;
  and.b32 %r2, %r1, 252;
  cvt.u64.u32 %rd2, %r2;
  add.u64 %rd1, %rd1, %rd2;
  st.local.u32 [%rd1], %r1;
  setp.eq.u32 %p, %r1, 0;
  mov.u32 %r3, 0;
  @%p bra done;
  sub.u32 %r4, %r1, 1;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r4; call (b), dig, (a); ld.param.b32 %r3, [b]; }
  ld.volatile.global.u32 %r6, [zero];
  cvt.u64.u32 %rd2, %r6;
  add.u64 %rd1, %rd1, %rd2;
  ld.local.u32 %r5, [%rd1];
  add.u32 %r3, %r3, %r5;
done:
  st.param.b32 [out], %r3;
  ret;
}
.visible .entry sum(.param .u64 to, .param .u32 depth)
{
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [depth];
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), dig, (a); ld.param.b32 %r2, [b]; }
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
  const auto sum = [&](size_t limit, unsigned depth, unsigned &result) {
    CUcontext own = nullptr;
    CUdeviceptr memory = 0;
    EXPECT_OK(CU(cuCtxCreate_v2)(&own, 0, 0));
    if (limit) EXPECT_OK(CU(cuCtxSetLimit)(CU_LIMIT_STACK_SIZE, limit));
    CUfunction function = this->function(load(text), "sum");
    EXPECT_OK(CU(cuMemAlloc_v2)(&memory, 4));
    void *parameters[] = {&memory, &depth};
    EXPECT_OK(CU(cuLaunchKernel)(function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
    const CUresult ended = CU(cuCtxSynchronize)();
    if (ended == CUDA_SUCCESS) EXPECT_OK(CU(cuMemcpyDtoH_v2)(&result, memory, 4));
    EXPECT_OK(CU(cuCtxDestroy_v2)(own));
    return ended;
  };
  unsigned result = 0;
  EXPECT_OK(sum(0, 10, result));
  EXPECT_EQ(result, 55u);
  EXPECT_EQ(sum(0, 5000, result), CUDA_ERROR_ILLEGAL_ADDRESS);
  EXPECT_OK(sum(1 << 20, 5000, result));
  EXPECT_EQ(result, 12502500u);
  EXPECT_EQ(sum(1024, 5000, result), CUDA_ERROR_ILLEGAL_ADDRESS);
}

} // namespace
} // namespace us::cuda_test
