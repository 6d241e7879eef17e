// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer: recording, submitting, states, and every error of its calls.
#include "icd/opencl/newer_cl.h"
#include "tests/icd/opencl/opencl_test.h"

#include <array>

namespace us::test {
namespace {

class CommandBuffer : public OpenCl {
protected:
  void SetUp() override {
    OpenCl::SetUp();
    if (HasFatalFailure()) return;
    create = extensionFunction<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
    finalize = extensionFunction<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
    retain = extensionFunction<clRetainCommandBufferKHR_fn>("clRetainCommandBufferKHR");
    release = extensionFunction<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR");
    enqueue = extensionFunction<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
    barrier = extensionFunction<opencl::clCommandBarrierWithWaitListKHR_fn>("clCommandBarrierWithWaitListKHR");
    copy = extensionFunction<opencl::clCommandCopyBufferKHR_fn>("clCommandCopyBufferKHR");
    copyRect = extensionFunction<opencl::clCommandCopyBufferRectKHR_fn>("clCommandCopyBufferRectKHR");
    fill = extensionFunction<opencl::clCommandFillBufferKHR_fn>("clCommandFillBufferKHR");
    range = extensionFunction<opencl::clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
    info = extensionFunction<clGetCommandBufferInfoKHR_fn>("clGetCommandBufferInfoKHR");
    a_ = makeBuffer(256);
    b_ = makeBuffer(256);
    const int zero = 0;
    for (cl_mem buffer : {a_, b_}) ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 256, 0, nullptr, nullptr));
    ASSERT_CL(clFinish(queue));
  }
  cl_command_buffer_khr make(cl_command_buffer_flags_khr flags = 0, cl_command_queue on = nullptr) {
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    if (!on) on = queue;
    cl_int error = 0;
    cl_command_buffer_khr made = create(1, &on, flags ? list : nullptr, &error);
    EXPECT_CL(CL_SUCCESS, error);
    cleanup([=, this] { EXPECT_CL(CL_SUCCESS, release(made)); });
    return made;
  }
  cl_int fillA(cl_command_buffer_khr into, int value, cl_sync_point_khr *point = nullptr, cl_uint waits = 0,
               const cl_sync_point_khr *list = nullptr) {
    return fill(into, nullptr, nullptr, a_, &value, sizeof value, 0, 256, waits, list, point, nullptr);
  }
  int read(cl_mem buffer, size_t index = 0) {
    int value = -1;
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, index * 4, 4, &value, 0, nullptr, nullptr));
    return value;
  }
  cl_command_buffer_state_khr state(cl_command_buffer_khr of) {
    return ask<cl_command_buffer_state_khr>(info, CL_COMMAND_BUFFER_STATE_KHR, of);
  }
  cl_command_buffer_khr wrong() { return reinterpret_cast<cl_command_buffer_khr>(queue); }
  cl_int submit(cl_command_buffer_khr buffer, cl_event *event = nullptr, std::vector<cl_event> waits = {}) {
    return enqueue(0, nullptr, buffer, static_cast<cl_uint>(waits.size()), waits.empty() ? nullptr : waits.data(),
                   event);
  }

  clCreateCommandBufferKHR_fn create = nullptr;
  clFinalizeCommandBufferKHR_fn finalize = nullptr;
  clRetainCommandBufferKHR_fn retain = nullptr;
  clReleaseCommandBufferKHR_fn release = nullptr;
  clEnqueueCommandBufferKHR_fn enqueue = nullptr;
  opencl::clCommandBarrierWithWaitListKHR_fn barrier = nullptr;
  opencl::clCommandCopyBufferKHR_fn copy = nullptr;
  opencl::clCommandCopyBufferRectKHR_fn copyRect = nullptr;
  opencl::clCommandFillBufferKHR_fn fill = nullptr;
  opencl::clCommandNDRangeKernelKHR_fn range = nullptr;
  clGetCommandBufferInfoKHR_fn info = nullptr;
  cl_mem a_ = nullptr, b_ = nullptr;
};

