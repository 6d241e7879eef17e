// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs on a device of another driver (PoCL's), seen through us: alone, and beside an emulated one in one context. A
// program of its own, since which devices there are is said once to a process.
#include "tests/icd/opencl/forwarded_test.h"
#include "icd/opencl/newer_cl.h"

#include <CL/cl_ext.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <dlfcn.h>
#include <fstream>
#include <numeric>
#include <optional>
#include <set>
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
  cl_mem part = partOf(b, 1024, 1024);
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

/// The driver's own device of that name.
cl_device_id driversDevice(const std::string &name) {
  std::ifstream file("/etc/OpenCL/vendors/pocl.icd");
  std::string library;
  std::getline(file, library);
  void *const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) return nullptr;
  const auto find =
      reinterpret_cast<decltype(&clGetExtensionFunctionAddress)>(dlsym(handle, "clGetExtensionFunctionAddress"));
  const auto platforms = find ? reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(find("clIcdGetPlatformIDsKHR")) : nullptr;
  cl_platform_id platform = nullptr;
  if (!platforms || platforms(1, &platform, nullptr) != CL_SUCCESS) return nullptr;
  cl_device_id devices[8] = {};
  cl_uint count = 0;
  clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &count);
  for (cl_uint i = 0; i < std::min(count, 8u); ++i)
    if (askText(clGetDeviceInfo, CL_DEVICE_NAME, devices[i]) == name) return devices[i];
  return nullptr;
}

// Each answer of a device is the driver's, but where ours are other objects or what is asked for is not forwarded.
TEST_F(Forwarded, DevicesSayWhatTheDriverSays) {
  const cl_device_id theirs = driversDevice(askText(clGetDeviceInfo, CL_DEVICE_NAME, device));
  ASSERT_NE(theirs, nullptr);
  const std::set<cl_device_info> others = {
      CL_DEVICE_PLATFORM, CL_DEVICE_EXTENSIONS, CL_DEVICE_EXTENSIONS_WITH_VERSION,
      CL_DEVICE_EXECUTION_CAPABILITIES, // no native kernels
      CL_DEVICE_BUILT_IN_KERNELS, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
      // "may either return a param_value_size_ret of 0 ... or can return a property value of 0"
      CL_DEVICE_PARTITION_TYPE,
      // A cl_bitfield, for which PoCL 3.1 gives four bytes.
      CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES};
  const auto answerOf = [](cl_device_id of, cl_device_info name) -> std::optional<std::string> {
    size_t size = 0;
    if (clGetDeviceInfo(of, name, 0, nullptr, &size) != CL_SUCCESS) return {};
    std::string bytes(size, 0);
    if (clGetDeviceInfo(of, name, size, bytes.data(), nullptr) != CL_SUCCESS) return {};
    return bytes;
  };
  size_t compared = 0;
  for (cl_device_info name = 0x1000; name < 0x1100; ++name) {
    const std::optional<std::string> expected = answerOf(theirs, name);
    if (!expected || others.contains(name)) continue;
    EXPECT_EQ(*expected, answerOf(device, name).value_or("no answer")) << std::hex << name;
    ++compared;
  }
  EXPECT_GT(compared, 60u);
}

