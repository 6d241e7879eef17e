// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialisation, names of errors, functions by name, devices.
#include "tests/icd/cuda/cuda_test.h"

#include <cstring>

namespace us::cuda_test {
namespace {

TEST(CudaLoading, exportsOnlyTheDriver) {
  ASSERT_NE(library(), nullptr) << dlerror();
  // "cuMemAlloc" and its newer form are two functions: sizes were of 32 bits once.
  EXPECT_NE(dlsym(library(), "cuMemAlloc"), dlsym(library(), "cuMemAlloc_v2"));
  EXPECT_EQ(dlsym(library(), "clGetPlatformIDs"), nullptr);
}

TEST(CudaLoading, cuGetErrorName) {
  const char *text = nullptr;
  EXPECT_OK(CU(cuGetErrorName)(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT_STREQ(text, "CUDA_ERROR_INVALID_VALUE");
  EXPECT_OK(CU(cuGetErrorString)(CUDA_ERROR_INVALID_VALUE, &text));
  EXPECT_GT(std::strlen(text), 10u);
  EXPECT_EQ(CU(cuGetErrorName)(CUresult(12345), &text), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(text, nullptr);
}

TEST(CudaLoading, cuDriverGetVersion) {
  int version = 0;
  EXPECT_OK(CU(cuDriverGetVersion)(&version));
  EXPECT_EQ(version, 13000);
}

// What an H200's driver answers (name, version, flags; query result, symbol).
TEST(CudaLoading, cuGetProcAddress) {
  struct Row {
    const char *name;
    int version;
    cuuint64_t flags;
    CUdriverProcAddressQueryResult result;
    const char *symbol;
  };
  const Row rows[] = {
      {"cuMemAlloc", 2000, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuMemAlloc"},
      {"cuMemAlloc", 3020, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuMemAlloc_v2"},
      {"cuMemAlloc", 13000, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuMemAlloc_v2"},
      {"cuMemAlloc_v2", 13000, 0, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, nullptr},
      {"cuCtxCreate", 2000, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuCtxCreate"},
      {"cuCtxCreate", 3020, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuCtxCreate_v2"},
      {"cuCtxCreate", 11040, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuCtxCreate_v3"},
      {"cuCtxCreate", 12050, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuCtxCreate_v4"},
      {"cuLaunchKernel", 4000, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuLaunchKernel"},
      {"cuLaunchKernel", 7000, 2, CU_GET_PROC_ADDRESS_SUCCESS, "cuLaunchKernel_ptsz"},
      {"cuLaunchKernel", 4000, 2, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, nullptr},
      {"cuLaunchKernel", 3000, 0, CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT, nullptr},
      {"cuNoSuch", 13000, 0, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, nullptr},
      {"cuStreamGetCaptureInfo", 10010, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuStreamGetCaptureInfo"},
      {"cuStreamGetCaptureInfo", 11030, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuStreamGetCaptureInfo_v2"},
      {"cuStreamGetCaptureInfo", 13000, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuStreamGetCaptureInfo_v3"},
      {"cuDeviceGetUuid", 9020, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuDeviceGetUuid"},
      {"cuDeviceGetUuid", 13000, 0, CU_GET_PROC_ADDRESS_SUCCESS, "cuDeviceGetUuid_v2"},
      {"", 0, 0, CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND, nullptr},
  };
  for (const Row &row : rows) {
    void *found = library();
    auto result = CUdriverProcAddressQueryResult(-1);
    EXPECT_OK(CU(cuGetProcAddress_v2)(row.name, &found, row.version, row.flags, &result)) << row.name << row.version;
    EXPECT_EQ(result, row.result) << row.name << " " << row.version;
    EXPECT_EQ(found, row.symbol ? dlsym(library(), row.symbol) : nullptr) << row.name << " " << row.version;
  }
  void *found = library();
  EXPECT_EQ(CU(cuGetProcAddress_v2)("cuMemAlloc", &found, 99000, 0, nullptr), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(found, library());
}

TEST(CudaLoading, absentFunctions) {
  auto *absent = reinterpret_cast<CUresult (*)(void **, unsigned)>(dlsym(library(), "cuMulticastCreate"));
  ASSERT_NE(absent, nullptr);
  void *handle = nullptr;
  EXPECT_EQ(absent(&handle, 0), CUDA_ERROR_NOT_SUPPORTED);
}

TEST_F(Cuda, devices) {
  int count = 0;
  EXPECT_OK(CU(cuDeviceGetCount)(&count));
  EXPECT_GE(count, 1);
  CUdevice device = -1;
  EXPECT_OK(CU(cuDeviceGet)(&device, 0));
  EXPECT_EQ(device, 0);
  EXPECT_EQ(CU(cuDeviceGet)(&device, count), CUDA_ERROR_INVALID_DEVICE);
  EXPECT_EQ(CU(cuDeviceGet)(&device, -1), CUDA_ERROR_INVALID_DEVICE);
  char name[64] = "";
  EXPECT_OK(CU(cuDeviceGetName)(name, sizeof name, 0));
  EXPECT_STREQ(name, "Understudy GPU");
  EXPECT_OK(CU(cuDeviceGetName)(name, 5, 0));
  EXPECT_STREQ(name, "Unde");
  size_t memory = 0;
  EXPECT_OK(CU(cuDeviceTotalMem_v2)(&memory, 0));
  EXPECT_GT(memory, size_t(1) << 20);
  EXPECT_LT(memory, size_t(4500) << 20);
  int major = 0, minor = 0;
  EXPECT_OK(CU(cuDeviceComputeCapability)(&major, &minor, 0));
  EXPECT_EQ(major * 10 + minor, 86);
}

TEST_F(Cuda, deviceAttributes) {
  int value = 0;
  for (int attribute = 1; attribute < CU_DEVICE_ATTRIBUTE_MAX; ++attribute)
    EXPECT_OK(CU(cuDeviceGetAttribute)(&value, CUdevice_attribute(attribute), 0)) << attribute;
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CUdevice_attribute(0), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(CU(cuDeviceGetAttribute)(&value, CUdevice_attribute(100000), 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuDeviceGetAttribute)(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
  EXPECT_EQ(value, 32);
  CUdevprop properties;
  EXPECT_OK(CU(cuDeviceGetProperties)(&properties, 0));
  EXPECT_EQ(properties.SIMDWidth, 32);
  EXPECT_GE(properties.maxThreadsPerBlock, 64);
}

TEST_F(Cuda, pciIds) {
  char id[32] = "";
  EXPECT_OK(CU(cuDeviceGetPCIBusId)(id, sizeof id, 0));
  CUdevice device = -1;
  EXPECT_OK(CU(cuDeviceGetByPCIBusId)(&device, id));
  EXPECT_EQ(device, 0);
  for (char *c = id; *c; ++c) *c = char(std::toupper(*c));
  EXPECT_OK(CU(cuDeviceGetByPCIBusId)(&device, id));
  EXPECT_EQ(CU(cuDeviceGetByPCIBusId)(&device, "ffff:ff:1f.7"), CUDA_ERROR_INVALID_DEVICE);
}

// UNDERSTUDY_CUDA_VERSION, here and for understudy-nvcc.
TEST(Release, isTheOptions) {
  const char *const expected = std::getenv("UNDERSTUDY_EXPECT_CUDA_VERSION");
  int version = 0;
  EXPECT_OK(CU(cuDriverGetVersion)(&version));
  EXPECT_EQ(version, expected ? std::atoi(expected) : 13000);
  void *function = nullptr;
  EXPECT_EQ(CU(cuGetProcAddress)("cuInit", &function, version + 10, 0), CUDA_ERROR_INVALID_VALUE);
  EXPECT_OK(CU(cuGetProcAddress)("cuInit", &function, version, 0));
}

} // namespace
} // namespace us::cuda_test