TEST_F(CommandBuffer, DeviceQueries) {
  EXPECT_EQ(cl_device_command_buffer_capabilities_khr(
                CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR | CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR |
                CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR),
            ask<cl_device_command_buffer_capabilities_khr>(clGetDeviceInfo, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
                                                           device));
  EXPECT_EQ(0u, ask<cl_command_queue_properties>(clGetDeviceInfo,
                                                 CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, device));
  EXPECT_EQ(cl_command_queue_properties(CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
            ask<cl_command_queue_properties>(clGetDeviceInfo, CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR,
                                             device));
  EXPECT_NE(std::string::npos, askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device).find("cl_khr_command_buffer"));
}

TEST_F(CommandBuffer, clCreateCommandBufferKHR) {
  cl_int error = 0;
  auto fails = [&](cl_int code, cl_uint count, const cl_command_queue *queues,
                   const cl_command_buffer_properties_khr *list) {
    EXPECT_EQ(nullptr, create(count, queues, list, &error));
    EXPECT_CL(code, error);
  };
  cl_command_queue two[] = {queue, queue}, bad = reinterpret_cast<cl_command_queue>(context);
  fails(CL_INVALID_VALUE, 0, two, nullptr);
  fails(CL_INVALID_VALUE, 1, nullptr, nullptr);
  fails(CL_INVALID_COMMAND_QUEUE, 1, &bad, nullptr);
  const cl_command_buffer_properties_khr unknown[] = {0x7777, 0, 0}, badFlag[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 8, 0},
                                         twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};
  fails(CL_INVALID_VALUE, 1, two, unknown);
  fails(CL_INVALID_VALUE, 1, two, badFlag);
  fails(CL_INVALID_VALUE, 1, two, twice);
  EXPECT_EQ(CL_COMMAND_BUFFER_STATE_RECORDING_KHR, state(make()));
}

TEST_F(CommandBuffer, RecordsOnceRunsOften) {
  cl_kernel k = makeKernel(buildProgram("kernel void k(global int *a, int by) { a[get_global_id(0)] += by; }"), "k");
  int by = 3;
  ASSERT_CL(clSetKernelArg(k, 0, sizeof a_, &a_));
  ASSERT_CL(clSetKernelArg(k, 1, sizeof by, &by));
  cl_command_buffer_khr buffer = make();
  cl_sync_point_khr added = 0, copied = 0;
  size_t global = 64;
  ASSERT_CL(range(buffer, nullptr, nullptr, k, 1, nullptr, &global, nullptr, 0, nullptr, &added, nullptr));
  by = 1000; // arguments are those of the recording
  ASSERT_CL(clSetKernelArg(k, 1, sizeof by, &by));
  ASSERT_CL(barrier(buffer, nullptr, nullptr, 1, &added, nullptr, nullptr));
  ASSERT_CL(copy(buffer, nullptr, nullptr, a_, b_, 0, 4, 128, 1, &added, &copied, nullptr));
  EXPECT_NE(added, copied);
  EXPECT_EQ(0, read(a_)); // nothing has run
  ASSERT_CL(finalize(buffer));
  EXPECT_EQ(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, state(buffer));
  for (int i = 0; i < 5; ++i) {
    ASSERT_CL(submit(buffer));
    ASSERT_CL(clFinish(queue));
  }
  EXPECT_EQ(15, read(a_, 63));
  EXPECT_EQ(15, read(b_, 1));
  EXPECT_EQ(15, read(b_, 32));
  EXPECT_EQ(0, read(b_, 33));
  EXPECT_EQ(0, read(b_, 0));
}

// CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR: "Device supports the ability to record commands that execute
// kernels which contain device-side kernel-enqueue calls."
TEST_F(CommandBuffer, RecordsKernelsThatEnqueueKernels) {
  const cl_queue_properties list[] = {
      CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error = 0;
  cl_command_queue onDevice = clCreateCommandQueueWithProperties(context, device, list, &error);
  ASSERT_CL(error);
  cl_kernel k = makeKernel(buildProgram(R"(
    kernel void k(global int *a) {
      enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(64),
                     ^{ atomic_add(a + get_global_id(0), 1 + (int)get_global_id(0)); });
    })",
                                        "-cl-std=CL3.0"),
                           "k");
  ASSERT_CL(clSetKernelArg(k, 0, sizeof a_, &a_));
  cl_command_buffer_khr buffer = make();
  cl_sync_point_khr ran = 0;
  const size_t global = 2;
  ASSERT_CL(range(buffer, nullptr, nullptr, k, 1, nullptr, &global, nullptr, 0, nullptr, &ran, nullptr));
  ASSERT_CL(
      copy(buffer, nullptr, nullptr, a_, b_, 0, 0, 256, 1, &ran, nullptr, nullptr)); // behind what the kernel enqueued
  ASSERT_CL(finalize(buffer));
  ASSERT_CL(clReleaseCommandQueue(onDevice)); // the recorded command holds it
  for (int i = 1; i <= 2; ++i) {
    ASSERT_CL(submit(buffer));
    ASSERT_CL(clFinish(queue));
    EXPECT_EQ(2 * i, read(b_, 0));
    EXPECT_EQ(128 * i, read(b_, 63));
  }
}

TEST_F(CommandBuffer, RunsOnQueuesOutOfOrderToo) {
  cl_command_queue other = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
  cl_command_buffer_khr buffer = make(0, other);
  const size_t from[] = {0, 0, 0}, to[] = {4, 1, 0}, region[] = {4, 2, 1};
  cl_sync_point_khr filled = 0;
  ASSERT_CL(fillA(buffer, 7, &filled));
  ASSERT_CL(copyRect(buffer, nullptr, nullptr, a_, b_, from, to, region, 16, 0, 16, 0, 1, &filled, nullptr, nullptr));
  ASSERT_CL(finalize(buffer));
  cl_event event = nullptr;
  ASSERT_CL(submit(buffer, &event));
  ASSERT_CL(clWaitForEvents(1, &event));
  EXPECT_EQ(cl_command_type(CL_COMMAND_COMMAND_BUFFER_KHR),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, event));
  cl_ulong start = 0, end = 0;
  EXPECT_CL(CL_SUCCESS, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr));
  EXPECT_CL(CL_SUCCESS, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr));
  EXPECT_LE(start, end);
  clReleaseEvent(event);
  EXPECT_EQ(0, read(b_, 4));
  EXPECT_EQ(7, read(b_, 5));
  EXPECT_EQ(7, read(b_, 9));
  EXPECT_EQ(0, read(b_, 13));
}

