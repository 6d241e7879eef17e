// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/opencl/info/vendor_device_info.h"

namespace us::opencl {
namespace {

using icd::InfoWriter;

Expected<void> putText(const VendorFact &fact, InfoWriter &writer) {
  const auto *text = std::get_if<std::string>(&fact);
  return text ? writer.putString(*text) : fail(ErrorCode::InvalidValue, "the profile has no text here");
}

template <class T> Expected<void> put(const VendorFact &fact, InfoWriter &writer) {
  const auto *number = std::get_if<uint64_t>(&fact);
  return number ? writer.put<T>(static_cast<T>(*number))
                : fail(ErrorCode::InvalidValue, "the profile has no number here");
}

/// The numbers are written out: not all of them are in every version of the headers.
struct VendorInfoRow {
  const char *fact;
  cl_device_info name;
  Expected<void> (*put)(const VendorFact &fact, InfoWriter &writer);
};
constexpr VendorInfoRow kVendorDeviceInfo[] = {
    {"CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV", 0x4000, put<cl_uint>},
    {"CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV", 0x4001, put<cl_uint>},
    {"CL_DEVICE_REGISTERS_PER_BLOCK_NV", 0x4002, put<cl_uint>},
    {"CL_DEVICE_WARP_SIZE_NV", 0x4003, put<cl_uint>},
    {"CL_DEVICE_GPU_OVERLAP_NV", 0x4004, put<cl_bool>},
    {"CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV", 0x4005, put<cl_bool>},
    {"CL_DEVICE_INTEGRATED_MEMORY_NV", 0x4006, put<cl_bool>},
    {"CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_AMD", 0x4030, put<size_t>},
    {"CL_DEVICE_MAX_WORK_GROUP_SIZE_AMD", 0x4031, put<size_t>},
    {"CL_DEVICE_PREFERRED_CONSTANT_BUFFER_SIZE_AMD", 0x4033, put<size_t>},
    {"CL_DEVICE_PCIE_ID_AMD", 0x4034, put<cl_uint>},
    {"CL_DEVICE_PROFILING_TIMER_OFFSET_AMD", 0x4036, put<cl_ulong>},
    {"CL_DEVICE_SIMD_PER_COMPUTE_UNIT_AMD", 0x4040, put<cl_uint>},
    {"CL_DEVICE_SIMD_WIDTH_AMD", 0x4041, put<cl_uint>},
    {"CL_DEVICE_SIMD_INSTRUCTION_WIDTH_AMD", 0x4042, put<cl_uint>},
    {"CL_DEVICE_WAVEFRONT_WIDTH_AMD", 0x4043, put<cl_uint>},
    {"CL_DEVICE_GLOBAL_MEM_CHANNELS_AMD", 0x4044, put<cl_uint>},
    {"CL_DEVICE_GLOBAL_MEM_CHANNEL_BANKS_AMD", 0x4045, put<cl_uint>},
    {"CL_DEVICE_GLOBAL_MEM_CHANNEL_BANK_WIDTH_AMD", 0x4046, put<cl_uint>},
    {"CL_DEVICE_LOCAL_MEM_SIZE_PER_COMPUTE_UNIT_AMD", 0x4047, put<cl_uint>},
    {"CL_DEVICE_LOCAL_MEM_BANKS_AMD", 0x4048, put<cl_uint>},
    {"CL_DEVICE_THREAD_TRACE_SUPPORTED_AMD", 0x4049, put<cl_bool>},
    {"CL_DEVICE_GFXIP_MAJOR_AMD", 0x404a, put<cl_uint>},
    {"CL_DEVICE_GFXIP_MINOR_AMD", 0x404b, put<cl_uint>},
    {"CL_DEVICE_AVAILABLE_ASYNC_QUEUES_AMD", 0x404c, put<cl_uint>},
    {"CL_DEVICE_BOARD_NAME_AMD", 0x4038, putText},
};

} // namespace

std::optional<Expected<void>> answerVendorQuery(const DeviceInfo &device, cl_device_info name, InfoWriter &writer) {
  if (device.vendorFacts.empty()) return std::nullopt;
  for (const VendorInfoRow &row : kVendorDeviceInfo)
    if (row.name == name)
      if (const auto fact = device.vendorFacts.find(row.fact); fact != device.vendorFacts.end())
        return row.put(fact->second, writer);
  return std::nullopt;
}

} // namespace us::opencl
