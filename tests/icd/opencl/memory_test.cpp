// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <atomic>

namespace us::test {
namespace {

using Memory = OpenCl;

TEST_F(Memory, clCreateBuffer) {
  cl_int error = 0;
  char host[64] = {};
  auto fails = [&](cl_int code, cl_mem_flags flags, size_t size, void *pointer) {
    error = 0;
    EXPECT_EQ(nullptr, clCreateBuffer(context, flags, size, pointer, &error));
    EXPECT_CL(code, error) << std::hex << flags;
  };
  fails(CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, nullptr);
  fails(CL_INVALID_VALUE, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, nullptr);
  fails(CL_INVALID_VALUE, CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY, 64, nullptr);
  fails(CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 64, host);
  fails(CL_INVALID_VALUE, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 64, host);
  fails(CL_INVALID_VALUE, 1 << 20, 64, nullptr);
  fails(CL_INVALID_BUFFER_SIZE, 0, 0, nullptr);
  fails(CL_INVALID_HOST_PTR, CL_MEM_USE_HOST_PTR, 64, nullptr);
  fails(CL_INVALID_HOST_PTR, CL_MEM_COPY_HOST_PTR, 64, nullptr);
  fails(CL_INVALID_HOST_PTR, 0, 64, host);
  cl_ulong largest = 0;
  for (cl_device_id each : askList<cl_device_id>(clGetContextInfo, CL_CONTEXT_DEVICES, context))
    largest = std::max(largest, ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE, each));
  fails(CL_INVALID_BUFFER_SIZE, 0, largest + 1, nullptr);
  EXPECT_EQ(nullptr, clCreateBuffer(reinterpret_cast<cl_context>(queue), 0, 64, nullptr, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);

  // The contents of COPY_HOST_PTR are taken before the call returns; USE_HOST_PTR is the application's memory.
  std::memset(host, 7, sizeof host);
  cl_mem copied = makeBuffer(sizeof host, CL_MEM_COPY_HOST_PTR, host);
  cl_mem used = makeBuffer(sizeof host, CL_MEM_USE_HOST_PTR, host);
  std::memset(host, 9, sizeof host);
  char back[64] = {};
  EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, copied, CL_TRUE, 0, sizeof back, back, 0, nullptr, nullptr));
  EXPECT_EQ(7, back[63]);
  void *mapped = clEnqueueMapBuffer(queue, used, CL_TRUE, CL_MAP_READ, 8, 8, 0, nullptr, nullptr, &error);
  EXPECT_EQ(host + 8, mapped);
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, used, mapped, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

TEST_F(Memory, clCreateBufferWithProperties) {
  cl_int error = 0;
  const cl_mem_properties none[] = {0}, unknown[] = {0x1234, 1, 0};
  EXPECT_EQ(nullptr, clCreateBufferWithProperties(context, unknown, 0, 16, nullptr, &error));
  EXPECT_CL(CL_INVALID_PROPERTY, error);
  cl_mem made = keep(clCreateBufferWithProperties(context, none, 0, 16, nullptr, &error), clReleaseMemObject);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(std::vector<cl_mem_properties>{0}, askList<cl_mem_properties>(clGetMemObjectInfo, CL_MEM_PROPERTIES, made));
  made = keep(clCreateBufferWithProperties(context, nullptr, 0, 16, nullptr, &error), clReleaseMemObject);
  EXPECT_TRUE(askList<cl_mem_properties>(clGetMemObjectInfo, CL_MEM_PROPERTIES, made).empty());
}

TEST_F(Memory, clCreateSubBuffer) {
  cl_int error = 0;
  char host[4096] = {};
  cl_mem parent = makeBuffer(4096, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_WRITE_ONLY, host);
  cl_mem readOnly = makeBuffer(4096, CL_MEM_READ_ONLY), writeOnly = makeBuffer(4096, CL_MEM_WRITE_ONLY);
  cl_mem hidden = makeBuffer(4096, CL_MEM_HOST_NO_ACCESS);
  auto fails = [&](cl_int code, cl_mem buffer, cl_mem_flags flags, cl_buffer_region region,
                   cl_buffer_create_type type = CL_BUFFER_CREATE_TYPE_REGION) {
    error = 0;
    EXPECT_EQ(nullptr, clCreateSubBuffer(buffer, flags, type, &region, &error));
    EXPECT_CL(code, error);
  };
  fails(CL_INVALID_VALUE, parent, CL_MEM_USE_HOST_PTR, {0, 128});
  fails(CL_INVALID_VALUE, parent, CL_MEM_COPY_HOST_PTR, {0, 128});
  fails(CL_INVALID_VALUE, parent, CL_MEM_HOST_READ_ONLY, {0, 128});
  fails(CL_INVALID_VALUE, readOnly, CL_MEM_READ_WRITE, {0, 128});
  fails(CL_INVALID_VALUE, readOnly, CL_MEM_WRITE_ONLY, {0, 128});
  fails(CL_INVALID_VALUE, writeOnly, CL_MEM_READ_ONLY, {0, 128});
  fails(CL_INVALID_VALUE, hidden, CL_MEM_HOST_READ_ONLY, {0, 128});
  fails(CL_INVALID_VALUE, parent, 0, {0, 128}, 0x9999);
  fails(CL_INVALID_VALUE, parent, 0, {4096, 128});
  fails(CL_INVALID_VALUE, parent, 0, {1024, 4096});
  fails(CL_INVALID_BUFFER_SIZE, parent, 0, {0, 0});
  fails(CL_MISALIGNED_SUB_BUFFER_OFFSET, parent, 0, {4, 128});
  EXPECT_EQ(nullptr, clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, nullptr, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  cl_buffer_region region{1024, 256};
  cl_mem part = keep(clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error), clReleaseMemObject);
  ASSERT_CL(error);
  fails(CL_INVALID_MEM_OBJECT, part, 0, {0, 128});
  EXPECT_EQ(cl_mem_flags(CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_WRITE_ONLY),
            ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, part));
  EXPECT_EQ(host + 1024, ask<char *>(clGetMemObjectInfo, CL_MEM_HOST_PTR, part));
  EXPECT_EQ(1024u, ask<size_t>(clGetMemObjectInfo, CL_MEM_OFFSET, part));
  EXPECT_EQ(parent, ask<cl_mem>(clGetMemObjectInfo, CL_MEM_ASSOCIATED_MEMOBJECT, part));
}

