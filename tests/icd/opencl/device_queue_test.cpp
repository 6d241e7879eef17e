// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues on the device: creation, the default queue, queries, kernel arguments, and launches whose children are a part
// of them.
#include "tests/icd/opencl/opencl_test.h"

#include <algorithm>

namespace us::test {
namespace {

constexpr cl_command_queue_properties kOnDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;

constexpr const char *kSource = R"(
  kernel void given(queue_t queue, global int *out, int value) {
    int i = get_global_id(0);
    out[i] = enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ out[i] += value; });
  }
  kernel void usual(global int *out, int value) {
    int i = get_global_id(0);
    out[i] = enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ out[i] += value; });
  }
  kernel void timed(global ulong *times) {
    clk_event_t event;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), 0, 0, &event, ^{
      for (int i = 0; i < 100; ++i) atomic_inc((volatile global int *)(times + 4));
      if (get_global_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ times[2] = 5; });
    });
    capture_event_profiling_info(event, CLK_PROFILING_COMMAND_EXEC_TIME, times);
    release_event(event);
  }
)";

class DeviceQueue : public OpenCl {
protected:
  cl_command_queue create(std::vector<cl_queue_properties> list, cl_int expected = CL_SUCCESS) {
    list.push_back(0);
    cl_int error = 0;
    cl_command_queue made = clCreateCommandQueueWithProperties(context, device, list.data(), &error);
    EXPECT_CL(expected, error);
    if (expected != CL_SUCCESS) EXPECT_EQ(nullptr, made);
    return expected == CL_SUCCESS ? keep(made, clReleaseCommandQueue) : nullptr;
  }
  template <class T> T of(cl_command_queue subject, cl_command_queue_info name) {
    return ask<T>(clGetCommandQueueInfo, name, subject);
  }
  std::vector<int> run(cl_kernel kernel, cl_uint bufferIndex, size_t items) {
    std::vector<int> values(items, -5);
    cl_mem out = makeBuffer(items * 4);
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, bufferIndex, sizeof out, &out));
    const int value = 42;
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, bufferIndex + 1, sizeof value, &value));
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, items * 4, values.data(), 0, nullptr, nullptr));
    return values;
  }
};

TEST_F(DeviceQueue, Facts) {
  EXPECT_EQ(cl_device_device_enqueue_capabilities(CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT),
            ask<cl_device_device_enqueue_capabilities>(clGetDeviceInfo, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, device));
  // "The mandated minimum capability is: CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE and CL_QUEUE_PROFILING_ENABLE."
  EXPECT_EQ(cl_command_queue_properties(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE),
            ask<cl_command_queue_properties>(clGetDeviceInfo, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, device));
  // "The minimum value is 16 KB", "... 256 KB for the full profile", "1", "1024".
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, device), 16u << 10);
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, device), 256u << 10);
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_ON_DEVICE_QUEUES, device), 1u);
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_ON_DEVICE_EVENTS, device), 1024u);
}

TEST_F(DeviceQueue, IsMadeAndAsked) {
  const cl_uint preferred = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, device);
  cl_command_queue plain = create({CL_QUEUE_PROPERTIES, kOnDevice});
  EXPECT_EQ(preferred, of<cl_uint>(plain, CL_QUEUE_SIZE));
  EXPECT_EQ(kOnDevice, of<cl_command_queue_properties>(plain, CL_QUEUE_PROPERTIES));
  EXPECT_EQ(context, of<cl_context>(plain, CL_QUEUE_CONTEXT));
  EXPECT_EQ(device, of<cl_device_id>(plain, CL_QUEUE_DEVICE));
  EXPECT_EQ(nullptr, of<cl_command_queue>(plain, CL_QUEUE_DEVICE_DEFAULT));
}

// Tests of their own: a device may have one queue only.
TEST_F(DeviceQueue, IsMadeAsLargeAsAllowed) {
  const cl_uint most = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, device);
  cl_command_queue large = create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_SIZE, most});
  EXPECT_EQ(most, of<cl_uint>(large, CL_QUEUE_SIZE));
  EXPECT_EQ((std::vector<cl_queue_properties>{CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_SIZE,
                                              most, 0}),
            askList<cl_queue_properties>(clGetCommandQueueInfo, CL_QUEUE_PROPERTIES_ARRAY, large));
}

TEST_F(DeviceQueue, IsRefusedWithWrongProperties) {
  const cl_uint most = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, device);
  create({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, cl_queue_properties(most) + 1}, CL_INVALID_VALUE);
  create({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_SIZE, 0}, CL_INVALID_VALUE);
  create({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE}, CL_INVALID_VALUE);
  create({CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE}, CL_INVALID_VALUE);
  create({CL_QUEUE_PROPERTIES, kOnDevice, CL_QUEUE_PRIORITY_KHR, CL_QUEUE_PRIORITY_LOW_KHR},
         CL_INVALID_QUEUE_PROPERTIES);
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, nullptr, nullptr));
}

