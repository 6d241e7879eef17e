// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of streams, what is asked of two devices, the oldest forms of calls, and answers of what the device lacks.
#include "tests/icd/cuda/cuda_test.h"

#include <algorithm>
#include <climits>
#include <cstring>

namespace us::cuda_test {
namespace {

TEST_F(Cuda, streamAttributes) {
  CUstream first = nullptr, second = nullptr;
  ASSERT_OK(CU(cuStreamCreateWithPriority)(&first, CU_STREAM_DEFAULT, -3));
  ASSERT_OK(CU(cuStreamCreate)(&second, CU_STREAM_DEFAULT));
  CUstreamAttrValue value = {};
  const auto get = [&](CUstream stream, CUstreamAttrID which) {
    std::memset(&value, 0xEE, sizeof value);
    EXPECT_OK(CU(cuStreamGetAttribute)(stream, which, &value));
    return value;
  };
  // As they are at first.
  EXPECT_EQ(get(first, CU_LAUNCH_ATTRIBUTE_PRIORITY).priority, -3);
  EXPECT_EQ(get(second, CU_LAUNCH_ATTRIBUTE_PRIORITY).priority, 0);
  EXPECT_EQ(get(first, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY).syncPolicy, CU_SYNC_POLICY_AUTO);
  EXPECT_EQ(get(first, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN).memSyncDomain, CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT);
  EXPECT_EQ(get(first, CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP).memSyncDomainMap.remote, 1);
  EXPECT_EQ(get(first, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow.num_bytes, 0u);
  // What is set is told again, and copied.
  value = {};
  value.syncPolicy = CU_SYNC_POLICY_BLOCKING_SYNC;
  EXPECT_OK(CU(cuStreamSetAttribute)(first, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value));
  value = {};
  value.accessPolicyWindow = {&value, 4096, 0.5f, CU_ACCESS_PROPERTY_PERSISTING, CU_ACCESS_PROPERTY_STREAMING};
  EXPECT_OK(CU(cuStreamSetAttribute)(first, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value));
  EXPECT_OK(CU(cuStreamCopyAttributes)(second, first));
  EXPECT_EQ(get(second, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY).syncPolicy, CU_SYNC_POLICY_BLOCKING_SYNC);
  EXPECT_EQ(get(second, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW).accessPolicyWindow.num_bytes, 4096u);
  EXPECT_EQ(get(second, CU_LAUNCH_ATTRIBUTE_PRIORITY).priority, -3);
  value = {};
  value.priority = -5;
  EXPECT_OK(CU(cuStreamSetAttribute)(second, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value));
  int priority = 0;
  EXPECT_OK(CU(cuStreamGetPriority)(second, &priority));
  EXPECT_EQ(priority, -5);
  // What is wrong.
  value.priority = 1;
  EXPECT_EQ(CU(cuStreamSetAttribute)(first, CU_LAUNCH_ATTRIBUTE_PRIORITY, &value), CUDA_ERROR_INVALID_VALUE);
  value.syncPolicy = CUsynchronizationPolicy(9);
  EXPECT_EQ(CU(cuStreamSetAttribute)(first, CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, &value),
            CUDA_ERROR_INVALID_VALUE);
  value.accessPolicyWindow.hitRatio = 2;
  EXPECT_EQ(CU(cuStreamSetAttribute)(first, CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value),
            CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuStreamGetAttribute)(first, CU_LAUNCH_ATTRIBUTE_COOPERATIVE, &value), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuStreamGetAttribute)(first, CU_LAUNCH_ATTRIBUTE_PRIORITY, nullptr), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, whatAStreamBelongsTo) {
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_DEFAULT));
  CUcontext found = nullptr;
  CUgreenCtx green = reinterpret_cast<CUgreenCtx>(&found);
  EXPECT_OK(CU(cuStreamGetCtx_v2)(stream, &found, &green));
  EXPECT_EQ(found, context);
  EXPECT_EQ(green, nullptr);
  CUdevice device = -1;
  EXPECT_OK(CU(cuStreamGetDevice)(stream, &device));
  EXPECT_EQ(device, 0);
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  EXPECT_OK(CU(cuStreamIsCapturing)(stream, &status));
  EXPECT_EQ(status, CU_STREAM_CAPTURE_STATUS_NONE);
}

