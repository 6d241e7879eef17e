// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that a real device is given again with the arguments of the one before, and transfers of memory that it has:
// nothing of ours stands for them until somebody asks. What they compute, wait for and tell is that of any other
// command.
#include "tests/icd/opencl/forwarded_test.h"

#include <CL/cl_ext.h>

#include <array>
#include <atomic>
#include <thread>

namespace us::test {
namespace {

constexpr const char *kSource = R"(
kernel void count(global int *to, int by) { atomic_add(to, by); }
kernel void mark(global int *to, global int *from, int n) { to[n] = from[0] = from[0] + 1; }
kernel void both(global int *to, local int *a, int n, local int *b, int m) {
  for (int i = 0; i < n; ++i) a[i] = i;
  for (int i = 0; i < m; ++i) b[i] = 1000 * i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i];
  for (int i = 0; i < m; ++i) sum += b[i];
  to[0] = sum;
}
kernel void slow(global int *to, int turns) {
  int x = to[0];
  for (int i = 0; i < turns; ++i) x = x * 1664525 + 1013904223;
  to[0] = x;
}
)";

/// What slow() computes.
cl_int after(cl_int turns, cl_int x = 0) {
  cl_uint y = static_cast<cl_uint>(x);
  for (cl_int i = 0; i < turns; ++i) y = y * 1664525 + 1013904223;
  return static_cast<cl_int>(y);
}

class Repeats : public Forwarded {
protected:
  void SetUp() override {
    Forwarded::SetUp();
    if (IsSkipped()) return;
    queue = queueOn(device, 0); // events of queues that take times have some
    program = buildEverywhere(kSource);
  }
  void go(cl_kernel kernel, size_t items = 1) {
    ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }
  cl_mem zeros(size_t count) {
    std::vector<cl_int> none(count);
    return makeBuffer(count * 4, CL_MEM_COPY_HOST_PTR, none.data());
  }
  cl_int first(cl_mem buffer) { return read(queue, buffer, 1)[0]; }
  cl_program program = nullptr;
};

TEST_F(Repeats, EachLaunchHasItsArguments) {
  cl_mem a = zeros(64), b = zeros(64);
  cl_kernel count = makeKernel(program, "count");
  int expected[2] = {};
  for (int i = 0; i < 300; ++i) {
    const int which = i / 10 % 2, by = i / 25;
    if (i % 10 == 0 || i % 25 == 0) setArguments(count, which ? b : a, by);
    const size_t items = 1 + i % 3;
    go(count, items);
    expected[which] += by * static_cast<int>(items);
    if (i % 50 == 49) ASSERT_CL(clFinish(queue));
  }
  EXPECT_EQ(expected[0], first(a));
  EXPECT_EQ(expected[1], first(b));
}

TEST_F(Repeats, OneArgumentOfSeveralChanges) {
  cl_mem whole = zeros(1024);
  cl_mem buffers[] = {zeros(64), zeros(64), whole, partOf(whole, 1024, 64)};
  cl_kernel both = makeKernel(program, "both");
  const auto sumTo = [](int n) { return n * (n - 1) / 2; };
  int n = 30, m = 250, written[4] = {};
  const auto setSizes = [&] {
    ASSERT_CL(clSetKernelArg(both, 1, 4 * n, nullptr));
    ASSERT_CL(clSetKernelArg(both, 2, sizeof n, &n));
    ASSERT_CL(clSetKernelArg(both, 3, 4 * m, nullptr));
    ASSERT_CL(clSetKernelArg(both, 4, sizeof m, &m));
  };
  setSizes();
  for (int i = 0; i < 40; ++i) {
    const int which = i < 20 ? i % 3 == 0 : i % 4; // of two, then of more than are remembered
    ASSERT_CL(clSetKernelArg(both, 0, sizeof(cl_mem), &buffers[which]));
    if (i % 7 == 6) { // only a value
      --n;
      ASSERT_CL(clSetKernelArg(both, 2, sizeof n, &n));
    }
    if (i % 5 == 4) { // as many bytes of local memory in all
      std::swap(n, m);
      setSizes();
    }
    go(both);
    written[which] = sumTo(n) + 1000 * sumTo(m);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(written[k], first(buffers[k])) << i;
  }
}

