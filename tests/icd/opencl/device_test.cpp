// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/icd/opencl/opencl_test.h"

#include <numeric>

namespace us::test {
namespace {

using DeviceTest = OpenCl;

TEST_F(DeviceTest, clGetDeviceIDs) {
  cl_uint count = 0;
  EXPECT_CL(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
  EXPECT_EQ(ourDevices().size(), count);
  cl_device_id one = nullptr;
  EXPECT_CL(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &one, &count));
  EXPECT_EQ(device, one);
  EXPECT_EQ(1u, count);
  // A device is found by exactly the type it reports.
  for (cl_device_type type :
       {CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR, CL_DEVICE_TYPE_CUSTOM}) {
    cl_uint expected = 0;
    for (cl_device_id each : ourDevices())
      expected += ask<cl_device_type>(clGetDeviceInfo, CL_DEVICE_TYPE, each) == type;
    count = 77;
    EXPECT_CL(expected ? CL_SUCCESS : CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, type, 0, nullptr, &count)) << type;
    EXPECT_EQ(expected, count);
  }
  EXPECT_CL(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 10, 0, nullptr, &count));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &one, nullptr));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, nullptr));
  EXPECT_CL(CL_INVALID_PLATFORM,
            clGetDeviceIDs(reinterpret_cast<cl_platform_id>(context), CL_DEVICE_TYPE_ALL, 0, nullptr, &count));
}

