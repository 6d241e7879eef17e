// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/device_facts.h"

#include "runtime/base/list_text.h"
#include "runtime/forward/opencl/forwarded_program.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <iterator>

namespace us::forward {
namespace {

/// Extensions that are the affair of the driver's compiler alone.
constexpr const char *kCompilersExtensions[] = {
    "cl_khr_byte_addressable_store",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_expect_assume",
    "cl_khr_extended_bit_ops",
    "cl_khr_3d_image_writes",
    "cl_khr_depth_images",
    "cl_khr_image2d_from_buffer",
};
/// The same, of a device whose sub-groups are forwarded.
constexpr const char *kSubGroupExtensions[] = {
    "cl_khr_subgroups",
    "cl_khr_subgroup_extended_types",
    "cl_khr_subgroup_non_uniform_vote",
    "cl_khr_subgroup_ballot",
    "cl_khr_subgroup_non_uniform_arithmetic",
    "cl_khr_subgroup_shuffle",
    "cl_khr_subgroup_shuffle_relative",
    "cl_khr_subgroup_clustered_reduce",
    "cl_khr_subgroup_rotate",
};
/// Those whose queries the driver answers and we pass on.
constexpr const char *kForwardedExtensions[] = {"cl_khr_device_uuid", "cl_khr_pci_bus_info"};
/// Those that need no device.
constexpr const char *kOwnExtensions[] = {"cl_khr_icd", "cl_khr_extended_versioning", "cl_khr_create_command_queue",
                                          "cl_khr_suggested_local_work_size", "cl_khr_semaphore"};
/// Features of the language that need what is not forwarded.
constexpr const char *kMissingFeatures[] = {
    "__opencl_c_pipes",
    "__opencl_c_device_enqueue",
    "__opencl_c_program_scope_global_variables",
};
constexpr const char *kSubGroupFeature = "__opencl_c_subgroups";

template <class List> bool contains(const List &list, const std::string &name) {
  return std::ranges::find(list, name) != std::end(list);
}

class Questions {
public:
  Questions(const DriverPlatform &platform, cl_device_id device) : platform_(platform), device_(device) {}

