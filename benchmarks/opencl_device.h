// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first OpenCL device of the first platform, with a queue, for benchmarks that ask one device.
#pragma once

#include "benchmarks/timing.h"

#include <CL/cl.h>

#include <string>

namespace us::benchmarks {

struct Device {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  Device() {
    cl_int status;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr), "clGetDeviceIDs");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
    check(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "clCreateCommandQueue");
  }
  cl_kernel kernel(const std::string &source, const char *name) {
    cl_int status;
    const char *text = source.c_str();
    cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    cl_kernel made = clCreateKernel(program, name, &status);
    check(status, "clCreateKernel");
    return made;
  }
  cl_mem buffer(size_t bytes) {
    cl_int status;
    cl_mem made = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, nullptr, &status);
    check(status, "clCreateBuffer");
    return made;
  }
  void launch(cl_kernel kernel, size_t global, size_t local) {
    check(clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &global, local ? &local : nullptr, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
  }
};

} // namespace us::benchmarks
