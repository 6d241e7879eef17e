// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The context's callback hears of findings: the sentence, and all of it as JSON.
#include <CL/cl.h>

#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Heard {
  std::mutex mutex;
  std::vector<std::pair<std::string, std::string>> all;
};

void CL_CALLBACK hear(const char *sentence, const void *details, size_t size, void *userData) {
  Heard &heard = *static_cast<Heard *>(userData);
  const std::scoped_lock lock(heard.mutex);
  heard.all.emplace_back(sentence, details ? std::string(static_cast<const char *>(details), size) : std::string());
}

/// A thread of the runtime tells it.
void waitFor(Heard &heard, size_t findings) {
  const auto count = [&] {
    const std::scoped_lock lock(heard.mutex);
    return heard.all.size();
  };
  for (int tries = 0; tries < 1000 && count() < findings; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST(FindingCallback, ofAContext) {
  cl_platform_id platform;
  cl_device_id device;
  ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
  Heard heard;
  const cl_context context = clCreateContext(nullptr, 1, &device, hear, &heard, nullptr);
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  const char *source = "kernel void one(global int *x) { x[get_global_id(0)] = 1; }";
  const cl_program program = clCreateProgramWithSource(context, 1, &source, nullptr, nullptr);
  ASSERT_EQ(clBuildProgram(program, 1, &device, "", nullptr, nullptr), CL_SUCCESS);
  const cl_kernel kernel = clCreateKernel(program, "one", nullptr);
  const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * sizeof(int), nullptr, nullptr);
  ASSERT_EQ(clSetKernelArg(kernel, 0, sizeof buffer, &buffer), CL_SUCCESS);
  const size_t items = 5;
  for (int launch = 0; launch < 2; ++launch)
    ASSERT_EQ(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseCommandQueue(queue);
  waitFor(heard, 1);
  clReleaseContext(context);
  const std::scoped_lock lock(heard.mutex);
  ASSERT_EQ(heard.all.size(), 1u); // once in a process
  const auto &[sentence, details] = heard.all.front();
  EXPECT_NE(sentence.find("kernel 'one' wrote 4 bytes out of bounds"), std::string::npos) << sentence;
  EXPECT_NE(details.find("\"class\":\"memory\""), std::string::npos) << details;
  EXPECT_NE(details.find("\"kind\":\"out of bounds write\""), std::string::npos) << details;
}

/// What the host does wrong with objects of a context is that context's.
TEST(FindingCallback, ofTheHost) {
  cl_platform_id platform;
  cl_device_id device;
  ASSERT_EQ(clGetPlatformIDs(1, &platform, nullptr), CL_SUCCESS);
  ASSERT_EQ(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), CL_SUCCESS);
  Heard heard, others;
  const cl_context context = clCreateContext(nullptr, 1, &device, hear, &heard, nullptr);
  const cl_context another = clCreateContext(nullptr, 1, &device, hear, &others, nullptr);
  const cl_command_queue queue = clCreateCommandQueue(context, device, 0, nullptr);
  const cl_command_queue second = clCreateCommandQueue(context, device, 0, nullptr);
  const cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr);
  const cl_event event = clCreateUserEvent(context, nullptr);
  const cl_int zero = 0;
  // Two commands that nothing orders.
  for (const cl_command_queue one : {queue, second})
    ASSERT_EQ(clEnqueueFillBuffer(one, buffer, &zero, sizeof zero, 0, 64, 0, nullptr, nullptr), CL_SUCCESS);
  EXPECT_EQ(clFinish(queue), CL_SUCCESS);
  EXPECT_EQ(clFinish(second), CL_SUCCESS);
  waitFor(heard, 1);
  // What was not mapped.
  int something;
  EXPECT_EQ(clEnqueueUnmapMemObject(queue, buffer, &something, 0, nullptr, nullptr), CL_INVALID_VALUE);
  waitFor(heard, 2 + 1); // the call's failure is told, too
  // An object that is no more.
  EXPECT_EQ(clReleaseEvent(event), CL_SUCCESS);
  EXPECT_NE(clReleaseEvent(event), CL_SUCCESS);
  waitFor(heard, 3 + 1);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(second);
  clReleaseCommandQueue(queue);
  clReleaseContext(context);
  clReleaseContext(another);
  const std::scoped_lock lock(heard.mutex);
  std::string all;
  for (const auto &[sentence, details] : heard.all) all += sentence + "\n" + details + "\n";
  for (const char *kind : {"race between commands", "unmapped what is not mapped", "released twice"})
    EXPECT_NE(all.find("\"kind\":\"" + std::string(kind) + "\""), std::string::npos) << kind << "\n" << all;
  EXPECT_EQ(others.all.size(), 0u);
}

} // namespace
