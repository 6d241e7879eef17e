// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_khr_command_buffer_multi_device: command buffers of several queues, and copies of them for other queues. With
// several devices the queues are of different ones.
#include "icd/opencl/newer_cl.h"
#include "tests/icd/opencl/opencl_test.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace us::test {
namespace {

using Points = std::vector<cl_sync_point_khr>;

class CommandBufferQueues : public OpenCl {
protected:
  void SetUp() override {
    OpenCl::SetUp();
    if (HasFatalFailure()) return;
    create = extensionFunction<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
    finalize = extensionFunction<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
    release = extensionFunction<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR");
    enqueue = extensionFunction<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
    barrier = extensionFunction<opencl::clCommandBarrierWithWaitListKHR_fn>("clCommandBarrierWithWaitListKHR");
    copy = extensionFunction<opencl::clCommandCopyBufferKHR_fn>("clCommandCopyBufferKHR");
    fill = extensionFunction<opencl::clCommandFillBufferKHR_fn>("clCommandFillBufferKHR");
    range = extensionFunction<opencl::clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
    change = extensionFunction<opencl::clUpdateMutableCommandsKHR_fn>("clUpdateMutableCommandsKHR");
    remap = extensionFunction<opencl::clRemapCommandBufferKHR_fn>("clRemapCommandBufferKHR");
    info = extensionFunction<clGetCommandBufferInfoKHR_fn>("clGetCommandBufferInfoKHR");
    commandInfo = extensionFunction<clGetMutableCommandInfoKHR_fn>("clGetMutableCommandInfoKHR");
    devices = ourDevices();
    ASSERT_CL(clReleaseContext(std::exchange(context, nullptr)));
    cl_int error = 0;
    context = clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(), nullptr, nullptr, &error);
    ASSERT_CL(error);
    for (size_t i = 0; i < 3; ++i) queues.push_back(queueOn(devices[i % devices.size()], 0));
    a_ = zeros(), b_ = zeros();
  }
  cl_mem zeros() {
    std::vector<int> none(64);
    return makeBuffer(256, CL_MEM_COPY_HOST_PTR, none.data());
  }
  cl_kernel everywhere(const char *source) {
    cl_program program = makeProgram(source);
    EXPECT_CL(CL_SUCCESS, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr));
    return makeKernel(program, "k");
  }
  cl_command_buffer_khr make(std::vector<cl_command_queue> of, cl_command_buffer_flags_khr flags = 0) {
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags, 0};
    cl_int error = 0;
    cl_command_buffer_khr made = create(static_cast<cl_uint>(of.size()), of.data(), flags ? list : nullptr, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return owned(made);
  }
  cl_command_buffer_khr owned(cl_command_buffer_khr made) {
    EXPECT_NE(nullptr, made);
    if (made) cleanup([=, this] { EXPECT_CL(CL_SUCCESS, release(made)); });
    return made;
  }
  cl_command_buffer_khr remapped(cl_command_buffer_khr from, std::vector<cl_command_queue> to,
                                 cl_bool automatic = CL_FALSE, std::vector<cl_mutable_command_khr> *handles = nullptr) {
    cl_int error = 0;
    std::vector<cl_mutable_command_khr> returned(handles ? handles->size() : 0);
    cl_command_buffer_khr made =
        remap(from, automatic, static_cast<cl_uint>(to.size()), to.data(), static_cast<cl_uint>(returned.size()),
              handles ? handles->data() : nullptr, handles ? returned.data() : nullptr, &error);
    EXPECT_CL(CL_SUCCESS, error);
    if (handles) *handles = returned;
    return owned(made);
  }
  cl_sync_point_khr filled(cl_command_buffer_khr into, cl_command_queue on, cl_mem memory, int value,
                           const Points &after = {}) {
    cl_sync_point_khr point = 0;
    EXPECT_CL(CL_SUCCESS,
              fill(into, on, nullptr, memory, &value, sizeof value, 0, 256, static_cast<cl_uint>(after.size()),
                   after.empty() ? nullptr : after.data(), &point, nullptr));
    return point;
  }
  cl_sync_point_khr copied(cl_command_buffer_khr into, cl_command_queue on, cl_mem from, cl_mem to,
                           const Points &after = {}) {
    cl_sync_point_khr point = 0;
    EXPECT_CL(CL_SUCCESS, copy(into, on, nullptr, from, to, 0, 0, 256, static_cast<cl_uint>(after.size()),
                               after.empty() ? nullptr : after.data(), &point, nullptr));
    return point;
  }
  cl_sync_point_khr launched(cl_command_buffer_khr into, cl_command_queue on, cl_kernel kernel,
                             const Points &after = {}, cl_mutable_command_khr *handle = nullptr) {
    const size_t items = 64;
    cl_sync_point_khr point = 0;
    EXPECT_CL(CL_SUCCESS,
              range(into, on, nullptr, kernel, 1, nullptr, &items, nullptr, static_cast<cl_uint>(after.size()),
                    after.empty() ? nullptr : after.data(), &point, handle));
    return point;
  }
  cl_int submit(cl_command_buffer_khr buffer, cl_event *event = nullptr) {
    return enqueue(0, nullptr, buffer, 0, nullptr, event);
  }
  void run(cl_command_buffer_khr buffer) {
    cl_event event = nullptr;
    ASSERT_CL(submit(buffer, &event));
    EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &event));
    EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
  }
  int read(cl_mem buffer, size_t index = 0) {
    int value = -1;
    cl_command_queue other = queueOn(devices[0], 0);
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(other, buffer, CL_TRUE, index * 4, 4, &value, 0, nullptr, nullptr));
    return value;
  }
  cl_command_queue foreignQueue() {
    cl_int error = 0;
    cl_context other = keep(clCreateContext(nullptr, 1, &devices[0], nullptr, nullptr, &error), clReleaseContext);
    return keep(clCreateCommandQueue(other, devices[0], 0, &error), clReleaseCommandQueue);
  }

  clCreateCommandBufferKHR_fn create = nullptr;
  clFinalizeCommandBufferKHR_fn finalize = nullptr;
  clReleaseCommandBufferKHR_fn release = nullptr;
  clEnqueueCommandBufferKHR_fn enqueue = nullptr;
  opencl::clCommandBarrierWithWaitListKHR_fn barrier = nullptr;
  opencl::clCommandCopyBufferKHR_fn copy = nullptr;
  opencl::clCommandFillBufferKHR_fn fill = nullptr;
  opencl::clCommandNDRangeKernelKHR_fn range = nullptr;
  opencl::clUpdateMutableCommandsKHR_fn change = nullptr;
  opencl::clRemapCommandBufferKHR_fn remap = nullptr;
  clGetCommandBufferInfoKHR_fn info = nullptr;
  clGetMutableCommandInfoKHR_fn commandInfo = nullptr;
  std::vector<cl_device_id> devices;
  std::vector<cl_command_queue> queues;
  cl_mem a_ = nullptr, b_ = nullptr;
};

