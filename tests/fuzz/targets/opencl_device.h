// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Our OpenCL device without a loader, for targets that make calls: its code is part of the program.
#pragma once

#include "icd/opencl/dispatch.h"
#include "tests/fuzz/fuzz_target.h"

#include <string>

namespace us::fuzz {

inline const cl_icd_dispatch &cl() { return opencl::dispatchTable(); }

struct OpenClDevice {
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;

  OpenClDevice() {
    cl_platform_id platform = nullptr;
    const auto platforms =
        reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(opencl::functionByName("clIcdGetPlatformIDsKHR"));
    must(platforms(1, &platform, nullptr), "clIcdGetPlatformIDsKHR");
    must(cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    cl_int code = 0;
    context = cl().clCreateContext(nullptr, 1, &device, nullptr, nullptr, &code);
    must(code, "clCreateContext");
    queue = cl().clCreateCommandQueueWithProperties(context, device, nullptr, &code);
    must(code, "clCreateCommandQueueWithProperties");
  }
  template <class T> T info(cl_device_info name) const {
    T value{};
    must(cl().clGetDeviceInfo(device, name, sizeof value, &value, nullptr), "clGetDeviceInfo");
    return value;
  }
  static const OpenClDevice &instance() {
    static const auto &one = *new OpenClDevice;
    return one;
  }
};

} // namespace us::fuzz