TEST_F(CommandBuffer, ImageCommands) {
  auto copyImage = extensionFunction<opencl::clCommandCopyImageKHR_fn>("clCommandCopyImageKHR");
  auto fillImage = extensionFunction<opencl::clCommandFillImageKHR_fn>("clCommandFillImageKHR");
  auto toBuffer = extensionFunction<opencl::clCommandCopyImageToBufferKHR_fn>("clCommandCopyImageToBufferKHR");
  auto toImage = extensionFunction<opencl::clCommandCopyBufferToImageKHR_fn>("clCommandCopyBufferToImageKHR");
  cl_command_buffer_khr buffer = make();
  const cl_uint colour[4] = {1, 2, 3, 4};
  const size_t zero[3] = {}, region[3] = {4, 4, 1};
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR,
            copyImage(wrong(), nullptr, nullptr, a_, a_, zero, zero, region, 0, nullptr, nullptr, nullptr));
  if (!ask<cl_bool>(clGetDeviceInfo, CL_DEVICE_IMAGE_SUPPORT, device)) return;
  EXPECT_CL(CL_INVALID_MEM_OBJECT,
            fillImage(buffer, nullptr, nullptr, a_, colour, zero, region, 0, nullptr, nullptr, nullptr));
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 4;
  cl_int error = 0;
  cl_mem first = keep(clCreateImage(context, 0, &format, &description, nullptr, &error), clReleaseMemObject);
  cl_mem second = keep(clCreateImage(context, 0, &format, &description, nullptr, &error), clReleaseMemObject);
  const size_t one[3] = {1, 1, 1}, origin[3] = {3, 3, 0};
  ASSERT_CL(fillImage(buffer, nullptr, nullptr, first, colour, zero, region, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(copyImage(buffer, nullptr, nullptr, first, second, zero, zero, region, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(
      toImage(buffer, nullptr, nullptr, b_, second, 0, origin, one, 0, nullptr, nullptr, nullptr)); // b_ is all zeros
  ASSERT_CL(toBuffer(buffer, nullptr, nullptr, second, a_, zero, region, 4, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(finalize(buffer));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(0, read(a_, 0));
  EXPECT_EQ(0x04030201, read(a_, 1));
  EXPECT_EQ(0x04030201, read(a_, 15));
  EXPECT_EQ(0, read(a_, 16));
}

TEST_F(CommandBuffer, SharedMemoryCommands) {
  auto copyShared = extensionFunction<opencl::clCommandSVMMemcpyKHR_fn>("clCommandSVMMemcpyKHR");
  auto fillShared = extensionFunction<opencl::clCommandSVMMemFillKHR_fn>("clCommandSVMMemFillKHR");
  auto *const shared = static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
  ASSERT_NE(nullptr, shared);
  int target[16] = {}, pattern = 6;
  cl_command_buffer_khr buffer = make();
  // What the calls on queues check (clEnqueueSVMMemcpy, clEnqueueSVMMemFill).
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR,
            copyShared(wrong(), nullptr, nullptr, target, shared, 64, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, copyShared(buffer, nullptr, nullptr, nullptr, shared, 64, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_MEM_COPY_OVERLAP,
            copyShared(buffer, nullptr, nullptr, shared, shared + 1, 8, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE,
            fillShared(buffer, nullptr, nullptr, shared, &pattern, 3, 9, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(fillShared(buffer, nullptr, nullptr, shared, &pattern, sizeof pattern, 64, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(copyShared(buffer, nullptr, nullptr, target + 1, shared, 8, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(finalize(buffer));
  ASSERT_CL(submit(buffer));
  ASSERT_CL(clFinish(queue));
  EXPECT_EQ(target[0], 0);
  EXPECT_EQ(target[2], 6);
  EXPECT_EQ(target[3], 0);
  // The buffer keeps the memory, and nothing uses it: no mistake to report.
  clSVMFree(context, shared);
  EXPECT_FALSE(hasHeard("clSVMFree"));
}

TEST_F(CommandBuffer, WhatWasRecordedIsKeptAlive) {
  cl_command_buffer_khr buffer = make();
  cl_int error = 0, five = 5;
  cl_mem source = clCreateBuffer(context, 0, 256, nullptr, &error);
  ASSERT_CL(fill(buffer, nullptr, nullptr, source, &five, 4, 0, 256, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(copy(buffer, nullptr, nullptr, source, a_, 0, 0, 256, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(clReleaseMemObject(source));
  ASSERT_CL(finalize(buffer));
  ASSERT_CL(submit(buffer));
  EXPECT_EQ(5, read(a_, 63));
}

TEST_F(CommandBuffer, AFailingCommandEndsIt) {
  cl_kernel k = makeKernel(buildProgram("kernel void k(global int *a) { a[0] = 1 + *(volatile global int *)8; }"), "k");
  ASSERT_CL(clSetKernelArg(k, 0, sizeof b_, &b_));
  cl_command_buffer_khr buffer = make();
  size_t one = 1;
  ASSERT_CL(range(buffer, nullptr, nullptr, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(fillA(buffer, 9));
  ASSERT_CL(finalize(buffer));
  cl_event event = nullptr;
  ASSERT_CL(submit(buffer, &event));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_LT(statusOf(event), 0);
  clReleaseEvent(event);
  EXPECT_EQ(0, read(a_));
  EXPECT_EQ(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, state(buffer));
}

TEST_F(CommandBuffer, clFinalizeCommandBufferKHR) {
  cl_command_buffer_khr buffer = make();
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, finalize(wrong()));
  EXPECT_CL(CL_SUCCESS, finalize(buffer));
  EXPECT_CL(CL_INVALID_OPERATION, finalize(buffer));
  EXPECT_CL(CL_INVALID_OPERATION, fillA(buffer, 1));
  EXPECT_CL(CL_INVALID_OPERATION, barrier(buffer, nullptr, nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, submit(buffer)); // an empty one
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

TEST_F(CommandBuffer, clRetainAndReleaseCommandBufferKHR) {
  cl_command_buffer_khr buffer = make();
  EXPECT_CL(CL_SUCCESS, retain(buffer));
  EXPECT_EQ(2u, ask<cl_uint>(info, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, buffer));
  EXPECT_CL(CL_SUCCESS, release(buffer));
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, retain(wrong()));
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, release(wrong()));
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, retain(nullptr));
}

TEST_F(CommandBuffer, clEnqueueCommandBufferKHR) {
  cl_command_buffer_khr buffer = make(), reused = make(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
  ASSERT_CL(fillA(buffer, 1));
  EXPECT_CL(CL_INVALID_OPERATION, submit(buffer)); // not finalised
  ASSERT_CL(finalize(buffer));
  ASSERT_CL(finalize(reused));
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, submit(wrong()));
  cl_command_queue two[] = {queue, queue}, bad = reinterpret_cast<cl_command_queue>(context);
  EXPECT_CL(CL_INVALID_VALUE, enqueue(1, nullptr, buffer, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, enqueue(0, two, buffer, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, enqueue(2, two, buffer, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, enqueue(1, &bad, buffer, 0, nullptr, nullptr));
  cl_command_queue same = makeQueue(), profiled = makeQueue(CL_QUEUE_PROFILING_ENABLE);
  EXPECT_CL(CL_SUCCESS, enqueue(1, &same, buffer, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(same));
  // "A user passed list may contain different command-queues": of other properties, too.
  EXPECT_CL(CL_SUCCESS, enqueue(1, &profiled, buffer, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(profiled));
  cl_int error = 0;
  cl_context other = keep(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), clReleaseContext);
  cl_command_queue foreign = keep(clCreateCommandQueue(other, device, 0, &error), clReleaseCommandQueue);
  EXPECT_CL(CL_INVALID_CONTEXT, enqueue(1, &foreign, buffer, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, enqueue(0, nullptr, buffer, 1, nullptr, nullptr));
  // "It is always valid to call clEnqueueCommandBufferKHR with a command-buffer that has previously been enqueued":
  // here each submission waits for the one before it.
  cl_event gate = makeUserEvent();
  EXPECT_CL(CL_SUCCESS, submit(buffer, nullptr, {gate}));
  EXPECT_EQ(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, state(buffer));
  EXPECT_CL(CL_SUCCESS, submit(buffer));
  EXPECT_CL(CL_SUCCESS, submit(reused));
  EXPECT_CL(CL_SUCCESS, submit(reused));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR, state(buffer));
  EXPECT_CL(CL_SUCCESS, submit(buffer));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

TEST_F(CommandBuffer, RecordingCallsCheckWhatTheyAreGiven) {
  cl_command_buffer_khr buffer = make();
  cl_kernel k = makeKernel(buildProgram("kernel void k(global int *a) { a[0] = 1; }"), "k");
  cl_sync_point_khr none = 77, point = 0;
  cl_mutable_command_khr handle = nullptr;
  const int one = 1;
  size_t global = 1, zero[3] = {}, region[3] = {4, 1, 1};
  // The command buffer, the queue, the sync points and the mutable handle: the same for each call.
  for (const auto &[code, on, with, waits, list, mutableHandle] :
       {std::tuple{CL_INVALID_COMMAND_BUFFER_KHR, wrong(), (cl_command_queue) nullptr, 0u, (cl_sync_point_khr *)nullptr,
                   (cl_mutable_command_khr *)nullptr},
        std::tuple{CL_INVALID_COMMAND_QUEUE, buffer, makeQueue(), 0u, (cl_sync_point_khr *)nullptr,
                   (cl_mutable_command_khr *)nullptr},
        std::tuple{CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, buffer, (cl_command_queue) nullptr, 1u,
                   (cl_sync_point_khr *)nullptr, (cl_mutable_command_khr *)nullptr},
        std::tuple{CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, buffer, (cl_command_queue) nullptr, 0u, &none,
                   (cl_mutable_command_khr *)nullptr},
        std::tuple{CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, buffer, (cl_command_queue) nullptr, 1u, &none,
                   (cl_mutable_command_khr *)nullptr},
        std::tuple{CL_INVALID_VALUE, buffer, (cl_command_queue) nullptr, 0u, (cl_sync_point_khr *)nullptr, &handle}}) {
    ASSERT_CL(clSetKernelArg(k, 0, sizeof a_, &a_));
    EXPECT_CL(code, barrier(on, with, nullptr, waits, list, &point, mutableHandle));
    EXPECT_CL(code, copy(on, with, nullptr, a_, b_, 0, 0, 4, waits, list, &point, mutableHandle));
    EXPECT_CL(code,
              copyRect(on, with, nullptr, a_, b_, zero, zero, region, 0, 0, 0, 0, waits, list, &point, mutableHandle));
    EXPECT_CL(code, fill(on, with, nullptr, a_, &one, 4, 0, 4, waits, list, &point, mutableHandle));
    if (!mutableHandle) // a kernel may have one
      EXPECT_CL(code, range(on, with, nullptr, k, 1, nullptr, &global, nullptr, waits, list, &point, nullptr));
  }
  EXPECT_EQ(0u, point);
  // And what the calls on queues check.
  EXPECT_CL(CL_INVALID_VALUE, copy(buffer, nullptr, nullptr, a_, b_, 0, 253, 4, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_MEM_COPY_OVERLAP, copy(buffer, nullptr, nullptr, a_, a_, 0, 2, 4, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, copy(buffer, nullptr, nullptr, nullptr, a_, 0, 2, 4, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, fill(buffer, nullptr, nullptr, a_, &one, 3, 0, 3, 0, nullptr, nullptr, nullptr));
  region[0] = 0;
  EXPECT_CL(CL_INVALID_VALUE,
            copyRect(buffer, nullptr, nullptr, a_, b_, zero, zero, region, 0, 0, 0, 0, 0, nullptr, nullptr, nullptr));
  const opencl::cl_command_properties_khr property[] = {0x1234, 1, 0}, empty[] = {0};
  EXPECT_CL(CL_INVALID_VALUE, fill(buffer, nullptr, property, a_, &one, 4, 0, 4, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, barrier(buffer, nullptr, property, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE,
            range(buffer, nullptr, property, k, 1, nullptr, &global, nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_WORK_DIMENSION,
            range(buffer, nullptr, nullptr, k, 4, nullptr, &global, nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_KERNEL, range(buffer, nullptr, nullptr, reinterpret_cast<cl_kernel>(queue), 1, nullptr, &global,
                                     nullptr, 0, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, fill(buffer, nullptr, empty, a_, &one, 4, 0, 4, 0, nullptr, &point, nullptr));
  EXPECT_EQ(1u, point); // none of the calls that failed has recorded anything
}

TEST_F(CommandBuffer, clGetCommandBufferInfoKHR) {
  cl_command_buffer_khr buffer = make(CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR), plain = make();
  EXPECT_EQ(1u, ask<cl_uint>(info, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, buffer));
  EXPECT_EQ(queue, ask<cl_command_queue>(info, CL_COMMAND_BUFFER_QUEUES_KHR, buffer));
  EXPECT_EQ(context, ask<cl_context>(info, CL_COMMAND_BUFFER_CONTEXT_KHR, buffer));
  EXPECT_EQ(1u, ask<cl_uint>(info, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, buffer));
  auto properties = askList<cl_command_buffer_properties_khr>(info, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, buffer);
  EXPECT_EQ((std::vector<cl_command_buffer_properties_khr>{CL_COMMAND_BUFFER_FLAGS_KHR,
                                                           CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0}),
            properties);
  EXPECT_TRUE(askList<cl_command_buffer_properties_khr>(info, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, plain).empty());
  EXPECT_CL(CL_INVALID_COMMAND_BUFFER_KHR, info(wrong(), CL_COMMAND_BUFFER_STATE_KHR, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, info(buffer, 0x9999, 0, nullptr, nullptr));
}

} // namespace
} // namespace us::test