TEST_F(CommandBufferQueues, Queries) {
  EXPECT_EQ(cl_bitfield(CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR |
                        CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR),
            ask<cl_bitfield>(clGetPlatformInfo, CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR, platform));
  for (cl_device_id one : devices) {
    EXPECT_TRUE(ask<cl_bitfield>(clGetDeviceInfo, CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, one) &
                CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR);
    EXPECT_EQ(devices.size(), ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, one));
    EXPECT_EQ(devices, askList<cl_device_id>(clGetDeviceInfo, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, one));
  }
  cl_command_buffer_khr buffer = make(queues, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
  EXPECT_EQ(3u, ask<cl_uint>(info, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, buffer));
  EXPECT_EQ(queues, askList<cl_command_queue>(info, CL_COMMAND_BUFFER_QUEUES_KHR, buffer));
  EXPECT_EQ(context, ask<cl_context>(info, CL_COMMAND_BUFFER_CONTEXT_KHR, buffer));
}

TEST_F(CommandBufferQueues, clCreateCommandBufferKHR) {
  const auto fails = [&](cl_int code, std::vector<cl_command_queue> list) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, create(static_cast<cl_uint>(list.size()), list.data(), nullptr, &error));
    EXPECT_CL(code, error);
  };
  fails(CL_INVALID_COMMAND_QUEUE, {queues[0], nullptr});
  fails(CL_INVALID_COMMAND_QUEUE, {queues[0], reinterpret_cast<cl_command_queue>(context)});
  fails(CL_INVALID_CONTEXT, {queues[0], foreignQueue()});
}