TEST_F(Repeats, WhatTheHostWritesBetweenThemIsSeen) {
  cl_mem a = zeros(64);
  cl_kernel count = makeKernel(program, "count");
  setArguments(count, a, cl_int(1));
  for (int i = 0; i < 20; ++i) {
    go(count), go(count), go(count);
    if (i % 2) {
      cl_int error = 0;
      auto *mapped = static_cast<cl_int *>(
          clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &error));
      ASSERT_CL(error);
      EXPECT_EQ(3, *mapped) << i;
      *mapped = 100;
      ASSERT_CL(clEnqueueUnmapMemObject(queue, a, mapped, 0, nullptr, nullptr));
      go(count), go(count);
      EXPECT_EQ(102, first(a)) << i;
    }
    const cl_int zero = 0;
    ASSERT_CL(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, 4, &zero, 0, nullptr, nullptr));
  }
}

TEST_F(Repeats, PartsOfBuffersAreReadAndWrittenWhereTheyLie) {
  cl_mem a = zeros(1024);
  cl_mem part = partOf(a, 1024, 1024);
  cl_kernel count = makeKernel(program, "count");
  setArguments(count, part, cl_int(2));
  for (int i = 0; i < 5; ++i) go(count);
  const cl_int seven = 7;
  ASSERT_CL(clEnqueueWriteBuffer(queue, part, CL_TRUE, 8, 4, &seven, 0, nullptr, nullptr));
  cl_int there[3] = {};
  ASSERT_CL(clEnqueueReadBuffer(queue, a, CL_TRUE, 1024, 12, there, 0, nullptr, nullptr));
  EXPECT_EQ(10, there[0]);
  EXPECT_EQ(7, there[2]);
  // "CL_INVALID_VALUE if the region being read or written specified by (offset, size) is out of bounds or if ptr is a
  // NULL value."
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, a, CL_TRUE, 4092, 8, there, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 8, nullptr, 0, nullptr, nullptr));
  // "CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list > 0, or event_wait_list is not
  // NULL and num_events_in_wait_list is 0"
  cl_event none = nullptr;
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 8, there, 1, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 8, there, 0, &none, nullptr));
}

