// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <atomic>

namespace us::test {
namespace {

class EventTest : public OpenCl {
protected:
  void SetUp() override {
    OpenCl::SetUp();
    if (!HasFatalFailure()) buffer_ = makeBuffer(64);
  }
  /// A fill behind `wait`, or behind nothing.
  cl_event fill(cl_command_queue on, cl_event wait = nullptr, cl_int value = 1) {
    cl_event done = nullptr;
    EXPECT_CL(CL_SUCCESS,
              clEnqueueFillBuffer(on, buffer_, &value, 4, 0, 64, wait ? 1 : 0, wait ? &wait : nullptr, &done));
    return keep(done, clReleaseEvent);
  }
  cl_mem buffer_ = nullptr;
};

TEST_F(EventTest, clCreateUserEvent) {
  cl_event user = makeUserEvent();
  EXPECT_EQ(CL_SUBMITTED, statusOf(user));
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateUserEvent(reinterpret_cast<cl_context>(queue), &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
}

TEST_F(EventTest, clSetUserEventStatus) {
  cl_event user = makeUserEvent();
  EXPECT_CL(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_EQ(CL_COMPLETE, statusOf(user));
  EXPECT_CL(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_CL(CL_INVALID_OPERATION, clSetUserEventStatus(user, -1));
  EXPECT_CL(CL_INVALID_EVENT, clSetUserEventStatus(fill(queue), CL_COMPLETE));
  EXPECT_CL(CL_INVALID_EVENT, clSetUserEventStatus(nullptr, CL_COMPLETE));
}

TEST_F(EventTest, aCommandBehindAnOpenUserEventStaysQueued) {
  cl_event user = makeUserEvent(), behind = fill(queue, user);
  EXPECT_CL(CL_SUCCESS, clFlush(queue));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(CL_QUEUED, statusOf(behind));
    std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &behind));
  EXPECT_EQ(CL_COMPLETE, statusOf(behind));
}

TEST_F(EventTest, aFailureReachesWhatWaitsForIt) {
  cl_event user = makeUserEvent(), behind = fill(queue, user);
  cl_command_queue other = makeQueue();
  cl_event across = fill(other, behind);
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, -1234));
  EXPECT_EQ(-1234, statusOf(user));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &across));
  EXPECT_LT(statusOf(behind), 0);
  EXPECT_LT(statusOf(across), 0);
}

TEST_F(EventTest, clWaitForEvents) {
  EXPECT_CL(CL_INVALID_VALUE, clWaitForEvents(0, nullptr));
  cl_event first = fill(queue), none = nullptr;
  EXPECT_CL(CL_INVALID_VALUE, clWaitForEvents(1, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clWaitForEvents(0, &first));
  // The loader looks into the first event, so the invalid one comes second.
  cl_event list[] = {first, none};
  EXPECT_CL(CL_INVALID_EVENT, clWaitForEvents(2, list));
  cl_int error = 0;
  cl_context other = keep(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), clReleaseContext);
  list[1] = keep(clCreateUserEvent(other, &error), clReleaseEvent);
  EXPECT_CL(CL_INVALID_CONTEXT, clWaitForEvents(2, list));
  list[1] = fill(queue);
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(2, list));
  EXPECT_EQ(CL_COMPLETE, statusOf(list[1]));
}

TEST_F(EventTest, clGetEventInfo) {
  cl_event user = makeUserEvent(), done = fill(queue);
  EXPECT_EQ(queue, ask<cl_command_queue>(clGetEventInfo, CL_EVENT_COMMAND_QUEUE, done));
  EXPECT_EQ(nullptr, ask<cl_command_queue>(clGetEventInfo, CL_EVENT_COMMAND_QUEUE, user));
  EXPECT_EQ(context, ask<cl_context>(clGetEventInfo, CL_EVENT_CONTEXT, done));
  EXPECT_EQ(cl_command_type(CL_COMMAND_FILL_BUFFER), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, done));
  EXPECT_EQ(cl_command_type(CL_COMMAND_USER), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, user));
  EXPECT_EQ(1u, ask<cl_uint>(clGetEventInfo, CL_EVENT_REFERENCE_COUNT, done));
  EXPECT_CL(CL_INVALID_VALUE, clGetEventInfo(done, 0x3333, 0, nullptr, nullptr));
}

