// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipes: creation and its errors, queries, kernel arguments, packets that stay in a pipe from launch to launch.
#include "tests/icd/opencl/opencl_test.h"

#include <algorithm>
#include <numeric>

namespace us::test {
namespace {

constexpr const char *kSource = R"(
  kernel void put(write_only pipe int out, int first, global int *results) {
    int packet = first + get_global_id(0);
    results[get_global_id(0)] = write_pipe(out, &packet);
  }
  kernel void get(read_only pipe int in, global int *results, global int *packets) {
    results[get_global_id(0)] = read_pipe(in, &packets[get_global_id(0)]);
  }
  kernel void count(read_only pipe int in, global uint *counts) {
    counts[0] = get_pipe_num_packets(in);
    counts[1] = get_pipe_max_packets(in);
  }
)";

class Pipe : public OpenCl {
protected:
  cl_mem makePipe(cl_uint size, cl_uint packets, cl_mem_flags flags = 0) {
    cl_int error = 0;
    cl_mem made = clCreatePipe(context, flags, size, packets, nullptr, &error);
    EXPECT_CL(CL_SUCCESS, error);
    return keep(made, clReleaseMemObject);
  }
  cl_int createError(cl_mem_flags flags, cl_uint size, cl_uint packets, const cl_pipe_properties *list = nullptr) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, clCreatePipe(context, flags, size, packets, list, &error));
    return error;
  }
  template <class T> void setArgument(cl_kernel kernel, cl_uint index, const T &value) {
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(kernel, index, sizeof value, &value));
  }
  void launch(cl_kernel kernel, size_t items) {
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
  }
  template <class T> std::vector<T> contents(cl_mem buffer, size_t count) {
    std::vector<T> values(count);
    EXPECT_CL(CL_SUCCESS,
              clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr, nullptr));
    return values;
  }
};

TEST_F(Pipe, clCreatePipe) {
  EXPECT_EQ(cl_bool(CL_TRUE), ask<cl_bool>(clGetDeviceInfo, CL_DEVICE_PIPE_SUPPORT, device));
  // "The minimum value is 16", "... is 1", "... is 1024 bytes".
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_PIPE_ARGS, device), 16u);
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, device), 1u);
  const cl_uint most = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_PIPE_MAX_PACKET_SIZE, device);
  EXPECT_GE(most, 1024u);
  makePipe(most, 1);
  EXPECT_CL(CL_INVALID_VALUE, createError(CL_MEM_READ_ONLY, 4, 4));
  EXPECT_CL(CL_INVALID_VALUE, createError(CL_MEM_USE_HOST_PTR, 4, 4));
  EXPECT_CL(CL_INVALID_VALUE, createError(CL_MEM_HOST_READ_ONLY, 4, 4));
  const cl_pipe_properties none[] = {0};
  EXPECT_CL(CL_INVALID_VALUE, createError(0, 4, 4, none));
  EXPECT_CL(CL_INVALID_PIPE_SIZE, createError(0, 0, 4));
  EXPECT_CL(CL_INVALID_PIPE_SIZE, createError(0, most + 1, 4));
  EXPECT_CL(CL_INVALID_PIPE_SIZE, createError(0, 4, 0));
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, createError(0, most, 0x7fffffff));
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreatePipe(reinterpret_cast<cl_context>(queue), 0, 4, 4, nullptr, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
}

TEST_F(Pipe, clGetPipeInfo) {
  cl_mem pipe = makePipe(12, 34);
  EXPECT_EQ(12u, ask<cl_uint>(clGetPipeInfo, CL_PIPE_PACKET_SIZE, pipe));
  EXPECT_EQ(34u, ask<cl_uint>(clGetPipeInfo, CL_PIPE_MAX_PACKETS, pipe));
  EXPECT_TRUE(askList<cl_pipe_properties>(clGetPipeInfo, CL_PIPE_PROPERTIES, pipe).empty());
  EXPECT_CL(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_MEM_SIZE, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetPipeInfo(makeBuffer(4), CL_PIPE_PACKET_SIZE, 0, nullptr, nullptr));

  EXPECT_EQ(cl_mem_object_type(CL_MEM_OBJECT_PIPE), ask<cl_mem_object_type>(clGetMemObjectInfo, CL_MEM_TYPE, pipe));
  // "the default is used which is CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS"
  EXPECT_EQ(cl_mem_flags(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS),
            ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, pipe));
  EXPECT_EQ(cl_mem_flags(CL_MEM_READ_WRITE),
            ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, makePipe(4, 4, CL_MEM_READ_WRITE)));
  EXPECT_GE(ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, pipe), size_t(12 * 34));
}

TEST_F(Pipe, IsNoBufferAndNoImage) {
  cl_mem pipe = makePipe(4, 4);
  int word = 0;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, &word, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clEnqueueFillBuffer(queue, pipe, &word, 4, 0, 4, 0, nullptr, nullptr));
  cl_buffer_region region{0, 4};
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, error);
  size_t width = 0;
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clGetImageInfo(pipe, CL_IMAGE_WIDTH, sizeof width, &width, nullptr));
  cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  description.image_width = 1;
  description.buffer = pipe;
  EXPECT_EQ(nullptr, clCreateImage(context, 0, &format, &description, nullptr, &error));
  EXPECT_CL(CL_INVALID_IMAGE_DESCRIPTOR, error);
}