TEST_F(Repeats, AReleasedArgumentIsAnError) {
  cl_kernel count = makeKernel(program, "count");
  cl_int error = 0;
  cl_mem gone = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error);
  ASSERT_CL(error);
  setArguments(count, gone, cl_int(1));
  const size_t one = 1;
  for (int i = 0; i < 3; ++i) go(count);
  ASSERT_CL(clFinish(queue));
  ASSERT_CL(clReleaseMemObject(gone));
  // "CL_INVALID_KERNEL_ARGS if all argument values for the kernel have not been set": of one that is gone, none is.
  EXPECT_CL(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(queue, count, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
}

TEST_F(Repeats, WrongShapesAreErrors) {
  cl_mem a = zeros(64);
  cl_kernel count = makeKernel(program, "count");
  setArguments(count, a, cl_int(1));
  for (int i = 0; i < 3; ++i) go(count);
  const size_t items = 64, none = 0, huge = size_t(1) << 40;
  // "CL_INVALID_WORK_DIMENSION if work_dim is not a valid value".
  EXPECT_CL(CL_INVALID_WORK_DIMENSION,
            clEnqueueNDRangeKernel(queue, count, 0, nullptr, &items, nullptr, 0, nullptr, nullptr));
  // "CL_INVALID_WORK_ITEM_SIZE if the number of work-items specified in any of local_work_size[0], … is greater than
  // the corresponding values specified by CL_DEVICE_MAX_WORK_ITEM_SIZES".
  EXPECT_CL(CL_INVALID_WORK_ITEM_SIZE,
            clEnqueueNDRangeKernel(queue, count, 1, nullptr, &items, &huge, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueNDRangeKernel(queue, count, 1, nullptr, &items, &none, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clEnqueueNDRangeKernel(nullptr, count, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_EVENT_WAIT_LIST,
            clEnqueueNDRangeKernel(queue, count, 1, nullptr, &items, nullptr, 1, nullptr, nullptr));
  // "If global_work_size is NULL, or the value in any passed dimension is 0 then the kernel command will trivially
  // succeed".
  ASSERT_CL(clEnqueueNDRangeKernel(queue, count, 1, nullptr, &none, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(3, first(a));
}

TEST_F(Repeats, ClonesHaveArgumentsOfTheirOwn) {
  cl_mem a = zeros(64), b = zeros(64);
  cl_kernel count = makeKernel(program, "count");
  setArguments(count, a, cl_int(1));
  go(count);
  cl_int error = 0;
  cl_kernel clone = keep(clCloneKernel(count, &error), clReleaseKernel);
  ASSERT_CL(error);
  setArguments(clone, b, cl_int(1000));
  std::array<std::thread, 2> threads;
  cl_kernel kernels[] = {count, clone};
  for (size_t i = 0; i < 2; ++i)
    threads[i] = std::thread([&, i] {
      for (int turn = 0; turn < 200; ++turn) go(kernels[i]);
    });
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(201, first(a));
  EXPECT_EQ(200000, first(b));
}

TEST_F(Repeats, EventsSayWhatTheyStandFor) {
  cl_mem a = zeros(64);
  cl_kernel slow = makeKernel(program, "slow");
  setArguments(slow, a, cl_int(100000));
  go(slow);
  cl_event event = launch(queue, slow, 1), released = nullptr;
  EXPECT_EQ(queue, ask<cl_command_queue>(clGetEventInfo, CL_EVENT_COMMAND_QUEUE, event));
  EXPECT_EQ(context, ask<cl_context>(clGetEventInfo, CL_EVENT_CONTEXT, event));
  EXPECT_EQ(cl_uint(CL_COMMAND_NDRANGE_KERNEL), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, event));
  EXPECT_EQ(1u, ask<cl_uint>(clGetEventInfo, CL_EVENT_REFERENCE_COUNT, event));
  ASSERT_CL(clFlush(queue));
  // The status alone is asked again and again.
  EXPECT_TRUE(
      eventually([&] { return ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, event) == CL_COMPLETE; }));
  const size_t one = 1;
  for (int i = 0; i < 200; ++i) {
    ASSERT_CL(clEnqueueNDRangeKernel(queue, slow, 1, nullptr, &one, nullptr, 0, nullptr, &released));
    ASSERT_CL(clReleaseEvent(released));
  }
  EXPECT_EQ(after(100000 * 202), first(a));
  // "CL_PROFILING_INFO_NOT_AVAILABLE if the CL_QUEUE_PROFILING_ENABLE flag is not set for the command-queue".
  cl_ulong time = 0;
  EXPECT_CL(CL_PROFILING_INFO_NOT_AVAILABLE,
            clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof time, &time, nullptr));
  EXPECT_CL(CL_INVALID_EVENT, clSetUserEventStatus(event, CL_COMPLETE));
}

TEST_F(Repeats, EventsAreWaitedForByAnybody) {
  cl_mem a = zeros(64);
  cl_kernel slow = makeKernel(program, "slow");
  constexpr cl_int kTurns = 50000;
  setArguments(slow, a, kTurns);
  go(slow);
  std::vector<cl_event> events;
  for (int i = 0; i < 12; ++i) events.push_back(launch(queue, slow, 1, events));
  std::atomic<int> called{0};
  for (cl_event event : events)
    ASSERT_CL(clSetEventCallback(
        event, CL_COMPLETE,
        [](cl_event, cl_int status, void *into) {
          if (status == CL_COMPLETE) ++*static_cast<std::atomic<int> *>(into);
        },
        &called));
  // The same event by two threads at a time, and one before it by another.
  std::array<std::thread, 3> threads;
  for (size_t i = 0; i < 3; ++i)
    threads[i] = std::thread([&, i] { EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &events[i == 2 ? 3 : 11])); });
  for (std::thread &thread : threads) thread.join();
  EXPECT_TRUE(eventually([&] { return called.load() == 12; })) << called.load();
  EXPECT_EQ(after(13 * kTurns), first(a));
}

TEST_F(Repeats, OtherCommandsWaitForThem) {
  cl_mem a = zeros(64), b = zeros(64);
  cl_kernel slow = makeKernel(program, "slow");
  constexpr cl_int kTurns = 2000000;
  setArguments(slow, a, kTurns);
  go(slow);
  cl_command_queue other = queueOn(device, 0);
  cl_int there = 0, expected = kTurns;
  for (int i = 0; i < 3; ++i) {
    // A read that blocks, a copy that does not, and a launch, of another queue.
    cl_event event = launch(queue, slow, 1);
    ASSERT_CL(clEnqueueReadBuffer(other, a, CL_TRUE, 0, 4, &there, 1, &event, nullptr));
    EXPECT_EQ(after(expected += kTurns), there);
    event = launch(queue, slow, 1);
    ASSERT_CL(clEnqueueCopyBuffer(other, a, b, 0, 0, 4, 1, &event, nullptr));
    ASSERT_CL(clEnqueueReadBuffer(other, b, CL_TRUE, 0, 4, &there, 0, nullptr, nullptr));
    EXPECT_EQ(after(expected += kTurns), there);
    event = launch(queue, slow, 1);
    event = launch(other, slow, 1, {event});
    event = launch(queue, slow, 1, {event});
    ASSERT_CL(clWaitForEvents(1, &event));
    EXPECT_EQ(after(expected += 3 * kTurns), first(a));
  }
  // With a user event in the list it is not the device's alone to wait.
  cl_event gate = makeUserEvent(), before = launch(queue, slow, 1), behind = launch(other, slow, 1, {before, gate});
  ASSERT_CL(clWaitForEvents(1, &before));
  EXPECT_NE(CL_COMPLETE, ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, behind));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  cl_event all[] = {before, gate, behind};
  ASSERT_CL(clWaitForEvents(3, all));
  EXPECT_EQ(after(expected += 2 * kTurns), first(a));
}

