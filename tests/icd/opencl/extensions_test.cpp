// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small extensions: what is advertised is there, and works.
#include "tests/icd/opencl/opencl_test.h"

#include <CL/cl_icd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <regex>
#include <set>

namespace us::test {
namespace {

class Extensions : public OpenCl {
protected:
  /// Compiles with the extension enabled and runs over `items` ints, of which the first is returned.
  int run(const std::string &source, int first, size_t items = 1, const char *options = "") {
    cl_kernel k = makeKernel(buildProgram(source.c_str(), options), "k");
    std::vector<int> values(64, first);
    cl_mem buffer = makeBuffer(256, CL_MEM_COPY_HOST_PTR, values.data());
    EXPECT_CL(CL_SUCCESS, clSetKernelArg(k, 0, sizeof buffer, &buffer));
    EXPECT_CL(CL_SUCCESS, clEnqueueNDRangeKernel(queue, k, 1, nullptr, &items, nullptr, 0, nullptr, nullptr));
    EXPECT_CL(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, values.data(), 0, nullptr, nullptr));
    return values[0];
  }
  cl_command_queue create(std::vector<cl_queue_properties> list, cl_int *error) {
    return clCreateCommandQueueWithProperties(context, device, list.data(), error);
  }
};

TEST_F(Extensions, NamesAndVersionsAgree) {
  std::string names = askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device);
  std::string joined;
  std::set<std::string> seen;
  for (const cl_name_version &row :
       askList<cl_name_version>(clGetDeviceInfo, CL_DEVICE_EXTENSIONS_WITH_VERSION, device)) {
    joined += (joined.empty() ? "" : " ") + std::string(row.name);
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_NE(0u, row.version) << row.name;
  }
  EXPECT_EQ(names, joined);
  for (const char *name :
       {"cl_khr_icd", "cl_khr_extended_versioning", "cl_khr_create_command_queue", "cl_khr_priority_hints",
        "cl_khr_throttle_hints", "cl_khr_device_uuid", "cl_khr_pci_bus_info", "cl_khr_fp16",
        "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics", "cl_khr_integer_dot_product",
        "cl_khr_suggested_local_work_size", "cl_khr_byte_addressable_store", "cl_khr_command_buffer"})
    EXPECT_TRUE(seen.contains(name)) << name;
}

