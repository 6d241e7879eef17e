// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles that are NULL, of another type, or released: every call says so with its own code, and touches nothing.
// Called through the dispatch table, since the ICD loader stops some of these before us.
#include "tests/icd/opencl/opencl_test.h"

#include <CL/cl_icd.h>

#include <atomic>

namespace us::test {
namespace {

class Handles : public OpenCl {
protected:
  const cl_icd_dispatch &cl() { return **reinterpret_cast<cl_icd_dispatch **>(platform); }

  /// Every call that takes a handle first, with a handle that is not of its type.
  void expectRefusal(void *bad) {
    SCOPED_TRACE(bad);
    char room[64];
    cl_int error = 0;

    auto *p = static_cast<cl_platform_id>(bad);
    auto *d = static_cast<cl_device_id>(bad);
    auto *c = static_cast<cl_context>(bad);
    auto *q = static_cast<cl_command_queue>(bad);
    auto *m = static_cast<cl_mem>(bad);
    auto *g = static_cast<cl_program>(bad);
    auto *k = static_cast<cl_kernel>(bad);
    auto *e = static_cast<cl_event>(bad);
    if (bad != platform) EXPECT_CL(CL_INVALID_PLATFORM, cl().clGetPlatformInfo(p, CL_PLATFORM_NAME, 64, room, nullptr));
    if (bad != device) {
      EXPECT_CL(CL_INVALID_DEVICE, cl().clGetDeviceInfo(d, CL_DEVICE_NAME, 64, room, nullptr));
      EXPECT_CL(CL_INVALID_DEVICE, cl().clRetainDevice(d));
      EXPECT_CL(CL_INVALID_DEVICE, cl().clReleaseDevice(d));
      EXPECT_EQ(nullptr, cl().clCreateCommandQueue(context, d, 0, &error));
      EXPECT_CL(CL_INVALID_DEVICE, error);
    }
    if (bad != context) {
      EXPECT_CL(CL_INVALID_CONTEXT, cl().clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, 64, room, nullptr));
      EXPECT_CL(CL_INVALID_CONTEXT, cl().clRetainContext(c));
      EXPECT_CL(CL_INVALID_CONTEXT, cl().clReleaseContext(c));
      EXPECT_EQ(nullptr, cl().clCreateBuffer(c, 0, 4, nullptr, &error));
      EXPECT_CL(CL_INVALID_CONTEXT, error);
      EXPECT_EQ(nullptr, cl().clCreateUserEvent(c, &error));
      EXPECT_CL(CL_INVALID_CONTEXT, error);
      EXPECT_EQ(nullptr, cl().clSVMAlloc(c, 0, 4, 0));
      cl().clSVMFree(c, nullptr);
    }
    if (bad != queue) {
      EXPECT_CL(CL_INVALID_COMMAND_QUEUE, cl().clRetainCommandQueue(q));
      EXPECT_CL(CL_INVALID_COMMAND_QUEUE, cl().clReleaseCommandQueue(q));
      EXPECT_CL(CL_INVALID_COMMAND_QUEUE, cl().clFlush(q));
      EXPECT_CL(CL_INVALID_COMMAND_QUEUE, cl().clFinish(q));
      EXPECT_CL(CL_INVALID_COMMAND_QUEUE, cl().clEnqueueMarkerWithWaitList(q, 0, nullptr, nullptr));
      EXPECT_CL(CL_INVALID_COMMAND_QUEUE, cl().clGetCommandQueueInfo(q, CL_QUEUE_CONTEXT, 64, room, nullptr));
    }
    EXPECT_CL(CL_INVALID_MEM_OBJECT, cl().clRetainMemObject(m));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, cl().clReleaseMemObject(m));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, cl().clGetMemObjectInfo(m, CL_MEM_SIZE, 64, room, nullptr));
    EXPECT_CL(CL_INVALID_MEM_OBJECT, cl().clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, room, 0, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_PROGRAM, cl().clRetainProgram(g));
    EXPECT_CL(CL_INVALID_PROGRAM, cl().clReleaseProgram(g));
    EXPECT_CL(CL_INVALID_PROGRAM, cl().clBuildProgram(g, 0, nullptr, nullptr, nullptr, nullptr));
    EXPECT_CL(CL_INVALID_KERNEL, cl().clRetainKernel(k));
    EXPECT_CL(CL_INVALID_KERNEL, cl().clReleaseKernel(k));
    EXPECT_CL(CL_INVALID_KERNEL, cl().clSetKernelArg(k, 0, 4, room));
    EXPECT_CL(CL_INVALID_KERNEL, cl().clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, 64, room, nullptr));
    EXPECT_CL(CL_INVALID_EVENT, cl().clRetainEvent(e));
    EXPECT_CL(CL_INVALID_EVENT, cl().clReleaseEvent(e));
    EXPECT_CL(CL_INVALID_EVENT, cl().clWaitForEvents(1, &e));
    EXPECT_CL(CL_INVALID_EVENT, cl().clGetEventInfo(e, CL_EVENT_CONTEXT, 64, room, nullptr));
    EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, cl().clEnqueueMarkerWithWaitList(queue, 1, &e, nullptr));
  }
};

