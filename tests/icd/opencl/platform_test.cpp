// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <CL/cl_icd.h>

namespace us::test {
namespace {

using Platform = OpenCl;

TEST_F(Platform, clGetPlatformIDs) {
  cl_uint count = 0;
  EXPECT_CL(CL_SUCCESS, clGetPlatformIDs(0, nullptr, &count));
  EXPECT_GE(count, 1u);
  // "CL_INVALID_VALUE if num_entries is equal to zero and platforms is not NULL or if both num_platforms and platforms
  // are NULL."
  cl_platform_id one = nullptr;
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformIDs(0, &one, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformIDs(0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clGetPlatformIDs(1, &one, nullptr));
  EXPECT_NE(nullptr, one);
}

TEST_F(Platform, clGetPlatformInfo) {
  EXPECT_EQ("FULL_PROFILE", askText(clGetPlatformInfo, CL_PLATFORM_PROFILE, platform));
  EXPECT_EQ(0u, askText(clGetPlatformInfo, CL_PLATFORM_VERSION, platform).find("OpenCL " + newestVersionText() + " "));
  EXPECT_EQ(newestVersion(), ask<cl_version>(clGetPlatformInfo, CL_PLATFORM_NUMERIC_VERSION, platform));
  EXPECT_EQ("Understudy", askText(clGetPlatformInfo, CL_PLATFORM_NAME, platform));
  EXPECT_EQ("US", askText(clGetPlatformInfo, CL_PLATFORM_ICD_SUFFIX_KHR, platform));
  EXPECT_NE(0u, ask<cl_ulong>(clGetPlatformInfo, CL_PLATFORM_HOST_TIMER_RESOLUTION, platform));
  // Client programs take these for a vendor of theirs.
  std::string strings = askText(clGetPlatformInfo, CL_PLATFORM_NAME, platform) + "|" +
                        askText(clGetPlatformInfo, CL_PLATFORM_VENDOR, platform);
  for (char &letter : strings) letter = static_cast<char>(std::tolower(letter));
  for (const char *taken : {"ati", "nvidia", "cuda", "amd", "apple", "intel", "pocl"})
    EXPECT_EQ(std::string::npos, strings.find(taken)) << taken;
  // The two lists of extensions agree.
  std::string names = askText(clGetPlatformInfo, CL_PLATFORM_EXTENSIONS, platform), joined;
  for (const auto &row : askList<cl_name_version>(clGetPlatformInfo, CL_PLATFORM_EXTENSIONS_WITH_VERSION, platform))
    joined += (joined.empty() ? "" : " ") + std::string(row.name);
  EXPECT_EQ(names, joined);
  EXPECT_NE(std::string::npos, names.find("cl_khr_icd"));
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0x1234, 0, nullptr, nullptr));
  char small[2];
  EXPECT_CL(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof small, small, nullptr));
}

TEST_F(Platform, clGetExtensionFunctionAddressForPlatform) {
  for (const char *known : {"clIcdGetPlatformIDsKHR", "clCreateCommandQueueWithPropertiesKHR",
                            "clGetKernelSuggestedLocalWorkSizeKHR", "clGetKernelSubGroupInfoKHR"})
    EXPECT_NE(nullptr, clGetExtensionFunctionAddressForPlatform(platform, known)) << known;
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunction"));
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(platform, "clCreateFromGLBuffer"));
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(platform, ""));
}

TEST_F(Platform, clGetExtensionFunctionAddress) {
  // The loader answers some names itself; by suffix it asks us.
  const auto &dispatch = **reinterpret_cast<cl_icd_dispatch **>(platform);
  EXPECT_NE(nullptr, dispatch.clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"));
  EXPECT_EQ(nullptr, dispatch.clGetExtensionFunctionAddress("clNoSuchFunction"));
  EXPECT_EQ(nullptr, dispatch.clGetExtensionFunctionAddress(nullptr));
}

TEST_F(Platform, clUnloadPlatformCompiler) {
  EXPECT_CL(CL_SUCCESS, clUnloadPlatformCompiler(platform));
  buildProgram("kernel void k() {}");
  EXPECT_CL(CL_SUCCESS, clUnloadPlatformCompiler(platform));
  buildProgram("kernel void k2() {}");
}

TEST_F(Platform, clUnloadCompiler) {
  const auto &dispatch = **reinterpret_cast<cl_icd_dispatch **>(platform);
  EXPECT_CL(CL_SUCCESS, dispatch.clUnloadCompiler());
  buildProgram("kernel void k() {}");
}

TEST_F(Platform, everyDispatchSlotIsFilled) {
  auto *slots = *reinterpret_cast<void ***>(platform);
  for (size_t i = 0; i < sizeof(cl_icd_dispatch) / sizeof(void *); ++i) EXPECT_NE(nullptr, slots[i]) << i;
}

TEST_F(Platform, extensionsWeDoNotHaveReturnAnError) {
  const auto &dispatch = **reinterpret_cast<cl_icd_dispatch **>(platform);
  cl_int error = 0;
  EXPECT_EQ(nullptr, dispatch.clCreateFromGLBuffer(context, 0, 0, &error));
  EXPECT_CL(CL_INVALID_OPERATION, error);
  error = 0;
  EXPECT_EQ(nullptr, dispatch.clCreateFromGLTexture(context, 0, 0, 0, 0, &error));
  EXPECT_CL(CL_INVALID_OPERATION, error);
  EXPECT_CL(CL_INVALID_OPERATION, dispatch.clEnqueueAcquireGLObjects(queue, 0, nullptr, 0, nullptr, nullptr));
  error = 0;
  EXPECT_EQ(nullptr, dispatch.clCreateEventFromEGLSyncKHR(context, nullptr, nullptr, &error));
  EXPECT_CL(CL_INVALID_OPERATION, error);
  EXPECT_CL(CL_INVALID_OPERATION, dispatch.clCreateSubDevicesEXT(device, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_OPERATION, dispatch.clRetainDeviceEXT(device));
}

} // namespace
} // namespace us::test