TEST_F(EventTest, clRetainEvent) {
  cl_event user = makeUserEvent();
  EXPECT_CL(CL_SUCCESS, clRetainEvent(user));
  EXPECT_EQ(2u, ask<cl_uint>(clGetEventInfo, CL_EVENT_REFERENCE_COUNT, user));
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(user));
}

TEST_F(EventTest, clReleaseEvent) {
  cl_int error = 0;
  cl_event user = clCreateUserEvent(context, &error);
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(user));
  EXPECT_CL(CL_INVALID_EVENT, clReleaseEvent(user));
}

struct Heard {
  std::atomic<int> calls{0};
  std::atomic<cl_int> status{99};
  std::atomic<cl_event> event{nullptr};
};
void CL_CALLBACK notice(cl_event event, cl_int status, void *data) {
  auto *heard = static_cast<Heard *>(data);
  heard->event = event;
  heard->status = status;
  ++heard->calls;
}

TEST_F(EventTest, clSetEventCallback) {
  cl_event user = makeUserEvent();
  Heard submitted, running, complete, failed;
  cl_int error = 0;
  cl_event behind = nullptr;
  cl_int value = 1;
  EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(queue, buffer_, &value, 4, 0, 64, 1, &user, &behind));
  EXPECT_CL(CL_INVALID_VALUE, clSetEventCallback(behind, CL_COMPLETE, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clSetEventCallback(behind, CL_QUEUED, notice, &complete));
  EXPECT_CL(CL_INVALID_EVENT, clSetEventCallback(nullptr, CL_COMPLETE, notice, &complete));
  EXPECT_CL(CL_SUCCESS, clSetEventCallback(behind, CL_SUBMITTED, notice, &submitted));
  EXPECT_CL(CL_SUCCESS, clSetEventCallback(behind, CL_RUNNING, notice, &running));
  EXPECT_CL(CL_SUCCESS, clSetEventCallback(behind, CL_COMPLETE, notice, &complete));
  // The handle stays valid for the callbacks though the application lets go of it.
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(behind));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_TRUE(eventually([&] { return submitted.calls && running.calls && complete.calls; }));
  EXPECT_EQ(behind, complete.event);
  EXPECT_EQ(CL_SUBMITTED, submitted.status);
  EXPECT_EQ(CL_RUNNING, running.status);
  EXPECT_EQ(CL_COMPLETE, complete.status);
  cl_event bad = clCreateUserEvent(context, &error);
  EXPECT_CL(CL_SUCCESS, clSetEventCallback(bad, CL_COMPLETE, notice, &failed));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(bad, -77));
  EXPECT_TRUE(eventually([&] { return failed.calls == 1; }));
  EXPECT_EQ(-77, failed.status);
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(bad));
}

struct Chain {
  cl_command_queue queue;
  cl_mem buffer;
  cl_event next;
  std::atomic<int> codes{1};
};
void CL_CALLBACK goOn(cl_event event, cl_int, void *data) {
  auto *chain = static_cast<Chain *>(data);
  cl_int zero = 0, codes = 0;
  codes |= clEnqueueFillBuffer(chain->queue, chain->buffer, &zero, 4, 0, 4, 0, nullptr, nullptr);
  codes |= clFlush(chain->queue);
  codes |= clSetUserEventStatus(chain->next, CL_COMPLETE);
  codes |= clReleaseEvent(event);
  chain->codes = codes;
}