TEST_F(Handles, null) { expectRefusal(nullptr); }

TEST_F(Handles, ofAnotherType) {
  expectRefusal(platform);
  expectRefusal(device);
  expectRefusal(context);
  expectRefusal(queue);
}

TEST_F(Handles, insideOrBesideAnObject) {
  expectRefusal(reinterpret_cast<char *>(context) + 8);
  expectRefusal(reinterpret_cast<char *>(context) - 1);
}

TEST_F(Handles, stale) {
  cl_int error = 0;
  cl_mem memory = clCreateBuffer(context, 0, 4, nullptr, &error);
  cl_event event = clCreateUserEvent(context, &error);
  cl_command_queue gone = clCreateCommandQueue(context, device, 0, &error);
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(memory));
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
  EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(gone));
  for (void *stale : {static_cast<void *>(memory), static_cast<void *>(event), static_cast<void *>(gone)})
    expectRefusal(stale);
  // A stale handle is not taken for a new object: its place is not used again soon.
  for (int i = 0; i < 1000; ++i) {
    cl_mem fresh = clCreateBuffer(context, 0, 4, nullptr, &error);
    EXPECT_NE(static_cast<void *>(fresh), static_cast<void *>(event));
    EXPECT_CL(CL_SUCCESS, clReleaseMemObject(fresh));
  }
  expectRefusal(event);
}

TEST_F(Handles, millionsOfEventsUseTheirPlacesAgain) {
  for (int i = 0; i < 100000; ++i) {
    cl_int error = 0;
    cl_event event = clCreateUserEvent(context, &error);
    ASSERT_CL(error);
    ASSERT_CL(clReleaseEvent(event));
  }
}

TEST_F(Handles, countsHoldFromSeveralThreads) {
  cl_mem buffer = makeBuffer(16);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        EXPECT_CL(CL_SUCCESS, clRetainMemObject(buffer));
        EXPECT_CL(CL_SUCCESS, clReleaseMemObject(buffer));
      }
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(1u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, buffer));
}

TEST_F(Handles, queuesContextsAndProgramsFromSeveralThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      cl_int error = 0;
      cl_context mine = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error);
      cl_command_queue work = clCreateCommandQueue(mine, device, 0, &error);
      std::string text = "kernel void k(global int *x) { x[get_global_id(0)] += " + std::to_string(t + 1) + "; }";
      const char *source = text.c_str();
      cl_program program = clCreateProgramWithSource(mine, 1, &source, nullptr, &error);
      EXPECT_CL(CL_SUCCESS, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
      cl_kernel kernel = clCreateKernel(program, "k", &error);
      std::vector<cl_int> values(256, 0);
      cl_mem buffer = clCreateBuffer(mine, CL_MEM_COPY_HOST_PTR, values.size() * 4, values.data(), &error);
      EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
      size_t global = values.size();
      for (int i = 0; i < 50; ++i)
        EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(work, kernel, 1, nullptr, &global, nullptr, 0, nullptr, nullptr));
      EXPECT_CL(CL_SUCCESS,
                clEnqueueReadBuffer(work, buffer, CL_TRUE, 0, global * 4, values.data(), 0, nullptr, nullptr));
      right += values == std::vector<cl_int>(256, 50 * (t + 1));
      clReleaseKernel(kernel);
      clReleaseProgram(program);
      clReleaseMemObject(buffer);
      clReleaseCommandQueue(work);
      EXPECT_CL(CL_SUCCESS, clReleaseContext(mine));
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(4, right);
}

} // namespace
} // namespace us::test
