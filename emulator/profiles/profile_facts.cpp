// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table: one row per query. What a row returns is compared with the fact, so that no difference goes unsaid.
#include "emulator/profiles/profile_facts.h"

#include "emulator/profiles/profile.h"

#include <algorithm>
#include <iterator>

namespace us::profiles {
namespace {

struct Row {
  const char *query;
  SetFact set;
};

// Rows, which clang-format would take for blocks.
// clang-format off
#define US_BODY [](DeviceInfo & info, [[maybe_unused]] const DeviceInfo &ours, const Json &fact) -> Json
/// As the real device has it: a limit that we enforce, or a word.
#define US_SAME(query, member) {query, US_BODY { return info.member = fact.get<decltype(info.member)>(); }},
/// Bits or sizes of which we can do only so much.
#define US_BITS(query, member) {query, US_BODY { return info.member = fact.get<uint64_t>() & ours.member; }},
#define US_LEAST(query, member)                                                                                         \
  {query, US_BODY { return info.member = std::min(fact.get<decltype(info.member)>(), ours.member); }},
#define US_FLAG(query, member) {query, US_BODY { return int(info.member = fact.get<int>() != 0 && ours.member); }},
#define US_TOLD(query, member) {query, US_BODY { return int(info.member = fact.get<int>() != 0); }},

constexpr Row kRows[] = {
    US_SAME("CL_DEVICE_NAME", name)
    US_SAME("CL_DEVICE_VENDOR", vendor)
    US_SAME("CL_DEVICE_VENDOR_ID", vendorId)
    US_SAME("CL_DEVICE_PROFILE", profile)
    {"CL_DRIVER_VERSION", US_BODY {
       // Ours stands behind it: programs key caches of binaries on this text.
       info.driverVersion = fact.get<std::string>() + " Understudy " + ours.driverVersion;
       return info.driverVersion;
     }},
    {"CL_DEVICE_TYPE", US_BODY {
       const int bits = fact.get<int>();
       info.type = bits & 4 ? DeviceType::Gpu : bits & 2 ? DeviceType::Cpu : DeviceType::Accelerator;
       info.executesNativeKernels = info.type == DeviceType::Cpu && ours.executesNativeKernels;
       return bits;
     }},
    {"CL_DEVICE_VERSION", US_BODY {
       // OpenCL 2 promises more than we have; OpenCL 3.0 lets a program ask.
       std::string text = fact.get<std::string>();
       if (text.starts_with("OpenCL 2.")) text.replace(7, 3, "3.0");
       if (versionIn(text) > versionIn(ours.version)) text.replace(7, 3, ours.version, 7, 3);
       return info.version = text;
     }},
    {"CL_DEVICE_OPENCL_C_VERSION", US_BODY {
       std::string text = fact.get<std::string>();
       if (text.starts_with("OpenCL C 2.")) text.replace(9, 3, "1.2");
       return info.openclCVersion = text;
     }},

    US_SAME("CL_DEVICE_MAX_COMPUTE_UNITS", maxComputeUnits)
    US_LEAST("CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS", maxWorkItemDimensions)
    {"CL_DEVICE_MAX_WORK_ITEM_SIZES", US_BODY {
       for (size_t i = 0; i < 3; ++i) info.maxWorkItemSizes[i] = fact.at(i).get<uint64_t>();
       return Json(info.maxWorkItemSizes);
     }},
    {"CL_DEVICE_MAX_WORK_GROUP_SIZE", US_BODY {
       info.maxWorkGroupSize = std::min<uint64_t>(fact.get<uint64_t>(), 8192);
       for (uint64_t &size : info.maxWorkItemSizes) size = info.maxWorkGroupSize; // unless its own fact says otherwise
       return info.maxWorkGroupSize;
     }},
    US_SAME("CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE", preferredWorkGroupSizeMultiple)
    US_LEAST("CL_DEVICE_MAX_NUM_SUB_GROUPS", maxSubGroups)
    US_FLAG("CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS", independentForwardProgress)
    US_FLAG("CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT", nonUniformWorkGroups)
    US_FLAG("CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT", workGroupCollectives)
    US_SAME("CL_DEVICE_MAX_CLOCK_FREQUENCY", maxClockMhz)
#define US_WIDTHS(type, member)                                                                                        \
  US_SAME("CL_DEVICE_PREFERRED_VECTOR_WIDTH_" type, preferredWidths.member)                                             \
  US_SAME("CL_DEVICE_NATIVE_VECTOR_WIDTH_" type, nativeWidths.member)
    US_WIDTHS("CHAR", char_) US_WIDTHS("SHORT", short_) US_WIDTHS("INT", int_) US_WIDTHS("LONG", long_)
    US_WIDTHS("FLOAT", float_) US_WIDTHS("DOUBLE", double_) US_WIDTHS("HALF", half_)
    US_BITS("CL_DEVICE_SINGLE_FP_CONFIG", singleFpConfig)
    US_BITS("CL_DEVICE_DOUBLE_FP_CONFIG", doubleFpConfig)
    US_BITS("CL_DEVICE_HALF_FP_CONFIG", halfFpConfig)
    {"CL_DEVICE_EXECUTION_CAPABILITIES", US_BODY {
       info.executesNativeKernels = (fact.get<int>() & 2) && info.type == DeviceType::Cpu;
       return 1 | (info.executesNativeKernels ? 2 : 0);
     }},
    US_TOLD("CL_DEVICE_ERROR_CORRECTION_SUPPORT", errorCorrection)
    US_FLAG("CL_DEVICE_ENDIAN_LITTLE", littleEndian)
    US_TOLD("CL_DEVICE_HOST_UNIFIED_MEMORY", hostUnifiedMemory)
    US_SAME("CL_DEVICE_PROFILING_TIMER_RESOLUTION", profilingTimerResolution)

    US_SAME("CL_DEVICE_ADDRESS_BITS", addressBits)
    US_LEAST("CL_DEVICE_GLOBAL_MEM_SIZE", globalMemory)
    {"CL_DEVICE_MAX_MEM_ALLOC_SIZE", US_BODY {
       return info.maxAllocation = std::min(fact.get<uint64_t>(), ours.globalMemory);
     }},
    US_SAME("CL_DEVICE_LOCAL_MEM_SIZE", localMemory)
    {"CL_DEVICE_LOCAL_MEM_TYPE", US_BODY { info.dedicatedLocalMemory = fact.get<int>() == 1; return fact; }},
    {"CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE", US_BODY {
       return info.maxConstantBuffer = std::min(fact.get<uint64_t>(), ours.globalMemory);
     }},
    US_SAME("CL_DEVICE_MAX_CONSTANT_ARGS", maxConstantArguments)
    US_SAME("CL_DEVICE_GLOBAL_MEM_CACHE_SIZE", globalCache)
    US_SAME("CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE", globalCacheLine)
    {"CL_DEVICE_GLOBAL_MEM_CACHE_TYPE", US_BODY {
       info.globalCacheType = static_cast<CacheType>(std::min(fact.get<int>(), 2));
       return fact;
     }},
    US_LEAST("CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE", maxProgramVariable)
    US_LEAST("CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE", preferredProgramVariables)
    {"CL_DEVICE_MEM_BASE_ADDR_ALIGN", US_BODY {
       return info.baseAddressAlignBits = std::max<uint32_t>(fact.get<uint32_t>(), 128 * 8);
     }},
    US_SAME("CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE", minDataTypeAlign)
    US_SAME("CL_DEVICE_MAX_PARAMETER_SIZE", maxParameterSize)
    US_SAME("CL_DEVICE_PRINTF_BUFFER_SIZE", printfBuffer)
    US_SAME("CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT", preferredPlatformAtomicAlignment)
    US_SAME("CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT", preferredGlobalAtomicAlignment)
    US_SAME("CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT", preferredLocalAtomicAlignment)
    US_BITS("CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES", atomicMemoryCapabilities)
    US_BITS("CL_DEVICE_ATOMIC_FENCE_CAPABILITIES", atomicFenceCapabilities)
    US_FLAG("CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT", genericAddressSpace)
    US_BITS("CL_DEVICE_SVM_CAPABILITIES", svmCapabilities)

    {"CL_DEVICE_QUEUE_ON_HOST_PROPERTIES", US_BODY {
       info.outOfOrderQueues = fact.get<int>() & 1;
       return 2 | (info.outOfOrderQueues ? 1 : 0);
     }},
    {"CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES", US_BODY { return info.maxDeviceQueues ? fact : Json(0); }},
    US_LEAST("CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE", deviceQueuePreferredSize)
    US_LEAST("CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE", deviceQueueMaxSize)
    US_LEAST("CL_DEVICE_MAX_ON_DEVICE_QUEUES", maxDeviceQueues)
    US_LEAST("CL_DEVICE_MAX_ON_DEVICE_EVENTS", maxDeviceEvents)
    US_TOLD("CL_DEVICE_PREFERRED_INTEROP_USER_SYNC", preferredInteropUserSync)

    US_FLAG("CL_DEVICE_IMAGE_SUPPORT", images)
    US_LEAST("CL_DEVICE_MAX_READ_IMAGE_ARGS", maxReadImageArguments)
    US_LEAST("CL_DEVICE_MAX_WRITE_IMAGE_ARGS", maxWriteImageArguments)
    US_LEAST("CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS", maxReadWriteImageArguments)
    US_LEAST("CL_DEVICE_MAX_SAMPLERS", maxSamplers)
    US_LEAST("CL_DEVICE_IMAGE2D_MAX_WIDTH", image2DMaxWidth)
    US_LEAST("CL_DEVICE_IMAGE2D_MAX_HEIGHT", image2DMaxHeight)
    US_LEAST("CL_DEVICE_IMAGE3D_MAX_WIDTH", image3DMaxWidth)
    US_LEAST("CL_DEVICE_IMAGE3D_MAX_HEIGHT", image3DMaxHeight)
    US_LEAST("CL_DEVICE_IMAGE3D_MAX_DEPTH", image3DMaxDepth)
    US_LEAST("CL_DEVICE_IMAGE_MAX_BUFFER_SIZE", imageMaxBufferSize)
    US_LEAST("CL_DEVICE_IMAGE_MAX_ARRAY_SIZE", imageMaxArraySize)
    US_SAME("CL_DEVICE_IMAGE_PITCH_ALIGNMENT", imagePitchAlignment)
    US_SAME("CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT", imageBaseAddressAlignment)

    {"CL_DEVICE_PIPE_SUPPORT", US_BODY { return fact.get<int>() && ours.maxPipeArguments ? 1 : 0; }},
    US_LEAST("CL_DEVICE_MAX_PIPE_ARGS", maxPipeArguments)
    US_LEAST("CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS", pipeMaxReservations)
    US_LEAST("CL_DEVICE_PIPE_MAX_PACKET_SIZE", pipeMaxPacketSize)

    {"CL_DEVICE_PARTITION_MAX_SUB_DEVICES", US_BODY {
       // "If the device cannot be partitioned": some say 1, some 0.
       info.maxSubDevices = fact.get<uint32_t>() > 1 ? fact.get<uint32_t>() : 0;
       return fact;
     }},
    {"CL_DEVICE_PARTITION_AFFINITY_DOMAIN", US_BODY { info.affinityDomains &= fact.get<uint64_t>(); return fact; }},
    {"CL_DEVICE_IL_VERSION", US_BODY {
       const std::string text = fact.get<std::string>();
       if (text.empty()) info.ils.clear();
       return ours.ils.empty() ? Json("") : fact;
     }},
};
// clang-format on

// clang-format off
constexpr const char *kOrders[] = {"R", "A", "RG", "RA", "RGB", "RGBA", "BGRA", "ARGB", "INTENSITY", "LUMINANCE", "Rx",
  "RGx", "RGBx", "DEPTH", "DEPTH_STENCIL", "sRGB", "sRGBx", "sRGBA", "sBGRA", "ABGR"};
constexpr const char *kTypes[] = {"SNORM_INT8", "SNORM_INT16", "UNORM_INT8", "UNORM_INT16", "UNORM_SHORT_565",
  "UNORM_SHORT_555", "UNORM_INT_101010", "SIGNED_INT8", "SIGNED_INT16", "SIGNED_INT32", "UNSIGNED_INT8", "UNSIGNED_INT16",
  "UNSIGNED_INT32", "HALF_FLOAT", "FLOAT", "UNORM_INT24", "UNORM_INT_101010_2"};
// clang-format on

std::string nameOf(const ImageFormat &format) {
  return std::string(kOrders[static_cast<size_t>(format.order)]) + "/" + kTypes[static_cast<size_t>(format.type)];
}

} // namespace

SetFact factNamed(std::string_view query) {
  const auto row = std::ranges::find(kRows, query, &Row::query);
  return row == std::end(kRows) ? nullptr : row->set;
}

std::vector<ImageFormat> formatsAmong(const std::vector<ImageFormat> &ours, const Json &names) {
  std::vector<ImageFormat> result;
  for (const ImageFormat &format : ours)
    if (std::ranges::find(names, Json(nameOf(format))) != names.end()) result.push_back(format);
  return result;
}

} // namespace us::profiles
