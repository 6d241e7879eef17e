// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs on a device of another driver (PoCL's), seen through us: alone, and beside an emulated one in one context. A
// program of its own, since which devices there are is said once to a process.
#include "tests/icd/opencl/forwarded_test.h"
#include "icd/opencl/newer_cl.h"

#include <CL/cl_ext.h>

#include <atomic>
#include <cstdio>
#include <numeric>
#include <thread>

namespace us::test {
namespace {

constexpr const char *kSource = R"(
typedef struct { int factor; char text[9]; } Parameters;
kernel void scale(global int *x, Parameters p, local int *scratch, float3 offset) {
  size_t i = get_global_id(0);
  scratch[get_local_id(0)] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = scratch[get_local_id(0)] * p.factor + (int)offset.z;
}
kernel void add(global int *to, constant int *from, int more) { to[get_global_id(0)] += from[get_global_id(0)] + more; }
kernel void none() {}
)";
struct Parameters {
  cl_int factor;
  char text[9];
};

TEST_F(Forwarded, KernelsGetTheirArguments) {
  std::vector<cl_int> numbers(1024);
  std::iota(numbers.begin(), numbers.end(), 0);
  cl_mem buffer = makeBuffer(4096, CL_MEM_COPY_HOST_PTR, numbers.data());
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "scale");
  EXPECT_EQ(4u, ask<cl_uint>(clGetKernelInfo, CL_KERNEL_NUM_ARGS, kernel));
  const Parameters parameters{3, "eightchr"};
  const cl_float4 offset{{0, 0, 7, 0}};
  ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  ASSERT_CL(clSetKernelArg(kernel, 1, sizeof parameters, &parameters));
  ASSERT_CL(clSetKernelArg(kernel, 2, 64 * 4, nullptr));
  ASSERT_CL(clSetKernelArg(kernel, 3, sizeof offset, &offset));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &buffer));
  EXPECT_CL(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 4, 4, &buffer));
  const size_t global = 1024, local = 64;
  cl_event event = nullptr;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, &local, 0, nullptr, &event));
  keep(event, clReleaseEvent);
  const std::vector<cl_int> result = read(queue, buffer, 1024);
  for (int i = 0; i < 1024; ++i) ASSERT_EQ(i * 3 + 7, result[i]) << i;
  EXPECT_EQ(CL_COMPLETE, ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, event));
}

TEST_F(Forwarded, EventsHaveTimesAndCallbacks) {
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "none");
  cl_event gate = makeUserEvent();
  cl_event event = launch(queue, kernel, 16, {gate});
  std::atomic<int> status{-1000};
  ASSERT_CL(clSetEventCallback(
      event, CL_COMPLETE,
      [](cl_event, cl_int reached, void *into) { static_cast<std::atomic<int> *>(into)->store(reached); }, &status));
  EXPECT_EQ(-1000, status.load());
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &event));
  EXPECT_TRUE(eventually([&] { return status.load() == CL_COMPLETE; }));
  cl_ulong times[4]{};
  for (int i = 0; i < 4; ++i) times[i] = ask<cl_ulong>(clGetEventProfilingInfo, CL_PROFILING_COMMAND_QUEUED + i, event);
  EXPECT_LE(times[0], times[1]);
  EXPECT_LE(times[1], times[2]);
  EXPECT_LE(times[2], times[3]);
}

TEST_F(Forwarded, AFailedUserEventFailsWhatWaitsForIt) {
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "none");
  cl_event gate = makeUserEvent();
  cl_event event = launch(queue, kernel, 16, {gate});
  ASSERT_CL(clSetUserEventStatus(gate, -5));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  ASSERT_CL(clFinish(queue));
}

