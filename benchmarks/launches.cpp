// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that a case makes in a row, made again from here: what Python needs for each, some microseconds, is no
// runtime's time. measure.py records them and calls this.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

namespace {

struct Argument {
  size_t size;
  const void *value; ///< null: local memory
};

struct Launch {
  cl_kernel kernel;
  cl_uint dimensions, arguments;
  size_t global[3], local[3]; ///< a first local size of zero: none was given
  const Argument *argument;
};

} // namespace

/// An OpenCL error, or 0.
extern "C" __attribute__((visibility("default"))) cl_int us_bench_launch(cl_command_queue queue, const Launch *launches,
                                                                         size_t count) {
  for (const Launch *launch = launches; launch != launches + count; ++launch) {
    for (cl_uint i = 0; i < launch->arguments; ++i)
      if (cl_int error = clSetKernelArg(launch->kernel, i, launch->argument[i].size, launch->argument[i].value))
        return error;
    if (cl_int error = clEnqueueNDRangeKernel(queue, launch->kernel, launch->dimensions, nullptr, launch->global,
                                              launch->local[0] ? launch->local : nullptr, 0, nullptr, nullptr))
      return error;
  }
  return CL_SUCCESS;
}