TEST_F(Extensions, PriorityHints) {
  for (cl_queue_properties priority :
       {CL_QUEUE_PRIORITY_HIGH_KHR, CL_QUEUE_PRIORITY_MED_KHR, CL_QUEUE_PRIORITY_LOW_KHR}) {
    cl_int error = 0;
    cl_command_queue made = keep(create({CL_QUEUE_PRIORITY_KHR, priority, 0}, &error), clReleaseCommandQueue);
    EXPECT_CL(CL_SUCCESS, error);
    EXPECT_EQ((std::vector<cl_queue_properties>{CL_QUEUE_PRIORITY_KHR, priority, 0}),
              askList<cl_queue_properties>(clGetCommandQueueInfo, CL_QUEUE_PROPERTIES_ARRAY, made));
    EXPECT_CL(CL_SUCCESS, clFinish(made));
  }
  cl_int error = 0;
  EXPECT_EQ(nullptr, create({CL_QUEUE_PRIORITY_KHR, 8, 0}, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  const cl_queue_properties onDevice = CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  EXPECT_EQ(nullptr, create({CL_QUEUE_PROPERTIES, onDevice, CL_QUEUE_PRIORITY_KHR, 1, 0}, &error));
  EXPECT_CL(CL_INVALID_QUEUE_PROPERTIES, error);
}

TEST_F(Extensions, ThrottleHints) {
  for (cl_queue_properties throttle :
       {CL_QUEUE_THROTTLE_HIGH_KHR, CL_QUEUE_THROTTLE_MED_KHR, CL_QUEUE_THROTTLE_LOW_KHR}) {
    cl_int error = 0;
    keep(create({CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, CL_QUEUE_THROTTLE_KHR, throttle, 0}, &error),
         clReleaseCommandQueue);
    EXPECT_CL(CL_SUCCESS, error);
  }
  cl_int error = 0;
  EXPECT_EQ(nullptr, create({CL_QUEUE_THROTTLE_KHR, 0, 0}, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
}

TEST_F(Extensions, DeviceUuid) {
  using Uuid = std::array<cl_uchar, CL_UUID_SIZE_KHR>;
  std::set<Uuid> devices, drivers;
  for (cl_device_id one : ourDevices()) {
    devices.insert(ask<Uuid>(clGetDeviceInfo, CL_DEVICE_UUID_KHR, one));
    drivers.insert(ask<Uuid>(clGetDeviceInfo, CL_DRIVER_UUID_KHR, one));
    EXPECT_EQ(ask<Uuid>(clGetDeviceInfo, CL_DEVICE_UUID_KHR, one), ask<Uuid>(clGetDeviceInfo, CL_DEVICE_UUID_KHR, one));
    EXPECT_EQ(cl_bool(CL_FALSE), ask<cl_bool>(clGetDeviceInfo, CL_DEVICE_LUID_VALID_KHR, one));
  }
  EXPECT_EQ(ourDevices().size(), devices.size()); // one each
  EXPECT_EQ(1u, drivers.size());
}

TEST_F(Extensions, PciBusInfo) {
  std::set<cl_uint> buses;
  for (cl_device_id one : ourDevices()) {
    auto at = ask<cl_device_pci_bus_info_khr>(clGetDeviceInfo, CL_DEVICE_PCI_BUS_INFO_KHR, one);
    EXPECT_GT(at.pci_domain, 0xffffu); // no bus of a machine
    buses.insert(at.pci_bus);
  }
  EXPECT_EQ(ourDevices().size(), buses.size());
}

TEST_F(Extensions, IntegerDotProduct) {
  EXPECT_EQ(cl_device_integer_dot_product_capabilities_khr(3),
            ask<cl_device_integer_dot_product_capabilities_khr>(
                clGetDeviceInfo, CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, device));
  for (cl_device_info query : {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR,
                               CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR}) {
    size_t size = 0;
    EXPECT_CL(CL_SUCCESS, clGetDeviceInfo(device, query, 0, nullptr, &size));
    EXPECT_EQ(sizeof(cl_device_integer_dot_product_acceleration_properties_khr), size);
  }
  // (1, -2, 3, -4) . (5, 6, 7, 8) = 5 - 12 + 21 - 32
  EXPECT_EQ(-18, run("kernel void k(global int *x) { x[0] = dot((char4)(1, -2, 3, -4), (char4)(5, 6, 7, 8)); }", 0));
}

TEST_F(Extensions, ThePageListsThem) {
  std::ifstream page(US_EXTENSIONS_PAGE);
  std::map<std::string, std::string> listed, offered;
  const std::regex row(R"(\| (cl_\w+) \| (\d+\.\d+\.\d+) \|.*)");
  std::smatch parts;
  for (std::string line; std::getline(page, line);)
    if (std::regex_match(line, parts, row)) listed[parts[1]] = parts[2];
  for (const auto &one : askList<cl_name_version>(clGetDeviceInfo, CL_DEVICE_EXTENSIONS_WITH_VERSION, device))
    offered[one.name] = std::to_string(CL_VERSION_MAJOR(one.version)) + "." +
                        std::to_string(CL_VERSION_MINOR(one.version)) + "." +
                        std::to_string(CL_VERSION_PATCH(one.version));
  EXPECT_EQ(listed, offered);
}

// "The following Khronos extension names must be returned by all devices that support OpenCL 3.1 or newer"
TEST_F(Extensions, WhatOpenCl31Wants) {
  const std::string names = askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device) + " ";
  for (const char *name :
       {"cl_khr_device_uuid", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "cl_khr_spirv_queries",
        "cl_khr_subgroup_extended_types", "cl_khr_subgroup_rotate", "cl_khr_subgroup_shuffle",
        "cl_khr_subgroup_shuffle_relative", "cl_khr_suggested_local_work_size"})
    EXPECT_TRUE(names.contains(std::string(name) + " ")) << name;
  // "An OpenCL 3.1 device must support at least SPIR-V 1.0, SPIR-V 1.1, SPIR-V 1.2, SPIR-V 1.3, and SPIR-V 1.4."
  const std::string ils = askText(clGetDeviceInfo, CL_DEVICE_IL_VERSION, device) + " ";
  for (const char *version : {"1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6"})
    EXPECT_TRUE(ils.contains(std::string("SPIR-V_") + version + " ")) << version;
  // The slot behind those of OpenCL 3.0 in the table that loaders read.
  void *const *slots = *reinterpret_cast<void *const *const *>(platform);
  EXPECT_EQ(clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSize"),
            slots[sizeof(cl_icd_dispatch) / sizeof(void *)]);
}

TEST_F(Extensions, SpirvQueries) {
  const auto textsOf = [&](cl_device_info query) {
    std::set<std::string> texts;
    for (const char *text : askList<const char *>(clGetDeviceInfo, query, device)) texts.insert(text);
    return texts;
  };
  EXPECT_TRUE(textsOf(0x12B9).contains("OpenCL.std"));      // CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS
  const std::set<std::string> extensions = textsOf(0x12BA); // CL_DEVICE_SPIRV_EXTENSIONS
  // "An OpenCL environment supporting OpenCL 3.1 must support SPIR-V modules that declare the following SPIR-V
  // extensions via OpExtension".
  for (const char *name : {"SPV_KHR_bit_instructions", "SPV_KHR_integer_dot_product", "SPV_KHR_subgroup_rotate"})
    EXPECT_TRUE(extensions.contains(name)) << name;
  const std::vector<cl_uint> list = askList<cl_uint>(clGetDeviceInfo, 0x12BB, device); // CL_DEVICE_SPIRV_CAPABILITIES
  const std::set<cl_uint> capabilities(list.begin(), list.end());
  EXPECT_EQ(list.size(), capabilities.size());
  // Kernel, Addresses, Linkage, Int64, GroupNonUniformShuffle, BitInstructions, DotProduct.
  for (cl_uint number : {6u, 4u, 5u, 11u, 65u, 6025u, 6019u}) EXPECT_TRUE(capabilities.contains(number)) << number;
  EXPECT_FALSE(capabilities.contains(1)); // Shader
}

TEST_F(Extensions, Halves) {
  // 1/2048 is half of the last place of 1.0 in half precision: a tie, to even.
  EXPECT_EQ(1, run("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                   "kernel void k(global int *x) { half h = (half)x[0] + (half)(1.0f / 2048); x[0] = h == (half)1; }",
                   1));
  EXPECT_NE(0u, ask<cl_device_fp_config>(clGetDeviceInfo, CL_DEVICE_HALF_FP_CONFIG, device));
}

TEST_F(Extensions, FloatAtomics) {
  // Loads and stores, additions, least and greatest; in global and in local memory.
  for (cl_device_info query : {0x4231, 0x4232, 0x4233})
    EXPECT_EQ(cl_bitfield(0x70007), ask<cl_bitfield>(clGetDeviceInfo, query, device)) << query;
}

TEST_F(Extensions, RequiredSubGroupSize) {
  const std::vector<size_t> sizes = askList<size_t>(clGetDeviceInfo, CL_DEVICE_SUB_GROUP_SIZES_INTEL, device);
  // cl_intel_required_subgroup_size: "Returns the list of sub-group sizes supported by the device."
  ASSERT_EQ((std::vector<size_t>{8, 16, 32}), sizes);
  const auto sourceFor = [](size_t size) {
    return "__attribute__((intel_reqd_sub_group_size(" + std::to_string(size) + "))) kernel void k(global int *x) {" +
           " x[0] = get_max_sub_group_size(); }";
  };
  for (size_t size : sizes) EXPECT_EQ(int(size), run(sourceFor(size), 0, 64, "-cl-std=CL3.0"));
  cl_kernel k = makeKernel(buildProgram(sourceFor(sizes[0]).c_str(), "-cl-std=CL3.0"), "k");
  size_t required = 0, size = 0;
  EXPECT_CL(CL_SUCCESS, clGetKernelSubGroupInfo(k, device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, nullptr,
                                                sizeof required, &required, &size));
  EXPECT_EQ(sizes[0], required);
  // Of 24 work-items there are three sub-groups of 8.
  const size_t local = 24;
  size_t count = 0;
  EXPECT_CL(CL_SUCCESS, clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local, &local,
                                                sizeof count, &count, nullptr));
  EXPECT_EQ(3u, count);
  EXPECT_EQ(sizeof required, size);
  EXPECT_EQ(0u, ask<cl_ulong>(clGetKernelWorkGroupInfo, CL_KERNEL_SPILL_MEM_SIZE_INTEL, k, device));
  // A size that the device does not have.
  cl_program other = makeProgram(sourceFor(sizes.back() * 2).c_str());
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(other, 0, nullptr, "-cl-std=CL3.0", nullptr, nullptr));
  EXPECT_NE(std::string::npos, logOf(other).find("requires sub-groups of 64")) << logOf(other);
}

TEST_F(Extensions, CppForOpenCl) {
  const char *source = "kernel void k(global int *x) { auto version = __OPENCL_CPP_VERSION__; x[0] = version; }";
  const auto offered = ask<cl_version>(clGetDeviceInfo, 0x4230, device); // CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT
  // "The value of the __OPENCL_CPP_VERSION__ macro agrees with the version returned".
  EXPECT_EQ(int(CL_VERSION_MAJOR(offered) * 100 + CL_VERSION_MINOR(offered) * 10), run(source, 0, 1, "-cl-std=CLC++"));
  EXPECT_EQ(100, run(source, 0, 1, "-cl-std=CLC++1.0"));
  EXPECT_EQ(202100, run(source, 0, 1, "-cl-std=CLC++2021"));
  // Constructors of program scope objects are a kernel; static objects of functions are made when they are reached.
  const char *withConstructor =
      "struct Named { int value; Named(int x) : value(x * (int)get_work_dim()) {} ~Named() {} };"
      "global Named object(7);"
      "int count() { static int next = get_work_dim() + 3; return next++; }"
      "kernel void k(global int *x) { x[0] = object.value; x[1] = count(); x[2] = count(); }";
  cl_program program = buildProgram(withConstructor, "-cl-std=CLC++");
  cl_kernel construct = makeKernel(program, "_GLOBAL__sub_I__source_"), k = makeKernel(program, "k");
  cl_mem buffer = makeBuffer(12);
  ASSERT_CL(clSetKernelArg(k, 0, sizeof buffer, &buffer));
  const size_t one = 1;
  for (cl_kernel each : {construct, k})
    ASSERT_CL(clEnqueueNDRangeKernel(queue, each, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
  int values[3] = {};
  ASSERT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, nullptr, nullptr));
  EXPECT_EQ(7, values[0]);
  EXPECT_EQ(4, values[1]);
  EXPECT_EQ(5, values[2]);
  cl_program wrong = makeProgram("kernel void k() { class X { virtual void f() {} }; }");
  EXPECT_CL(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(wrong, 0, nullptr, "-cl-std=CLC++", nullptr, nullptr));
  EXPECT_NE(std::string::npos, logOf(wrong).find("virtual functions")) << logOf(wrong);
}

TEST_F(Extensions, Int64Atomics) {
  EXPECT_EQ(
      1,
      run("#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
          "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
          "kernel void k(global long *x) { atom_add(&x[8], 1L << 33); atom_max(&x[9], get_global_id(0) + (1L << 40));"
          "  if (get_global_id(0) == 0) *(global int *)x = 1; }",
          0, 64));
}

TEST_F(Extensions, Int32AtomicsAndByteStores) {
  EXPECT_EQ(64 + 7, run("kernel void k(global int *x) { local int l; if (get_local_id(0) == 0) l = 0;"
                        " barrier(CLK_LOCAL_MEM_FENCE); atom_inc(&l); atomic_add(&x[0], 1); atom_max(&x[1], l);"
                        " ((global char *)&x[2])[get_global_id(0) & 3] = 1; }",
                        7, 64));
}

TEST_F(Extensions, clGetKernelSuggestedLocalWorkSizeKHR) {
  auto suggest = reinterpret_cast<clGetKernelSuggestedLocalWorkSizeKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
  ASSERT_NE(nullptr, suggest);
  cl_kernel k =
      makeKernel(buildProgram("kernel void k(global int *x) { x[get_global_id(0)] = get_local_size(0); }"), "k");
  size_t global[3] = {1000, 8, 1}, local[3] = {}, zero[3] = {};
  EXPECT_CL(CL_INVALID_KERNEL_ARGS, suggest(queue, k, 1, nullptr, global, local));
  cl_mem buffer = makeBuffer(4000);
  ASSERT_CL(clSetKernelArg(k, 0, sizeof buffer, &buffer));
  EXPECT_CL(CL_SUCCESS, suggest(queue, k, 1, nullptr, global, local));
  EXPECT_GE(local[0], 1u);
  // The suggestion is what a launch without a local size uses.
  int used = 0;
  ASSERT_CL(clEnqueueNDRangeKernel(queue, k, 1, nullptr, global, nullptr, 0, nullptr, nullptr));
  ASSERT_CL(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &used, 0, nullptr, nullptr));
  EXPECT_EQ(static_cast<size_t>(used), local[0]);
  EXPECT_CL(CL_INVALID_COMMAND_QUEUE, suggest(nullptr, k, 1, nullptr, global, local));
  EXPECT_CL(CL_INVALID_KERNEL, suggest(queue, nullptr, 1, nullptr, global, local));
  EXPECT_CL(CL_INVALID_WORK_DIMENSION, suggest(queue, k, 4, nullptr, global, local));
  EXPECT_CL(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, k, 1, nullptr, zero, local));
  EXPECT_CL(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, k, 1, nullptr, nullptr, local));
  EXPECT_CL(CL_INVALID_VALUE, suggest(queue, k, 1, nullptr, global, nullptr));
}

TEST_F(Extensions, clCreateCommandQueueWithPropertiesKHR) {
  auto createKhr = reinterpret_cast<clCreateCommandQueueWithPropertiesKHR_fn>(
      clGetExtensionFunctionAddressForPlatform(platform, "clCreateCommandQueueWithPropertiesKHR"));
  ASSERT_NE(nullptr, createKhr);
  const cl_queue_properties_khr list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0}, bad[] = {0x1234, 1, 0};
  cl_int error = 0;
  keep(createKhr(context, device, list, &error), clReleaseCommandQueue);
  EXPECT_CL(CL_SUCCESS, error);
  EXPECT_EQ(nullptr, createKhr(context, device, bad, &error));
  EXPECT_CL(CL_INVALID_VALUE, error);
  EXPECT_EQ(nullptr, createKhr(nullptr, device, list, &error));
  EXPECT_CL(CL_INVALID_CONTEXT, error);
  EXPECT_EQ(nullptr, createKhr(context, nullptr, list, &error));
  EXPECT_CL(CL_INVALID_DEVICE, error);
}

} // namespace
} // namespace us::test