TEST_F(Forwarded, DevicesAreDividedByTheDriver) {
  const auto units = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, device);
  if (ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, device) < 2) GTEST_SKIP() << "one unit";
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                 cl_device_partition_property(units) - 1,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_uint count = 0;
  ASSERT_CL(clCreateSubDevices(device, counts, 0, nullptr, &count));
  ASSERT_EQ(2u, count);
  cl_device_id parts[2] = {};
  ASSERT_CL(clCreateSubDevices(device, counts, 2, parts, nullptr));
  for (size_t i = 0; i < 2; ++i) {
    keep(parts[i], clReleaseDevice);
    EXPECT_EQ(device, ask<cl_device_id>(clGetDeviceInfo, CL_DEVICE_PARENT_DEVICE, parts[i]));
    EXPECT_EQ(i ? units - 1 : 1, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, parts[i]));
    EXPECT_EQ(std::vector<cl_device_partition_property>(std::begin(counts), std::end(counts)),
              askList<cl_device_partition_property>(clGetDeviceInfo, CL_DEVICE_PARTITION_TYPE, parts[i]));
  }
  // "CL_INVALID_DEVICE_PARTITION_COUNT if ... the sum of the number of compute units exceeds" what the device has.
  const cl_device_partition_property many[] = {CL_DEVICE_PARTITION_BY_COUNTS, cl_device_partition_property(units), 1,
                                               CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  EXPECT_CL(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, many, 0, nullptr, &count));

  // A buffer that both parts write, and the whole device, one after the other.
  const cl_device_id all[] = {parts[0], parts[1], device};
  cl_int error = 0;
  cl_context made = clCreateContext(nullptr, 3, all, nullptr, nullptr, &error);
  ASSERT_CL(error);
  const cl_context before = std::exchange(context, keep(made, clReleaseContext));
  cl_program program = makeProgram("kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }");
  EXPECT_CL(CL_SUCCESS, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << logOf(program);
  cl_kernel add = makeKernel(program, "add");
  std::vector<cl_int> zeros(64, 0);
  cl_mem memory = makeBuffer(256, CL_MEM_COPY_HOST_PTR, zeros.data());
  std::vector<cl_event> latest;
  cl_int sum = 0;
  for (int round = 0; round < 5; ++round)
    for (cl_int i = 0; i < 3; ++i) {
      setArguments(add, memory, i + 1);
      latest = {launch(queueOn(all[i], 0), add, 64, latest)};
      sum += i + 1;
    }
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, latest.data()));
  EXPECT_EQ(std::vector<cl_int>(64, sum), read(queueOn(parts[1], 0), memory, 64));
  context = before;
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

// What the kernel sees is what the host is told. PoCL 3.1 has no sub-groups; Intel's CPU runtime has.
TEST_F(Forwarded, SubGroupsAreTheDrivers) {
  if (!ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_NUM_SUB_GROUPS, device)) GTEST_SKIP() << "the device has none";
  cl_program program = makeProgram(R"(
#ifndef __opencl_c_subgroups
#error no sub-groups
#endif
kernel void look(global int *out) {
  size_t i = get_global_id(0);
  out[4 * i] = get_num_sub_groups();
  out[4 * i + 1] = get_max_sub_group_size();
  out[4 * i + 2] = sub_group_reduce_add(1);
  out[4 * i + 3] = get_sub_group_size();
})");
  ASSERT_CL(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", nullptr, nullptr)) << logOf(program);
  cl_kernel look = makeKernel(program, "look");
  const size_t local = 96;
  cl_mem out = makeBuffer(4 * 4 * local);
  setArguments(look, out);
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, look, 1, nullptr, &local, &local, 0, nullptr, nullptr));
  const std::vector<cl_int> seen = read(queue, out, 4 * local);
  const auto told = [&](cl_kernel_sub_group_info name) {
    size_t value = 0, size = 0;
    EXPECT_CL(CL_SUCCESS,
              clGetKernelSubGroupInfo(look, device, name, sizeof local, &local, sizeof value, &value, &size));
    EXPECT_EQ(sizeof value, size);
    return value;
  };
  EXPECT_EQ(told(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE), size_t(seen[0]));
  EXPECT_EQ(told(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE), size_t(seen[1]));
  for (size_t i = 0; i < local; ++i) EXPECT_EQ(seen[4 * i + 2], seen[4 * i + 3]);
  size_t value = 0;
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelSubGroupInfo(look, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, nullptr,
                                                      sizeof value, &value, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelSubGroupInfo(look, device, 0, 0, nullptr, sizeof value, &value, nullptr));
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

