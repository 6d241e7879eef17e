// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device says when it pretends to be another: the other's limits, our abilities, and every difference said.
#include "emulator/profiles/profile.h"
#include "emulator/profiles/profile_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace us::profiles {
namespace {
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

DeviceInfo ours(uint64_t memory = 8ull << 30) {
  DeviceInfo info = defaultProfile(Options{}, Machine{.cores = 4, .memory = memory}, DeviceType::Gpu, 0, memory);
  return info;
}

bool has(const std::vector<NamedVersion> &list, std::string_view name) {
  for (const NamedVersion &entry : list)
    if (entry.name == name) return true;
  return false;
}

TEST(Profiles, EachIsReadAndIsADevice) {
  const std::vector<ProfileLine> lines = profileLines();
  EXPECT_GE(lines.size(), 14u);
  for (const ProfileLine &line : lines) {
    Expected<DeviceInfo> info = pretend(line.word, ours());
    ASSERT_TRUE(info) << line.word << ": " << info.error().message;
    EXPECT_EQ(info->profileName, line.word);
    EXPECT_FALSE(info->name.empty());
    // 3.1 is our own device's alone: nobody measured another.
    if (line.word == "understudy")
      EXPECT_THAT(info->version, StartsWith("OpenCL 3.1 "));
    else
      EXPECT_THAT(info->version, AnyOf(StartsWith("OpenCL 1.2 "), StartsWith("OpenCL 3.0 "))) << line.word;
    EXPECT_THAT(info->driverVersion, HasSubstr("Understudy")) << line.word;
    EXPECT_LE(info->maxAllocation, info->globalMemory) << line.word;
    EXPECT_LE(info->globalMemory, 8ull << 30) << line.word;
    EXPECT_LE(info->maxConstantBuffer, info->maxAllocation) << line.word;
    EXPECT_GE(info->maxWorkGroupSize, 1u);
    for (uint64_t size : info->maxWorkItemSizes) EXPECT_GE(size, 1u) << line.word;
    EXPECT_GE(info->localMemory, 16u << 10);
    EXPECT_GE(info->baseAddressAlignBits, 1024u);
    EXPECT_EQ(info->svmCapabilities & ~ours().svmCapabilities, 0u);
    for (const NamedVersion &extension : info->extensions)
      EXPECT_TRUE(has(ours().extensions, extension.name) || extension.name.ends_with("_device_attribute_query"))
          << line.word << " " << extension.name;
    for (const NamedVersion &feature : info->openclCFeatures)
      EXPECT_TRUE(has(ours().openclCFeatures, feature.name)) << line.word << " " << feature.name;
    EXPECT_EQ(has(info->extensions, "cl_khr_fp64"), info->doubleFpConfig != 0) << line.word;
    EXPECT_TRUE(info->doubleFpConfig || !has(info->openclCFeatures, "__opencl_c_fp64")) << line.word;
    EXPECT_NE(info->uuid, ours().uuid);
  }
}

// The numbers are the measured ones.
TEST(Profiles, AnH200) {
  const DeviceInfo info = *pretend("h200", ours(200ull << 30));
  EXPECT_EQ(info.name, "NVIDIA H200");
  EXPECT_EQ(info.vendor, "NVIDIA Corporation");
  EXPECT_EQ(info.vendorId, 0x10deu);
  EXPECT_EQ(info.version, "OpenCL 3.0 CUDA");
  EXPECT_EQ(info.maxComputeUnits, 132u);
  EXPECT_EQ(info.maxWorkItemSizes, (Size3{1024, 1024, 64}));
  EXPECT_EQ(info.localMemory, 49152u);
  EXPECT_EQ(info.maxConstantBuffer, 65536u);
  EXPECT_EQ(info.maxConstantArguments, 9u);
  EXPECT_EQ(info.maxParameterSize, 32764u);
  EXPECT_EQ(info.globalMemory, 150109880320u);
  EXPECT_EQ(info.maxAllocation, 37527470080u);
  EXPECT_EQ(info.baseAddressAlignBits, 4096u);
  EXPECT_EQ(info.svmCapabilities, 1u);
  EXPECT_FALSE(info.nonUniformWorkGroups);
  EXPECT_FALSE(info.genericAddressSpace);
  EXPECT_FALSE(info.workGroupCollectives);
  EXPECT_EQ(info.maxSubGroups, 0u);
  EXPECT_EQ(info.maxSubDevices, 0u);
  EXPECT_EQ(info.maxProgramVariable, 0u);
  EXPECT_EQ(info.halfFpConfig, ours().halfFpConfig); // not answered: the extension is not there
  EXPECT_FALSE(has(info.extensions, "cl_khr_fp16"));
  EXPECT_TRUE(has(info.extensions, "cl_nv_device_attribute_query"));
  EXPECT_TRUE(has(info.extensions, "cl_khr_external_memory"));
  EXPECT_FALSE(has(info.extensions, "cl_khr_gl_event"));
  EXPECT_FALSE(has(info.openclCFeatures, "__opencl_c_subgroups"));
  EXPECT_EQ(std::get<uint64_t>(info.vendorFacts.at("CL_DEVICE_WARP_SIZE_NV")), 32u);
  EXPECT_EQ(std::get<uint64_t>(info.vendorFacts.at("CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV")), 9u);
  EXPECT_EQ(info.cudaAttributes.at("CU_DEVICE_ATTRIBUTE_WARP_SIZE"), 32);
  EXPECT_THAT(info.differences, Contains(HasSubstr("cl_khr_gl_event is not offered")));
}

TEST(Profiles, WhatTheMachineLacksIsSaid) {
  const DeviceInfo info = *pretend("h200", ours(8ull << 30));
  EXPECT_EQ(info.globalMemory, 8ull << 30);
  EXPECT_THAT(info.differences, Contains(HasSubstr("CL_DEVICE_GLOBAL_MEM_SIZE")));
}

TEST(Profiles, AnAmdDeviceHasItsQueriesAndNoCuda) {
  const DeviceInfo info = *pretend("rx7900xtx", ours());
  EXPECT_EQ(info.name, "gfx1100");
  EXPECT_TRUE(info.version.starts_with("OpenCL 3.0 ")); // 2.0 would promise what we lack
  EXPECT_EQ(info.maxWorkGroupSize, 256u);
  EXPECT_EQ(info.maxWorkItemSizes, (Size3{1024, 1024, 1024}));
  EXPECT_FALSE(info.outOfOrderQueues);
  EXPECT_EQ(std::get<std::string>(info.vendorFacts.at("CL_DEVICE_BOARD_NAME_AMD")), "Radeon RX 7900 XTX");
  EXPECT_FALSE(info.vendorFacts.contains("CL_DEVICE_WARP_SIZE_NV"));
  EXPECT_TRUE(info.cudaAttributes.empty());
  EXPECT_EQ(info.svmCapabilities, 3u);
  EXPECT_THAT(info.differences, Contains(HasSubstr("CL_DEVICE_VERSION")));
}

TEST(Profiles, PipesAndQueuesOnTheDevice) {
  const DeviceInfo amd = *pretend("rx7900xtx", ours());
  EXPECT_EQ(amd.maxPipeArguments, 16u);
  EXPECT_EQ(amd.pipeMaxReservations, 16u);
  EXPECT_EQ(amd.pipeMaxPacketSize, ours().pipeMaxPacketSize);
  EXPECT_TRUE(has(amd.openclCFeatures, "__opencl_c_pipes"));
  EXPECT_EQ(amd.maxDeviceQueues, 1u);
  EXPECT_EQ(amd.deviceQueueMaxSize, 8388608u);
  EXPECT_TRUE(has(amd.openclCFeatures, "__opencl_c_device_enqueue"));
  const DeviceInfo nvidia = *pretend("h200", ours());
  EXPECT_EQ(nvidia.maxPipeArguments + nvidia.pipeMaxPacketSize + nvidia.maxDeviceQueues + nvidia.maxDeviceEvents, 0u);
  EXPECT_FALSE(has(nvidia.openclCFeatures, "__opencl_c_pipes"));
  EXPECT_FALSE(has(nvidia.openclCFeatures, "__opencl_c_device_enqueue"));
}

TEST(Profiles, SubGroupsOfAnotherWidthAreNotOffered) {
  const DeviceInfo vega = *pretend("vega20", ours());
  EXPECT_EQ(vega.maxSubGroups, 0u);
  EXPECT_FALSE(has(vega.openclCFeatures, "__opencl_c_subgroups"));
  EXPECT_THAT(vega.differences, Contains(HasSubstr("sub-groups have 64 work-items")));
}

// The readings that the profiles come from say how many sub-groups the largest work-group has.
TEST(Profiles, SubGroupsHaveTheRealDevicesWidth) {
  const DeviceInfo mali = *pretend("mali-g610", ours());
  EXPECT_EQ(mali.subGroupSize, 16u);
  EXPECT_EQ(mali.maxSubGroups, 64u);
  EXPECT_TRUE(mali.subGroupSizes.empty());
  EXPECT_TRUE(has(mali.extensions, "cl_khr_subgroups"));
  EXPECT_FALSE(mali.dedicatedLocalMemory);
  const DeviceInfo iris = *pretend("iris-xe", ours());
  EXPECT_EQ(iris.subGroupSize, 32u);
  EXPECT_THAT(iris.subGroupSizes, testing::ElementsAre(8u, 16u, 32u));
  EXPECT_EQ(iris.maxSubGroups, 64u);
}

// "This query must return CL_TRUE for devices that support the cl_khr_subgroups extension".
TEST(Profiles, SubGroupsOfTheExtensionMakeProgress) {
  EXPECT_TRUE(has(ours().extensions, "cl_khr_subgroups"));
  EXPECT_TRUE(ours().independentForwardProgress);
  const DeviceInfo amd = *pretend("rx7900xtx", ours());
  EXPECT_TRUE(has(amd.extensions, "cl_khr_subgroups"));
  EXPECT_TRUE(amd.independentForwardProgress);
  const DeviceInfo nvidia = *pretend("h200", ours());
  EXPECT_FALSE(has(nvidia.extensions, "cl_khr_subgroups"));
  EXPECT_FALSE(nvidia.independentForwardProgress);
}

TEST(Profiles, DerivedCudaFactsAreMarked) {
  const DeviceInfo info = *pretend("rtx4090", ours());
  EXPECT_EQ(info.name, "NVIDIA GeForce RTX 4090");
  EXPECT_EQ(info.maxComputeUnits, 128u);
  EXPECT_THAT(info.cudaDerived, Contains("CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR"));
  EXPECT_THAT(info.cudaDerived, Not(Contains("CU_DEVICE_ATTRIBUTE_WARP_SIZE")));
  EXPECT_THAT(info.differences, Contains(HasSubstr("not every fact")));
}

TEST(Profiles, UnknownWordsAreNamed) {
  Expected<DeviceInfo> info = pretend("voodoo2", ours());
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::InvalidValue);
  EXPECT_THAT(info.error().message, HasSubstr("'voodoo2'"));
  EXPECT_THAT(info.error().message, HasSubstr("h200"));
  EXPECT_FALSE(pretend("nvidia", ours())); // what several devices have in common is none
}

} // namespace
} // namespace us::profiles