TEST_F(CommandBufferQueues, CommandsSayWhichQueueTheyAreFor) {
  cl_command_buffer_khr buffer = make({queues[0], queues[1]}), single = make({queues[1]});
  const auto code = [&](cl_command_buffer_khr into, cl_command_queue on) {
    return barrier(into, on, nullptr, 0, nullptr, nullptr, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, code(buffer, queues[0]));
  EXPECT_CL(CL_SUCCESS, code(buffer, queues[1]));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, code(buffer, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, code(buffer, queues[2]));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, code(buffer, reinterpret_cast<cl_command_queue>(context)));
  EXPECT_CL(CL_INVALID_CONTEXT, code(buffer, foreignQueue()));
  EXPECT_CL(CL_SUCCESS, code(single, nullptr));
  EXPECT_CL(CL_SUCCESS, code(single, queues[1]));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, code(single, queues[0]));
}

// "commands can be synchronized [...] irrespective of the queue the individual commands are recorded to".
TEST_F(CommandBufferQueues, SyncPointsOrderCommandsOfSeveralQueues) {
  cl_kernel twice = everywhere("kernel void k(global int *a) { a[get_global_id(0)] = 2 * a[get_global_id(0)] + 1; }");
  for (const cl_command_queue_properties properties : {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}) {
    std::vector<cl_command_queue> three;
    for (size_t i = 0; i < 3; ++i) three.push_back(queueOn(devices[i % devices.size()], properties));
    cl_command_buffer_khr buffer = make(three);
    cl_sync_point_khr point = filled(buffer, three[0], a_, 0);
    for (int i = 0; i < 10; ++i) {
      cl_mem from = i % 2 ? b_ : a_, to = i % 2 ? a_ : b_;
      ASSERT_CL(clSetKernelArg(twice, 0, sizeof from, &from));
      point = launched(buffer, three[i % 3], twice, {point});
      point = copied(buffer, three[(i + 2) % 3], from, to, {point});
    }
    ASSERT_CL(finalize(buffer));
    for (int round = 0; round < 20; ++round) {
      run(buffer);
      ASSERT_EQ(1023, read(a_, 63));
    }
    // Without an event, too: each queue has its part.
    ASSERT_CL(submit(buffer));
    for (cl_command_queue one : three) ASSERT_CL(clFinish(one));
    EXPECT_EQ(1023, read(a_, 0));
  }
}

// "Commands recorded to different command-queues in the same command-buffer may be executed concurrently to each other
// unless synchronized explicitly".
TEST_F(CommandBufferQueues, QueuesDoNotWaitForEachOther) {
  cl_command_buffer_khr buffer = make({queues[0], queues[1]});
  filled(buffer, queues[0], a_, 1);
  filled(buffer, queues[1], b_, 2);
  ASSERT_CL(finalize(buffer));
  cl_event gate = makeUserEvent(), event = nullptr;
  ASSERT_CL(clEnqueueMarkerWithWaitList(queues[0], 1, &gate, nullptr));
  ASSERT_CL(submit(buffer, &event));
  ASSERT_CL(clFinish(queues[1]));
  EXPECT_EQ(2, read(b_));
  EXPECT_EQ(0, read(a_));
  // "CL_RUNNING - Any command from the command-buffer has started execution on a device."
  EXPECT_EQ(CL_RUNNING, statusOf(event));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &event));
  EXPECT_EQ(CL_COMPLETE, statusOf(event));
  EXPECT_EQ(1, read(a_));
  ASSERT_CL(clReleaseEvent(event));
}

// "... if the list is empty it waits for all commands previously recorded in command_buffer to complete before it
// completes. This command blocks command execution, that is, any following commands recorded after it do not execute
// until it completes."
TEST_F(CommandBufferQueues, BarriersOrderCommandsOfAllQueues) {
  cl_command_buffer_khr buffer = make(queues);
  filled(buffer, queues[0], a_, 5);
  ASSERT_CL(barrier(buffer, queues[1], nullptr, 0, nullptr, nullptr, nullptr));
  copied(buffer, queues[2], a_, b_);
  ASSERT_CL(finalize(buffer));
  cl_event gate = makeUserEvent();
  ASSERT_CL(clEnqueueMarkerWithWaitList(queues[0], 1, &gate, nullptr));
  ASSERT_CL(submit(buffer));
  for (cl_command_queue one : queues) ASSERT_CL(clFlush(one));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clFinish(queues[2]));
  EXPECT_EQ(5, read(b_));
}