  template <class T> T number(cl_device_info what, T otherwise = {}) const {
    return deviceValue<T>(platform_, device_, what, otherwise);
  }
  std::string text(cl_device_info what) const { return deviceText(platform_, device_, what); }
  template <class T> std::vector<T> list(cl_device_info what) const {
    size_t bytes = 0;
    if (platform_.call->clGetDeviceInfo(device_, what, 0, nullptr, &bytes) != CL_SUCCESS || bytes > (1 << 20))
      return {};
    std::vector<T> values(bytes / sizeof(T));
    if (values.empty() || platform_.call->clGetDeviceInfo(device_, what, bytes, values.data(), nullptr) != CL_SUCCESS)
      return {};
    return values;
  }
  std::vector<NamedVersion> versions(cl_device_info what) const {
    std::vector<NamedVersion> result;
    for (const cl_name_version &row : list<cl_name_version>(what))
      result.push_back({std::string(row.name, strnlen(row.name, sizeof row.name)), row.version});
    return result;
  }

private:
  const DriverPlatform &platform_;
  const cl_device_id device_;
};

std::vector<std::string> words(const std::string &text) {
  std::vector<std::string> found;
  for (std::string_view rest = text; !rest.empty();)
    if (const std::string_view word = takeItem(rest, " "); !word.empty()) found.emplace_back(word);
  return found;
}

struct Version {
  unsigned major = 0, minor = 0;
};
/// Of "OpenCL 3.0 …" or "OpenCL C 1.2 …".
Version versionIn(const std::string &text) {
  Version version;
  if (const size_t digits = text.find_first_of("0123456789"); digits != std::string::npos)
    std::sscanf(text.c_str() + digits, "%u.%u", &version.major, &version.minor);
  return version;
}

constexpr uint32_t pack(unsigned major, unsigned minor, unsigned patch = 0) {
  return major << 22 | minor << 12 | patch;
}

/// OpenCL 2.x demands shared virtual memory, pipes and queues on the device, which are optional in 3.0 and not there in
/// 1.2: such a device is shown as one of 1.2.
std::string withoutVersion2(std::string text) {
  if (versionIn(text).major != 2) return text;
  const size_t digits = text.find_first_of("0123456789");
  return text.replace(digits, 3, "1.2");
}

DeviceType typeOf(cl_device_type type) {
  if (type & CL_DEVICE_TYPE_GPU) return DeviceType::Gpu;
  if (type & CL_DEVICE_TYPE_ACCELERATOR) return DeviceType::Accelerator;
  return type & CL_DEVICE_TYPE_CPU ? DeviceType::Cpu : DeviceType::Custom;
}

VectorWidths widths(const Questions &ask, const std::array<cl_device_info, 7> &names) {
  const auto width = [&](size_t i) { return ask.number<cl_uint>(names[i]); };
  return {width(0), width(1), width(2), width(3), width(4), width(5), width(6)};
}

void addIdentity(const Questions &ask, DeviceInfo &info) {
  info.name = ask.text(CL_DEVICE_NAME);
  info.vendor = ask.text(CL_DEVICE_VENDOR);
  info.driverVersion = ask.text(CL_DRIVER_VERSION);
  info.version = withoutVersion2(ask.text(CL_DEVICE_VERSION));
  info.openclCVersion = withoutVersion2(ask.text(CL_DEVICE_OPENCL_C_VERSION));
  info.profile = ask.text(CL_DEVICE_PROFILE);
  info.latestConformanceVersionPassed = ask.text(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED);
  info.type = typeOf(ask.number<cl_device_type>(CL_DEVICE_TYPE));
  info.vendorId = ask.number<cl_uint>(CL_DEVICE_VENDOR_ID);
  info.available = ask.number<cl_bool>(CL_DEVICE_AVAILABLE, CL_TRUE);
  info.compilerAvailable = ask.number<cl_bool>(CL_DEVICE_COMPILER_AVAILABLE, CL_TRUE);
  info.linkerAvailable = ask.number<cl_bool>(CL_DEVICE_LINKER_AVAILABLE, CL_TRUE);
}

void addExecution(const Questions &ask, DeviceInfo &info) {
  info.maxComputeUnits = std::max(ask.number<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS), 1u);
  // A Size3 has three.
  info.maxWorkItemDimensions = std::clamp(ask.number<cl_uint>(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 1u, 3u);
  const std::vector<size_t> sizes = ask.list<size_t>(CL_DEVICE_MAX_WORK_ITEM_SIZES);
  for (size_t i = 0; i < 3; ++i) info.maxWorkItemSizes[i] = i < sizes.size() ? sizes[i] : 1;
  info.maxWorkGroupSize = std::max<uint64_t>(ask.number<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE), 1);
  const auto multiple = ask.number<size_t>(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  if (multiple) info.preferredWorkGroupSizeMultiple = multiple;
  info.maxClockMhz = ask.number<cl_uint>(CL_DEVICE_MAX_CLOCK_FREQUENCY);
  info.preferredWidths = widths(ask, {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT,
                                      CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG,
                                      CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE,
                                      CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF});
  info.nativeWidths = widths(ask, {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
                                   CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
                                   CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
                                   CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF});
  info.singleFpConfig = ask.number<cl_device_fp_config>(CL_DEVICE_SINGLE_FP_CONFIG);
  info.doubleFpConfig = ask.number<cl_device_fp_config>(CL_DEVICE_DOUBLE_FP_CONFIG);
  info.halfFpConfig = ask.number<cl_device_fp_config>(CL_DEVICE_HALF_FP_CONFIG);
  info.executesNativeKernels = false; // they would reach memory of the device, which the host cannot
  info.errorCorrection = ask.number<cl_bool>(CL_DEVICE_ERROR_CORRECTION_SUPPORT);
  info.littleEndian = ask.number<cl_bool>(CL_DEVICE_ENDIAN_LITTLE, CL_TRUE);
  info.hostUnifiedMemory = ask.number<cl_bool>(CL_DEVICE_HOST_UNIFIED_MEMORY);
  info.profilingTimerResolution = ask.number<size_t>(CL_DEVICE_PROFILING_TIMER_RESOLUTION, 1);
  info.nonUniformWorkGroups = ask.number<cl_bool>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
  info.workGroupCollectives = ask.number<cl_bool>(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT);
}

void addMemory(const Questions &ask, DeviceInfo &info) {
  info.addressBits = ask.number<cl_uint>(CL_DEVICE_ADDRESS_BITS, 64);
  info.globalMemory = ask.number<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  info.maxAllocation = std::min<uint64_t>(ask.number<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE), info.globalMemory);
  info.localMemory = ask.number<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  info.dedicatedLocalMemory = ask.number<cl_device_local_mem_type>(CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL;
  info.maxConstantBuffer = ask.number<cl_ulong>(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE);
  info.maxConstantArguments = ask.number<cl_uint>(CL_DEVICE_MAX_CONSTANT_ARGS);
  const auto cache = ask.number<cl_device_mem_cache_type>(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE);
  info.globalCacheType = cache == CL_READ_ONLY_CACHE    ? CacheType::ReadOnly
                         : cache == CL_READ_WRITE_CACHE ? CacheType::ReadWrite
                                                        : CacheType::None;
  info.globalCache = ask.number<cl_ulong>(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  info.globalCacheLine = ask.number<cl_uint>(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
  info.baseAddressAlignBits = std::max(ask.number<cl_uint>(CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024u);
  info.minDataTypeAlign = ask.number<cl_uint>(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, 128);
  info.maxParameterSize = ask.number<size_t>(CL_DEVICE_MAX_PARAMETER_SIZE, 1024);
  info.printfBuffer = ask.number<size_t>(CL_DEVICE_PRINTF_BUFFER_SIZE);
  info.preferredPlatformAtomicAlignment = ask.number<cl_uint>(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT);
  info.preferredGlobalAtomicAlignment = ask.number<cl_uint>(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT);
  info.preferredLocalAtomicAlignment = ask.number<cl_uint>(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT);
  // "CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_ORDER_RELAXED" is what every device has.
  constexpr cl_bitfield kLeast = CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP;
  info.atomicMemoryCapabilities = ask.number<cl_bitfield>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, kLeast);
  info.atomicFenceCapabilities = ask.number<cl_bitfield>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, kLeast);
  info.genericAddressSpace = ask.number<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT);
  info.sharesHostMemory = false;
  info.handsOver = info.keepsMemory = true;
}

/// What is asked of them goes to the driver, whose version is 3.0 then: see withoutVersion2. True if there are any.
bool addSubGroups(const Questions &ask, const DriverPlatform &platform, DeviceInfo &info) {
  const bool isAnswered = versionIn(info.version).major >= 3 && tellsOfSubGroups(*platform.call);
  info.maxSubGroups = isAnswered ? ask.number<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS) : 0;
  info.independentForwardProgress =
      info.maxSubGroups && ask.number<cl_bool>(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS);
  if (!info.maxSubGroups)
    std::erase_if(info.openclCFeatures, [](const NamedVersion &feature) { return feature.name == kSubGroupFeature; });
  return info.maxSubGroups != 0;
}

void addLanguage(const Questions &ask, const DriverPlatform &platform, DeviceInfo &info) {
  if (versionIn(info.version).major >= 3) {
    info.openclCVersions = ask.versions(CL_DEVICE_OPENCL_C_ALL_VERSIONS);
    for (const NamedVersion &feature : ask.versions(CL_DEVICE_OPENCL_C_FEATURES))
      if (!contains(kMissingFeatures, feature.name)) info.openclCFeatures.push_back(feature);
  }
  const bool hasSubGroups = addSubGroups(ask, platform, info);
  // Devices of 2.x are shown as 1.2, which has none.
  if (versionIn(info.version).major >= 3 && takesIl(*platform.call)) {
    info.ils = ask.versions(CL_DEVICE_ILS_WITH_VERSION);
    if (!info.ils.empty()) info.extensions.push_back({"cl_khr_il_program", pack(1, 0)});
  }
  // Before 3.0 the device names the newest version only, which includes those before it.
  if (info.openclCVersions.empty())
    for (unsigned minor = 0; minor <= std::min(versionIn(info.openclCVersion).minor, 2u); ++minor)
      info.openclCVersions.push_back({"OpenCL C", pack(1, minor)});
  const std::vector<std::string> theirs = words(ask.text(CL_DEVICE_EXTENSIONS));
  for (const char *name : kCompilersExtensions)
    if (contains(theirs, name)) info.extensions.push_back({name, pack(1, 0)});
  for (const char *name : kSubGroupExtensions)
    if (hasSubGroups && contains(theirs, name)) info.extensions.push_back({name, pack(1, 0)});
  for (const char *name : kForwardedExtensions)
    if (contains(theirs, name)) info.extensions.push_back({name, pack(1, 0)});
  for (const char *name : kOwnExtensions) info.extensions.push_back({name, pack(1, 0)});
  // Recorded by us, and given to the driver command by command.
  info.extensions.push_back({"cl_khr_command_buffer", pack(0, 9, 8)});
  info.extensions.push_back({"cl_khr_command_buffer_multi_device", pack(0, 9, 2)});
  info.extensions.push_back({"cl_khr_command_buffer_mutable_dispatch", pack(0, 9, 5)});
  if (contains(theirs, "cl_khr_device_uuid")) {
    info.uuid = ask.number<std::array<uint8_t, CL_UUID_SIZE_KHR>>(CL_DEVICE_UUID_KHR);
    info.driverUuid = ask.number<std::array<uint8_t, CL_UUID_SIZE_KHR>>(CL_DRIVER_UUID_KHR);
  }
  if (contains(theirs, "cl_khr_pci_bus_info")) {
    const auto at = ask.number<cl_device_pci_bus_info_khr>(CL_DEVICE_PCI_BUS_INFO_KHR);
    info.pci = PciAddress{at.pci_domain, at.pci_bus, at.pci_device, at.pci_function};
  }
}

void addPartitions(const Questions &ask, DeviceInfo &info) {
  const auto schemes = ask.list<cl_device_partition_property>(CL_DEVICE_PARTITION_PROPERTIES);
  // A device of ours that can be divided can be so in both ways.
  const auto has = [&](cl_device_partition_property scheme) {
    return std::ranges::find(schemes, scheme) != schemes.end();
  };
  if (!has(CL_DEVICE_PARTITION_EQUALLY) || !has(CL_DEVICE_PARTITION_BY_COUNTS)) return;
  info.maxSubDevices = ask.number<cl_uint>(CL_DEVICE_PARTITION_MAX_SUB_DEVICES);
  if (has(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN))
    info.affinityDomains = ask.number<cl_device_affinity_domain>(CL_DEVICE_PARTITION_AFFINITY_DOMAIN);
}

/// cl_nv_device_attribute_query.
constexpr struct {
  const char *fact;
  cl_device_info name;
} kAttributes[] = {
    {"CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV", CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV},
    {"CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV", CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV},
    {"CL_DEVICE_REGISTERS_PER_BLOCK_NV", CL_DEVICE_REGISTERS_PER_BLOCK_NV},
    {"CL_DEVICE_WARP_SIZE_NV", CL_DEVICE_WARP_SIZE_NV},
    {"CL_DEVICE_GPU_OVERLAP_NV", CL_DEVICE_GPU_OVERLAP_NV},
    {"CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV", CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV},
    {"CL_DEVICE_INTEGRATED_MEMORY_NV", CL_DEVICE_INTEGRATED_MEMORY_NV},
};

void addAttributes(const Questions &ask, DeviceInfo &info) {
  constexpr const char *kExtension = "cl_nv_device_attribute_query";
  if (!contains(words(ask.text(CL_DEVICE_EXTENSIONS)), kExtension)) return;
  for (const auto &attribute : kAttributes)
    info.vendorFacts[attribute.fact] = uint64_t(ask.number<cl_uint>(attribute.name));
  info.extensions.push_back({kExtension, pack(1, 0)});
}

} // namespace

DeviceInfo factsOf(const DriverPlatform &platform, cl_device_id device) {
  const Questions ask(platform, device);
  DeviceInfo info;
  addIdentity(ask, info);
  addExecution(ask, info);
  addMemory(ask, info);
  addLanguage(ask, platform, info);
  addPartitions(ask, info);
  addAttributes(ask, info);
  info.codeIdentity = platformText(platform, CL_PLATFORM_NAME) + "\n" + platformText(platform, CL_PLATFORM_VERSION) +
                      "\n" + info.name + "\n" + info.driverVersion;
  return info;
}

} // namespace us::forward