TEST_F(Forwarded, BuffersAreFilledCopiedMappedAndDivided) {
  cl_mem a = makeBuffer(4096), b = makeBuffer(4096);
  const cl_int pattern = 5;
  ASSERT_CL(clEnqueueFillBuffer(queue, a, &pattern, 4, 0, 4096, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueCopyBuffer(queue, a, b, 0, 1024, 1024, 0, nullptr, nullptr));
  cl_int error = 0;
  auto *mapped = static_cast<cl_int *>(
      clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 1024, 1024, 0, nullptr, nullptr, &error));
  ASSERT_CL(error);
  EXPECT_EQ(5, mapped[0]);
  for (int i = 0; i < 256; ++i) mapped[i] = i;
  ASSERT_CL(clEnqueueUnmapMemObject(queue, b, mapped, 0, nullptr, nullptr));
  const cl_buffer_region region{1024, 1024};
  cl_mem part = keep(clCreateSubBuffer(b, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), clReleaseMemObject);
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  const cl_int more = 100;
  setArguments(kernel, part, a, more);
  launch(queue, kernel, 256);
  std::vector<cl_int> box(64);
  const size_t from[3] = {0, 8, 0}, to[3] = {0, 0, 0}, size[3] = {32, 8, 1};
  ASSERT_CL(clEnqueueReadBufferRect(queue, b, CL_TRUE, from, to, size, 128, 0, 32, 0, box.data(), 0, nullptr, nullptr));
  for (int row = 0; row < 8; ++row)
    for (int i = 0; i < 8; ++i) ASSERT_EQ(105 + row * 32 + i, box[row * 8 + i]);
}

TEST_F(Forwarded, TheHostsMemoryIsWhereMapsAre) {
  std::vector<cl_int> mine(64, 1);
  cl_mem buffer = makeBuffer(256, CL_MEM_USE_HOST_PTR, mine.data()),
         other = makeBuffer(256, CL_MEM_COPY_HOST_PTR, mine.data());
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  const cl_int more = 1;
  setArguments(kernel, buffer, other, more);
  launch(queue, kernel, 64);
  cl_int error = 0;
  void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, 256, 0, nullptr, nullptr, &error);
  ASSERT_CL(error);
  EXPECT_EQ(mine.data(), mapped);
  EXPECT_EQ(std::vector<cl_int>(64, 3), mine);
  ASSERT_CL(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
}

TEST_F(Forwarded, ProgramsAreCompiledLinkedAndLoaded) {
  cl_program library = makeProgram("int twice(int x) { return 2 * x; }");
  cl_program caller = makeProgram("#include \"twice.h\"\nkernel void k(global int *x) { x[0] = twice(x[0]); }");
  cl_program header = makeProgram("int twice(int x);");
  const char *name = "twice.h";
  ASSERT_CL(clCompileProgram(library, 1, &device, "", 0, nullptr, nullptr, nullptr, nullptr));
  ASSERT_CL(clCompileProgram(caller, 1, &device, "", 1, &header, &name, nullptr, nullptr));
  const cl_program parts[] = {library, caller};
  cl_int error = 0;
  cl_program linked =
      keep(clLinkProgram(context, 1, &device, "", 2, parts, nullptr, nullptr, &error), clReleaseProgram);
  ASSERT_CL(error);
  const size_t size = askList<size_t>(clGetProgramInfo, CL_PROGRAM_BINARY_SIZES, linked).at(0);
  std::vector<unsigned char> binary(size);
  unsigned char *into = binary.data();
  ASSERT_CL(clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr));
  const unsigned char *bytes = binary.data();
  cl_int status = 0;
  cl_program loaded =
      keep(clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &error), clReleaseProgram);
  ASSERT_CL(error);
  ASSERT_CL(clBuildProgram(loaded, 1, &device, "", nullptr, nullptr));
  for (cl_program program : {linked, loaded}) {
    cl_int number = 21;
    cl_mem buffer = makeBuffer(4, CL_MEM_COPY_HOST_PTR, &number);
    cl_kernel kernel = makeKernel(program, "k");
    ASSERT_CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    launch(queue, kernel, 1);
    EXPECT_EQ(42, read(queue, buffer, 1)[0]);
  }
}

TEST_F(Forwarded, TheDriversLogAndErrorsComeThrough) {
  cl_program broken = makeProgram("kernel void k(global int *x) { x[0] = nothing_of_this_name; }");
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(broken, 1, &device, "", nullptr, nullptr));
  EXPECT_NE(std::string::npos, logOf(broken).find("nothing_of_this_name"));
  EXPECT_EQ(CL_BUILD_ERROR, ask<cl_build_status>(clGetProgramBuildInfo, CL_PROGRAM_BUILD_STATUS, broken, device));
  EXPECT_CL(CL_INVALID_BUILD_OPTIONS,
            clBuildProgram(makeProgram(kSource), 1, &device, "-no-such-option", nullptr, nullptr));
}

