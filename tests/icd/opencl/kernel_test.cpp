// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <numeric>

namespace us::test {
namespace {

constexpr const char *kSource = R"(
kernel void saxpy(global float *y, global const float *restrict x, float a) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}
kernel void three(global int *out, local int *scratch, float3 v, constant int *table) {
  local int fixed[4];
  fixed[0] = scratch[0] = 1;
  out[0] = (int)v.z + table[0] + fixed[0] + scratch[0];
}
kernel __attribute__((reqd_work_group_size(4, 2, 1))) void required(global uint *out) {
  out[get_global_linear_id()] = get_local_size(0) * 10 + get_local_size(1);
}
kernel void ids(global uint *out) { out[get_global_linear_id()] = get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2); }
kernel void store(global int *out, int value) { out[0] = value; }
kernel void nullable(global int *out, global int *maybe) { out[0] = maybe == 0; }
)";

class Kernel : public OpenCl {
protected:
  void SetUp() override {
    OpenCl::SetUp();
    if (HasFatalFailure()) return;
    program_ = buildProgram(kSource, "-cl-std=CL3.0");
  }
  cl_int setInt(cl_kernel kernel, cl_uint index, cl_int value) {
    return clSetKernelArg(kernel, index, sizeof value, &value);
  }
  cl_int setMem(cl_kernel kernel, cl_uint index, cl_mem value) {
    return clSetKernelArg(kernel, index, sizeof value, &value);
  }
  template <class T> std::vector<T> read(cl_mem buffer, size_t count) {
    std::vector<T> values(count);
    EXPECT_CL(CL_SUCCESS,
              clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, count * sizeof(T), values.data(), 0, nullptr, nullptr));
    return values;
  }
  cl_program program_ = nullptr;
};

TEST_F(Kernel, clEnqueueNDRangeKernel) {
  constexpr size_t kCount = 1000;
  std::vector<float> x(kCount), y(kCount, 1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  cl_mem bufferX = makeBuffer(kCount * 4, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, x.data());
  cl_mem bufferY = makeBuffer(kCount * 4, CL_MEM_COPY_HOST_PTR, y.data());
  cl_kernel saxpy = makeKernel(program_, "saxpy");
  auto run = [&](cl_uint dimensions, const size_t *offset, const size_t *global, const size_t *local) {
    return clEnqueueNDRangeKernel(queue, saxpy, dimensions, offset, global, local, 0, nullptr, nullptr);
  };
  size_t global[3] = {kCount, 1, 1}, local[3] = {100, 1, 1}, zero[3] = {0, 1, 1}, huge[3] = {SIZE_MAX, 1, 1};
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, run(1, nullptr, global, nullptr));
  float a = 2;
  EXPECT_CL(CL_SUCCESS, setMem(saxpy, 0, bufferY));
  EXPECT_CL(CL_SUCCESS, setMem(saxpy, 1, bufferX));
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(saxpy, 2, sizeof a, &a));
  EXPECT_CL(CL_SUCCESS, run(1, nullptr, global, local));
  auto result = read<float>(bufferY, kCount);
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(1 + 2 * x[i], result[i]) << i;

  EXPECT_CL(CL_INVALID_WORK_DIMENSION, run(0, nullptr, global, nullptr));
  EXPECT_CL(CL_INVALID_WORK_DIMENSION, run(4, nullptr, global, nullptr));
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(1, nullptr, global, zero));
  size_t most = ask<size_t>(clGetDeviceInfo, CL_DEVICE_MAX_WORK_GROUP_SIZE, device);
  size_t wide[3] = {most, 2, 1}, wider[3] = {most + 1, 1, 1};
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, run(2, nullptr, wide, wide));
  EXPECT_CL(CL_INVALID_WORK_ITEM_SIZE, run(1, nullptr, wider, wider));
  EXPECT_CL(CL_INVALID_GLOBAL_OFFSET, run(1, huge, global, nullptr));
  // "If global_work_size is NULL, or the value in any passed dimension is 0 then the kernel command will trivially
  // succeed".
  cl_event done = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, saxpy, 1, nullptr, zero, nullptr, 0, nullptr, &done));
  EXPECT_CL(CL_SUCCESS, clWaitForEvents(1, &done));
  EXPECT_EQ(cl_command_type(CL_COMMAND_NDRANGE_KERNEL),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, done));
  keep(done, clReleaseEvent);
  EXPECT_CL(CL_SUCCESS, run(1, nullptr, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_KERNEL,
            clEnqueueNDRangeKernel(queue, nullptr, 1, nullptr, global, nullptr, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueNDRangeKernel(reinterpret_cast<cl_command_queue>(saxpy), saxpy, 1,
                                                             nullptr, global, nullptr, 0, nullptr, nullptr));
  cl_int error = 0;
  cl_context other = keep(clCreateContext(nullptr, 1, &device, nullptr, nullptr, &error), clReleaseContext);
  cl_command_queue foreign = keep(clCreateCommandQueue(other, device, 0, &error), clReleaseCommandQueue);
  EXPECT_CL(CL_INVALID_CONTEXT,
            clEnqueueNDRangeKernel(foreign, saxpy, 1, nullptr, global, nullptr, 0, nullptr, nullptr));
}

TEST_F(Kernel, rangesOfAllShapes) {
  cl_kernel ids = makeKernel(program_, "ids");
  cl_mem out = makeBuffer(1 << 16);
  EXPECT_CL(CL_SUCCESS, setMem(ids, 0, out));
  size_t global[3] = {7, 5, 3}, offset[3] = {2, 1, 4}, local[3] = {4, 2, 2}; // non-uniform work-groups
  for (const size_t *size : {static_cast<const size_t *>(nullptr), static_cast<const size_t *>(local)}) {
    cl_uint zero = 0;
    EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(queue, out, &zero, 4, 0, 7 * 5 * 3 * 4, 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, ids, 3, offset, global, size, 0, nullptr, nullptr));
    auto values = read<cl_uint>(out, 7 * 5 * 3);
    for (size_t z = 0; z < 3; ++z)
      for (size_t y = 0; y < 5; ++y)
        for (size_t x = 0; x < 7; ++x)
          ASSERT_EQ(x + 2 + 100 * (y + 1) + 10000 * (z + 4), values[x + 7 * (y + 5 * z)]) << x << y << z;
  }
}