/// A command buffer of queues of the driver's device and, where there is one, of an emulated one; and a copy of it with
/// the queues exchanged.
TEST_F(Forwarded, CommandBuffersOfSeveralQueues) {
  const auto create = extensionFunction<clCreateCommandBufferKHR_fn>("clCreateCommandBufferKHR");
  const auto finalize = extensionFunction<clFinalizeCommandBufferKHR_fn>("clFinalizeCommandBufferKHR");
  const auto enqueue = extensionFunction<clEnqueueCommandBufferKHR_fn>("clEnqueueCommandBufferKHR");
  const auto release = extensionFunction<clReleaseCommandBufferKHR_fn>("clReleaseCommandBufferKHR");
  const auto record = extensionFunction<opencl::clCommandNDRangeKernelKHR_fn>("clCommandNDRangeKernelKHR");
  const auto copy = extensionFunction<opencl::clCommandCopyBufferKHR_fn>("clCommandCopyBufferKHR");
  const auto fill = extensionFunction<opencl::clCommandFillBufferKHR_fn>("clCommandFillBufferKHR");
  const auto remap = extensionFunction<opencl::clRemapCommandBufferKHR_fn>("clRemapCommandBufferKHR");
  // The host helps: commands of the driver's queues and of others do not wait for each other by themselves.
  EXPECT_EQ(0u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, device));
  EXPECT_TRUE(askList<cl_device_id>(clGetDeviceInfo, CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, device).empty());
  cl_command_queue two[] = {queue, queueOn(devices.back(), 0)};
  const cl_command_buffer_properties_khr sync[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR,
                                                   0};
  cl_int error = 0;
  EXPECT_EQ(nullptr, create(2, two, sync, &error));
  EXPECT_CL(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, error);
  cl_command_buffer_khr alone = create(1, two, sync, &error);
  ASSERT_CL(error);
  ASSERT_CL(release(alone));

  std::vector<cl_int> ones(64, 1);
  cl_mem to = makeBuffer(256), out = makeBuffer(256), from = makeBuffer(256, CL_MEM_COPY_HOST_PTR, ones.data());
  cl_kernel kernel = makeKernel(buildEverywhere(kSource), "add");
  const cl_int more = 2, four = 4;
  setArguments(kernel, to, from, more);
  cl_command_buffer_khr commands = create(2, two, nullptr, &error);
  ASSERT_CL(error);
  const size_t items = 64;
  cl_sync_point_khr filled = 0, added = 0;
  ASSERT_CL(fill(commands, two[1], nullptr, to, &four, 4, 0, 256, 0, nullptr, &filled, nullptr));
  ASSERT_CL(record(commands, two[0], nullptr, kernel, 1, nullptr, &items, nullptr, 1, &filled, &added, nullptr));
  ASSERT_CL(copy(commands, two[1], nullptr, to, out, 0, 0, 256, 1, &added, nullptr, nullptr));
  ASSERT_CL(finalize(commands));
  const cl_command_queue other[] = {two[1], two[0]};
  cl_command_buffer_khr copied = remap(commands, CL_FALSE, 2, other, 0, nullptr, nullptr, &error);
  ASSERT_CL(error);
  for (int round = 0; round < 6; ++round) {
    const cl_int none = 0;
    ASSERT_CL(clEnqueueFillBuffer(queue, out, &none, 4, 0, 256, 0, nullptr, nullptr));
    ASSERT_CL(clFinish(queue));
    cl_event event = nullptr;
    ASSERT_CL(enqueue(0, nullptr, round % 2 ? copied : commands, 0, nullptr, &event));
    ASSERT_CL(clWaitForEvents(1, &event));
    EXPECT_EQ(std::vector<cl_int>(64, 7), read(queue, out, 64));
    cl_ulong start = 0, end = 0;
    EXPECT_CL(CL_SUCCESS, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr));
    EXPECT_CL(CL_SUCCESS, clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr));
    EXPECT_LE(start, end);
    EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
  }
  ASSERT_CL(release(commands));
  ASSERT_CL(release(copied));
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

/// A kernel of one queue waits for what a kernel of the other one writes.
TEST_F(Forwarded, QueuesOverlap) {
  if (ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, device) < 2) GTEST_SKIP() << "one unit, one kernel";
  cl_program program = buildEverywhere(R"(
    kernel void await(volatile global int *p) {
      for (int i = 0; i < 1 << 28 && atomic_add(&p[0], 0) == 0; ++i) {}
      p[1] = p[0];
    }
    kernel void set(volatile global int *p) { atomic_xchg(&p[0], 7); })");
  std::vector<cl_int> zeros(16, 0);
  cl_mem memory = makeBuffer(64, CL_MEM_COPY_HOST_PTR, zeros.data());
  cl_command_queue other = queueOn(device, 0);
  cl_kernel await = makeKernel(program, "await"), set = makeKernel(program, "set");
  setArguments(await, memory);
  setArguments(set, memory);
  ASSERT_EQ(0, read(queue, memory, 2)[0]); // the memory is there
  cl_event first = launch(queue, await, 1);
  EXPECT_CL(CL_SUCCESS, clFlush(queue));
  launch(other, set, 1);
  EXPECT_CL(CL_SUCCESS, clFinish(other));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &first));
  EXPECT_EQ(7, read(queue, memory, 2)[1]);
}