TEST_F(Forwarded, WhatIsNotForwardedIsNotThere) {
  EXPECT_EQ(0u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_PIPE_ARGS, device));
  EXPECT_EQ(ourPlatform(), ask<cl_platform_id>(clGetDeviceInfo, CL_DEVICE_PLATFORM, device));
}

TEST_F(Forwarded, KernelsSayWhatTheDriverSaysOfThem) {
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  const auto most = ask<size_t>(clGetKernelWorkGroupInfo, CL_KERNEL_WORK_GROUP_SIZE, kernel, device);
  EXPECT_GT(most, 0u);
  EXPECT_LE(most, ask<size_t>(clGetDeviceInfo, CL_DEVICE_MAX_WORK_GROUP_SIZE, device));
  EXPECT_GT(ask<size_t>(clGetKernelWorkGroupInfo, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, kernel, device), 0u);
  cl_mem buffer = makeBuffer(64);
  const cl_int more = 1;
  setArguments(kernel, buffer, buffer, more);
  const size_t size[2] = {most, 2};
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueNDRangeKernel(queue, kernel, 2, nullptr, size, size, 0, nullptr, nullptr));
}

TEST_F(Forwarded, CommandBuffersAreReplayed) {
  const auto create = extensionFunction<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
  const auto finalize = extensionFunction<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
  const auto enqueue = extensionFunction<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
  const auto release = extensionFunction<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR");
  const auto record = extensionFunction<clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
  const auto copy = extensionFunction<opencl::clCommandCopyBufferKHR_fn>("clCommandCopyBufferKHR");
  ASSERT_TRUE(create && finalize && enqueue && release && record && copy);
  EXPECT_NE(std::string::npos, askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device).find("cl_khr_command_buffer"));
  std::vector<cl_int> ones(64, 1);
  cl_mem to = makeBuffer(256, CL_MEM_COPY_HOST_PTR, ones.data()), out = makeBuffer(256),
         from = makeBuffer(256, CL_MEM_COPY_HOST_PTR, ones.data());
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  const cl_int more = 2;
  setArguments(kernel, to, from, more);
  cl_int error = 0;
  cl_command_buffer_khr commands = create(1, &queue, nullptr, &error);
  ASSERT_CL(error);
  const size_t items = 64;
  ASSERT_CL(record(commands, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(copy(commands, nullptr, nullptr, to, out, 0, 0, 256, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(finalize(commands));
  for (int round = 0; round < 5; ++round) {
    ASSERT_CL(enqueue(0, nullptr, commands, 0, nullptr, nullptr));
    ASSERT_CL(clFinish(queue));
  }
  EXPECT_EQ(std::vector<cl_int>(64, 16), read(queue, out, 64));
  ASSERT_CL(release(commands));
}

/// What is waited for together, by several threads, and what is behind it.
TEST_F(Forwarded, EventsAreWaitedForInAnyOrderAndByAnybody) {
  cl_program program = buildEverywhere("kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }");
  cl_kernel add = makeKernel(program, "add");
  std::vector<cl_int> zeros(64, 0);
  cl_mem memory = makeBuffer(256, CL_MEM_COPY_HOST_PTR, zeros.data());
  setArguments(add, memory, cl_int{1});
  cl_int launches = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<cl_event> events;
    for (int i = 0; i < 40; ++i, ++launches)
      events.push_back(launch(queue, add, 64, i ? std::vector{events[i - 1]} : std::vector<cl_event>{}));
    std::vector<std::thread> threads;
    for (const size_t which : {39, 20, 3, 39})
      threads.emplace_back([&, which] {
        EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &events[which]));
        // All before it in the queue have ended, too.
        for (size_t i = 0; i <= which; ++i)
          EXPECT_EQ(CL_COMPLETE, ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, events[i])) << i;
      });
    for (std::thread &thread : threads) thread.join();
    // A transfer that waits is behind all of them.
    EXPECT_EQ(std::vector<cl_int>(64, launches), read(queue, memory, 64));
  }
}