TEST_F(Kernel, aRequiredWorkGroupSizeIsUsedAndDemanded) {
  cl_kernel required = makeKernel(program_, "required");
  cl_mem out = makeBuffer(4096);
  EXPECT_CL(CL_SUCCESS, setMem(required, 0, out));
  size_t global[2] = {8, 4}, right[2] = {4, 2}, wrong[2] = {2, 4};
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE,
            clEnqueueNDRangeKernel(queue, required, 2, nullptr, global, wrong, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, required, 2, nullptr, global, right, 0, nullptr, nullptr));
  EXPECT_EQ(42u, read<cl_uint>(out, 32)[31]);
  EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, required, 2, nullptr, global, nullptr, 0, nullptr, nullptr));
  EXPECT_EQ(42u, read<cl_uint>(out, 32)[31]);
  EXPECT_CL(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, required, 0, nullptr, nullptr));
}

TEST_F(Kernel, clEnqueueTask) {
  cl_kernel store = makeKernel(program_, "store");
  cl_mem out = makeBuffer(4);
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, out));
  EXPECT_CL(CL_SUCCESS, setInt(store, 1, 77));
  cl_event done = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, store, 0, nullptr, &done));
  keep(done, clReleaseEvent);
  EXPECT_EQ(cl_command_type(CL_COMMAND_TASK), ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, done));
  EXPECT_EQ(77, read<cl_int>(out, 1)[0]);
  EXPECT_CL(CL_INVALID_KERNEL, clEnqueueTask(queue, nullptr, 0, nullptr, nullptr));
}