TEST_F(EventTest, aCallbackMayCallUs) {
  Chain chain{queue, buffer_, makeUserEvent()};
  cl_event first = nullptr;
  cl_int one = 1;
  EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(queue, buffer_, &one, 4, 0, 64, 0, nullptr, &first));
  EXPECT_CL(CL_SUCCESS, clSetEventCallback(first, CL_COMPLETE, goOn, &chain));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &chain.next));
  EXPECT_TRUE(eventually([&] { return chain.codes == CL_SUCCESS; }));
}

TEST_F(EventTest, clGetEventProfilingInfo) {
  cl_command_queue profiled = makeQueue(CL_QUEUE_PROFILING_ENABLE);
  cl_event done = fill(profiled);
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &done));
  cl_ulong last = 1;
  for (cl_profiling_info name : {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                 CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE}) {
    cl_ulong time = ask<cl_ulong>(clGetEventProfilingInfo, name, done);
    EXPECT_GE(time, last);
    last = time;
  }
  EXPECT_CL(CL_INVALID_VALUE, clGetEventProfilingInfo(done, 0x1111, 0, nullptr, nullptr));
  cl_ulong time = 0;
  cl_event unprofiled = fill(queue), user = makeUserEvent();
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &unprofiled));
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(unprofiled, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr));
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr));
  cl_event open = fill(profiled, user);
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(open, CL_PROFILING_COMMAND_END, sizeof time, &time, nullptr));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
}

TEST_F(EventTest, clEnqueueMarker) {
  cl_event user = makeUserEvent(), marker = nullptr;
  fill(queue, user);
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMarker(queue, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(reinterpret_cast<cl_command_queue>(context), &marker));
  EXPECT_CL(CL_SUCCESS, clEnqueueMarker(queue, &marker));
  keep(marker, clReleaseEvent);
  EXPECT_CL(CL_SUCCESS, clFlush(queue));
  EXPECT_EQ(CL_QUEUED, statusOf(marker));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &marker));
}

TEST_F(EventTest, clEnqueueMarkerWithWaitList) {
  // In an out-of-order queue a marker without a list waits for everything before it, and nothing waits for it.
  cl_command_queue free = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event user = makeUserEvent(), marker = nullptr, listed = nullptr;
  fill(free, user);
  EXPECT_CL(CL_SUCCESS, clEnqueueMarkerWithWaitList(free, 0, nullptr, &marker));
  keep(marker, clReleaseEvent);
  cl_event later = fill(free);
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &later));
  EXPECT_EQ(CL_QUEUED, statusOf(marker));
  EXPECT_CL(CL_SUCCESS, clEnqueueMarkerWithWaitList(free, 1, &later, &listed));
  keep(listed, clReleaseEvent);
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &listed));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, clEnqueueMarkerWithWaitList(free, 1, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &marker));
  EXPECT_EQ(cl_command_type(CL_COMMAND_MARKER), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, marker));
}

TEST_F(EventTest, clEnqueueBarrierWithWaitList) {
  cl_command_queue free = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event user = makeUserEvent(), barrier = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueBarrierWithWaitList(free, 1, &user, &barrier));
  keep(barrier, clReleaseEvent);
  cl_event later = fill(free);
  EXPECT_CL(CL_SUCCESS, clFlush(free));
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  EXPECT_EQ(CL_QUEUED, statusOf(later));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, clEnqueueBarrierWithWaitList(free, 0, &user, nullptr));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &later));
  EXPECT_EQ(CL_COMPLETE, statusOf(barrier));
  EXPECT_EQ(cl_command_type(CL_COMMAND_BARRIER), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, barrier));
}

TEST_F(EventTest, clEnqueueBarrier) {
  cl_command_queue free = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event user = makeUserEvent();
  fill(free, user);
  EXPECT_CL(CL_SUCCESS, clEnqueueBarrier(free));
  cl_event later = fill(free);
  EXPECT_CL(CL_SUCCESS, clFlush(free));
  EXPECT_EQ(CL_QUEUED, statusOf(later));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &later));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(reinterpret_cast<cl_command_queue>(context)));
}