TEST_F(Repeats, TheyComeAfterWhatWaits) {
  cl_mem a = zeros(64);
  cl_kernel count = makeKernel(program, "count");
  setArguments(count, a, cl_int(1));
  go(count);
  const cl_int five = 5;
  cl_event gate = makeUserEvent();
  ASSERT_CL(clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 4, &five, 1, &gate, nullptr));
  cl_event last = nullptr;
  for (int i = 0; i < 10; ++i) last = launch(queue, count, 1);
  go(count);
  EXPECT_NE(CL_COMPLETE, ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, last));
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(16, first(a));
}

TEST_F(Repeats, MarkersEndBehindThem) {
  cl_mem a = zeros(64);
  cl_kernel slow = makeKernel(program, "slow");
  constexpr cl_int kTurns = 30000000;
  setArguments(slow, a, kTurns);
  go(slow);
  ASSERT_CL(clFinish(queue));
  cl_command_queue other = queueOn(device, 0);
  for (int i = 2; i < 5; ++i) {
    go(slow);
    cl_event marker = nullptr;
    // "The marker command … waits for … all previously enqueued commands to complete": also one whose event waits.
    if (i % 2)
      ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker));
    else
      ASSERT_CL(clEnqueueBarrierWithWaitList(queue, 0, nullptr, &marker));
    keep(marker, clReleaseEvent);
    cl_int there = 0;
    ASSERT_CL(clEnqueueReadBuffer(other, a, CL_TRUE, 0, 4, &there, 1, &marker, nullptr));
    EXPECT_EQ(after(i * kTurns), there);
    go(slow);
    cl_event copied = nullptr;
    ASSERT_CL(clEnqueueMarkerWithWaitList(queue, 0, nullptr, &marker));
    keep(marker, clReleaseEvent);
    ASSERT_CL(clWaitForEvents(1, &marker));
    const cl_int back = after((i - 1) * kTurns + kTurns);
    ASSERT_CL(clEnqueueFillBuffer(other, a, &back, 4, 0, 4, 0, nullptr, &copied));
    keep(copied, clReleaseEvent);
    ASSERT_CL(clWaitForEvents(1, &copied));
  }
}