TEST_F(CommandBufferQueues, EventsAreOfAllParts) {
  const auto with = [&](cl_command_queue first, cl_command_queue second) {
    cl_command_buffer_khr buffer = make({first, second});
    copied(buffer, second, a_, b_, {filled(buffer, first, a_, 7)});
    EXPECT_CL(CL_SUCCESS, finalize(buffer));
    return buffer;
  };
  cl_event plain = nullptr, timed = nullptr;
  ASSERT_CL(submit(with(queues[0], queues[1]), &plain));
  std::atomic<int> calls = 0;
  for (const cl_int status : {CL_SUBMITTED, CL_RUNNING, CL_COMPLETE})
    ASSERT_CL(clSetEventCallback(
        plain, status,
        [](cl_event, cl_int reached, void *data) { *static_cast<std::atomic<int> *>(data) += 10 + reached; }, &calls));
  EXPECT_EQ(nullptr, ask<cl_command_queue>(clGetEventInfo, CL_EVENT_COMMAND_QUEUE, plain));
  EXPECT_EQ(context, ask<cl_context>(clGetEventInfo, CL_EVENT_CONTEXT, plain));
  EXPECT_EQ(cl_command_type(CL_COMMAND_COMMAND_BUFFER_KHR),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, plain));
  EXPECT_CL(CL_INVALID_EVENT, clSetUserEventStatus(plain, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &plain));
  EXPECT_EQ(7, read(b_, 63));
  EXPECT_TRUE(eventually([&] { return calls == 30 + CL_SUBMITTED + CL_RUNNING + CL_COMPLETE; })) << calls;
  cl_ulong time = 0;
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(plain, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr));
  ASSERT_CL(clReleaseEvent(plain));

  // One of the two queues profiles.
  ASSERT_CL(submit(with(queues[0], queueOn(devices.back(), CL_QUEUE_PROFILING_ENABLE)), &timed));
  ASSERT_CL(clWaitForEvents(1, &timed));
  std::vector<cl_ulong> times;
  for (const cl_profiling_info name :
       {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START, CL_PROFILING_COMMAND_END,
        CL_PROFILING_COMMAND_COMPLETE})
    times.push_back(ask<cl_ulong>(clGetEventProfilingInfo, name, timed));
  EXPECT_TRUE(std::ranges::is_sorted(times));
  EXPECT_GT(times[0], 0u);
  ASSERT_CL(clReleaseEvent(timed));

  // Nothing was recorded: what the submission waits for is waited for.
  cl_command_buffer_khr empty = make({queues[0], queues[1]});
  ASSERT_CL(finalize(empty));
  cl_event gate = makeUserEvent(), event = nullptr;
  ASSERT_CL(enqueue(0, nullptr, empty, 1, &gate, &event));
  EXPECT_NE(CL_COMPLETE, statusOf(event));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &event));
  ASSERT_CL(clReleaseEvent(event));
}

TEST_F(CommandBufferQueues, AFailingPartFailsThoseBehindIt) {
  cl_kernel k = everywhere("kernel void k(global int *a) { a[0] = 1 + *(volatile global int *)8; }");
  ASSERT_CL(clSetKernelArg(k, 0, sizeof a_, &a_));
  cl_mem c = zeros();
  cl_command_buffer_khr buffer = make(queues);
  cl_sync_point_khr failed = launched(buffer, queues[0], k);
  filled(buffer, queues[1], b_, 9, {failed});
  filled(buffer, queues[2], c, 9);
  ASSERT_CL(finalize(buffer));
  cl_event event = nullptr;
  ASSERT_CL(submit(buffer, &event));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_LT(statusOf(event), 0);
  EXPECT_NE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, statusOf(event)); // the kernel's own error
  ASSERT_CL(clReleaseEvent(event));
  EXPECT_EQ(0, read(b_));
  EXPECT_EQ(9, read(c));
}