TEST_F(Forwarded, QueuesWaitForEachOther) {
  cl_program program = buildEverywhere(R"(
    kernel void next(global int *p, int n) {
      int x = p[0];
      for (int i = 0; i < 20000; ++i) x = x * 1664525 + 1013904223;
      p[0] = x == n ? p[0] : p[0] + 1;
    })");
  const cl_int zero = 0;
  std::vector<cl_int> zeros(16, zero);
  cl_mem memory = makeBuffer(64, CL_MEM_COPY_HOST_PTR, zeros.data());
  const cl_command_queue three[] = {queue, queueOn(device, 0), queueOn(device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
  cl_kernel next = makeKernel(program, "next");
  setArguments(next, memory, cl_int{1});
  cl_event latest = nullptr;
  const auto after = [&] { return latest ? std::vector{latest} : std::vector<cl_event>{}; };
  for (int i = 0; i < 90; ++i) latest = launch(three[i % 3], next, 1, after());
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &latest));
  EXPECT_EQ(90, read(three[0], memory, 1)[0]);

  // A marker, a transfer and a map of one queue behind a launch of another one.
  for (int i = 0; i < 10; ++i) {
    latest = launch(three[1], next, 1, after());
    cl_event marker = nullptr;
    EXPECT_CL(CL_SUCCESS, clEnqueueMarkerWithWaitList(three[0], 1, &latest, &marker));
    keep(marker, clReleaseEvent);
    EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &marker));
    EXPECT_EQ(CL_COMPLETE, ask<cl_int>(clGetEventInfo, CL_EVENT_COMMAND_EXECUTION_STATUS, latest));
    latest = launch(three[1], next, 1);
    cl_int seen = 0;
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(three[0], memory, CL_TRUE, 0, 4, &seen, 1, &latest, nullptr));
    EXPECT_EQ(90 + 3 * i + 2, seen);
    latest = launch(three[1], next, 1);
    cl_int error = 0;
    const auto *const mapped = static_cast<const cl_int *>(
        clEnqueueMapBuffer(three[0], memory, CL_TRUE, CL_MAP_READ, 0, 64, 1, &latest, nullptr, &error));
    ASSERT_CL(error);
    EXPECT_EQ(90 + 3 * i + 3, *mapped);
    EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(three[0], memory, const_cast<cl_int *>(mapped), 0, nullptr, &latest));
    keep(latest, clReleaseEvent);
  }

  // What fails in one fails what waits for it in the other.
  cl_int error = 0;
  cl_event user = keep(clCreateUserEvent(context, &error), clReleaseEvent);
  cl_event held = launch(three[1], next, 1, {user}), behind = launch(three[0], next, 1, {held});
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(user, -5));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &behind));
  EXPECT_EQ(120, read(three[0], memory, 1)[0]);
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

/// Queues that go while a device of another kind fetches what they wrote.
TEST_F(Mixed, AWriteThatBlocksIsThereForTheOtherDevice) {
  if (devices.size() < 2) GTEST_SKIP() << "there is no second device";
  cl_program program = buildEverywhere("kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }");
  cl_kernel add = makeKernel(program, "add");
  cl_mem memory = makeBuffer(1 << 20);
  const cl_int one = 1;
  setArguments(add, memory, one);
  std::vector<cl_int> values(1 << 18);
  for (cl_int round = 0; round < 50; ++round) {
    std::ranges::fill(values, round);
    const cl_queue_properties none[] = {0};
    cl_int error = 0;
    cl_command_queue brief = clCreateCommandQueueWithProperties(context, device, none, &error);
    ASSERT_CL(error);
    EXPECT_CL(CL_SUCCESS, clEnqueueWriteBuffer(brief, memory, CL_TRUE, 0, 1 << 20, values.data(), 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(brief));
    launch(queues[1], add, values.size());
    ASSERT_EQ(std::vector<cl_int>(values.size(), round + 1), read(queues[1], memory, values.size()));
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
    cl_mem part = partOf(buffer, half * 4096, 4096);
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