TEST_F(DeviceQueue, AreNotMoreThanThereCanBe) {
  const cl_uint most = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_ON_DEVICE_QUEUES, device);
  create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT}); // is not counted
  for (cl_uint i = 0; i < most; ++i) create({CL_QUEUE_PROPERTIES, kOnDevice});
  create({CL_QUEUE_PROPERTIES, kOnDevice}, CL_OUT_OF_RESOURCES);
}

TEST_F(DeviceQueue, TakesNothingFromTheHost) {
  cl_command_queue onDevice = create({CL_QUEUE_PROPERTIES, kOnDevice});
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clFinish(onDevice));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clFlush(onDevice));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueMarkerWithWaitList(onDevice, 0, nullptr, nullptr));
  int word = 0;
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE,
            clEnqueueReadBuffer(onDevice, makeBuffer(4), CL_TRUE, 0, 4, &word, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clRetainCommandQueue(onDevice));
  EXPECT_EQ(2u, of<cl_uint>(onDevice, CL_QUEUE_REFERENCE_COUNT));
  EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(onDevice));
}

TEST_F(DeviceQueue, clSetDefaultDeviceCommandQueue) {
  cl_command_queue first = create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT});
  EXPECT_EQ(kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT, of<cl_command_queue_properties>(first, CL_QUEUE_PROPERTIES));
  EXPECT_EQ(first, of<cl_command_queue>(queue, CL_QUEUE_DEVICE_DEFAULT));
  // "... will return the default device queue that has already been created and increment its retain count by 1".
  EXPECT_EQ(first, create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT}));
  EXPECT_EQ(2u, of<cl_uint>(first, CL_QUEUE_REFERENCE_COUNT));
  cl_command_queue second = create({CL_QUEUE_PROPERTIES, kOnDevice});
  EXPECT_CL(CL_SUCCESS, clSetDefaultDeviceCommandQueue(context, device, second));
  EXPECT_EQ(second, of<cl_command_queue>(first, CL_QUEUE_DEVICE_DEFAULT));
  EXPECT_EQ(kOnDevice, of<cl_command_queue_properties>(first, CL_QUEUE_PROPERTIES));

  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, queue));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clSetDefaultDeviceCommandQueue(context, device, nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, nullptr, second));
  EXPECT_CL(CL_INVALID_CONTEXT, clSetDefaultDeviceCommandQueue(nullptr, device, second));
}

TEST_F(DeviceQueue, AsAnArgument) {
  cl_program program = buildProgram(kSource, "-cl-std=CL3.0");
  cl_kernel given = makeKernel(program, "given");
  cl_command_queue onDevice = create({CL_QUEUE_PROPERTIES, kOnDevice});
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(given, 0, sizeof onDevice, &onDevice));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(given, 0, 4, &onDevice));
  EXPECT_CL(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(given, 0, sizeof queue, &queue));
  EXPECT_CL(CL_INVALID_DEVICE_QUEUE, clSetKernelArg(given, 0, sizeof queue, nullptr));
  EXPECT_EQ(std::vector<int>(100, 42), run(given, 1, 100));
}

TEST_F(DeviceQueue, BlocksAreNoKernelsOfTheProgram) {
  cl_program program = buildProgram(kSource, "-cl-std=CL3.0");
  EXPECT_EQ("given;usual;timed", askText(clGetProgramInfo, CL_PROGRAM_KERNEL_NAMES, program));
  EXPECT_EQ(size_t(3), ask<size_t>(clGetProgramInfo, CL_PROGRAM_NUM_KERNELS, program));
}

TEST_F(DeviceQueue, WithoutADefaultNothingIsEnqueued) {
  cl_kernel usual = makeKernel(buildProgram(kSource, "-cl-std=CL2.0"), "usual");
  for (int result : run(usual, 0, 3)) EXPECT_EQ(-101, result) << "CLK_ENQUEUE_FAILURE";
  create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT});
  EXPECT_EQ(std::vector<int>(1000, 42), run(usual, 0, 1000));
}

TEST_F(DeviceQueue, SaysHowLongKernelsTook) {
  create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_PROFILING_ENABLE});
  cl_kernel timed = makeKernel(buildProgram(kSource, "-cl-std=CL3.0"), "timed");
  cl_ulong times[5] = {};
  cl_mem buffer = makeBuffer(sizeof times, CL_MEM_COPY_HOST_PTR, times);
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(timed, 0, sizeof buffer, &buffer));
  size_t one = 1;
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, timed, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof times, times, 0, nullptr, nullptr));
  EXPECT_EQ(5u, times[2]);
  EXPECT_EQ(6400u, times[4]);
  EXPECT_GT(times[0], 0u);
  EXPECT_GT(times[1], times[0]) << "with the kernel that it enqueued";
}