TEST_F(CommandBufferQueues, clEnqueueCommandBufferKHR) {
  cl_command_buffer_khr buffer = make({queues[0], queues[1]});
  copied(buffer, queues[1], a_, b_, {filled(buffer, queues[0], a_, 4)});
  EXPECT_CL(CL_INVALID_OPERATION, submit(buffer));
  ASSERT_CL(finalize(buffer));
  const auto on = [&](std::vector<cl_command_queue> list) {
    return enqueue(static_cast<cl_uint>(list.size()), list.data(), buffer, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_VALUE, on({queues[0]}));
  EXPECT_CL(CL_INVALID_VALUE, on(queues));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, on({queues[0], nullptr}));
  EXPECT_CL(CL_INVALID_CONTEXT, on({queues[0], foreignQueue()}));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, enqueue(0, nullptr, buffer, 1, nullptr, nullptr));
  if (devices.size() > 1) EXPECT_CL(CL_INVALID_DEVICE, on({queues[1], queues[0]}));
  // "A user passed list may contain different command-queues".
  cl_command_queue other = queueOn(devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  EXPECT_CL(CL_SUCCESS, on({other, queues[1]}));
  EXPECT_CL(CL_SUCCESS, clFinish(queues[1]));
  EXPECT_EQ(4, read(b_));
}

TEST_F(CommandBufferQueues, CopiesRunOnOtherQueues) {
  cl_kernel add = everywhere("kernel void k(global int *a, int by) { a[get_global_id(0)] += by; }");
  int by = 3;
  cl_int error = 0;
  cl_mem released = clCreateBuffer(context, 0, 256, nullptr, &error);
  ASSERT_CL(clSetKernelArg(add, 0, sizeof released, &released));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof by, &by));
  cl_command_buffer_khr buffer = make({queues[0], queues[1]});
  cl_sync_point_khr first = filled(buffer, queues[0], released, 10);
  cl_sync_point_khr second = launched(buffer, queues[1], add, {first});
  ASSERT_CL(barrier(buffer, queues[0], nullptr, 1, &second, nullptr, nullptr));
  copied(buffer, queues[0], released, b_);
  by = 1000; // arguments are those of the recording
  ASSERT_CL(clSetKernelArg(add, 1, sizeof by, &by));
  // "The returned command-buffer has the same state as the input command-buffer."
  cl_command_buffer_khr early = remapped(buffer, {queues[1], queues[2]});
  EXPECT_EQ(cl_command_buffer_state_khr(CL_COMMAND_BUFFER_STATE_RECORDING_KHR),
            ask<cl_command_buffer_state_khr>(info, CL_COMMAND_BUFFER_STATE_KHR, early));
  filled(early, queues[1], a_, 77);
  ASSERT_CL(finalize(early));
  ASSERT_CL(finalize(buffer));
  cl_command_buffer_khr swapped = remapped(buffer, {queues[2], queues[0]}),
                        one = remapped(buffer, {queues[1]}, CL_TRUE), many = remapped(buffer, queues, CL_TRUE),
                        again = remapped(one, {queues[2]});
  ASSERT_CL(clReleaseMemObject(released));
  EXPECT_EQ((std::vector<cl_command_queue>{queues[2], queues[0]}),
            askList<cl_command_queue>(info, CL_COMMAND_BUFFER_QUEUES_KHR, swapped));
  EXPECT_EQ(1u, ask<cl_uint>(info, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, one));
  EXPECT_EQ(3u, ask<cl_uint>(info, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, many));
  for (cl_command_buffer_khr each : {buffer, early, swapped, one, many, again}) {
    EXPECT_EQ(cl_command_buffer_state_khr(CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR),
              ask<cl_command_buffer_state_khr>(info, CL_COMMAND_BUFFER_STATE_KHR, each));
    const int none = 0;
    ASSERT_CL(clEnqueueFillBuffer(queues[0], b_, &none, 4, 0, 256, 0, nullptr, nullptr));
    ASSERT_CL(clFinish(queues[0]));
    run(each);
    EXPECT_EQ(13, read(b_, 63));
    EXPECT_EQ(each == early || each == swapped || each == one || each == many || each == again ? 77 : 0, read(a_));
  }
  EXPECT_EQ(77, read(a_));
}