TEST_F(Memory, clGetMemObjectInfo) {
  cl_mem buffer = makeBuffer(100, 0);
  EXPECT_EQ(cl_mem_object_type(CL_MEM_OBJECT_BUFFER), ask<cl_mem_object_type>(clGetMemObjectInfo, CL_MEM_TYPE, buffer));
  EXPECT_EQ(0u, ask<cl_mem_flags>(clGetMemObjectInfo, CL_MEM_FLAGS, buffer)); // exactly as given
  EXPECT_EQ(100u, ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, buffer));
  EXPECT_EQ(nullptr, ask<void *>(clGetMemObjectInfo, CL_MEM_HOST_PTR, buffer));
  EXPECT_EQ(0u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_MAP_COUNT, buffer));
  EXPECT_EQ(1u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, buffer));
  EXPECT_EQ(context, ask<cl_context>(clGetMemObjectInfo, CL_MEM_CONTEXT, buffer));
  EXPECT_EQ(nullptr, ask<cl_mem>(clGetMemObjectInfo, CL_MEM_ASSOCIATED_MEMOBJECT, buffer));
  EXPECT_EQ(0u, ask<size_t>(clGetMemObjectInfo, CL_MEM_OFFSET, buffer));
  EXPECT_EQ(cl_bool(CL_FALSE), ask<cl_bool>(clGetMemObjectInfo, CL_MEM_USES_SVM_POINTER, buffer));
  EXPECT_CL(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, 0x4444, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_MEM_OBJECT,
            clGetMemObjectInfo(reinterpret_cast<cl_mem>(queue), CL_MEM_TYPE, 0, nullptr, nullptr));
}