// "CL_PROFILING_COMMAND_COMPLETE: … when the command identified by event and any child commands enqueued by this
// command on the device have finished execution"; CL_PROFILING_COMMAND_END is when the command itself has.
TEST_F(DeviceQueue, TellsALaunchFromWhatItEnqueued) {
  create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT});
  cl_kernel kernel = makeKernel(buildProgram(R"(
    kernel void parent(global int *out) {
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ for (int i = 0; i < 100000; ++i) atomic_inc(out); });
    })",
                                             "-cl-std=CL3.0"),
                                "parent");
  int zero = 0;
  cl_mem out = makeBuffer(4, CL_MEM_COPY_HOST_PTR, &zero);
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  cl_int status = CL_SUCCESS;
  cl_command_queue timed = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &status);
  ASSERT_CL(status);
  size_t one = 1;
  cl_event event = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(timed, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &event));
  const auto started = ask<cl_ulong>(clGetEventProfilingInfo, CL_PROFILING_COMMAND_START, event);
  const auto ended = ask<cl_ulong>(clGetEventProfilingInfo, CL_PROFILING_COMMAND_END, event);
  const auto complete = ask<cl_ulong>(clGetEventProfilingInfo, CL_PROFILING_COMMAND_COMPLETE, event);
  EXPECT_LE(started, ended);
  EXPECT_LT(ended, complete);
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
  EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(timed));
}

TEST_F(DeviceQueue, AFaultInAChildIsTheLaunchs) {
  create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT});
  cl_kernel kernel = makeKernel(buildProgram(R"(
    kernel void wild(global int *out) {
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ *(global int *)(size_t)(out[0] + 64) = 1; });
    })",
                                             "-cl-std=CL3.0"),
                                "wild");
  int zero = 0;
  cl_mem out = makeBuffer(4, CL_MEM_COPY_HOST_PTR, &zero);
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  size_t one = 1;
  cl_event event = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, &event));
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &event));
  EXPECT_GT(0, statusOf(event));
  EXPECT_CL(CL_SUCCESS, clReleaseEvent(event));
  EXPECT_TRUE(eventually([&] { return hasHeard("enqueued on the device by kernel 'wild'"); }));
}

// What is recorded may be run more than once, also at the same time.
TEST_F(DeviceQueue, InACommandBuffer) {
  create({CL_QUEUE_PROPERTIES, kOnDevice | CL_QUEUE_ON_DEVICE_DEFAULT});
  cl_kernel kernel = makeKernel(buildProgram(R"(
    kernel void parent(volatile global int *sum) {
      clk_event_t first;
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(10), 0, 0, &first, ^{ atomic_inc(sum); });
      enqueue_kernel(get_default_queue(), 0, ndrange_1D(10), 1, &first, 0, ^{ atomic_inc(sum); });
      release_event(first);
    })",
                                             "-cl-std=CL3.0"),
                                "parent");
  const int zero = 0;
  cl_mem out = makeBuffer(4, CL_MEM_COPY_HOST_PTR, const_cast<int *>(&zero));
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  const auto find = [&](const char *name) { return clGetExtensionFunctionAddressForPlatform(platform, name); };
  const auto range = reinterpret_cast<clCommandNDRangeKernelKHR_fn>(find("clCommandNDRangeKernelKHR"));
  const auto enqueue = reinterpret_cast<clEnqueueCommandBufferKHR_fn>(find("clEnqueueCommandBufferKHR"));
  const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR,
                                                   0};
  cl_int error = CL_SUCCESS;
  cl_command_buffer_khr buffer =
      reinterpret_cast<clCreateCommandBufferKHR_fn>(find("clCreateCommandBufferKHR"))(1, &queue, list, &error);
  ASSERT_CL(error);
  const size_t items = 5;
  ASSERT_CL(range(buffer, nullptr, nullptr, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr, nullptr));
  ASSERT_CL(reinterpret_cast<clFinalizeCommandBufferKHR_fn>(find("clFinalizeCommandBufferKHR"))(buffer));
  const auto sum = [&] {
    int value = -1;
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &value, 0, nullptr, nullptr));
    return value;
  };
  for (int i = 1; i <= 2; ++i) {
    EXPECT_CL(CL_SUCCESS, enqueue(0, nullptr, buffer, 0, nullptr, nullptr));
    EXPECT_EQ(100 * i, sum());
  }
  cl_event gate = makeUserEvent();
  std::vector<cl_command_queue> queues;
  for (int i = 0; i < 4; ++i) {
    queues.push_back(makeQueue());
    EXPECT_CL(CL_SUCCESS, enqueue(1, &queues.back(), buffer, 1, &gate, nullptr));
  }
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
  for (cl_command_queue one : queues) EXPECT_CL(CL_SUCCESS, clFinish(one));
  EXPECT_EQ(600, sum());
  EXPECT_CL(CL_SUCCESS, reinterpret_cast<clReleaseCommandBufferKHR_fn>(find("clReleaseCommandBufferKHR"))(buffer));
}

} // namespace
} // namespace us::test