TEST_F(EventTest, clEnqueueWaitForEvents) {
  cl_command_queue free = makeQueue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_event user = makeUserEvent();
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueWaitForEvents(free, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueWaitForEvents(free, 1, nullptr));
  cl_event none = nullptr;
  EXPECT_CL(CL_INVALID_EVENT, clEnqueueWaitForEvents(free, 1, &none));
  EXPECT_CL(CL_SUCCESS, clEnqueueWaitForEvents(free, 1, &user));
  cl_event later = fill(free);
  EXPECT_CL(CL_SUCCESS, clFlush(free));
  EXPECT_EQ(CL_QUEUED, statusOf(later));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, CL_COMPLETE));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &later));
}

struct NativeArguments {
  cl_int *memory;
  cl_int value;
  std::atomic<int> *calls;
};
void CL_CALLBACK nativeKernel(void *data) {
  auto *arguments = static_cast<NativeArguments *>(data);
  arguments->memory[3] = arguments->value;
  ++*arguments->calls;
}

// What a native kernel throws ends its command; the queue goes on.
TEST_F(EventTest, aNativeKernelThatThrowsFails) {
  bool native = ask<cl_device_exec_capabilities>(clGetDeviceInfo, CL_DEVICE_EXECUTION_CAPABILITIES, device) &
                CL_EXEC_NATIVE_KERNEL;
  if (!native) GTEST_SKIP() << "the device executes no native kernels";
  cl_event done = nullptr;
  ASSERT_CL(clEnqueueNativeKernel(
      queue, [](void *) { throw std::bad_alloc(); }, nullptr, 0, 0, nullptr, nullptr, 0, nullptr, &done));
  keep(done, clReleaseEvent);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &done));
  EXPECT_EQ(CL_OUT_OF_HOST_MEMORY, ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, done));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  cl_int values[16] = {};
  EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer_, CL_TRUE, 0, 64, values, 0, nullptr, nullptr));
}

TEST_F(EventTest, clEnqueueNativeKernel) {
  std::atomic<int> calls{0};
  NativeArguments arguments{reinterpret_cast<cl_int *>(buffer_), 31, &calls};
  const void *place = &arguments.memory;
  cl_event done = nullptr;
  cl_int result =
      clEnqueueNativeKernel(queue, nativeKernel, &arguments, sizeof arguments, 1, &buffer_, &place, 0, nullptr, &done);
  bool native = ask<cl_device_exec_capabilities>(clGetDeviceInfo, CL_DEVICE_EXECUTION_CAPABILITIES, device) &
                CL_EXEC_NATIVE_KERNEL;
  if (!native) {
    EXPECT_CL(CL_INVALID_OPERATION, result);
    return;
  }
  arguments.value = 99; // the arguments were copied
  ASSERT_CL(result);
  keep(done, clReleaseEvent);
  cl_int values[16] = {};
  EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer_, CL_TRUE, 0, 64, values, 0, nullptr, nullptr));
  EXPECT_EQ(31, values[3]);
  EXPECT_EQ(1, calls);
  EXPECT_EQ(cl_command_type(CL_COMMAND_NATIVE_KERNEL),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, done));
  auto call = [&](void *data, size_t size, cl_uint count, const cl_mem *list, const void **places) {
    return clEnqueueNativeKernel(queue, nativeKernel, data, size, count, list, places, 0, nullptr, nullptr);
  };
  EXPECT_CL(CL_INVALID_VALUE,
            clEnqueueNativeKernel(queue, nullptr, &arguments, 8, 0, nullptr, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(nullptr, 8, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(&arguments, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, call(&arguments, sizeof arguments, 1, nullptr, &place));
  EXPECT_CL(CL_INVALID_VALUE, call(&arguments, sizeof arguments, 0, &buffer_, &place));
  cl_mem none = nullptr;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, call(&arguments, sizeof arguments, 1, &none, &place));
}

} // namespace
} // namespace us::test