TEST_F(Cuda, pairsOfDevices) {
  int value = -1;
  EXPECT_EQ(CU(cuDeviceGetP2PAttribute)(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0),
            CUDA_ERROR_INVALID_DEVICE);
  int count = 0;
  EXPECT_OK(CU(cuDeviceGetCount)(&count));
  EXPECT_EQ(CU(cuDeviceGetP2PAttribute)(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, count),
            CUDA_ERROR_INVALID_DEVICE);
  if (count < 2) return;
  EXPECT_OK(CU(cuDeviceGetP2PAttribute)(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 1));
  EXPECT_EQ(value, 1);
  EXPECT_EQ(CU(cuDeviceGetP2PAttribute)(&value, CUdevice_P2PAttribute(9), 0, 1), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, whatTheDeviceLacks) {
  int supported = -1;
  EXPECT_OK(CU(cuDeviceGetExecAffinitySupport)(&supported, CU_EXEC_AFFINITY_TYPE_SM_COUNT, 0));
  EXPECT_EQ(supported, 0);
  EXPECT_EQ(CU(cuDeviceGetExecAffinitySupport)(&supported, CUexecAffinityType(4), 0), CUDA_ERROR_INVALID_VALUE);
  long parameter[8] = {};
  EXPECT_EQ(
      CU(cuCtxGetExecAffinity)(reinterpret_cast<CUexecAffinityParam *>(parameter), CU_EXEC_AFFINITY_TYPE_SM_COUNT),
      CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);
  EXPECT_OK(CU(cuCtxResetPersistingL2Cache)());
  CUarray array = nullptr, plane = nullptr;
  const CUDA_ARRAY_DESCRIPTOR description = {4, 4, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  ASSERT_OK(CU(cuArrayCreate_v2)(&array, &description));
  CUDA_ARRAY_MEMORY_REQUIREMENTS requirements = {};
  CUDA_ARRAY_SPARSE_PROPERTIES properties = {};
  EXPECT_EQ(CU(cuArrayGetMemoryRequirements)(&requirements, array, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuArrayGetSparseProperties)(&properties, array), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuArrayGetPlane)(&plane, array, 0), CUDA_ERROR_INVALID_VALUE);
  CUlibrary library = nullptr;
  ASSERT_OK(CU(cuLibraryLoadData)(&library, kVectorAdd.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  void *function = nullptr;
  EXPECT_EQ(CU(cuLibraryGetUnifiedFunction)(&function, library, "vectorAdd"), CUDA_ERROR_NOT_FOUND);
  EXPECT_OK(CU(cuLibraryUnload)(library));
}

TEST_F(Cuda, severalAttributesOfARange) {
  CUdeviceptr memory = 0;
  ASSERT_OK(CU(cuMemAllocManaged)(&memory, 4096, CU_MEM_ATTACH_GLOBAL));
  EXPECT_OK(CU(cuMemAdvise)(memory, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, 0));
  int mostly = -9, last = -9;
  void *data[] = {&mostly, &last};
  size_t sizes[] = {sizeof mostly, sizeof last};
  CUmem_range_attribute which[] = {CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION};
  EXPECT_OK(CU(cuMemRangeGetAttributes)(data, sizes, which, 2, memory, 4096));
  EXPECT_EQ(mostly, 1);
  EXPECT_EQ(last, CU_DEVICE_INVALID);
  EXPECT_EQ(CU(cuMemRangeGetAttributes)(data, sizes, which, 0, memory, 4096), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuMemRangeGetAttributes)(data, sizes, which, 2, memory, 5000), CUDA_ERROR_INVALID_VALUE);
}

TEST_F(Cuda, oldestForms) {
  CUcontext other = nullptr, popped = nullptr;
  EXPECT_OK(CU(cuCtxCreate)(&other, 0, 0));
  EXPECT_OK(CU(cuCtxPopCurrent_v2)(&popped));
  EXPECT_EQ(popped, other);
  EXPECT_OK(CU(cuCtxDestroy_v2)(other));
  size_t wide = 0, wideTotal = 0;
  unsigned bytes = 0, free = 0, total = 0;
  EXPECT_OK(CU(cuDeviceTotalMem_v2)(&wide, 0));
  EXPECT_OK(CU(cuDeviceTotalMem)(&bytes, 0));
  EXPECT_EQ(bytes, std::min<size_t>(wide, UINT_MAX));
  EXPECT_OK(CU(cuMemGetInfo_v2)(&wide, &wideTotal));
  EXPECT_OK(CU(cuMemGetInfo)(&free, &total));
  EXPECT_EQ(free, std::min<size_t>(wide, UINT_MAX));
  EXPECT_EQ(total, std::min<size_t>(wideTotal, UINT_MAX));
  void *host = nullptr;
  EXPECT_OK(CU(cuMemAllocHost)(&host, 64));
  std::memset(host, 7, 16);
  CUarray first = nullptr, second = nullptr;
  const CUDA_ARRAY_DESCRIPTOR description = {16, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
  ASSERT_OK(CU(cuArrayCreate_v2)(&first, &description));
  ASSERT_OK(CU(cuArrayCreate_v2)(&second, &description));
  EXPECT_OK(CU(cuMemcpyHtoA)(first, 0, host, 16));
  EXPECT_OK(CU(cuMemcpyAtoA)(second, 0, first, 0, 16));
  char got[16] = {};
  EXPECT_OK(CU(cuMemcpyAtoH)(got, second, 8, 8));
  EXPECT_EQ(got[0], 7);
  EXPECT_EQ(got[8], 0);
  std::memset(host, 9, 16);
  EXPECT_OK(CU(cuMemcpyHtoAAsync)(first, 8, host, 8, nullptr));
  EXPECT_OK(CU(cuMemcpyAtoHAsync)(got, first, 0, 16, nullptr));
  EXPECT_EQ(got[7], 7);
  EXPECT_EQ(got[8], 9);
  EXPECT_OK(CU(cuMemFreeHost)(host));
}

TEST_F(Cuda, cooperativeLaunchesOnSeveralDevices) {
  CUfunction add = function(load(kVectorAdd), "vectorAdd");
  CUstream stream = nullptr;
  ASSERT_OK(CU(cuStreamCreate)(&stream, CU_STREAM_NON_BLOCKING));
  const CUdeviceptr a = upload(std::vector<float>(64, 2)), b = upload(std::vector<float>(64, 3)), c = allocate(256);
  unsigned n = 64;
  void *parameters[] = {const_cast<CUdeviceptr *>(&a), const_cast<CUdeviceptr *>(&b), const_cast<CUdeviceptr *>(&c),
                        &n};
  CUDA_LAUNCH_PARAMS launch = {add, 2, 1, 1, 32, 1, 1, 0, stream, parameters};
  EXPECT_OK(CU(cuLaunchCooperativeKernelMultiDevice)(&launch, 1, 0));
  EXPECT_OK(CU(cuStreamSynchronize)(stream));
  EXPECT_EQ(download<float>(c, 64), std::vector<float>(64, 5));
  CUDA_LAUNCH_PARAMS both[] = {launch, launch};
  EXPECT_EQ(CU(cuLaunchCooperativeKernelMultiDevice)(both, 2, 0), CUDA_ERROR_INVALID_VALUE); // one device
  launch.hStream = nullptr;
  EXPECT_EQ(CU(cuLaunchCooperativeKernelMultiDevice)(&launch, 1, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuLaunchCooperativeKernelMultiDevice)(&launch, 0, 0), CUDA_ERROR_INVALID_VALUE);
}

} // namespace
} // namespace us::cuda_test