TEST_F(Kernel, aFailingKernelIsAnEventStatusAndASentence) {
  cl_program program = buildProgram("kernel void wild(ulong address) { *(global int *)address = 1; }");
  cl_kernel wild = makeKernel(program, "wild");
  cl_ulong address = 64;
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(wild, 0, sizeof address, &address));
  cl_event done = nullptr;
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, wild, 0, nullptr, &done));
  keep(done, clReleaseEvent);
  EXPECT_CL(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &done));
  EXPECT_LT(statusOf(done), 0);
  EXPECT_TRUE(eventually([&] { return hasHeard("wild"); }));
  // The process, the queue and other kernels go on.
  cl_kernel store = makeKernel(program_, "store");
  cl_mem out = makeBuffer(4);
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, out));
  EXPECT_CL(CL_SUCCESS, setInt(store, 1, 8));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, store, 0, nullptr, nullptr));
  EXPECT_EQ(8, read<cl_int>(out, 1)[0]);
}

TEST_F(Kernel, clGetKernelSuggestedLocalWorkSizeKHR) {
  auto suggest = extensionFunction<clGetKernelSuggestedLocalWorkSizeKHR_fn>("clGetKernelSuggestedLocalWorkSizeKHR");
  ASSERT_NE(nullptr, suggest);
  cl_kernel store = makeKernel(program_, "store");
  size_t global[1] = {1000}, local[1] = {0}, zero[1] = {0};
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, suggest(queue, store, 1, nullptr, global, local));
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, makeBuffer(4)));
  EXPECT_CL(CL_SUCCESS, setInt(store, 1, 1));
  EXPECT_CL(CL_SUCCESS, suggest(queue, store, 1, nullptr, global, local));
  EXPECT_GE(local[0], 1u);
  EXPECT_LE(local[0], ask<size_t>(clGetDeviceInfo, CL_DEVICE_MAX_WORK_GROUP_SIZE, device));
  EXPECT_CL(CL_INVALID_VALUE, suggest(queue, store, 1, nullptr, global, nullptr));
  EXPECT_CL(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, store, 1, nullptr, zero, local));
  EXPECT_CL(CL_INVALID_KERNEL, suggest(queue, nullptr, 1, nullptr, global, local));
}

TEST_F(Kernel, clCreateKernel) {
  cl_int error = 0;
  EXPECT_EQ(nullptr, clCreateKernel(program_, "absent", &error));
  EXPECT_CL(CL_INVALID_KERNEL_NAME, error);
  EXPECT_EQ(nullptr, clCreateKernel(program_, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, clCreateKernel(makeProgram("kernel void k() {}"), "k", &error));
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE, error);
  EXPECT_EQ(nullptr, clCreateKernel(reinterpret_cast<cl_program>(queue), "k", &error));
  EXPECT_CL(CL_INVALID_PROGRAM, error);
}

TEST_F(Kernel, clCreateKernelsInProgram) {
  cl_uint count = 0;
  EXPECT_CL(CL_SUCCESS, clCreateKernelsInProgram(program_, 0, nullptr, &count));
  EXPECT_EQ(6u, count);
  std::vector<cl_kernel> kernels(count);
  EXPECT_CL(CL_INVALID_VALUE, clCreateKernelsInProgram(program_, count - 1, kernels.data(), nullptr));
  EXPECT_CL(CL_SUCCESS, clCreateKernelsInProgram(program_, count, kernels.data(), nullptr));
  std::string names;
  for (cl_kernel kernel : kernels) {
    names += askText(clGetKernelInfo, CL_KERNEL_FUNCTION_NAME, kernel) + ";";
    EXPECT_CL(CL_SUCCESS, clReleaseKernel(kernel));
  }
  EXPECT_EQ(askText(clGetProgramInfo, CL_PROGRAM_KERNEL_NAMES, program_) + ";", names);
  EXPECT_CL(CL_INVALID_PROGRAM_EXECUTABLE,
            clCreateKernelsInProgram(makeProgram("kernel void k() {}"), 0, nullptr, &count));
}

