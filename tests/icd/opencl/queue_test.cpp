// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

namespace us::test {
namespace {

using Queue = OpenCl;

TEST_F(Queue, clCreateCommandQueue) {
  cl_int error = 0;
  cl_command_queue made =
      keep(clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &error), clReleaseCommandQueue);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE),
            ask<cl_command_queue_properties>(clGetCommandQueueInfo, CL_QUEUE_PROPERTIES, made));
  EXPECT_TRUE(askList<cl_queue_properties>(clGetCommandQueueInfo, CL_QUEUE_PROPERTIES_ARRAY, made).empty());
  EXPECT_EQ(nullptr, clCreateCommandQueue(context, device, 1 << 20, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateCommandQueue(context, nullptr, 0, &error));
  EXPECT_CL(CL_INVALID_DEVICE, error);
  EXPECT_EQ(nullptr, clCreateCommandQueue(reinterpret_cast<cl_context>(device), device, 0, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
}

TEST_F(Queue, clCreateCommandQueueWithProperties) {
  cl_int error = 0;
  auto fails = [&](cl_int code, std::vector<cl_queue_properties> list) {
    error = 0;
    EXPECT_EQ(nullptr, clCreateCommandQueueWithProperties(context, device, list.data(), &error));
    EXPECT_CL(code, error);
  };
  fails(CL_INVALID_VALUE, {0x1234, 1, 0});
  fails(CL_INVALID_VALUE, {CL_QUEUE_PROPERTIES, 1 << 20, 0});
  fails(CL_INVALID_VALUE, {CL_QUEUE_SIZE, 16, 0});
  fails(CL_INVALID_VALUE, {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0});
  std::vector<cl_queue_properties> good{CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue made =
      keep(clCreateCommandQueueWithProperties(context, device, good.data(), &error), clReleaseCommandQueue);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(good, askList<cl_queue_properties>(clGetCommandQueueInfo, CL_QUEUE_PROPERTIES_ARRAY, made));
  keep(clCreateCommandQueueWithProperties(context, device, nullptr, &error), clReleaseCommandQueue);
  EXPECT_CL(CL_SUCCESS, error);
}

TEST_F(Queue, clCreateCommandQueueWithPropertiesKHR) {
  auto create = extensionFunction<clCreateCommandQueueWithPropertiesKHR_fn>("clCreateCommandQueueWithPropertiesKHR");
  ASSERT_NE(nullptr, create);
  cl_int error = 0;
  keep(create(context, device, nullptr, &error), clReleaseCommandQueue);
  EXPECT_CL(CL_SUCCESS, error);
}

TEST_F(Queue, clGetCommandQueueInfo) {
  EXPECT_EQ(context, ask<cl_context>(clGetCommandQueueInfo, CL_QUEUE_CONTEXT, queue));
  EXPECT_EQ(device, ask<cl_device_id>(clGetCommandQueueInfo, CL_QUEUE_DEVICE, queue));
  EXPECT_EQ(1u, ask<cl_uint>(clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT, queue));
  EXPECT_EQ(nullptr, ask<cl_command_queue>(clGetCommandQueueInfo, CL_QUEUE_DEVICE_DEFAULT, queue));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0x4321, 0, nullptr, nullptr));
}

TEST_F(Queue, clSetCommandQueueProperty) {
  cl_command_queue_properties old = 99;
  EXPECT_CL(CL_SUCCESS, clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &old));
  EXPECT_EQ(0u, old);
  EXPECT_EQ(cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE),
            ask<cl_command_queue_properties>(clGetCommandQueueInfo, CL_QUEUE_PROPERTIES, queue));
  EXPECT_CL(CL_SUCCESS, clSetCommandQueueProperty(queue, CL_QUEUE_PROFILING_ENABLE, CL_FALSE, &old));
  EXPECT_EQ(cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE), old);
  EXPECT_CL(CL_INVALID_VALUE, clSetCommandQueueProperty(queue, 1 << 20, CL_TRUE, nullptr));
}

TEST_F(Queue, clRetainCommandQueue) {
  EXPECT_CL(CL_SUCCESS, clRetainCommandQueue(queue));
  EXPECT_EQ(2u, ask<cl_uint>(clGetCommandQueueInfo, CL_QUEUE_REFERENCE_COUNT, queue));
  EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(queue));
}

TEST_F(Queue, clReleaseCommandQueue) {
  // "clReleaseCommandQueue performs an implicit flush": what is queued runs, though the queue is gone.
  cl_mem buffer = makeBuffer(4);
  cl_int error = 0;
  cl_command_queue other = clCreateCommandQueue(context, device, 0, &error);
  cl_int value = 42;
  cl_event done = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(other, buffer, &value, 4, 0, 4, 0, nullptr, &done));
  keep(done, clReleaseEvent);
  EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(other));
  EXPECT_TRUE(eventually([&] { return statusOf(done) == CL_COMPLETE; }));
}

TEST_F(Queue, clFlush) {
  EXPECT_CL(CL_SUCCESS, clFlush(queue));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clFlush(reinterpret_cast<cl_command_queue>(context)));
}

TEST_F(Queue, clFinish) {
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clFinish(reinterpret_cast<cl_command_queue>(context)));
}

} // namespace
} // namespace us::test
