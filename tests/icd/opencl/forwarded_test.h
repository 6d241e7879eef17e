// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of forwarded devices: a context of the driver's device and, where they are listed, of emulated ones.
#pragma once

#include "tests/icd/opencl/opencl_test.h"

namespace us::test {

/// CPUs are what only the driver has here.
inline std::vector<cl_device_id> devicesOfType(cl_device_type type) {
  cl_uint count = 0;
  if (clGetDeviceIDs(ourPlatform(), type, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> devices(count);
  clGetDeviceIDs(ourPlatform(), type, count, devices.data(), nullptr);
  return devices;
}

class Forwarded : public OpenCl {
protected:
  void SetUp() override {
    const std::vector<cl_device_id> real = devicesOfType(CL_DEVICE_TYPE_CPU),
                                    emulated = devicesOfType(CL_DEVICE_TYPE_GPU);
    if (real.empty()) GTEST_SKIP() << "there is no other driver";
    platform = ourPlatform();
    device = real[0];
    devices = {real[0]};
    devices.insert(devices.end(), emulated.begin(), emulated.end());
    cl_int error = 0;
    context = clCreateContext(nullptr, static_cast<cl_uint>(devices.size()), devices.data(), nullptr, nullptr, &error);
    ASSERT_CL(error);
    for (const cl_device_id one : devices) queues.push_back(queueOn(one, CL_QUEUE_PROFILING_ENABLE));
    queue = queues[0];
  }
  cl_mem partOf(cl_mem whole, size_t offset, size_t size) {
    cl_int error = 0;
    const cl_buffer_region region{offset, size};
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(part, clReleaseMemObject);
  }
  cl_program buildEverywhere(const char *source) {
    cl_program program = makeProgram(source);
    EXPECT_CL(CL_SUCCESS, clBuildProgram(program, 0, nullptr, "", nullptr, nullptr)) << logOf(program);
    return program;
  }
  /// The kernel's first arguments.
  template <class... Values> static void setArguments(cl_kernel kernel, const Values &...values) {
    cl_uint index = 0;
    const auto set = [&](const auto &value) {
      EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, index++, sizeof value, &value));
    };
    (set(values), ...);
  }
  cl_event launch(cl_command_queue on, cl_kernel kernel, size_t items, std::vector<cl_event> waitList = {}) {
    cl_event event = nullptr;
    EXPECT_CL(CL_SUCCESS,
              clEnqueueNDRangeKernel(on, kernel, 1, nullptr, &items, nullptr, static_cast<cl_uint>(waitList.size()),
                                     waitList.empty() ? nullptr : waitList.data(), &event));
    return keep(event, clReleaseEvent);
  }
  std::vector<cl_int> read(cl_command_queue from, cl_mem buffer, size_t count) {
    std::vector<cl_int> into(count);
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(from, buffer, CL_TRUE, 0, count * 4, into.data(), 0, nullptr, nullptr));
    return into;
  }

  std::vector<cl_device_id> devices; ///< the driver's, then ours
  std::vector<cl_command_queue> queues;
};

/// With an emulated device in the same context.
using Mixed = Forwarded;

} // namespace us::test
