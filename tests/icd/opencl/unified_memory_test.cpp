// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cl_intel_unified_shared_memory.
#include "tests/icd/opencl/opencl_test.h"

#include <array>
#include <numeric>

namespace us::test {
namespace {

class UnifiedMemory : public OpenCl {
protected:
  template <class Function> Function function(const char *name) {
    auto found = reinterpret_cast<Function>(clGetExtensionFunctionAddressForPlatform(platform, name));
    EXPECT_NE(nullptr, found) << name;
    return found;
  }
#define US_FUNCTION(name) name##_fn name = function<name##_fn>(#name)
  US_FUNCTION(clHostMemAllocINTEL);
  US_FUNCTION(clDeviceMemAllocINTEL);
  US_FUNCTION(clSharedMemAllocINTEL);
  US_FUNCTION(clMemFreeINTEL);
  US_FUNCTION(clMemBlockingFreeINTEL);
  US_FUNCTION(clGetMemAllocInfoINTEL);
  US_FUNCTION(clSetKernelArgMemPointerINTEL);
  US_FUNCTION(clEnqueueMemFillINTEL);
  US_FUNCTION(clEnqueueMemcpyINTEL);
  US_FUNCTION(clEnqueueMemsetINTEL);
  US_FUNCTION(clEnqueueMigrateMemINTEL);
  US_FUNCTION(clEnqueueMemAdviseINTEL);
#undef US_FUNCTION
  template <class T> T askOf(const void *pointer, cl_mem_info_intel name) {
    T value{};
    size_t size = 0;
    EXPECT_CL(CL_SUCCESS, clGetMemAllocInfoINTEL(context, pointer, name, sizeof value, &value, &size));
    EXPECT_EQ(sizeof value, size);
    return value;
  }
};

TEST_F(UnifiedMemory, WhatTheDeviceCan) {
  EXPECT_TRUE(
      (askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device) + " ").contains("cl_intel_unified_shared_memory "));
  for (cl_device_info query :
       {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL})
    EXPECT_EQ(15u, ask<cl_device_unified_shared_memory_capabilities_intel>(clGetDeviceInfo, query, device)) << query;
}

TEST_F(UnifiedMemory, WhatIsKnownOfAnAllocation) {
  cl_int error = 1;
  auto *host = static_cast<char *>(clHostMemAllocINTEL(context, nullptr, 100, 64, &error));
  ASSERT_CL(error);
  EXPECT_EQ(0u, reinterpret_cast<uintptr_t>(host) % 64);
  const cl_mem_properties_intel place[] = {CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  void *shared = clSharedMemAllocINTEL(context, nullptr, place, 10, 0, &error);
  ASSERT_CL(error);
  void *own = clDeviceMemAllocINTEL(context, device, nullptr, 20, 0, &error);
  ASSERT_CL(error);
  using Type = cl_unified_shared_memory_type_intel;
  EXPECT_EQ(Type(CL_MEM_TYPE_HOST_INTEL), askOf<Type>(host + 99, CL_MEM_ALLOC_TYPE_INTEL));
  EXPECT_EQ(Type(CL_MEM_TYPE_SHARED_INTEL), askOf<Type>(shared, CL_MEM_ALLOC_TYPE_INTEL));
  EXPECT_EQ(Type(CL_MEM_TYPE_DEVICE_INTEL), askOf<Type>(own, CL_MEM_ALLOC_TYPE_INTEL));
  EXPECT_EQ(host, askOf<void *>(host + 50, CL_MEM_ALLOC_BASE_PTR_INTEL));
  EXPECT_EQ(100u, askOf<size_t>(host + 50, CL_MEM_ALLOC_SIZE_INTEL));
  EXPECT_EQ(device, askOf<cl_device_id>(own, CL_MEM_ALLOC_DEVICE_INTEL));
  EXPECT_EQ(nullptr, askOf<cl_device_id>(host, CL_MEM_ALLOC_DEVICE_INTEL));
  EXPECT_EQ(cl_mem_alloc_flags_intel(CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL),
            askOf<cl_mem_alloc_flags_intel>(shared, CL_MEM_ALLOC_FLAGS_INTEL));
  // Any other pointer: unknown, NULL, zero.
  EXPECT_EQ(Type(CL_MEM_TYPE_UNKNOWN_INTEL), askOf<Type>(&error, CL_MEM_ALLOC_TYPE_INTEL));
  EXPECT_EQ(nullptr, askOf<void *>(&error, CL_MEM_ALLOC_BASE_PTR_INTEL));
  EXPECT_CL(CL_INVALID_VALUE, clGetMemAllocInfoINTEL(context, host, 0x1234, 0, nullptr, nullptr));
  // Each kind of memory is given back by its own call.
  clSVMFree(context, host);
  EXPECT_EQ(host, askOf<void *>(host, CL_MEM_ALLOC_BASE_PTR_INTEL));
  for (void *pointer : {static_cast<void *>(host), shared, own})
    EXPECT_CL(CL_SUCCESS, clMemFreeINTEL(context, pointer));
  EXPECT_CL(CL_INVALID_VALUE, clMemFreeINTEL(context, host));
  EXPECT_CL(CL_INVALID_VALUE, clMemFreeINTEL(context, &error));
  EXPECT_CL(CL_SUCCESS, clMemFreeINTEL(context, nullptr));
  EXPECT_CL(CL_INVALID_CONTEXT, clMemFreeINTEL(nullptr, nullptr));
}

TEST_F(UnifiedMemory, WhatIsRefused) {
  const auto errorOf = [&](const std::vector<cl_mem_properties_intel> &list, size_t size, cl_uint alignment) {
    cl_int error = 0;
    EXPECT_EQ(nullptr, clHostMemAllocINTEL(context, list.empty() ? nullptr : list.data(), size, alignment, &error));
    return error;
  };
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf({}, 0, 0));
  EXPECT_CL(CL_INVALID_BUFFER_SIZE, errorOf({}, SIZE_MAX, 0));
  EXPECT_CL(CL_INVALID_VALUE, errorOf({}, 8, 3));
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({0x1234, 1, 0}, 8, 0));
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0}, 8, 0));
  EXPECT_CL(CL_INVALID_PROPERTY, errorOf({CL_MEM_ALLOC_FLAGS_INTEL, 0, CL_MEM_ALLOC_FLAGS_INTEL, 0, 0}, 8, 0));
  cl_int error = 0;
  EXPECT_EQ(nullptr, clHostMemAllocINTEL(nullptr, nullptr, 8, 0, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, clDeviceMemAllocINTEL(context, nullptr, nullptr, 8, 0, &error));
  EXPECT_CL(CL_INVALID_DEVICE, error);
  const cl_mem_properties_intel both[] = {
      CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL,
      0};
  EXPECT_EQ(nullptr, clSharedMemAllocINTEL(context, device, both, 8, 0, &error));
  EXPECT_CL(CL_INVALID_PROPERTY, error);
}