TEST_F(Memory, referenceCountsOfSubBuffersAndUnmaps) {
  cl_mem buffer = makeBuffer(1024);
  auto count = [&] { return ask<cl_uint>(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, buffer); };
  cl_int error = 0;
  cl_buffer_region region{0, 128};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  EXPECT_EQ(2u, count());
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(part));
  EXPECT_EQ(1u, count());
  void *pointer = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, nullptr, nullptr, &error);
  EXPECT_EQ(1u, count());
  EXPECT_EQ(1u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_MAP_COUNT, buffer));
  EXPECT_CL(CL_SUCCESS, clEnqueueUnmapMemObject(queue, buffer, pointer, 0, nullptr, nullptr));
  EXPECT_EQ(2u, count());
  EXPECT_EQ(0u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_MAP_COUNT, buffer));
  std::this_thread::sleep_for(std::chrono::milliseconds(5)); // an unflushed unmap is not run behind the program's back
  EXPECT_EQ(2u, count());
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
  EXPECT_EQ(1u, count());
}

TEST_F(Memory, clRetainMemObject) {
  cl_mem buffer = makeBuffer(16);
  EXPECT_CL(CL_SUCCESS, clRetainMemObject(buffer));
  EXPECT_EQ(2u, ask<cl_uint>(clGetMemObjectInfo, CL_MEM_REFERENCE_COUNT, buffer));
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(buffer));
}

TEST_F(Memory, clReleaseMemObject) {
  cl_int error = 0;
  cl_mem buffer = clCreateBuffer(context, 0, 1024, nullptr, &error);
  cl_buffer_region region{0, 128};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  // The sub-buffer keeps its buffer.
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(buffer));
  EXPECT_EQ(buffer, ask<cl_mem>(clGetMemObjectInfo, CL_MEM_ASSOCIATED_MEMOBJECT, part));
  EXPECT_EQ(1024u, ask<size_t>(clGetMemObjectInfo, CL_MEM_SIZE, buffer));
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(part));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clReleaseMemObject(part));
  EXPECT_CL(CL_INVALID_MEM_OBJECT, clReleaseMemObject(buffer));
}

std::vector<int> order;
std::atomic<int> called{0};
void CL_CALLBACK remember(cl_mem, void *data) {
  order.push_back(static_cast<int>(reinterpret_cast<intptr_t>(data)));
  ++called;
}

TEST_F(Memory, clSetMemObjectDestructorCallback) {
  cl_int error = 0;
  cl_mem buffer = clCreateBuffer(context, 0, 16, nullptr, &error);
  EXPECT_CL(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, nullptr, nullptr));
  for (intptr_t i = 1; i <= 3; ++i)
    EXPECT_CL(CL_SUCCESS, clSetMemObjectDestructorCallback(buffer, remember, reinterpret_cast<void *>(i)));
  // Not before the object's last command.
  cl_event gate = makeUserEvent();
  cl_int zero = 0;
  EXPECT_CL(CL_SUCCESS, clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 16, 1, &gate, nullptr));
  EXPECT_CL(CL_SUCCESS, clReleaseMemObject(buffer));
  EXPECT_CL(CL_SUCCESS, clFlush(queue));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_EQ(0, called);
  EXPECT_CL(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
  ASSERT_TRUE(eventually([] { return called == 3; }));
  EXPECT_EQ((std::vector<int>{3, 2, 1}), order);
}