TEST_F(Repeats, QueuesAndEventsMayBeReleasedAtOnce) {
  cl_mem a = zeros(64);
  cl_kernel count = makeKernel(program, "count");
  setArguments(count, a, cl_int(1));
  go(count);
  ASSERT_CL(clFinish(queue));
  cl_int error = 0;
  cl_command_queue short_ = clCreateCommandQueueWithProperties(context, device, nullptr, &error);
  ASSERT_CL(error);
  const size_t one = 1;
  cl_event event = nullptr;
  for (int i = 0; i < 100; ++i) {
    if (event) ASSERT_CL(clReleaseEvent(event));
    ASSERT_CL(clEnqueueNDRangeKernel(short_, count, 1, nullptr, &one, nullptr, 0, nullptr, &event));
  }
  ASSERT_CL(clReleaseCommandQueue(short_));
  ASSERT_CL(clWaitForEvents(1, &event));
  EXPECT_EQ(101, first(a));
  ASSERT_CL(clReleaseEvent(event));
}

TEST_F(Repeats, FinishWaitsForThem) {
  cl_mem a = zeros(64);
  cl_kernel slow = makeKernel(program, "slow");
  constexpr cl_int kTurns = 3000000;
  setArguments(slow, a, kTurns);
  go(slow);
  cl_command_queue other = queueOn(device, 0);
  for (int i = 1; i < 4; ++i) {
    go(slow);
    ASSERT_CL(clFinish(queue));
    cl_int there = 0;
    ASSERT_CL(clEnqueueReadBuffer(other, a, CL_TRUE, 0, 4, &there, 0, nullptr, nullptr));
    EXPECT_EQ(after((i + 1) * kTurns), there);
  }
}

TEST_F(Repeats, DestructorCallbacksComeAfterThem) {
  cl_kernel slow = makeKernel(program, "slow");
  cl_int error = 0;
  cl_mem a = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, &error);
  ASSERT_CL(error);
  std::atomic<bool> isGone{false};
  ASSERT_CL(clSetMemObjectDestructorCallback(
      a, [](cl_mem, void *into) { static_cast<std::atomic<bool> *>(into)->store(true); }, &isGone));
  setArguments(slow, a, cl_int(20000000));
  for (int i = 0; i < 3; ++i) go(slow);
  cl_event last = launch(queue, slow, 1);
  ASSERT_CL(clFlush(queue));
  // "After the reference count becomes zero and commands queued for execution on a command-queue(s) that use memobj
  // have finished, the memory object is deleted", and only then the callback is called.
  ASSERT_CL(clReleaseMemObject(a));
  const bool wasGone = isGone.load();
  EXPECT_TRUE(!wasGone || ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, last) == CL_COMPLETE);
  ASSERT_CL(clFinish(queue));
  EXPECT_TRUE(eventually([&] { return isGone.load(); }));
}

TEST_F(Repeats, OfTwoDevicesEachSeesTheOthers) {
  if (devices.size() < 2) GTEST_SKIP() << "no emulated device is listed";
  cl_mem a = zeros(64);
  cl_kernel count = makeKernel(program, "count");
  setArguments(count, a, cl_int(1));
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 3; ++j) go(count);
    ASSERT_CL(clFinish(queue));
    cl_event there = launch(queues[1], count, 1);
    cl_event back = launch(queue, count, 1, {there}), again = launch(queues[1], count, 1, {back});
    ASSERT_CL(clWaitForEvents(1, &again));
  }
  EXPECT_EQ(36, read(queues[1], a, 1)[0]);
  EXPECT_EQ(36, first(a));
}

} // namespace
} // namespace us::test