TEST_F(UnifiedMemory, CommandsOnIt) {
  cl_int error = 0;
  constexpr size_t kCount = 1000;
  auto *in = static_cast<int *>(clDeviceMemAllocINTEL(context, device, nullptr, kCount * 4, 0, &error));
  auto *out = static_cast<int *>(clSharedMemAllocINTEL(context, device, nullptr, kCount * 4, 0, &error));
  ASSERT_CL(error);
  std::array<int, kCount> numbers;
  std::iota(numbers.begin(), numbers.end(), 0);
  cl_kernel k = makeKernel(buildProgram("kernel void k(global int *in, global int *out)"
                                        "{ int i = get_global_id(0); out[i] += 2 * in[i]; }"),
                           "k");
  ASSERT_CL(clSetKernelArgMemPointerINTEL(k, 0, in));
  ASSERT_CL(clSetKernelArgMemPointerINTEL(k, 1, out));
  const cl_bool yes = CL_TRUE;
  for (cl_kernel_exec_info name :
       {CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
        CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL})
    EXPECT_CL(CL_SUCCESS, clSetKernelExecInfo(k, name, sizeof yes, &yes));
  EXPECT_CL(CL_SUCCESS, clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof in, &in));
  const int seven = 7;
  cl_event filled = nullptr;
  ASSERT_CL(clEnqueueMemFillINTEL(queue, out, &seven, sizeof seven, kCount * 4, 0, nullptr, &filled));
  keep(filled, clReleaseEvent);
  EXPECT_EQ(cl_command_type(CL_COMMAND_MEMFILL_INTEL),
            ask<cl_command_type>(clGetEventInfo, CL_EVENT_COMMAND_TYPE, filled));
  ASSERT_CL(clEnqueueMemcpyINTEL(queue, CL_FALSE, in, numbers.data(), kCount * 4, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueMemsetINTEL(queue, in + 10, 0, 4, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueMigrateMemINTEL(queue, in, 16, 0, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueMemAdviseINTEL(queue, in, 16, 0, 0, nullptr, nullptr));
  const size_t size = kCount;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, &size, nullptr, 0, nullptr, nullptr));
  // Nothing was waited for: the free does that.
  ASSERT_CL(clMemBlockingFreeINTEL(context, in));
  for (size_t i = 0; i < kCount; ++i) ASSERT_EQ(7 + (i == 10 ? 0 : 2 * int(i)), out[i]) << i;
  EXPECT_CL(CL_MEM_COPY_OVERLAP, clEnqueueMemcpyINTEL(queue, CL_TRUE, out, out + 1, 400, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMemcpyINTEL(queue, CL_TRUE, nullptr, out, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMemFillINTEL(queue, out, &seven, 3, 12, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMemsetINTEL(queue, nullptr, 0, 4, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clEnqueueMigrateMemINTEL(queue, nullptr, 4, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, clEnqueueMemAdviseINTEL(nullptr, out, 4, 0, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_KERNEL, clSetKernelArgMemPointerINTEL(nullptr, 0, out));
  EXPECT_CL(CL_SUCCESS, clMemFreeINTEL(context, out));
}

} // namespace
} // namespace us::test