TEST_F(Kernel, clSetKernelArg) {
  cl_kernel three = makeKernel(program_, "three");
  cl_mem buffer = makeBuffer(64);
  cl_float4 vector{};
  EXPECT_CL(CL_INVALID_ARG_INDEX, clSetKernelArg(three, 4, 4, &buffer));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(three, 0, 4, &buffer));
  // "Prior to OpenCL 3.1, arg_size must be greater than zero."
  EXPECT_CL(newestVersion() < CL_MAKE_VERSION(3u, 1u, 0u) ? CL_INVALID_ARG_SIZE : CL_SUCCESS,
            clSetKernelArg(three, 1, 0, nullptr));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(three, 1, 16, &buffer));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(three, 2, 12, &vector)); // a 3-vector has the size of four
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(three, 2, 16, nullptr));
  cl_mem wrong = reinterpret_cast<cl_mem>(queue);
  EXPECT_CL(CL_INVALID_MEM_OBJECT, setMem(three, 0, wrong));
  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelArg(reinterpret_cast<cl_kernel>(queue), 0, 8, &buffer));
  EXPECT_CL(CL_SUCCESS, setMem(three, 0, buffer));
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(three, 1, 16, nullptr));
  vector.s[2] = 40;
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(three, 2, 16, &vector));
  cl_int table = 500;
  EXPECT_CL(CL_SUCCESS, setMem(three, 3, makeBuffer(4, CL_MEM_COPY_HOST_PTR, &table)));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, three, 0, nullptr, nullptr));
  EXPECT_EQ(542, read<cl_int>(buffer, 1)[0]);

  // A NULL buffer, by value and by pointer.
  cl_kernel nullable = makeKernel(program_, "nullable");
  EXPECT_CL(CL_SUCCESS, setMem(nullable, 0, buffer));
  EXPECT_CL(CL_SUCCESS, setMem(nullable, 1, nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, nullable, 0, nullptr, nullptr));
  EXPECT_EQ(1, read<cl_int>(buffer, 1)[0]);
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(nullable, 1, sizeof(cl_mem), nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, nullable, 0, nullptr, nullptr));
}

TEST_F(Kernel, ArgumentsThatWereSetBefore) {
  cl_mem a = makeBuffer(64), b = makeBuffer(64), c = makeBuffer(64);
  cl_kernel store = makeKernel(program_, "store");
  const auto stored = [&](cl_mem into, cl_int value) {
    EXPECT_CL(CL_SUCCESS, setMem(store, 0, into));
    EXPECT_CL(CL_SUCCESS, setInt(store, 1, value));
    EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, store, 0, nullptr, nullptr));
    return read<cl_int>(into, 1)[0];
  };
  // The latest one counts, whichever were there before.
  cl_int value = 0;
  for (cl_mem into : {a, b, a, a, c, b, a, c, a}) {
    EXPECT_EQ(value, stored(into, value));
    ++value;
  }
  EXPECT_EQ(value - 1, read<cl_int>(a, 1)[0]);
  EXPECT_EQ(5, read<cl_int>(b, 1)[0]);
  EXPECT_EQ(7, read<cl_int>(c, 1)[0]);

  // "a NULL value will be used as the value for the argument", and what was there before comes back after it.
  cl_kernel nullable = makeKernel(program_, "nullable");
  EXPECT_CL(CL_SUCCESS, setMem(nullable, 0, a));
  const auto isNull = [&] {
    EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, nullable, 0, nullptr, nullptr));
    return read<cl_int>(a, 1)[0];
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_CL(CL_SUCCESS, setMem(nullable, 1, b));
    EXPECT_EQ(0, isNull());
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(nullable, 1, sizeof(cl_mem), nullptr));
    EXPECT_EQ(1, isNull());
    EXPECT_CL(CL_SUCCESS, setMem(nullable, 1, c));
    EXPECT_EQ(0, isNull());
    EXPECT_CL(CL_SUCCESS, setMem(nullable, 1, nullptr));
    EXPECT_EQ(1, isNull());
  }

  // A wrong call changes nothing: "CL_INVALID_ARG_SIZE", "CL_INVALID_MEM_OBJECT", "CL_INVALID_CONTEXT".
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, b));
  EXPECT_CL(CL_SUCCESS, setInt(store, 1, 100));
  const cl_long wide = 101;
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(store, 1, sizeof wide, &wide));
  EXPECT_CL(CL_INVALID_ARG_VALUE, clSetKernelArg(store, 1, sizeof(cl_int), nullptr));
  EXPECT_CL(CL_INVALID_ARG_SIZE, clSetKernelArg(store, 0, 4, &a));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, setMem(store, 0, reinterpret_cast<cl_mem>(context)));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, store, 0, nullptr, nullptr));
  EXPECT_EQ(100, read<cl_int>(b, 1)[0]);

  // A copy of the kernel has them, too, and both may go on.
  cl_int error = 0;
  cl_kernel copy = keep(clCloneKernel(store, &error), clReleaseKernel);
  ASSERT_CL(error);
  EXPECT_CL(CL_SUCCESS, setInt(copy, 1, 200));
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, c));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, copy, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, store, 0, nullptr, nullptr));
  EXPECT_EQ(200, read<cl_int>(b, 1)[0]);
  EXPECT_EQ(100, read<cl_int>(c, 1)[0]);

  // "Calling clSetKernelArg ... does not retain": what was released and is not set any more does no harm, what is set
  // and gone is an error.
  const auto shortLived = [&] { return clCreateBuffer(context, CL_MEM_READ_WRITE, 64, nullptr, nullptr); };
  cl_mem gone = shortLived();
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, gone));
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, a));
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(gone));
  EXPECT_EQ(7, stored(a, 7));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, setMem(store, 0, gone));
  gone = shortLived();
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, gone));
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(gone));
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, store, 0, nullptr, nullptr));
}