TEST_F(DeviceTest, clGetDeviceInfo) {
  // Every query of OpenCL 3.0 answers; the headers' numbers run from 0x1000 to 0x1072 with these gaps.
  for (cl_device_info name = 0x1000; name <= 0x1072; ++name) {
    bool gap = name == 0x1033 || (name >= 0x106A && name <= 0x106E);
    if (gap) continue;
    size_t size = 0;
    EXPECT_CL(CL_SUCCESS, clGetDeviceInfo(device, name, 0, nullptr, &size)) << std::hex << name;
    std::vector<char> value(size + 1);
    EXPECT_CL(CL_SUCCESS, clGetDeviceInfo(device, name, size, value.data(), nullptr)) << std::hex << name;
    if (size > 1) EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(device, name, size - 1, value.data(), nullptr)) << name;
  }
  // Of vendors' own queries none answers.
  for (cl_device_info name : {0x4000, 0x4001, 0x4003, 0x4036, 0x4100})
    EXPECT_CL(CL_INVALID_VALUE, clGetDeviceInfo(device, name, 0, nullptr, nullptr)) << std::hex << name;
  // What the specification's full profile demands.
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, device), 1u);
  EXPECT_EQ(3u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, device));
  EXPECT_EQ(3u, askList<size_t>(clGetDeviceInfo, CL_DEVICE_MAX_WORK_ITEM_SIZES, device).size());
  EXPECT_GE(ask<size_t>(clGetDeviceInfo, CL_DEVICE_MAX_PARAMETER_SIZE, device), 1024u);
  EXPECT_GE(ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_LOCAL_MEM_SIZE, device), 32768u);
  EXPECT_GE(ask<size_t>(clGetDeviceInfo, CL_DEVICE_PRINTF_BUFFER_SIZE, device), 1048576u);
  EXPECT_GE(ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, device), 65536u);
  EXPECT_GE(ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_CONSTANT_ARGS, device), 8u);
  EXPECT_EQ(1024u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MEM_BASE_ADDR_ALIGN, device));
  // "This query must return CL_TRUE for devices that support the cl_khr_subgroups extension".
  const auto extensions = askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device) + " ";
  if (extensions.contains("cl_khr_subgroups "))
    EXPECT_TRUE(ask<cl_bool>(clGetDeviceInfo, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, device));
  cl_ulong global = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_GLOBAL_MEM_SIZE, device);
  cl_ulong largest = ask<cl_ulong>(clGetDeviceInfo, CL_DEVICE_MAX_MEM_ALLOC_SIZE, device);
  EXPECT_LE(largest, global);
  EXPECT_GE(largest, std::min<cl_ulong>(global / 4, 1 << 30));
  EXPECT_EQ(platform, ask<cl_platform_id>(clGetDeviceInfo, CL_DEVICE_PLATFORM, device));
  EXPECT_EQ(0u, askText(clGetDeviceInfo, CL_DEVICE_VERSION, device).find("OpenCL " + newestVersionText() + " "));
  EXPECT_EQ(newestVersion(), ask<cl_version>(clGetDeviceInfo, CL_DEVICE_NUMERIC_VERSION, device));
  // "Support for at least OpenCL C 3.1, OpenCL C 3.0, OpenCL C 1.2, OpenCL C 1.1, and OpenCL C 1.0 is required for an
  // OpenCL 3.1 device."
  std::vector<cl_version> languages;
  for (const auto &row : askList<cl_name_version>(clGetDeviceInfo, CL_DEVICE_OPENCL_C_ALL_VERSIONS, device))
    languages.push_back(row.version);
  std::vector<cl_version> wanted;
  for (const auto &[major, minor] : {std::pair{1u, 0u}, {1u, 1u}, {1u, 2u}, {3u, 0u}, {3u, 1u}})
    if (CL_MAKE_VERSION(major, minor, 0u) <= newestVersion()) wanted.push_back(CL_MAKE_VERSION(major, minor, 0u));
  EXPECT_EQ(wanted, languages);
  for (cl_version language : languages) {
    const std::string option =
        "-cl-std=CL" + std::to_string(CL_VERSION_MAJOR(language)) + "." + std::to_string(CL_VERSION_MINOR(language));
    EXPECT_NE(nullptr, buildProgram("kernel void k() {}", option.c_str())) << option;
  }
  EXPECT_EQ(0u, askText(clGetDeviceInfo, CL_DEVICE_OPENCL_C_VERSION, device).find("OpenCL C "));
  EXPECT_EQ("", askText(clGetDeviceInfo, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, device));
  EXPECT_EQ("", askText(clGetDeviceInfo, CL_DEVICE_BUILT_IN_KERNELS, device));
  EXPECT_EQ(1u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_REFERENCE_COUNT, device));
  EXPECT_EQ(nullptr, ask<cl_device_id>(clGetDeviceInfo, CL_DEVICE_PARENT_DEVICE, device));
  cl_device_type type = ask<cl_device_type>(clGetDeviceInfo, CL_DEVICE_TYPE, device);
  cl_device_exec_capabilities runs =
      ask<cl_device_exec_capabilities>(clGetDeviceInfo, CL_DEVICE_EXECUTION_CAPABILITIES, device);
  EXPECT_EQ(CL_EXEC_KERNEL | (type == CL_DEVICE_TYPE_CPU ? CL_EXEC_NATIVE_KERNEL : 0), runs);
  // The two lists of extensions agree.
  std::string joined;
  for (const auto &row : askList<cl_name_version>(clGetDeviceInfo, CL_DEVICE_EXTENSIONS_WITH_VERSION, device))
    joined += (joined.empty() ? "" : " ") + std::string(row.name);
  EXPECT_EQ(askText(clGetDeviceInfo, CL_DEVICE_EXTENSIONS, device), joined);
  EXPECT_EQ(size_t(CL_UUID_SIZE_KHR), askList<char>(clGetDeviceInfo, CL_DEVICE_UUID_KHR, device).size());
  EXPECT_CL(CL_INVALID_DEVICE,
            clGetDeviceInfo(reinterpret_cast<cl_device_id>(queue), CL_DEVICE_TYPE, 0, nullptr, nullptr));
}