TEST_F(CommandBufferQueues, CopiesOfEveryKindOfCommand) {
  auto rect = extensionFunction<opencl::clCommandCopyBufferRectKHR_fn>("clCommandCopyBufferRectKHR");
  auto copyImage = extensionFunction<opencl::clCommandCopyImageKHR_fn>("clCommandCopyImageKHR");
  auto fillImage = extensionFunction<opencl::clCommandFillImageKHR_fn>("clCommandFillImageKHR");
  auto toBuffer = extensionFunction<opencl::clCommandCopyImageToBufferKHR_fn>("clCommandCopyImageToBufferKHR");
  auto toImage = extensionFunction<opencl::clCommandCopyBufferToImageKHR_fn>("clCommandCopyBufferToImageKHR");
  auto copyShared = extensionFunction<opencl::clCommandSVMMemcpyKHR_fn>("clCommandSVMMemcpyKHR");
  auto fillShared = extensionFunction<opencl::clCommandSVMMemFillKHR_fn>("clCommandSVMMemFillKHR");
  auto *const shared = static_cast<int *>(clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
  ASSERT_NE(nullptr, shared);
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = description.image_height = 4;
  cl_int error = 0;
  cl_mem first = keep(clCreateImage(context, 0, &format, &description, nullptr, &error), clReleaseMemObject);
  cl_mem second = keep(clCreateImage(context, 0, &format, &description, nullptr, &error), clReleaseMemObject);
  cl_mem c = zeros();
  int target[16] = {};
  cl_command_buffer_khr buffer = make({queues[0]});
  {
    // What a call was given may be changed once it has returned.
    cl_uint colour[4] = {1, 2, 3, 4};
    size_t zero[3] = {}, all[3] = {4, 4, 1}, one[3] = {1, 1, 1}, corner[3] = {3, 3, 0};
    size_t from[] = {0, 0, 0}, to[] = {4, 1, 0}, region[] = {4, 2, 1};
    int pattern = 6;
    ASSERT_CL(fillImage(buffer, nullptr, nullptr, first, colour, zero, all, 0, nullptr, nullptr, nullptr));
    ASSERT_CL(copyImage(buffer, nullptr, nullptr, first, second, zero, zero, all, 0, nullptr, nullptr, nullptr));
    ASSERT_CL(toImage(buffer, nullptr, nullptr, b_, second, 0, corner, one, 0, nullptr, nullptr, nullptr));
    ASSERT_CL(toBuffer(buffer, nullptr, nullptr, second, a_, zero, all, 4, 0, nullptr, nullptr, nullptr));
    ASSERT_CL(rect(buffer, nullptr, nullptr, a_, c, from, to, region, 16, 0, 16, 0, 0, nullptr, nullptr, nullptr));
    ASSERT_CL(fillShared(buffer, nullptr, nullptr, shared, &pattern, 4, 64, 0, nullptr, nullptr, nullptr));
    ASSERT_CL(copyShared(buffer, nullptr, nullptr, target + 1, shared, 8, 0, nullptr, nullptr, nullptr));
    std::fill_n(colour, 4, 9u);
    for (size_t *each : {zero, all, one, corner, from, to, region}) std::fill_n(each, 3, 100u);
    pattern = 0;
  }
  ASSERT_CL(finalize(buffer));
  cl_command_buffer_khr copies = remapped(buffer, {queues[1]});
  run(copies);
  EXPECT_EQ(0, read(a_, 0));
  EXPECT_EQ(0x04030201, read(a_, 1));
  EXPECT_EQ(0x04030201, read(a_, 15));
  EXPECT_EQ(0, read(a_, 16));
  EXPECT_EQ(0, read(c, 5)); // from a_[0]
  EXPECT_EQ(0x04030201, read(c, 9));
  EXPECT_EQ(0, read(c, 6));
  EXPECT_EQ(target[0], 0);
  EXPECT_EQ(target[2], 6);
  EXPECT_EQ(target[3], 0);
  clSVMFree(context, shared);
}

TEST_F(CommandBufferQueues, CopiesHaveHandlesOfTheirOwn) {
  cl_kernel add = everywhere("kernel void k(global int *a, int by) { a[get_global_id(0)] += by; }");
  int by = 1;
  ASSERT_CL(clSetKernelArg(add, 0, sizeof a_, &a_));
  ASSERT_CL(clSetKernelArg(add, 1, sizeof by, &by));
  cl_command_buffer_khr buffer = make({queues[0], queues[1]}, CL_COMMAND_BUFFER_MUTABLE_KHR);
  cl_mutable_command_khr handle = nullptr;
  launched(buffer, queues[1], add, {}, &handle);
  EXPECT_EQ(queues[1], ask<cl_command_queue>(commandInfo, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, handle));
  ASSERT_CL(finalize(buffer));
  const auto setBy = [&](cl_command_buffer_khr of, cl_mutable_command_khr command, int value) {
    const opencl::cl_mutable_dispatch_arg_khr argument{1, sizeof value, &value};
    opencl::cl_mutable_dispatch_config_khr config{};
    config.command = command;
    config.num_args = 1;
    config.arg_list = &argument;
    const cl_uint type = CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const void *pointer = &config;
    return change(of, 1, &type, &pointer);
  };
  ASSERT_CL(setBy(buffer, handle, 10)); // what the copy begins with
  std::vector<cl_mutable_command_khr> handles{handle};
  cl_command_buffer_khr copied = remapped(buffer, {queues[1], queues[2]}, CL_FALSE, &handles);
  ASSERT_NE(nullptr, handles[0]);
  EXPECT_NE(handle, handles[0]);
  EXPECT_EQ(queues[2], ask<cl_command_queue>(commandInfo, CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, handles[0]));
  EXPECT_EQ(copied, ask<cl_command_buffer_khr>(commandInfo, CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, handles[0]));
  EXPECT_EQ(add, ask<cl_kernel>(commandInfo, CL_MUTABLE_DISPATCH_KERNEL_KHR, handles[0]));
  run(copied);
  EXPECT_EQ(10, read(a_));
  ASSERT_CL(setBy(copied, handles[0], 100));
  ASSERT_CL(setBy(buffer, handle, 1000));
  EXPECT_CL(CL_INVALID_MUTABLE_COMMAND_KHR, setBy(buffer, handles[0], 1));
  run(copied);
  EXPECT_EQ(110, read(a_));
  run(buffer);
  EXPECT_EQ(1110, read(a_));
  run(remapped(copied, {queues[0], queues[1]}));
  EXPECT_EQ(1210, read(a_));
}

TEST_F(CommandBufferQueues, clRemapCommandBufferKHR) {
  cl_command_buffer_khr buffer = make({queues[0], queues[1]}), other = make({queues[0]});
  cl_kernel kernel = everywhere("kernel void k(global int *a) { a[0] = 1; }");
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof a_, &a_));
  cl_mutable_command_khr handle = nullptr, foreign = nullptr, returned = nullptr;
  launched(buffer, queues[0], kernel, {}, &handle);
  launched(other, nullptr, kernel, {}, &foreign);
  const auto fails = [&](cl_int code, cl_command_buffer_khr of, cl_bool automatic, std::vector<cl_command_queue> to,
                         cl_uint count = 0, cl_mutable_command_khr *handles = nullptr,
                         cl_mutable_command_khr *room = nullptr) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, remap(of, automatic, static_cast<cl_uint>(to.size()), to.empty() ? nullptr : to.data(), count,
                             handles, room, &error));
    EXPECT_CL(code, error);
    EXPECT_EQ(nullptr, returned);
  };
  const std::vector<cl_command_queue> two{queues[0], queues[1]};
  fails(CL_INVALID_COMMAND_BUFFER_KHR, reinterpret_cast<cl_command_buffer_khr>(queue), CL_TRUE, two);
  fails(CL_INVALID_VALUE, buffer, CL_TRUE, {});
  fails(CL_INVALID_VALUE, buffer, CL_FALSE, {queues[0]});
  fails(CL_INVALID_VALUE, buffer, CL_FALSE, queues);
  fails(CL_INVALID_VALUE, buffer, CL_FALSE, two, 1, &handle, nullptr);
  fails(CL_INVALID_VALUE, buffer, CL_FALSE, two, 1, nullptr, &returned);
  fails(CL_INVALID_VALUE, buffer, CL_FALSE, two, 0, &handle, &returned);
  fails(CL_INVALID_VALUE, buffer, CL_FALSE, two, 1, &foreign, &returned);
  fails(CL_INVALID_COMMAND_QUEUE, buffer, CL_FALSE, {queues[0], nullptr});
  fails(CL_INVALID_CONTEXT, buffer, CL_TRUE, {foreignQueue()});
  if (devices.size() < 2) return;
  // "Any error relating to device support that can be returned by a command recording entry-point may also be
  // returned."
  cl_program program = makeProgram("kernel void k(global int *a) { a[0] = 1; }");
  ASSERT_CL(clBuildProgram(program, 1, &devices[0], "", nullptr, nullptr));
  cl_kernel partly = makeKernel(program, "k");
  ASSERT_CL(clSetKernelArg(partly, 0, sizeof a_, &a_));
  launched(other, nullptr, partly);
  fails(CL_INVALID_PROGRAM_EXECUTABLE, other, CL_FALSE, {queues[1]});
}

} // namespace
} // namespace us::test