TEST_F(Forwarded, ManyCommandsOfSeveralThreads) {
  cl_program program = buildEverywhere(kSource);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    cl_mem numbers = makeBuffer(256), ones = makeBuffer(256);
    cl_kernel kernel = makeKernel(program, "add");
    cl_command_queue own = queueOn(devices[t % devices.size()], t % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    threads.emplace_back([=, this] {
      const cl_int zero = 0, one = 1, more = 1;
      EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(own, numbers, &zero, 4, 0, 256, 0, nullptr, nullptr));
      EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(own, ones, &one, 4, 0, 256, 0, nullptr, nullptr));
      setArguments(kernel, numbers, ones, more);
      EXPECT_CL(CL_SUCCESS, clFinish(own));
      const size_t items = 64;
      for (int round = 0; round < 100; ++round) {
        EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(own, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
        EXPECT_CL(CL_SUCCESS, clEnqueueBarrierWithWaitList(own, 0, nullptr, nullptr));
      }
      EXPECT_EQ(std::vector<cl_int>(64, 200), read(own, numbers, 64));
    });
  }
  for (std::thread &thread : threads) thread.join();
}

TEST_F(Mixed, BuffersGoWhereTheirCommandsRun) {
  if (devices.size() < 2) GTEST_SKIP() << "there is no second device";
  std::vector<cl_int> numbers(1024);
  std::iota(numbers.begin(), numbers.end(), 0);
  cl_mem buffer = makeBuffer(4096, CL_MEM_COPY_HOST_PTR, numbers.data());
  const std::vector<cl_int> ones(1024, 1);
  cl_mem constant = makeBuffer(4096, CL_MEM_COPY_HOST_PTR, const_cast<cl_int *>(ones.data()));
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  setArguments(kernel, buffer, constant);
  cl_event gate = makeUserEvent(), last = gate;
  cl_int sum = 0;
  // Each waits for the one before it, on the other device.
  for (int round = 0; round < 20; ++round) {
    const cl_int more = round;
    ASSERT_CL(clSetKernelArg(kernel, 2, sizeof more, &more));
    last = launch(queues[round % 2], kernel, 1024, {last});
    sum += round + 1;
  }
  ASSERT_CL(clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_CL(clWaitForEvents(1, &last));
  for (const cl_command_queue one : queues) {
    const std::vector<cl_int> result = read(one, buffer, 1024);
    for (int i = 0; i < 1024; ++i) ASSERT_EQ(i + sum, result[i]) << i;
  }
}

TEST_F(Mixed, PartsOfABufferAreOnBothDevicesAtOnce) {
  if (devices.size() < 2) GTEST_SKIP() << "there is no second device";
  cl_mem buffer = makeBuffer(8192);
  const cl_int zero = 0, more = 1;
  ASSERT_CL(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 8192, 0, nullptr, nullptr));
  ASSERT_CL(clFinish(queue));
  cl_program program = buildEverywhere(kSource);
  for (size_t half = 0; half < 2; ++half) {
    cl_int error = 0;
    const cl_buffer_region region{half * 4096, 4096};
    cl_mem part = keep(clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), clReleaseMemObject);
    std::vector<cl_int> tens(1024, static_cast<cl_int>(10 * half));
    cl_mem from = makeBuffer(4096, CL_MEM_COPY_HOST_PTR, tens.data());
    cl_kernel kernel = makeKernel(program, "add");
    setArguments(kernel, part, from, more);
    for (int round = 0; round < 10; ++round) launch(queues[half], kernel, 1024);
  }
  for (const cl_command_queue one : queues) ASSERT_CL(clFinish(one));
  const std::vector<cl_int> result = read(queues[1], buffer, 2048);
  for (int i = 0; i < 2048; ++i) ASSERT_EQ(i < 1024 ? 10 : 110, result[i]) << i;
}

} // namespace
} // namespace us::test

int main(int count, char **arguments) {
  ::testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