TEST_F(Kernel, clCloneKernel) {
  cl_kernel store = makeKernel(program_, "store");
  cl_mem out = makeBuffer(4);
  EXPECT_CL(CL_SUCCESS, setMem(store, 0, out));
  EXPECT_CL(CL_SUCCESS, setInt(store, 1, 5));
  cl_int error = 0;
  cl_kernel copy = keep(clCloneKernel(store, &error), clReleaseKernel);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_CL(CL_SUCCESS, setInt(store, 1, 6));
  EXPECT_CL(CL_SUCCESS, clEnqueueTask(queue, copy, 0, nullptr, nullptr));
  EXPECT_EQ(5, read<cl_int>(out, 1)[0]);
  EXPECT_EQ(nullptr, clCloneKernel(nullptr, &error));
  EXPECT_CL(CL_INVALID_KERNEL, error);
}

TEST_F(Kernel, clRetainKernel) {
  cl_kernel store = makeKernel(program_, "store");
  EXPECT_CL(CL_SUCCESS, clRetainKernel(store));
  EXPECT_EQ(2u, ask<cl_uint>(clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT, store));
  EXPECT_CL(CL_SUCCESS, clReleaseKernel(store));
}

TEST_F(Kernel, clReleaseKernel) {
  cl_int error = 0;
  cl_kernel store = clCreateKernel(program_, "store", &error);
  EXPECT_CL(CL_SUCCESS, clReleaseKernel(store));
  EXPECT_CL(CL_INVALID_KERNEL, clReleaseKernel(store));
}

TEST_F(Kernel, clGetKernelInfo) {
  cl_kernel required = makeKernel(program_, "required");
  EXPECT_EQ("required", askText(clGetKernelInfo, CL_KERNEL_FUNCTION_NAME, required));
  EXPECT_EQ(1u, ask<cl_uint>(clGetKernelInfo, CL_KERNEL_NUM_ARGS, required));
  EXPECT_EQ(1u, ask<cl_uint>(clGetKernelInfo, CL_KERNEL_REFERENCE_COUNT, required));
  EXPECT_EQ(context, ask<cl_context>(clGetKernelInfo, CL_KERNEL_CONTEXT, required));
  EXPECT_EQ(program_, ask<cl_program>(clGetKernelInfo, CL_KERNEL_PROGRAM, required));
  // "Attributes are returned as they were declared inside __attribute__((...))".
  EXPECT_EQ("reqd_work_group_size(4, 2, 1)", askText(clGetKernelInfo, CL_KERNEL_ATTRIBUTES, required));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelInfo(required, 0x8888, 0, nullptr, nullptr));
}

