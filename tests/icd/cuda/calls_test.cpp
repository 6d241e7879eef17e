// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls that have no story of their own: each does what it says, and refuses what it must.
#include "tests/icd/cuda/cuda_test.h"

#include <atomic>
#include <cstring>
#include <set>

namespace us::cuda_test {
namespace {

TEST_F(Cuda, contextQueries) {
  CUdevice device = -1;
  EXPECT_OK(CU(cuCtxGetDevice)(&device));
  EXPECT_EQ(device, 0);
  EXPECT_OK(CU(cuCtxGetDevice_v2)(&device, context));
  EXPECT_EQ(CU(cuCtxGetDevice_v2)(&device, CUcontext(&device)), CUDA_ERROR_INVALID_CONTEXT);
  CUcontext other = nullptr;
  EXPECT_OK(CU(cuCtxCreate_v3)(&other, nullptr, 0, 0, 0));
  EXPECT_EQ(CU(cuCtxCreate_v3)(&other, nullptr, 1, 0, 0), CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  unsigned long long first = 0, second = 0;
  EXPECT_OK(CU(cuCtxGetId)(context, &first));
  EXPECT_OK(CU(cuCtxGetId)(other, &second));
  EXPECT_NE(first, second);
  EXPECT_OK(CU(cuCtxSynchronize_v2)(other));
  // Both belong to one device.
  EXPECT_EQ(CU(cuCtxEnablePeerAccess)(context, 0), CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
  EXPECT_EQ(CU(cuCtxEnablePeerAccess)(context, 1), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuCtxDisablePeerAccess)(nullptr), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(CU(cuCtxDestroy_v2)(other));
  int least = 1, greatest = 1;
  EXPECT_OK(CU(cuCtxGetStreamPriorityRange)(&least, &greatest));
  EXPECT_EQ(least, 0);
  EXPECT_EQ(greatest, -5);
  CUsharedconfig config;
  EXPECT_OK(CU(cuCtxSetSharedMemConfig)(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  EXPECT_OK(CU(cuCtxGetSharedMemConfig)(&config));
  EXPECT_EQ(config, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE);
  EXPECT_EQ(CU(cuCtxSetSharedMemConfig)(CUsharedconfig(7)), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, deviceIdentity) {
  CUuuid first = {}, second = {};
  EXPECT_OK(CU(cuDeviceGetUuid)(&first, 0));
  EXPECT_OK(CU(cuDeviceGetUuid_v2)(&second, 0));
  EXPECT_EQ(std::memcmp(&first, &second, sizeof first), 0);
  char luid[8] = {};
  unsigned mask = 0;
  EXPECT_OK(CU(cuDeviceGetLuid)(luid, &mask, 0));
  EXPECT_EQ(mask, 1u);
  int can = -1;
  EXPECT_OK(CU(cuDeviceCanAccessPeer)(&can, 0, 0));
  EXPECT_EQ(can, 0);
  EXPECT_EQ(CU(cuDeviceCanAccessPeer)(&can, 0, 99), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuInit)(1), CUDA_ERROR_INVALID_VALUE);
  const void *table = &table;
  EXPECT_EQ(CU(cuGetExportTable)(&table, &first), CUDA_ERROR_INVALID_VALUE);
  void *function = nullptr;
  EXPECT_OK(CU(cuGetProcAddress)("cuInit", &function, 13000, 0));
  EXPECT_EQ(function, dlsym(library(), "cuInit"));
  EXPECT_EQ(CU(cuGetProcAddress)("cuNoSuch", &function, 13000, 0), CUDA_ERROR_NOT_FOUND);
}

TEST_F(Cuda, primaryContextFlagsAndReset) {
  unsigned flags = 0;
  int active = 0;
  CUcontext primary = nullptr;
  EXPECT_OK(CU(cuDevicePrimaryCtxSetFlags_v2)(0, CU_CTX_SCHED_SPIN));
  EXPECT_EQ(CU(cuDevicePrimaryCtxSetFlags_v2)(0, 3), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuDevicePrimaryCtxRetain)(&primary, 0));
  EXPECT_OK(CU(cuDevicePrimaryCtxReset_v2)(0));
  EXPECT_OK(CU(cuDevicePrimaryCtxGetState)(0, &flags, &active));
  EXPECT_EQ(flags, unsigned(CU_CTX_SCHED_SPIN));
  EXPECT_EQ(active, 0);
  EXPECT_EQ(CU(cuCtxPushCurrent_v2)(primary), CUDA_ERROR_INVALID_CONTEXT);
  EXPECT_OK(CU(cuDevicePrimaryCtxSetFlags_v2)(0, 0));
}

TEST_F(Cuda, streamExtras) {
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, 0));
  unsigned long long first = 0, second = 0;
  EXPECT_OK(CU(cuStreamGetId)(stream, &first));
  EXPECT_OK(CU(cuStreamGetId)(nullptr, &second));
  EXPECT_NE(first, second);
  std::atomic<CUresult> status{CUDA_ERROR_UNKNOWN};
  EXPECT_OK(CU(cuStreamAddCallback)(
      stream, [](CUstream, CUresult result, void *to) { *static_cast<std::atomic<CUresult> *>(to) = result; }, &status,
      0));
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(status, CUDA_SUCCESS);
  EXPECT_EQ(CU(cuStreamAddCallback)(stream, nullptr, nullptr, 0), CUDA_ERROR_INVALID_VALUE);
  CUdeviceptr managed = 0;
  EXPECT_OK(CU(cuMemAllocManaged)(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
  EXPECT_OK(CU(cuStreamAttachMemAsync)(stream, managed, 0, CU_MEM_ATTACH_SINGLE));
  // As a driver answered on an H100.
  EXPECT_EQ(CU(cuStreamAttachMemAsync)(stream, 0, 0, CU_MEM_ATTACH_SINGLE), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuMemFree_v2)(managed));
  EXPECT_EQ(CU(cuStreamAttachMemAsync)(stream, 0, 0, 3), CUDA_ERROR_INVALID_VALUE);
  CUevent begin = nullptr, end = nullptr;
  ASSERT_OK(CU(cuEventCreate)(&begin, 0));
  ASSERT_OK(CU(cuEventCreate)(&end, 0));
  EXPECT_OK(CU(cuEventRecordWithFlags)(begin, stream, CU_EVENT_RECORD_DEFAULT));
  EXPECT_EQ(CU(cuEventRecordWithFlags)(begin, stream, 9), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuEventRecord)(end, stream));
  EXPECT_OK(CU(cuEventSynchronize)(end));
  float time = -1;
  EXPECT_OK(CU(cuEventElapsedTime)(&time, begin, end));
  EXPECT_GE(time, 0);
  EXPECT_OK(CU(cuProfilerInitialize)("", "", CU_OUT_CSV));
  EXPECT_EQ(CU(cuProfilerInitialize)("", "", CUoutput_mode(5)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuProfilerStart)());
  EXPECT_OK(CU(cuProfilerStop)());
}

TEST_F(Cuda, asynchronousCopies) {
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  void *host = nullptr;
  ASSERT_OK(CU(cuMemAllocHost_v2)(&host, 64));
  auto *numbers = static_cast<int *>(host);
  for (int i = 0; i < 16; ++i) numbers[i] = i;
  const CUdeviceptr first = allocate(64), second = allocate(64), third = allocate(64);
  EXPECT_OK(CU(cuMemcpyHtoDAsync_v2)(first, host, 64, stream));
  EXPECT_OK(CU(cuMemcpyDtoDAsync_v2)(second, first, 64, stream));
  EXPECT_OK(CU(cuMemcpyAsync)(third, second, 64, stream));
  EXPECT_OK(CU(cuMemcpyPeerAsync)(first, context, third, context, 32, stream));
  EXPECT_OK(CU(cuMemcpyDtoHAsync_v2)(numbers + 8, first, 32, stream));
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  for (int i = 0; i < 16; ++i) EXPECT_EQ(numbers[i], i % 8);
  EXPECT_OK(CU(cuMemcpyPeer)(second, context, first, context, 64));
  EXPECT_EQ(CU(cuMemcpyPeer)(second, CUcontext(numbers), first, context, 64), CUDA_ERROR_INVALID_CONTEXT);
  // From pageable memory the data are taken before the call returns.
  int own[4] = {7, 8, 9, 10};
  EXPECT_OK(CU(cuMemcpyHtoDAsync_v2)(first, own, sizeof own, stream));
  own[0] = 0;
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(download<int>(first, 4), (std::vector<int>{7, 8, 9, 10}));
}

TEST_F(Cuda, boxes) {
  const CUdeviceptr memory = allocate(4 * 4 * 4);
  EXPECT_OK(CU(cuMemsetD8_v2)(memory, 0, 64));
  const std::vector<char> values = {1, 2, 3, 4, 5, 6, 7, 8};
  CUDA_MEMCPY3D copy = {};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = values.data();
  copy.srcPitch = 2;
  copy.srcHeight = 2;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.dstXInBytes = copy.dstY = copy.dstZ = 1;
  copy.dstPitch = copy.dstHeight = 4;
  copy.WidthInBytes = copy.Height = copy.Depth = 2;
  const auto check = [&] {
    EXPECT_OK(CU(cuCtxSynchronize)());
    const std::vector<char> got = download<char>(memory, 64);
    for (int z = 0; z < 4; ++z)
      for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) {
          const bool inside = x >= 1 && x < 3 && y >= 1 && y < 3 && z >= 1 && z < 3;
          EXPECT_EQ(got[size_t(x + 4 * y + 16 * z)], inside ? 1 + (x - 1) + 2 * (y - 1) + 4 * (z - 1) : 0);
        }
    EXPECT_OK(CU(cuMemsetD8_v2)(memory, 0, 64));
  };
  EXPECT_OK(CU(cuMemcpy3D_v2)(&copy));
  check();
  EXPECT_OK(CU(cuMemcpy3DAsync_v2)(&copy, nullptr));
  check();
  CUDA_MEMCPY3D_PEER peer = {};
  peer.srcMemoryType = CU_MEMORYTYPE_HOST;
  peer.srcHost = values.data();
  peer.srcPitch = 2;
  peer.srcHeight = 2;
  peer.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  peer.dstDevice = memory;
  peer.dstXInBytes = peer.dstY = peer.dstZ = 1;
  peer.dstPitch = peer.dstHeight = 4;
  peer.WidthInBytes = peer.Height = peer.Depth = 2;
  EXPECT_OK(CU(cuMemcpy3DPeer)(&peer));
  check();
  EXPECT_OK(CU(cuMemcpy3DPeerAsync)(&peer, nullptr));
  check();
  CUDA_MEMCPY2D flat = {};
  flat.srcMemoryType = CU_MEMORYTYPE_UNIFIED;
  flat.srcDevice = CUdeviceptr(values.data());
  flat.srcPitch = 4;
  flat.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  flat.dstDevice = memory;
  flat.dstPitch = 8;
  flat.WidthInBytes = 4;
  flat.Height = 2;
  EXPECT_OK(CU(cuMemcpy2DAsync_v2)(&flat, nullptr));
  EXPECT_EQ(download<char>(memory, 12), (std::vector<char>{1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8}));
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  EXPECT_EQ(CU(cuMemcpy3D_v2)(&copy), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, asynchronousFills) {
  const CUdeviceptr memory = allocate(64);
  EXPECT_OK(CU(cuMemsetD32Async)(memory, 0x01020304, 16, nullptr));
  EXPECT_OK(CU(cuMemsetD16Async)(memory, 0x0506, 2, nullptr));
  EXPECT_OK(CU(cuMemsetD2D8Async)(memory + 8, 8, 9, 1, 2, nullptr));
  EXPECT_OK(CU(cuMemsetD2D16Async)(memory + 24, 8, 0x0a0b, 1, 2, nullptr));
  EXPECT_OK(CU(cuMemsetD2D32Async)(memory + 40, 12, 5, 1, 2, nullptr));
  EXPECT_OK(CU(cuMemsetD2D16_v2)(memory + 30, 8, 0x0c0d, 1, 1));
  EXPECT_OK(CU(cuMemsetD2D32_v2)(memory + 60, 8, 6, 1, 1));
  const std::vector<unsigned char> got = download<unsigned char>(memory, 64);
  EXPECT_EQ(got[0], 0x06);
  EXPECT_EQ(got[3], 0x05);
  EXPECT_EQ(got[4], 0x04);
  EXPECT_EQ(got[8], 9);
  EXPECT_EQ(got[16], 9);
  EXPECT_EQ(got[24], 0x0b);
  EXPECT_EQ(got[33], 0x0a);
  EXPECT_EQ(got[30], 0x0d);
  EXPECT_EQ(got[40], 5);
  EXPECT_EQ(got[52], 5);
  EXPECT_EQ(got[60], 6);
  EXPECT_EQ(CU(cuMemsetD2D32_v2)(memory, 6, 6, 1, 2), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, functionExtras) {
  CUmoduleLoadingMode mode;
  EXPECT_OK(CU(cuModuleGetLoadingMode)(&mode));
  EXPECT_EQ(mode, CU_MODULE_LAZY_LOADING);
  const std::string text = kHead + R"(
.visible .entry put(.param .u64 to, .param .f32 value)
{
  .reg .f32 %f;
  .reg .b64 %rd;
  ld.param.u64 %rd, [to];
  ld.param.f32 %f, [value];
  st.global.f32 [%rd], %f;
  ret;
}
)";
  // Clang puts PTX text behind the wrapper that programs hold.
  const struct {
    unsigned magic = 0x466243b1, version = 1;
    const void *data;
    void *unused = nullptr;
  } wrapper{.data = text.c_str()};
  CUmodule module = nullptr, owner = nullptr;
  EXPECT_OK(CU(cuModuleLoadFatBinary)(&module, &wrapper));
  CUfunction put = function(module, "put");
  EXPECT_OK(CU(cuFuncGetModule)(&owner, put));
  EXPECT_EQ(owner, module);
  const char *name = nullptr;
  EXPECT_OK(CU(cuFuncGetName)(&name, put));
  EXPECT_STREQ(name, "put");
  EXPECT_OK(CU(cuFuncSetCacheConfig)(put, CU_FUNC_CACHE_PREFER_EQUAL));
  EXPECT_EQ(CU(cuFuncSetCacheConfig)(put, CUfunc_cache(9)), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuFuncSetSharedMemConfig)(put, CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE));
  EXPECT_OK(CU(cuFuncSetSharedSize)(put, 128));
  EXPECT_EQ(CU(cuFuncSetSharedSize)(CUfunction(&put), 128), CUDA_ERROR_INVALID_HANDLE);
  CUdeviceptr to = allocate(4);
  EXPECT_OK(CU(cuParamSetv)(put, 0, &to, 8));
  EXPECT_OK(CU(cuParamSetf)(put, 8, 2.5f));
  EXPECT_OK(CU(cuLaunch)(put));
  EXPECT_EQ(download<float>(to, 1)[0], 2.5f);
  EXPECT_OK(CU(cuParamSetf)(put, 8, 4.5f));
  EXPECT_OK(CU(cuLaunchGridAsync)(put, 1, 1, CU_STREAM_PER_THREAD));
  EXPECT_OK(CU(cuStreamSynchronize)(CU_STREAM_PER_THREAD));
  EXPECT_EQ(download<float>(to, 1)[0], 4.5f);
  EXPECT_EQ(CU(cuLaunchGridAsync)(put, 0, 1, nullptr), CUDA_ERROR_INVALID_VALUE);
}

// "cuProfilerStart() and cuProfilerStop() APIs are used to programmatically control the profiling granularity": here
// that of the trace. CMakeLists.txt runs this with UNDERSTUDY_TRACE.
TEST_F(Cuda, profilerBoundsTheTrace) {
  if (!std::getenv("UNDERSTUDY_TRACE")) GTEST_SKIP() << "nothing is traced";
  int value = 0;
  const auto traced = [&] {
    testing::internal::CaptureStderr();
    EXPECT_OK(CU(cuDriverGetVersion)(&value));
    return testing::internal::GetCapturedStderr().find("cuDriverGetVersion") != std::string::npos;
  };
  EXPECT_TRUE(traced());
  EXPECT_OK(CU(cuProfilerStop)());
  EXPECT_FALSE(traced());
  EXPECT_OK(CU(cuProfilerStart)());
  EXPECT_TRUE(traced());
}

} // namespace
} // namespace us::cuda_test
