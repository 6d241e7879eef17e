// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clGetDeviceInfo: every query of OpenCL 1.0 to 3.1 and of the extensions we have. The facts are DeviceInfo's.
#include "icd/common/info_table.h"
#include "icd/opencl/command_buffer.h"
#include "icd/opencl/entry_points.h"
#include "icd/opencl/extensions.h"
#include "icd/opencl/info/vendor_device_info.h"
#include "icd/opencl/platform.h"
#include "runtime/device/driver_answers.h"

// Of extensions newer than the installed headers.
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#endif
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

namespace us::opencl {
namespace {

using icd::InfoRow;
using icd::InfoWriter;

constexpr const char *kMultiDevice = CL_KHR_COMMAND_BUFFER_MULTI_DEVICE_EXTENSION_NAME;

bool hasFeature(const ClDevice &device, std::string_view name) {
  for (const NamedVersion &feature : device.info().openclCFeatures)
    if (feature.name == name) return true;
  return false;
}

/// Features are OpenCL 3.0's.
std::vector<NamedVersion> featuresTold(const ClDevice &device) {
  return versionOf(device.info().version) < CL_MAKE_VERSION(3, 0, 0) ? std::vector<NamedVersion>()
                                                                     : device.info().openclCFeatures;
}

Expected<void> unknown(const char *extension) {
  return fail(ErrorCode::InvalidValue, icd::format("the device does not have {}", extension));
}

cl_platform_id platformOf(const ClDevice &) {
  auto platform = thePlatform();
  return platform ? platform->get().handle() : nullptr;
}

/// Space-separated "name_major.minor", as CL_DEVICE_IL_VERSION has it.
std::string ilText(const ClDevice &device) {
  std::string text;
  for (const NamedVersion &il : device.info().ils) {
    if (!text.empty()) text += ' ';
    text += icd::format("{}_{}.{}", il.name, CL_VERSION_MAJOR(il.version), CL_VERSION_MINOR(il.version));
  }
  return text;
}

/// "Returns an array of null-terminated strings": the device's own, which live as long as it does.
Expected<void> putNames(const ClDevice &device, InfoWriter &w, const std::vector<std::string> &names) {
  if (!hasExtension(device, "cl_khr_spirv_queries")) return unknown("cl_khr_spirv_queries");
  std::vector<const char *> strings;
  for (const std::string &name : names) strings.push_back(name.c_str());
  return w.putArray<const char *>(strings);
}

/// cl_ext_float_atomics: in all memory the same.
Expected<void> putFloatAtomics(const ClDevice &device, InfoWriter &w, bool hasType) {
  if (!hasExtension(device, "cl_ext_float_atomics")) return unknown("cl_ext_float_atomics");
  return w.put<cl_device_fp_atomic_capabilities_ext>(
      hasType ? CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT |
                    CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT |
                    CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT
              : 0);
}

/// "Returns the list of sub-group sizes supported by the device."
Expected<void> putSubGroupSizes(const ClDevice &device, InfoWriter &w) {
  if (!hasExtension(device, "cl_intel_required_subgroup_size")) return unknown("cl_intel_required_subgroup_size");
  const std::vector<uint32_t> &sizes = device.info().subGroupSizes;
  return w.putArray<size_t>(std::vector<size_t>(sizes.begin(), sizes.end()));
}

/// What -cl-std=CLC++ means; CLC++2021 is there too.
Expected<void> putCppVersion(ClDevice &device, InfoWriter &w) {
  if (!hasExtension(device, "cl_ext_cxx_for_opencl")) return unknown("cl_ext_cxx_for_opencl");
  return w.put<cl_version>(CL_MAKE_VERSION(1, 0, 0));
}

/// The handles that memory is imported from; images in it are linear.
Expected<void> putMemoryHandles(ClDevice &device, InfoWriter &w) {
  if (!hasExtension(device, "cl_khr_external_memory")) return unknown("cl_khr_external_memory");
  return w.put<cl_external_memory_handle_type_khr>(CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR);
}

/// The handles that semaphores are imported from, and exported as.
Expected<void> putSemaphoreHandles(ClDevice &device, InfoWriter &w) {
  if (!hasExtension(device, "cl_khr_external_semaphore")) return unknown("cl_khr_external_semaphore");
  return w.put<cl_external_semaphore_handle_type_khr>(CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR);
}

Expected<void> putUnifiedCapabilities(ClDevice &device, InfoWriter &w) {
  if (!hasExtension(device, "cl_intel_unified_shared_memory")) return unknown("cl_intel_unified_shared_memory");
  return w.put<cl_device_unified_shared_memory_capabilities_intel>(
      CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
      CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL);
}

Expected<void> putSizes(InfoWriter &w, const Size3 &values, uint32_t count) {
  size_t sizes[3] = {values[0], values[1], values[2]};
  return w.putArray<size_t>({sizes, count});
}

cl_device_mem_cache_type cacheType(const ClDevice &device) {
  constexpr cl_device_mem_cache_type kTypes[] = {CL_NONE, CL_READ_ONLY_CACHE, CL_READ_WRITE_CACHE};
  return device.info().globalCache ? kTypes[static_cast<size_t>(device.info().globalCacheType)] : CL_NONE;
}

cl_device_pci_bus_info_khr pciBusInfo(const ClDevice &device) {
  const PciAddress &at = *device.info().pci;
  return {at.domain, at.bus, at.device, at.function};
}

/// What the device can be divided by.
std::vector<cl_device_partition_property> partitionSchemes(const ClDevice &device) {
  // "If the device cannot be partitioned ... a value of 0 will be returned."
  if (device.info().maxSubDevices == 0) return {0};
  std::vector<cl_device_partition_property> schemes{CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS};
  if (device.info().affinityDomains) schemes.push_back(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN);
  return schemes;
}

/// Bits of CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR.
cl_bitfield clockScopes(const ClDevice &device) {
  return (hasFeature(device, "__opencl_c_kernel_clock_scope_device") ? 1 : 0) |
         (hasFeature(device, "__opencl_c_kernel_clock_scope_work_group") ? 2 : 0) |
         (hasFeature(device, "__opencl_c_kernel_clock_scope_sub_group") ? 4 : 0);
}

constexpr InfoRow<ClDevice> kDeviceInfo[] = {
    // Identity
    {CL_DEVICE_TYPE, [](auto &d, InfoWriter &w) { return w.put<cl_device_type>(typeOf(d.info())); }},
    {CL_DEVICE_VENDOR_ID, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().vendorId); }},
    {CL_DEVICE_NAME, [](auto &d, InfoWriter &w) { return w.putString(d.info().name); }},
    {CL_DEVICE_VENDOR, [](auto &d, InfoWriter &w) { return w.putString(d.info().vendor); }},
    {CL_DRIVER_VERSION, [](auto &d, InfoWriter &w) { return w.putString(d.info().driverVersion); }},
    {CL_DEVICE_PROFILE, [](auto &d, InfoWriter &w) { return w.putString(d.info().profile); }},
    {CL_DEVICE_VERSION, [](auto &d, InfoWriter &w) { return w.putString(d.info().version); }},
    {CL_DEVICE_NUMERIC_VERSION, [](auto &d, InfoWriter &w) { return w.put<cl_version>(versionOf(d.info().version)); }},
    {CL_DEVICE_OPENCL_C_VERSION, [](auto &d, InfoWriter &w) { return w.putString(d.info().openclCVersion); }},
    {CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR,
     [](auto &d, InfoWriter &w) { return w.put<cl_version>(versionOf(d.info().openclCVersion)); }},
    {CL_DEVICE_OPENCL_C_ALL_VERSIONS, [](auto &d, InfoWriter &w) { return w.putArray<cl_name_version>(nameVersions(d.info().openclCVersions)); }},
    {CL_DEVICE_OPENCL_C_FEATURES, [](auto &d, InfoWriter &w) { return w.putArray<cl_name_version>(nameVersions(featuresTold(d))); }},
    {CL_DEVICE_EXTENSIONS, [](auto &d, InfoWriter &w) { return w.putString(joinNames(d.info().extensions)); }},
    {CL_DEVICE_EXTENSIONS_WITH_VERSION, [](auto &d, InfoWriter &w) { return w.putArray<cl_name_version>(nameVersions(d.info().extensions)); }},
    {CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED, [](auto &d, InfoWriter &w) { return w.putString(d.info().latestConformanceVersionPassed); }},
    {CL_DEVICE_PLATFORM, [](auto &d, InfoWriter &w) { return w.put<cl_platform_id>(platformOf(d)); }},
    {CL_DEVICE_AVAILABLE, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().available); }},
    {CL_DEVICE_COMPILER_AVAILABLE, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().compilerAvailable); }},
    {CL_DEVICE_LINKER_AVAILABLE, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().linkerAvailable); }},
    {CL_DEVICE_UUID_KHR, [](auto &d, InfoWriter &w) { return w.putBytes(d.info().uuid.data(), CL_UUID_SIZE_KHR); }},
    {CL_DRIVER_UUID_KHR, [](auto &d, InfoWriter &w) { return w.putBytes(d.info().driverUuid.data(), CL_UUID_SIZE_KHR); }},
    {CL_DEVICE_LUID_VALID_KHR, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(CL_FALSE); }},
    {CL_DEVICE_LUID_KHR, [](auto &d, InfoWriter &w) { return w.putBytes(std::array<cl_uchar, CL_LUID_SIZE_KHR>{}.data(), CL_LUID_SIZE_KHR); }},
    {CL_DEVICE_PCI_BUS_INFO_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_pci_bus_info") && d.info().pci ? w.put(pciBusInfo(d)) : unknown("cl_khr_pci_bus_info"); }},
    {CL_DEVICE_NODE_MASK_KHR, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(0); }},

    // Execution
    {CL_DEVICE_MAX_COMPUTE_UNITS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxComputeUnits); }},
    {CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxWorkItemDimensions); }},
    {CL_DEVICE_MAX_WORK_ITEM_SIZES, [](auto &d, InfoWriter &w) { return putSizes(w, d.info().maxWorkItemSizes, d.info().maxWorkItemDimensions); }},
    {CL_DEVICE_MAX_WORK_GROUP_SIZE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().maxWorkGroupSize); }},
    {CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().preferredWorkGroupSizeMultiple); }},
    {CL_DEVICE_MAX_NUM_SUB_GROUPS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxSubGroups); }},
    {CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().independentForwardProgress); }},
    {CL_DEVICE_SUB_GROUP_SIZES_INTEL, [](auto &d, InfoWriter &w) { return putSubGroupSizes(d, w); }},
    {CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().nonUniformWorkGroups); }},
    {CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().workGroupCollectives); }},
    {CL_DEVICE_MAX_CLOCK_FREQUENCY, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxClockMhz); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredWidths.char_); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().nativeWidths.char_); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredWidths.short_); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().nativeWidths.short_); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredWidths.int_); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().nativeWidths.int_); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredWidths.long_); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().nativeWidths.long_); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredWidths.float_); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().nativeWidths.float_); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredWidths.double_); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().nativeWidths.double_); }},
    {CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredWidths.half_); }},
    {CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().nativeWidths.half_); }},
    {CL_DEVICE_SINGLE_FP_CONFIG, [](auto &d, InfoWriter &w) { return w.put<cl_device_fp_config>(d.info().singleFpConfig); }},
    {CL_DEVICE_DOUBLE_FP_CONFIG, [](auto &d, InfoWriter &w) { return w.put<cl_device_fp_config>(d.info().doubleFpConfig); }},
    {CL_DEVICE_HALF_FP_CONFIG, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_fp16") ? w.put<cl_device_fp_config>(d.info().halfFpConfig) : unknown("cl_khr_fp16"); }},
    {CL_DEVICE_EXECUTION_CAPABILITIES, [](auto &d, InfoWriter &w) { return w.put<cl_device_exec_capabilities>((d.info().executesKernels ? CL_EXEC_KERNEL : 0) | (d.info().executesNativeKernels ? CL_EXEC_NATIVE_KERNEL : 0)); }},
    {CL_DEVICE_ERROR_CORRECTION_SUPPORT, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().errorCorrection); }},
    {CL_DEVICE_ENDIAN_LITTLE, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().littleEndian); }},
    {CL_DEVICE_HOST_UNIFIED_MEMORY, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().hostUnifiedMemory); }},
    {CL_DEVICE_PROFILING_TIMER_RESOLUTION, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().profilingTimerResolution); }},
    {CL_DEVICE_BUILT_IN_KERNELS, [](auto &d, InfoWriter &w) { return w.putString(""); }},
    {CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, [](auto &d, InfoWriter &w) { return w.putNothing(); }},
    {CL_DEVICE_IL_VERSION, [](auto &d, InfoWriter &w) { return w.putString(ilText(d)); }},
    {CL_DEVICE_ILS_WITH_VERSION, [](auto &d, InfoWriter &w) { return w.putArray<cl_name_version>(nameVersions(d.info().ils)); }},
    {CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, [](auto &d, InfoWriter &w) { return putNames(d, w, d.info().spirvInstructionSets); }},
    {CL_DEVICE_SPIRV_EXTENSIONS_KHR, [](auto &d, InfoWriter &w) { return putNames(d, w, d.info().spirvExtensions); }},
    {CL_DEVICE_SPIRV_CAPABILITIES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_spirv_queries") ? w.putArray<cl_uint>(d.info().spirvCapabilities) : unknown("cl_khr_spirv_queries"); }},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_integer_dot_product")
                                               ? w.put<cl_device_integer_dot_product_capabilities_khr>(
                                                     CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR |
                                                     CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR)
                                               : unknown("cl_khr_integer_dot_product"); }},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_integer_dot_product")
                                               ? w.put(cl_device_integer_dot_product_acceleration_properties_khr{})
                                               : unknown("cl_khr_integer_dot_product"); }},
    {CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_integer_dot_product")
                                               ? w.put(cl_device_integer_dot_product_acceleration_properties_khr{})
                                               : unknown("cl_khr_integer_dot_product"); }},
    {CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_command_buffer")
                                               ? w.put<cl_device_command_buffer_capabilities_khr>(
                                                     CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                                                     CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
                                                     (hasExtension(d, kMultiDevice)
                                                          ? CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR : 0) |
                                                     (d.info().maxDeviceQueues ? CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR : 0))
                                               : unknown("cl_khr_command_buffer"); }},
    // "... required properties ... for a command-queue": none.
    {CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_command_buffer") ? w.put<cl_command_queue_properties>(0) : unknown("cl_khr_command_buffer"); }},
    // "The mandated minimum capability is: CL_QUEUE_PROFILING_ENABLE."
    {CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_command_buffer")
                                               ? w.put<cl_command_queue_properties>(CL_QUEUE_PROFILING_ENABLE | (d.info().outOfOrderQueues ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0))
                                               : unknown("cl_khr_command_buffer"); }},
    {CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, [](auto &d, InfoWriter &w) {
       return hasExtension(d, kMultiDevice) ? w.put(static_cast<cl_uint>(syncDevicesOf(d).size()))
                                            : unknown(kMultiDevice); }},
    {CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, [](auto &d, InfoWriter &w) {
       return hasExtension(d, kMultiDevice) ? w.putArray<cl_device_id>(syncDevicesOf(d))
                                            : unknown(kMultiDevice); }},
    {CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_command_buffer_mutable_dispatch") ? w.put(kMutableDispatchFields) : unknown("cl_khr_command_buffer_mutable_dispatch"); }},
    {CL_DEVICE_SEMAPHORE_TYPES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_semaphore") ? w.put<cl_semaphore_type_khr>(CL_SEMAPHORE_TYPE_BINARY_KHR) : unknown("cl_khr_semaphore"); }},
    {CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR, [](auto &d, InfoWriter &w) { return hasExtension(d, "cl_khr_kernel_clock") ? w.put<cl_bitfield>(clockScopes(d)) : unknown("cl_khr_kernel_clock"); }},

    // Memory
    {CL_DEVICE_ADDRESS_BITS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().addressBits); }},
    {CL_DEVICE_GLOBAL_MEM_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_ulong>(d.info().globalMemory); }},
    {CL_DEVICE_MAX_MEM_ALLOC_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_ulong>(d.info().maxAllocation); }},
    {CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, [](auto &d, InfoWriter &w) { return w.put<cl_device_mem_cache_type>(cacheType(d)); }},
    {CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_ulong>(d.info().globalCache); }},
    {CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().globalCacheLine); }},
    {CL_DEVICE_LOCAL_MEM_TYPE, [](auto &d, InfoWriter &w) { return w.put<cl_device_local_mem_type>(d.info().dedicatedLocalMemory ? CL_LOCAL : CL_GLOBAL); }},
    {CL_DEVICE_LOCAL_MEM_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_ulong>(d.info().localMemory); }},
    {CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_ulong>(d.info().maxConstantBuffer); }},
    {CL_DEVICE_MAX_CONSTANT_ARGS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxConstantArguments); }},
    {CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().maxProgramVariable); }},
    {CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().preferredProgramVariables); }},
    {CL_DEVICE_MEM_BASE_ADDR_ALIGN, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().baseAddressAlignBits); }},
    {CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().minDataTypeAlign); }},
    {CL_DEVICE_MAX_PARAMETER_SIZE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().maxParameterSize); }},
    {CL_DEVICE_PRINTF_BUFFER_SIZE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().printfBuffer); }},
    {CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredPlatformAtomicAlignment); }},
    {CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredGlobalAtomicAlignment); }},
    {CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().preferredLocalAtomicAlignment); }},
    {CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, [](auto &d, InfoWriter &w) { return w.put<cl_device_atomic_capabilities>(d.info().atomicMemoryCapabilities); }},
    {CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, [](auto &d, InfoWriter &w) { return w.put<cl_device_atomic_capabilities>(d.info().atomicFenceCapabilities); }},
    {CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT, [](auto &d, InfoWriter &w) { return putFloatAtomics(d, w, true); }},
    {CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT, [](auto &d, InfoWriter &w) { return putFloatAtomics(d, w, d.info().doubleFpConfig != 0); }},
    {CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT, [](auto &d, InfoWriter &w) { return putFloatAtomics(d, w, hasExtension(d, "cl_khr_fp16")); }},
    {CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT, putCppVersion},
    {CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR, putMemoryHandles},
    {CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR, putMemoryHandles},
    {CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR, putSemaphoreHandles},
    {CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR, putSemaphoreHandles},
    {CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().genericAddressSpace); }},
    {CL_DEVICE_SVM_CAPABILITIES, [](auto &d, InfoWriter &w) { return w.put<cl_device_svm_capabilities>(d.info().svmCapabilities); }},

    // The memory is the host's, and reached at any time.
    {CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL, putUnifiedCapabilities},
    {CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL, putUnifiedCapabilities},
    {CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, putUnifiedCapabilities},
    {CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL, putUnifiedCapabilities},
    {CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL, putUnifiedCapabilities},

    // Queues
    // CL_DEVICE_QUEUE_PROPERTIES of OpenCL 1.x is the same number.
    {CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, [](auto &d, InfoWriter &w) { return w.put<cl_command_queue_properties>(CL_QUEUE_PROFILING_ENABLE | (d.info().outOfOrderQueues ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0)); }},
    {CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, [](auto &d, InfoWriter &w) { return w.put<cl_command_queue_properties>(d.info().maxDeviceQueues ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE : 0); }},
    {CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().deviceQueuePreferredSize); }},
    {CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().deviceQueueMaxSize); }},
    {CL_DEVICE_MAX_ON_DEVICE_QUEUES, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxDeviceQueues); }},
    {CL_DEVICE_MAX_ON_DEVICE_EVENTS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxDeviceEvents); }},
    {CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, [](auto &d, InfoWriter &w) { return w.put<cl_device_device_enqueue_capabilities>(d.info().maxDeviceQueues ? CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT : 0); }},

    // Images, samplers and pipes
    {CL_DEVICE_IMAGE_SUPPORT, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().images); }},
    {CL_DEVICE_MAX_READ_IMAGE_ARGS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxReadImageArguments); }},
    {CL_DEVICE_MAX_WRITE_IMAGE_ARGS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxWriteImageArguments); }},
    {CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxReadWriteImageArguments); }},
    {CL_DEVICE_MAX_SAMPLERS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxSamplers); }},
    {CL_DEVICE_IMAGE_PITCH_ALIGNMENT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().imagePitchAlignment); }},
    {CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().imageBaseAddressAlignment); }},
    {CL_DEVICE_IMAGE2D_MAX_WIDTH, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().image2DMaxWidth); }},
    {CL_DEVICE_IMAGE2D_MAX_HEIGHT, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().image2DMaxHeight); }},
    {CL_DEVICE_IMAGE3D_MAX_WIDTH, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().image3DMaxWidth); }},
    {CL_DEVICE_IMAGE3D_MAX_HEIGHT, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().image3DMaxHeight); }},
    {CL_DEVICE_IMAGE3D_MAX_DEPTH, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().image3DMaxDepth); }},
    {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().imageMaxBufferSize); }},
    {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, [](auto &d, InfoWriter &w) { return w.put<size_t>(d.info().imageMaxArraySize); }},
    {CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().preferredInteropUserSync); }},
    {CL_DEVICE_PIPE_SUPPORT, [](auto &d, InfoWriter &w) { return w.put<cl_bool>(d.info().maxPipeArguments != 0); }},
    {CL_DEVICE_MAX_PIPE_ARGS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxPipeArguments); }},
    {CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().pipeMaxReservations); }},
    {CL_DEVICE_PIPE_MAX_PACKET_SIZE, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().pipeMaxPacketSize); }},

    // Partitioning
    {CL_DEVICE_PARENT_DEVICE, [](auto &d, InfoWriter &w) { return w.put<cl_device_id>(d.parent ? d.parent->handle() : nullptr); }},
    {CL_DEVICE_PARTITION_MAX_SUB_DEVICES, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.info().maxSubDevices); }},
    {CL_DEVICE_PARTITION_PROPERTIES, [](auto &d, InfoWriter &w) { return w.putArray<cl_device_partition_property>(partitionSchemes(d)); }},
    {CL_DEVICE_PARTITION_AFFINITY_DOMAIN, [](auto &d, InfoWriter &w) { return w.put<cl_device_affinity_domain>(d.info().affinityDomains); }},
    // "... the implementation may either return a param_value_size_ret of 0 i.e. there is no partition type associated with device"
    {CL_DEVICE_PARTITION_TYPE, [](auto &d, InfoWriter &w) { return w.putArray<cl_device_partition_property>(d.partition); }},
    // "If the device is a root-level device, a reference count of one is returned."
    {CL_DEVICE_REFERENCE_COUNT, [](auto &d, InfoWriter &w) { return w.put<cl_uint>(d.isRoot() ? 1 : d.applicationCount()); }},
};

} // namespace

// clGetDeviceInfo
Expected<void> getDeviceInfo(cl_device_id handle, cl_device_info name, size_t size, void *value, size_t *sizeReturned) {
  // "CL_INVALID_DEVICE if device is not a valid device."
  US_TRY(ClDevice & device, fromHandle<ClDevice>(handle));
  InfoWriter writer(size, value, sizeReturned);
  static constexpr icd::InfoPage kPage(kDeviceInfo);
  const auto own = [&]() -> Expected<void> {
    if (const auto *const row = kPage.find(name)) return row->write(device, writer);
    if (auto answered = answerVendorQuery(device.info(), name, writer)) return *answered;
    return icd::answer(kDeviceInfo, device, name, size, value, sizeReturned);
  };
  Expected<void> answered = own();
  if (answered) return {};
  // What we do not know a driver may.
  const auto *const driver = dynamic_cast<const DriverAnswers *>(device.device.get());
  if (!driver) return answered;
  const Expected<size_t> theirs = driver->answer(name, {}, value, size);
  if (!theirs) return answered;
  writer.returnSize(*theirs);
  return {};
}

} // namespace us::opencl