TEST_F(Kernel, clGetKernelArgInfo) {
  cl_program program = buildProgram(kSource, "-cl-kernel-arg-info -cl-std=CL3.0");
  cl_kernel saxpy = makeKernel(program, "saxpy"), three = makeKernel(program, "three");
  auto text = [&](cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    return askText([&](cl_kernel_arg_info n, size_t size, void *value,
                       size_t *got) { return clGetKernelArgInfo(kernel, index, n, size, value, got); },
                   name);
  };
  auto number = [&](cl_kernel kernel, cl_uint index, cl_kernel_arg_info name) {
    cl_ulong value = 0;
    EXPECT_CL(CL_SUCCESS, clGetKernelArgInfo(kernel, index, name, sizeof value, &value, nullptr));
    return value;
  };
  EXPECT_EQ("float*", text(saxpy, 1, CL_KERNEL_ARG_TYPE_NAME));
  EXPECT_EQ("x", text(saxpy, 1, CL_KERNEL_ARG_NAME));
  EXPECT_EQ(cl_ulong(CL_KERNEL_ARG_ADDRESS_GLOBAL), number(saxpy, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_ulong(CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT),
            number(saxpy, 1, CL_KERNEL_ARG_TYPE_QUALIFIER));
  EXPECT_EQ(cl_ulong(CL_KERNEL_ARG_ACCESS_NONE), number(saxpy, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER));
  EXPECT_EQ(cl_ulong(CL_KERNEL_ARG_ADDRESS_PRIVATE), number(saxpy, 2, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_ulong(CL_KERNEL_ARG_ADDRESS_LOCAL), number(three, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  EXPECT_EQ(cl_ulong(CL_KERNEL_ARG_ADDRESS_CONSTANT), number(three, 3, CL_KERNEL_ARG_ADDRESS_QUALIFIER));
  // "Kernel argument information is only available if ... the program executable is built with the -cl-kernel-arg-info
  // option".
  EXPECT_CL(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
            clGetKernelArgInfo(makeKernel(program_, "saxpy"), 0, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_ARG_INDEX, clGetKernelArgInfo(saxpy, 3, CL_KERNEL_ARG_NAME, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelArgInfo(saxpy, 0, 0x9999, 0, nullptr, nullptr));
}

// CL_DEVICE_MAX_CONSTANT_ARGS is what every program may count on; what bounds arguments is
// CL_DEVICE_MAX_PARAMETER_SIZE.
TEST_F(Kernel, manyConstantArguments) {
  constexpr int kCount = 128;
  ASSERT_GE(ask<size_t>(clGetDeviceInfo, CL_DEVICE_MAX_PARAMETER_SIZE, device), (kCount + 1) * sizeof(cl_mem));
  std::string parameters = "global int *out", sum;
  for (int i = 0; i < kCount; ++i) {
    const std::string name = "c" + std::to_string(i);
    parameters += ", constant int *" + name;
    sum += "out[0] += " + name + "[0]; ";
  }
  const std::string source = "kernel void k(" + parameters + ") { out[0] = 0; " + sum + "}";
  cl_kernel k = makeKernel(buildProgram(source.c_str(), "-cl-kernel-arg-info"), "k");
  EXPECT_EQ(
      cl_kernel_arg_address_qualifier(CL_KERNEL_ARG_ADDRESS_CONSTANT),
      ask<cl_kernel_arg_address_qualifier>(clGetKernelArgInfo, CL_KERNEL_ARG_ADDRESS_QUALIFIER, k, cl_uint(kCount)));
  cl_mem out = makeBuffer(4);
  ASSERT_CL(clSetKernelArg(k, 0, sizeof out, &out));
  for (int i = 0; i < kCount; ++i) {
    cl_mem constant = makeBuffer(4, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &i);
    ASSERT_CL(clSetKernelArg(k, i + 1, sizeof constant, &constant));
  }
  const size_t one = 1;
  int total = -1;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &total, 0, nullptr, nullptr));
  EXPECT_EQ(kCount * (kCount - 1) / 2, total);
}

TEST_F(Kernel, clGetKernelWorkGroupInfo) {
  cl_kernel required = makeKernel(program_, "required"), three = makeKernel(program_, "three");
  auto local = [&] {
    cl_ulong value = 0;
    EXPECT_CL(CL_SUCCESS,
              clGetKernelWorkGroupInfo(three, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof value, &value, nullptr));
    return value;
  };
  size_t size[3] = {};
  EXPECT_CL(CL_SUCCESS,
            clGetKernelWorkGroupInfo(required, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof size, size, nullptr));
  EXPECT_EQ(4u, size[0]);
  EXPECT_EQ(2u, size[1]);
  EXPECT_EQ(1u, size[2]);
  EXPECT_CL(CL_SUCCESS, clGetKernelWorkGroupInfo(required, device, CL_KERNEL_WORK_GROUP_SIZE, 8, size, nullptr));
  EXPECT_EQ(8u, size[0]);
  EXPECT_CL(CL_SUCCESS,
            clGetKernelWorkGroupInfo(three, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 8, size, nullptr));
  EXPECT_GT(size[0], 0u);
  // "This includes local memory ... for which the arguments are currently set."
  cl_ulong before = local();
  EXPECT_GE(before, 16u);
  EXPECT_CL(CL_SUCCESS, clSetKernelArg(three, 1, 4096, nullptr));
  EXPECT_GE(local(), before + 4096);
  cl_ulong bytes = 0;
  EXPECT_CL(CL_SUCCESS, clGetKernelWorkGroupInfo(three, device, CL_KERNEL_PRIVATE_MEM_SIZE, 8, &bytes, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(three, device, CL_KERNEL_GLOBAL_WORK_SIZE, 24, size, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(three, device, 0x1111, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clGetKernelWorkGroupInfo(three, nullptr, CL_KERNEL_WORK_GROUP_SIZE, 8, size, nullptr));
  EXPECT_CL(CL_INVALID_DEVICE, clGetKernelWorkGroupInfo(three, reinterpret_cast<cl_device_id>(queue),
                                                        CL_KERNEL_WORK_GROUP_SIZE, 8, size, nullptr));
}

TEST_F(Kernel, clGetKernelSubGroupInfo) {
  cl_kernel store = makeKernel(program_, "store");
  size_t local[3] = {100, 1, 1}, value = 0, count = 3, shape[3] = {9, 9, 9};
  auto query = [&](cl_kernel_sub_group_info name, size_t inputSize, const void *input) {
    return clGetKernelSubGroupInfo(store, device, name, inputSize, input, sizeof value, &value, nullptr);
  };
  EXPECT_CL(CL_SUCCESS, query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 24, local));
  size_t size = value;
  EXPECT_GE(size, 1u);
  EXPECT_CL(CL_SUCCESS, query(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 24, local));
  EXPECT_EQ((100 + size - 1) / size, value);
  EXPECT_CL(CL_SUCCESS, clGetKernelSubGroupInfo(store, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                                &count, sizeof shape, shape, nullptr));
  EXPECT_EQ(3 * size, shape[0]);
  EXPECT_EQ(1u, shape[1]);
  count = 1 << 20;
  EXPECT_CL(CL_SUCCESS, clGetKernelSubGroupInfo(store, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof count,
                                                &count, sizeof shape, shape, nullptr));
  EXPECT_EQ(0u, shape[0]);
  EXPECT_CL(CL_SUCCESS, query(CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr));
  EXPECT_GE(value, 1u);
  EXPECT_CL(CL_SUCCESS, query(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, nullptr));
  EXPECT_EQ(0u, value);
  EXPECT_CL(CL_INVALID_VALUE, query(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 24, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, query(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 5, local));
  EXPECT_CL(CL_INVALID_VALUE, query(0x2222, 0, nullptr));
}

TEST_F(Kernel, clGetKernelSubGroupInfoKHR) {
  cl_kernel store = makeKernel(program_, "store");
  auto query = extensionFunction<clGetKernelSubGroupInfoKHR_fn>("clGetKernelSubGroupInfoKHR");
  ASSERT_NE(nullptr, query);
  size_t value = 0;
  EXPECT_CL(CL_SUCCESS, query(store, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, nullptr, sizeof value, &value, nullptr));
}

} // namespace
} // namespace us::test
