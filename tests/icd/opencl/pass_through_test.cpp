// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNDERSTUDY_PASS_THROUGH: a loader that knows only us shows another driver's platform, and none of our objects.
#include <CL/cl.h>

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace us::test {
namespace {

bool hasDriver() { return std::getenv("UNDERSTUDY_FORWARD") != std::string("none"); }

std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  std::vector<cl_platform_id> all;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return all;
  all.resize(count);
  clGetPlatformIDs(count, all.data(), nullptr);
  return all;
}

std::string nameOf(cl_platform_id platform) {
  char text[256] = "";
  EXPECT_EQ(CL_SUCCESS, clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof text, text, nullptr));
  return text;
}

class PassThrough : public testing::Test {
protected:
  void SetUp() override {
    if (hasDriver() && !std::filesystem::exists("/etc/OpenCL/vendors/pocl.icd")) GTEST_SKIP() << "there is no PoCL";
  }
};

TEST_F(PassThrough, ThePlatformIsTheDrivers) {
  const std::vector<cl_platform_id> all = platforms();
  if (!hasDriver()) {
    EXPECT_TRUE(all.empty());
    return;
  }
  ASSERT_EQ(1u, all.size());
  EXPECT_EQ("Portable Computing Language", nameOf(all[0]));
}

TEST_F(PassThrough, ItsExtensionsHaveFunctions) {
  if (!hasDriver()) GTEST_SKIP() << "there is no driver";
  const std::vector<cl_platform_id> all = platforms();
  ASSERT_EQ(1u, all.size());
  EXPECT_NE(nullptr, clGetExtensionFunctionAddressForPlatform(all[0], "clSetContentSizeBufferPoCL"));
  EXPECT_EQ(nullptr, clGetExtensionFunctionAddressForPlatform(all[0], "clNoSuchFunctionPoCL"));
}

TEST_F(PassThrough, ProgramsRunOnIt) {
  if (!hasDriver()) GTEST_SKIP() << "there is no driver";
  const std::vector<cl_platform_id> all = platforms();
  ASSERT_EQ(1u, all.size());
  cl_device_id device = nullptr;
  ASSERT_EQ(CL_SUCCESS, clGetDeviceIDs(all[0], CL_DEVICE_TYPE_ALL, 1, &device, nullptr));
  cl_int error = 0;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  ASSERT_EQ(CL_SUCCESS, error);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &error);
  ASSERT_EQ(CL_SUCCESS, error);
  const char *source = "kernel void number(global int *to) { *to = 42; }";
  cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, &error);
  ASSERT_EQ(CL_SUCCESS, clBuildProgram(program, 1, &device, "", nullptr, nullptr));
  cl_kernel kernel = clCreateKernel(program, "number", &error);
  cl_mem buffer = clCreateBuffer(context, 0, 4, nullptr, &error);
  ASSERT_EQ(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  const size_t one = 1;
  ASSERT_EQ(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  int number = 0;
  ASSERT_EQ(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &number, 0, nullptr, nullptr));
  EXPECT_EQ(42, number);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
}

} // namespace
} // namespace us::test