TEST_F(DeviceTest, clCreateSubDevices) {
  cl_uint most = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, device);
  cl_uint units = ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, device);
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, nullptr, 0, nullptr, &count));
  const cl_device_partition_property unknown[] = {0x5555, 1, 0};
  EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, unknown, 0, nullptr, &count));
  const cl_device_partition_property none[] = {CL_DEVICE_PARTITION_EQUALLY, 0, 0};
  EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, none, 0, nullptr, &count));
  // "CL_DEVICE_PARTITION_FAILED if the partition name is supported by the implementation but in_device could not be
  // further partitioned": a part with every compute unit is no smaller device.
  const cl_device_partition_property whole[] = {CL_DEVICE_PARTITION_EQUALLY, cl_device_partition_property(units), 0};
  EXPECT_CL(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(device, whole, 0, nullptr, &count));
  const cl_device_partition_property more[] = {CL_DEVICE_PARTITION_EQUALLY, cl_device_partition_property(units) + 1, 0};
  EXPECT_CL(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, more, 0, nullptr, &count));
  if (most < 2) GTEST_SKIP() << "the device has one compute unit";
  ASSERT_CL(clCreateSubDevices(device, equally, 0, nullptr, &count));
  EXPECT_EQ(units, count);
  std::vector<cl_device_id> parts(count);
  EXPECT_CL(CL_INVALID_VALUE, clCreateSubDevices(device, equally, count - 1, parts.data(), nullptr));
  ASSERT_CL(clCreateSubDevices(device, equally, count, parts.data(), nullptr));
  for (cl_device_id part : parts) {
    EXPECT_EQ(1u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_MAX_COMPUTE_UNITS, part));
    EXPECT_EQ(device, ask<cl_device_id>(clGetDeviceInfo, CL_DEVICE_PARENT_DEVICE, part));
    auto how = askList<cl_device_partition_property>(clGetDeviceInfo, CL_DEVICE_PARTITION_TYPE, part);
    EXPECT_EQ(std::vector<cl_device_partition_property>(equally, equally + 3), how);
    // "CL_DEVICE_PARTITION_FAILED if ... in_device could not be further partitioned."
    EXPECT_CL(CL_DEVICE_PARTITION_FAILED, clCreateSubDevices(part, equally, 0, nullptr, &count));
  }
  // A context, a queue and a kernel on a part.
  cl_int error = 0;
  cl_context onPart = clCreateContext(nullptr, 1, parts.data(), nullptr, nullptr, &error);
  ASSERT_CL(error);
  EXPECT_EQ(nullptr, clCreateCommandQueue(onPart, device, 0, &error));
  EXPECT_CL(CL_INVALID_DEVICE, error);
  cl_command_queue partQueue = clCreateCommandQueue(onPart, parts[0], 0, &error);
  ASSERT_CL(error);
  EXPECT_CL(CL_SUCCESS, clFinish(partQueue));
  EXPECT_CL(CL_SUCCESS, clReleaseCommandQueue(partQueue));
  EXPECT_CL(CL_SUCCESS, clReleaseContext(onPart));
  const cl_device_partition_property tooMany[] = {CL_DEVICE_PARTITION_BY_COUNTS, cl_device_partition_property(units),
                                                  cl_device_partition_property(1),
                                                  CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  EXPECT_CL(CL_INVALID_DEVICE_PARTITION_COUNT, clCreateSubDevices(device, tooMany, 0, nullptr, &count));
  for (cl_device_id part : parts) EXPECT_CL(CL_SUCCESS, clReleaseDevice(part));
  EXPECT_CL(CL_INVALID_DEVICE, clReleaseDevice(parts[0]));
}

TEST_F(DeviceTest, clRetainDevice) {
  // A root device's count does not change.
  EXPECT_CL(CL_SUCCESS, clRetainDevice(device));
  EXPECT_EQ(1u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_REFERENCE_COUNT, device));
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  cl_uint count = 0;
  if (clCreateSubDevices(device, equally, 0, nullptr, &count) != CL_SUCCESS) GTEST_SKIP() << "cannot be divided";
  std::vector<cl_device_id> parts(count);
  ASSERT_CL(clCreateSubDevices(device, equally, count, parts.data(), nullptr));
  EXPECT_CL(CL_SUCCESS, clRetainDevice(parts[0]));
  EXPECT_EQ(2u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_REFERENCE_COUNT, parts[0]));
  EXPECT_CL(CL_SUCCESS, clReleaseDevice(parts[0]));
  for (cl_device_id part : parts) EXPECT_CL(CL_SUCCESS, clReleaseDevice(part));
}

TEST_F(DeviceTest, clReleaseDevice) {
  EXPECT_CL(CL_SUCCESS, clReleaseDevice(device));
  EXPECT_CL(CL_SUCCESS, clReleaseDevice(device));
  EXPECT_EQ(1u, ask<cl_uint>(clGetDeviceInfo, CL_DEVICE_REFERENCE_COUNT, device));
  EXPECT_CL(CL_INVALID_DEVICE, clReleaseDevice(reinterpret_cast<cl_device_id>(context)));
}

TEST_F(DeviceTest, clGetDeviceAndHostTimer) {
  cl_ulong deviceTime = 0, hostTime = 0, later = 0;
  EXPECT_CL(CL_SUCCESS, clGetDeviceAndHostTimer(device, &deviceTime, &hostTime));
  EXPECT_NE(0u, deviceTime);
  EXPECT_CL(CL_SUCCESS, clGetHostTimer(device, &later));
  EXPECT_GE(later, hostTime);
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, nullptr, &hostTime));
  EXPECT_CL(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &deviceTime, nullptr));
}

TEST_F(DeviceTest, clGetHostTimer) { EXPECT_CL(CL_INVALID_VALUE, clGetHostTimer(device, nullptr)); }

} // namespace
} // namespace us::test
