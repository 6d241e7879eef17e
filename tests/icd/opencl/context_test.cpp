// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <atomic>

namespace us::test {
namespace {

using ContextTest = OpenCl;

TEST_F(ContextTest, clCreateContext) {
  cl_int error = 0;
  auto fails = [&](cl_int code, const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
                   void(CL_CALLBACK * callback)(const char *, const void *, size_t, void *), void *data) {
    error = 0;
    EXPECT_EQ(nullptr, clCreateContext(properties, count, devices, callback, data, &error));
    EXPECT_CL(code, error);
  };
  fails(CL_INVALID_VALUE, nullptr, 0, &device, nullptr, nullptr);
  fails(CL_INVALID_VALUE, nullptr, 1, &device, nullptr, &error);
  const cl_context_properties unknown[] = {0x9999, 1, 0};
  fails(CL_INVALID_PROPERTY, unknown, 1, &device, nullptr, nullptr);
  const auto ours = reinterpret_cast<cl_context_properties>(platform);
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, ours, CL_CONTEXT_PLATFORM, ours, 0};
  fails(CL_INVALID_PROPERTY, twice, 1, &device, nullptr, nullptr);
  const cl_context_properties wrong[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(device), 0};
  fails(CL_INVALID_PLATFORM, wrong, 1, &device, nullptr, nullptr);
  cl_device_id notOne = reinterpret_cast<cl_device_id>(queue);
  fails(CL_INVALID_DEVICE, nullptr, 1, &notOne, nullptr, nullptr);
  const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, ours, CL_CONTEXT_INTEROP_USER_SYNC, CL_TRUE, 0};
  cl_device_id both[] = {device, device};
  cl_context made = keep(clCreateContext(good, 2, both, nullptr, nullptr, &error), clReleaseContext);
  EXPECT_CL(CL_SUCCESS, error);
  // "duplicate devices specified in devices are ignored."
  EXPECT_EQ(1u, ask<cl_uint>(clGetContextInfo, CL_CONTEXT_NUM_DEVICES, made));
  EXPECT_EQ(std::vector<cl_context_properties>(good, good + 5),
            askList<cl_context_properties>(clGetContextInfo, CL_CONTEXT_PROPERTIES, made));
}

TEST_F(ContextTest, clCreateContextFromType) {
  cl_int error = 0;
  const cl_context_properties ours[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform), 0};
  cl_context made = keep(clCreateContextFromType(ours, CL_DEVICE_TYPE_ALL, nullptr, nullptr, &error), clReleaseContext);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(ourDevices(), askList<cl_device_id>(clGetContextInfo, CL_CONTEXT_DEVICES, made));
  EXPECT_EQ(nullptr, clCreateContextFromType(ours, CL_DEVICE_TYPE_CUSTOM, nullptr, nullptr, &error));
  EXPECT_CL(CL_DEVICE_NOT_FOUND, error);
  EXPECT_EQ(nullptr, clCreateContextFromType(ours, 1 << 12, nullptr, nullptr, &error));
  EXPECT_CL(CL_INVALID_DEVICE_TYPE, error);
}

TEST_F(ContextTest, clGetContextInfo) {
  EXPECT_EQ(1u, ask<cl_uint>(clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT, context));
  EXPECT_EQ(device, ask<cl_device_id>(clGetContextInfo, CL_CONTEXT_DEVICES, context));
  EXPECT_TRUE(askList<cl_context_properties>(clGetContextInfo, CL_CONTEXT_PROPERTIES, context).empty());
  EXPECT_CL(CL_INVALID_VALUE, clGetContextInfo(context, 0x7777, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT,
            clGetContextInfo(reinterpret_cast<cl_context>(device), CL_CONTEXT_NUM_DEVICES, 0, nullptr, nullptr));
}

TEST_F(ContextTest, clRetainContext) {
  EXPECT_CL(CL_SUCCESS, clRetainContext(context));
  EXPECT_EQ(2u, ask<cl_uint>(clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT, context));
  EXPECT_CL(CL_SUCCESS, clReleaseContext(context));
}

TEST_F(ContextTest, clReleaseContext) {
  cl_int error = 0;
  cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  EXPECT_CL(CL_SUCCESS, clReleaseContext(other));
  EXPECT_CL(CL_INVALID_CONTEXT, clReleaseContext(other));
  EXPECT_CL(CL_INVALID_CONTEXT, clRetainContext(other));
  // "... the context is deleted after the context reference count becomes zero and all the objects attached to context
  // are released": it can be asked for, and taken back.
  other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  cl_command_queue attached = clCreateCommandQueue(other, device, 0, &error);
  EXPECT_CL(CL_SUCCESS, clReleaseContext(other));
  EXPECT_EQ(other, ask<cl_context>(clGetCommandQueueInfo, CL_QUEUE_CONTEXT, attached));
  EXPECT_CL(CL_INVALID_CONTEXT, clReleaseContext(other)); // released more often than retained
  EXPECT_CL(CL_SUCCESS, clRetainContext(other));
  EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(attached));
  EXPECT_EQ(1u, ask<cl_uint>(clGetContextInfo, CL_CONTEXT_REFERENCE_COUNT, other));
  EXPECT_CL(CL_SUCCESS, clReleaseContext(other));
  EXPECT_CL(CL_INVALID_CONTEXT, clReleaseContext(other));
}

std::vector<int> order;
std::atomic<int> called{0};
void CL_CALLBACK remember(cl_context, void *data) {
  order.push_back(static_cast<int>(reinterpret_cast<intptr_t>(data)));
  ++called;
}

TEST_F(ContextTest, clSetContextDestructorCallback) {
  EXPECT_CL(CL_INVALID_VALUE, clSetContextDestructorCallback(context, nullptr, nullptr));
  cl_int error = 0;
  cl_context other = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
  for (intptr_t i = 1; i <= 3; ++i)
    EXPECT_CL(CL_SUCCESS, clSetContextDestructorCallback(other, remember, reinterpret_cast<void *>(i)));
  cl_mem attached = clCreateBuffer(other, 0, 16, nullptr, &error);
  EXPECT_CL(CL_SUCCESS, clReleaseContext(other));
  EXPECT_EQ(0, called);
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(attached));
  ASSERT_TRUE(eventually([] { return called == 3; }));
  EXPECT_EQ((std::vector<int>{3, 2, 1}), order);
}

TEST_F(ContextTest, theErrorCallbackHearsWhatWasAskedAndFound) {
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateBuffer(context, 0, 0, nullptr, &error));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, error);
  EXPECT_TRUE(eventually([&] { return hasHeard("clCreateBuffer: CL_INVALID_BUFFER_SIZE: "); }));
}

} // namespace
} // namespace us::test