TEST_F(Memory, moreThanTheDeviceHasFailsAtTheEnqueueThatUsesIt) {
  cl_ulong total = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_GLOBAL_MEM_SIZE, device);
  cl_ulong largest = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE, device);
  std::vector<cl_mem> buffers;
  cl_int error = CL_SUCCESS;
  for (cl_ulong sum = 0; sum <= total; sum += largest) {
    buffers.push_back(makeBuffer(largest)); // creation succeeds: memory is made lazily
    error = clEnqueueMigrateMemObjects(queue, 1, &buffers.back(), 0, 0, nullptr, nullptr);
    if (error != CL_SUCCESS) break;
  }
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE, error);
  char byte = 0;
  EXPECT_CL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
            clEnqueueWriteBuffer(queue, buffers.back(), CL_FALSE, 0, 1, &byte, 0, nullptr, nullptr));
  EXPECT_CL(CL_SUCCESS, clFinish(queue));
}

// cl_ext_buffer_device_address.
TEST_F(Memory, AddressesOfBuffers) {
  using SetPointer = cl_int(CL_API_CALL *)(cl_kernel, cl_uint, cl_ulong);
  const auto setPointer = reinterpret_cast<SetPointer>(
      clGetExtensionFunctionAddressForPlatform(platform, "clSetKernelArgDevicePointerEXT"));
  ASSERT_NE(nullptr, setPointer);
  constexpr cl_mem_properties kTold = 0x5000; // CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT
  constexpr cl_mem_info kAddress = 0x5001;    // CL_MEM_DEVICE_ADDRESS_EXT
  const auto make = [&](std::vector<cl_mem_properties> list, cl_int *error) {
    return clCreateBufferWithProperties(context, list.data(), CL_MEM_READ_WRITE, 64, nullptr, error);
  };
  cl_int error = 1;
  cl_mem target = keep(make({kTold, CL_TRUE, 0}, &error), clReleaseMemObject);
  ASSERT_CL(error);
  EXPECT_EQ((std::vector<cl_mem_properties>{kTold, CL_TRUE, 0}),
            askList<cl_mem_properties>(clGetMemObjectInfo, CL_MEM_PROPERTIES, target));
  const std::vector<cl_ulong> addresses = askList<cl_ulong>(clGetMemObjectInfo, kAddress, target);
  ASSERT_EQ(1u, addresses.size()); // the context has one device
  // An address in a structure is followed, and one is an argument, in the middle too.
  cl_kernel k = makeKernel(buildProgram("kernel void k(global int *to, global ulong *where) {"
                                        " to[0] = 5; ((global int *)where[0])[7] = 6; }"),
                           "k");
  cl_mem where = makeBuffer(8, CL_MEM_COPY_HOST_PTR, const_cast<cl_ulong *>(addresses.data()));
  ASSERT_CL(setPointer(k, 0, addresses[0] + 4));
  ASSERT_CL(clSetKernelArg(k, 1, sizeof where, &where));
  ASSERT_CL(clSetKernelExecInfo(k, 0x5002, sizeof(cl_ulong), addresses.data()));
  const size_t one = 1;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  int values[16] = {};
  ASSERT_CL(clEnqueueReadBuffer(queue, target, CL_TRUE, 0, 64, values, 0, nullptr, nullptr));
  EXPECT_EQ(5, values[1]);
  EXPECT_EQ(6, values[7]);

  EXPECT_CL(CL_INVALID_OPERATION, clGetMemObjectInfo(where, kAddress, 0, nullptr, nullptr));
  for (const std::vector<cl_mem_properties> &wrong :
       {std::vector<cl_mem_properties>{kTold, 2, 0}, {kTold, CL_TRUE, kTold, CL_TRUE, 0}, {0x1234, 0, 0}}) {
    EXPECT_EQ(nullptr, make(wrong, &error));
    EXPECT_CL(CL_INVALID_PROPERTY, error);
  }
  EXPECT_CL(CL_INVALID_KERNEL, setPointer(nullptr, 0, addresses[0]));
  EXPECT_CL(CL_INVALID_ARG_INDEX, setPointer(k, 2, addresses[0]));
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(k, 0x5002, 3, addresses.data()));
  // "To specify that no SVM allocations will be accessed by a kernel ..., specify an empty set".
  EXPECT_CL(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 8, nullptr));
}

} // namespace
} // namespace us::test