TEST_F(Pipe, AsAnArgument) {
  cl_program program = buildProgram(kSource, "-cl-std=CL3.0 -cl-kernel-arg-info");
  cl_kernel put = makeKernel(program, "put");
  cl_mem pipe = makePipe(4, 4), buffer = makeBuffer(4);
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(put, 0, sizeof pipe, &pipe));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(put, 0, 4, &pipe));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clSetKernelArg(put, 0, sizeof buffer, &buffer));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clSetKernelArg(put, 0, sizeof buffer, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clSetKernelArg(put, 2, sizeof pipe, &pipe));
  EXPECT_EQ(cl_kernel_arg_type_qualifier(CL_KERNEL_ARG_TYPE_PIPE),
            ask<cl_kernel_arg_type_qualifier>(clGetKernelArgInfo, CL_KERNEL_ARG_TYPE_QUALIFIER, put, 0u));
  EXPECT_EQ(cl_kernel_arg_access_qualifier(CL_KERNEL_ARG_ACCESS_WRITE_ONLY),
            ask<cl_kernel_arg_access_qualifier>(clGetKernelArgInfo, CL_KERNEL_ARG_ACCESS_QUALIFIER, put, 0u));
  EXPECT_EQ(cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_GLOBAL),
            ask<cl_kernel_arg_address_qualifier>(clGetKernelArgInfo, CL_KERNEL_ARG_ADDRESS_QUALIFIER, put, 0u));
  EXPECT_EQ("int", askText(clGetKernelArgInfo, CL_KERNEL_ARG_TYPE_NAME, put, 0u));
}

TEST_F(Pipe, KeepsItsPacketsFromLaunchToLaunch) {
  cl_program program = buildProgram(kSource, "-cl-std=CL3.0");
  cl_kernel put = makeKernel(program, "put"), get = makeKernel(program, "get"), count = makeKernel(program, "count");
  constexpr size_t kItems = 1000;
  cl_mem pipe = makePipe(4, 1500), results = makeBuffer(kItems * 4), packets = makeBuffer(kItems * 4);
  setArgument(put, 0, pipe);
  setArgument(put, 2, results);
  setArgument(get, 0, pipe);
  setArgument(get, 1, results);
  setArgument(get, 2, packets);
  setArgument(count, 0, pipe);
  setArgument(count, 1, packets);

  setArgument(put, 1, 0);
  launch(put, kItems);
  auto came = contents<int>(results, kItems);
  EXPECT_EQ(ptrdiff_t(kItems), std::ranges::count(came, 0));
  // The second thousand does not fit: "Returns 0 if write_pipe is successful and a negative value if the pipe is full".
  setArgument(put, 1, 1000);
  launch(put, kItems);
  came = contents<int>(results, kItems);
  EXPECT_EQ(500, std::ranges::count(came, 0));
  EXPECT_EQ(500, std::ranges::count_if(came, [](int result) { return result < 0; }));
  launch(count, 1);
  EXPECT_EQ((std::vector<cl_uint>{1500, 1500}), contents<cl_uint>(packets, 2));

  launch(get, kItems);
  auto first = contents<int>(packets, kItems);
  std::ranges::sort(first);
  std::vector<int> expected(kItems);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(expected, first) << "the oldest thousand";
  launch(get, kItems);
  came = contents<int>(results, kItems);
  EXPECT_EQ(500, std::ranges::count(came, 0));
  EXPECT_EQ(500, std::ranges::count_if(came, [](int result) { return result < 0; }));
  launch(count, 1);
  EXPECT_EQ((std::vector<cl_uint>{0, 1500}), contents<cl_uint>(packets, 2));
}

TEST_F(Pipe, OfAnotherPacketSizeFailsAndHarmsNothing) {
  cl_kernel put = makeKernel(buildProgram(kSource, "-cl-std=CL3.0"), "put");
  cl_mem results = makeBuffer(4);
  setArgument(put, 0, makePipe(2, 1));
  setArgument(put, 1, 5);
  setArgument(put, 2, results);
  launch(put, 1);
  EXPECT_GT(0, contents<int>(results, 1)[0]);
}

TEST_F(Pipe, IsKeptByWhatUsesIt) {
  cl_kernel put = makeKernel(buildProgram(kSource, "-cl-std=CL3.0"), "put");
  cl_mem results = makeBuffer(40);
  cl_int error = 0;
  cl_mem pipe = clCreatePipe(context, 0, 4, 10, nullptr, &error);
  ASSERT_CL(error);
  setArgument(put, 0, pipe);
  setArgument(put, 1, 5);
  setArgument(put, 2, results);
  cl_event gate = makeUserEvent();
  size_t items = 10;
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, put, 1, nullptr, &items, nullptr, 1, &gate, nullptr));
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(pipe));
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
  EXPECT_EQ(std::vector<int>(10), contents<int>(results, 10));
  EXPECT_CL(CL_INVALID_KERNEL_ARGS,
            clEnqueueNDRangeKernel(queue, put, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
}

} // namespace
} // namespace us::test
