// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The default device: THE table of what it can do. An extension or feature stands here only if it works.
#include "emulator/profiles/profile.h"
#include "emulator/profiles/profile_data.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string_view>

#ifndef US_VERSION
#define US_VERSION "0.0.0"
#endif

namespace us::profiles {
namespace {

constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

constexpr uint32_t version(uint32_t major, uint32_t minor, uint32_t patch = 0) {
  return major << 22 | minor << 12 | patch;
}

struct Named {
  const char *name;
  uint32_t version;
};

constexpr Named kExtensions[] = {
    {"cl_khr_byte_addressable_store", version(1, 0)},
    {"cl_khr_global_int32_base_atomics", version(1, 0)},
    {"cl_khr_global_int32_extended_atomics", version(1, 0)},
    {"cl_khr_local_int32_base_atomics", version(1, 0)},
    {"cl_khr_local_int32_extended_atomics", version(1, 0)},
    {"cl_khr_int64_base_atomics", version(1, 0)},
    {"cl_khr_int64_extended_atomics", version(1, 0)},
    {"cl_khr_fp16", version(1, 0)},
    {"cl_khr_fp64", version(1, 0)},
    {"cl_khr_3d_image_writes", version(1, 0)},
    {"cl_khr_depth_images", version(1, 0)},
    {"cl_khr_srgb_image_writes", version(1, 0)},
    {"cl_khr_mipmap_image", version(1, 0)},
    {"cl_khr_mipmap_image_writes", version(1, 0)},
    {"cl_khr_image2d_from_buffer", version(1, 0)},
    {"cl_khr_icd", version(1, 0)},
    {"cl_khr_il_program", version(1, 0)},
    {"cl_khr_extended_versioning", version(1, 0)},
    {"cl_khr_create_command_queue", version(1, 0)},
    {"cl_khr_device_uuid", version(1, 0)},
    {"cl_khr_suggested_local_work_size", version(1, 0)},
    {"cl_khr_command_buffer", version(0, 9, 8)},
    {"cl_khr_command_buffer_multi_device", version(0, 9, 2)},
    {"cl_khr_command_buffer_mutable_dispatch", version(0, 9, 5)},
    {"cl_khr_semaphore", version(1, 0)},
    {"cl_khr_external_memory", version(1, 0, 1)},
    {"cl_khr_external_memory_opaque_fd", version(1, 0)},
    {"cl_khr_external_semaphore", version(1, 0)},
    {"cl_khr_external_semaphore_opaque_fd", version(1, 0)},
    {"cl_khr_pci_bus_info", version(1, 0)},
    {"cl_khr_priority_hints", version(1, 0)},
    {"cl_khr_throttle_hints", version(1, 0)},
    {"cl_khr_extended_async_copies", version(1, 0)},
    {"cl_khr_async_work_group_copy_fence", version(1, 0)},
    {"cl_khr_expect_assume", version(1, 0)},
    {"cl_khr_integer_dot_product", version(2, 0)},
    {"cl_khr_extended_bit_ops", version(1, 0)},
    {"cl_khr_spirv_queries", version(1, 0)},
    {"cl_khr_spirv_no_integer_wrap_decoration", version(1, 0)},
    {"cl_khr_spirv_linkonce_odr", version(1, 0)},
    {"cl_khr_kernel_clock", version(1, 0)},
    {"cl_khr_work_group_uniform_arithmetic", version(1, 0)},
    {"cl_ext_float_atomics", version(1, 0)},
    {"cl_ext_buffer_device_address", version(1, 0, 2)},
    {"cl_ext_cxx_for_opencl", version(1, 0)},
    {"cl_ext_image_requirements_info", version(0, 5, 0)},
    {"cl_ext_image_from_buffer", version(1, 0)},
    {"cl_ext_immutable_memory_objects", version(1, 0)},
    {"cl_intel_unified_shared_memory", version(1, 0)},
    {"cl_intel_required_subgroup_size", version(1, 0)},
    {"cl_intel_subgroups", version(1, 0)},
    {"cl_intel_subgroups_short", version(1, 0)},
    {"cl_intel_subgroups_char", version(1, 0)},
    {"cl_intel_subgroups_long", version(1, 0)},
    {"cl_intel_subgroup_local_block_io", version(1, 0, 1)},
    {"cl_intel_spirv_subgroups", version(1, 0)},
    {"cl_khr_subgroups", version(1, 0)},
    {"cl_khr_subgroup_extended_types", version(1, 0)},
    {"cl_khr_subgroup_non_uniform_vote", version(1, 0)},
    {"cl_khr_subgroup_ballot", version(1, 0)},
    {"cl_khr_subgroup_non_uniform_arithmetic", version(1, 0)},
    {"cl_khr_subgroup_shuffle", version(1, 0)},
    {"cl_khr_subgroup_shuffle_relative", version(1, 0)},
    {"cl_khr_subgroup_clustered_reduce", version(1, 0)},
    {"cl_khr_subgroup_rotate", version(1, 0)},
};

constexpr Named kIls[] = {
    {"SPIR-V", version(1, 0)}, {"SPIR-V", version(1, 1)}, {"SPIR-V", version(1, 2)}, {"SPIR-V", version(1, 3)},
    {"SPIR-V", version(1, 4)}, {"SPIR-V", version(1, 5)}, {"SPIR-V", version(1, 6)},
};

constexpr Named kFeatures[] = {
    {"__opencl_c_int64", version(3, 0)},
    {"__opencl_c_fp64", version(3, 0)},
    {"__opencl_c_generic_address_space", version(3, 0)},
    {"__opencl_c_program_scope_global_variables", version(3, 0)},
    {"__opencl_c_atomic_order_acq_rel", version(3, 0)},
    {"__opencl_c_atomic_order_seq_cst", version(3, 0)},
    {"__opencl_c_atomic_scope_device", version(3, 0)},
    {"__opencl_c_atomic_scope_all_devices", version(3, 0)},
    {"__opencl_c_images", version(3, 0)},
    {"__opencl_c_3d_image_writes", version(3, 0)},
    {"__opencl_c_read_write_images", version(3, 0)},
    {"__opencl_c_pipes", version(3, 0)},
    {"__opencl_c_device_enqueue", version(3, 0)},
    {"__opencl_c_subgroups", version(3, 0)},
    {"__opencl_c_work_group_collective_functions", version(3, 0)},
    {"__opencl_c_integer_dot_product_input_4x8bit", version(3, 0)},
    {"__opencl_c_integer_dot_product_input_4x8bit_packed", version(3, 0)},
    {"__opencl_c_kernel_clock_scope_device", version(3, 0)},
    {"__opencl_c_kernel_clock_scope_work_group", version(3, 0)},
    {"__opencl_c_kernel_clock_scope_sub_group", version(3, 0)},
    {"__opencl_c_ext_fp32_global_atomic_add", version(3, 0)},
    {"__opencl_c_ext_fp32_global_atomic_min_max", version(3, 0)},
    {"__opencl_c_ext_fp32_local_atomic_add", version(3, 0)},
    {"__opencl_c_ext_fp32_local_atomic_min_max", version(3, 0)},
    {"__opencl_c_ext_fp64_global_atomic_add", version(3, 0)},
    {"__opencl_c_ext_fp64_global_atomic_min_max", version(3, 0)},
    {"__opencl_c_ext_fp64_local_atomic_add", version(3, 0)},
    {"__opencl_c_ext_fp64_local_atomic_min_max", version(3, 0)},
    {"__opencl_c_ext_fp16_global_atomic_load_store", version(3, 0)},
    {"__opencl_c_ext_fp16_global_atomic_add", version(3, 0)},
    {"__opencl_c_ext_fp16_global_atomic_min_max", version(3, 0)},
    {"__opencl_c_ext_fp16_local_atomic_load_store", version(3, 0)},
    {"__opencl_c_ext_fp16_local_atomic_add", version(3, 0)},
    {"__opencl_c_ext_fp16_local_atomic_min_max", version(3, 0)},
};

/// OpenCL C 2.0 is not listed (docs/program-build.md), though -cl-std=CL2.0 is taken.
constexpr Named kLanguages[] = {
    {"OpenCL C", version(1, 0)}, {"OpenCL C", version(1, 1)}, {"OpenCL C", version(1, 2)},
    {"OpenCL C", version(3, 0)}, {"OpenCL C", version(3, 1)},
};

/// What channel types an order is offered with; the order of rows and of types is the order in which formats are
/// reported: programs take the first.
struct FormatRow {
  std::vector<ChannelOrder> orders;
  std::vector<ChannelType> types;
  bool readAndWritten = true; ///< by one kernel
};
std::vector<FormatRow> formatRows() {
  using enum ChannelOrder;
  using enum ChannelType;
  return {
      {{RGBA, R, RG},
       {UnormInt8, UnormInt16, SnormInt8, SnormInt16, SignedInt8, SignedInt16, SignedInt32, UnsignedInt8, UnsignedInt16,
        UnsignedInt32, HalfFloat, Float}},
      {{BGRA, ARGB, ABGR}, {UnormInt8, SnormInt8, SignedInt8, UnsignedInt8}},
      {{A, RA},
       {UnormInt8, UnormInt16, SnormInt8, SnormInt16, SignedInt8, SignedInt16, SignedInt32, UnsignedInt8, UnsignedInt16,
        UnsignedInt32, HalfFloat, Float}},
      {{Intensity, Luminance}, {UnormInt8, UnormInt16, SnormInt8, SnormInt16, HalfFloat, Float}},
      {{RGB}, {UnormShort565, UnormShort555, UnormInt101010}},
      {{RGBA}, {UnormInt101010_2}},
      {{Depth}, {UnormInt16, Float}},
      {{sRGBA, sBGRA}, {UnormInt8}, false},
  };
}

void addImages(DeviceInfo &info) {
  info.images = true;
  info.maxReadImageArguments = 128;
  info.maxWriteImageArguments = info.maxReadWriteImageArguments = 64;
  info.maxSamplers = 32;
  info.image2DMaxWidth = info.image2DMaxHeight = 16384;
  info.image3DMaxWidth = info.image3DMaxHeight = info.image3DMaxDepth = 2048;
  info.imageMaxBufferSize = 1 << 27;
  info.imageMaxArraySize = 2048;
  info.imagePitchAlignment = info.imageBaseAddressAlignment = 1; // rows begin at any pixel
  for (const FormatRow &row : formatRows())
    for (ChannelOrder order : row.orders)
      for (ChannelType type : row.types) {
        info.formatsRead.push_back({order, type});
        info.formatsWrite.push_back({order, type});
        if (row.readAndWritten) info.formatsReadWrite.push_back({order, type});
      }
}

template <size_t N> std::vector<NamedVersion> listOf(const Named (&table)[N]) {
  std::vector<NamedVersion> list;
  for (const Named &row : table) list.push_back({row.name, row.version});
  return list;
}

struct DeviceTypeRow {
  const char *option;
  DeviceType type;
  const char *deviceName;
};
/// Names hold none of the substrings that known programs take for a vendor of theirs.
constexpr DeviceTypeRow kDeviceTypes[] = {
    {"gpu", DeviceType::Gpu, "Understudy GPU"},
    {"cpu", DeviceType::Cpu, "Understudy CPU"},
    {"accelerator", DeviceType::Accelerator, "Understudy Accelerator"},
};

DeviceType typeOf(std::string_view word) {
  for (const DeviceTypeRow &row : kDeviceTypes)
    if (word == row.option) return row.type;
  // As for an option that cannot be read: said whatever the log's level.
  std::fprintf(stderr, "understudy: UNDERSTUDY_DEVICE_TYPE: '%.*s' is not gpu, cpu or accelerator; gpu is used\n",
               static_cast<int>(word.size()), word.data());
  return DeviceType::Gpu;
}

constexpr const char *kOwnWord = "understudy";

std::vector<std::string_view> splitAtCommas(std::string_view rest) {
  std::vector<std::string_view> words;
  for (size_t comma = 0; comma != std::string_view::npos;) {
    comma = rest.find(',');
    words.push_back(rest.substr(0, comma));
    if (comma != std::string_view::npos) rest.remove_prefix(comma + 1);
  }
  return words;
}

/// Vectors of the host's registers, by element size; halves are computed as floats.
VectorWidths hostWidths(uint32_t bits) {
  return {bits / 8, bits / 16, bits / 32, bits / 64, bits / 32, bits / 64, bits / 32};
}

/// Of what OpenCL C 3.0 calls features, those that OpenCL 1.2 has, perhaps by an extension.
constexpr std::string_view kFeaturesOf12[] = {
    "__opencl_c_int64",
    "__opencl_c_fp64",
    "__opencl_c_images",
    "__opencl_c_3d_image_writes",
    "__opencl_c_subgroups",
    "__opencl_c_integer_dot_product_input_4x8bit",
    "__opencl_c_integer_dot_product_input_4x8bit_packed",
    "__opencl_c_kernel_clock_scope_device",
    "__opencl_c_kernel_clock_scope_work_group",
    "__opencl_c_kernel_clock_scope_sub_group",
};

struct SpirvRow {
  const char *name;
  uint32_t number;
  std::string_view needs;
};
constexpr SpirvRow kSpirvCapabilities[] = {
#define US_SPIRV_CAPABILITY(name, number, needs) {#name, number, needs},
#include "runtime/device/spirv.def"
};
constexpr SpirvRow kSpirvExtensions[] = {
#define US_SPIRV_EXTENSION(name, needs) {#name, 0, needs},
#include "runtime/device/spirv.def"
};
constexpr SpirvRow kSpirvInstructions[] = {
#define US_SPIRV_INSTRUCTIONS(name, needs) {name, 0, needs},
#include "runtime/device/spirv.def"
};

} // namespace

void settleVersion(DeviceInfo &info) {
  const uint32_t newest = versionIn(info.version);
  std::erase_if(info.openclCVersions, [&](const NamedVersion &entry) { return entry.version > newest; });
  if (newest < version(3, 0))
    std::erase_if(info.openclCFeatures, [](const NamedVersion &entry) {
      return std::ranges::find(kFeaturesOf12, entry.name) == std::end(kFeaturesOf12);
    });
  if (!hasName(info.openclCFeatures, "__opencl_c_device_enqueue"))
    info.maxDeviceQueues = info.maxDeviceEvents = info.deviceQueuePreferredSize = info.deviceQueueMaxSize = 0;
  if (!hasName(info.openclCFeatures, "__opencl_c_pipes"))
    info.maxPipeArguments = info.pipeMaxReservations = info.pipeMaxPacketSize = 0;

  info.spirvCapabilities.clear();
  info.spirvExtensions.clear();
  info.spirvInstructionSets.clear();
  if (info.ils.empty()) return;
  const auto isMet = [&](const SpirvRow &row) {
    return row.needs.empty() || hasName(info.extensions, row.needs) || hasName(info.openclCFeatures, row.needs);
  };
  for (const SpirvRow &row : kSpirvCapabilities)
    if (isMet(row)) info.spirvCapabilities.push_back(row.number);
  for (const SpirvRow &row : kSpirvExtensions)
    if (isMet(row)) info.spirvExtensions.push_back(row.name);
  for (const SpirvRow &row : kSpirvInstructions)
    if (isMet(row)) info.spirvInstructionSets.push_back(row.name);
}

std::vector<std::string> languageExtensions(const DeviceInfo &info) {
  std::vector<std::string> names;
  for (const NamedVersion &extension : info.extensions) names.push_back(extension.name);
  const char *const depthImages = "cl_khr_depth_images";
  if (std::ranges::find(info.formatsRead, ChannelOrder::Depth, &ImageFormat::order) != info.formatsRead.end() &&
      std::ranges::find(names, depthImages) == names.end())
    names.push_back(depthImages);
  return names;
}

uint32_t versionIn(std::string_view text) {
  const size_t digit = text.find_first_of("0123456789");
  if (digit == text.npos || digit + 2 >= text.size()) return 0;
  return version(uint32_t(text[digit] - '0'), uint32_t(text[digit + 2] - '0'));
}

const char *versionText() { return US_VERSION; }

uint64_t deviceMemory(const Options &options, const Machine &machine) {
  // Under 4 GiB: programs that keep sizes in 32 bits, and test suites that size their arrays by the device, behave.
  uint64_t wanted = options.memory ? options.memory : 4 * kGiB - 256 * kMiB;
  // Who asks for a real device by name wants its size.
  if (!options.memory)
    for (const std::string &word : deviceWords(options))
      if (word != kOwnWord) wanted = std::max(wanted, profileMemory(word).value_or(0));
  uint64_t memory = std::min(wanted, machine.memory / 5 * 4);
  return std::max<uint64_t>(memory / kMiB, 1) * kMiB;
}

std::vector<std::string> deviceWords(const Options &options) {
  std::vector<std::string> words;
  if (options.device.empty()) return words;
  for (std::string_view word : splitAtCommas(options.device)) {
    words.emplace_back(word);
    if (word == kOwnWord) continue;
    if (auto known = profileMemory(word); !known) {
      // As for an option that cannot be read: said whatever the log's level, but once.
      static std::once_flag said;
      std::call_once(said, [&] {
        std::fprintf(stderr, "understudy: UNDERSTUDY_DEVICE: %s; understudy is used\n", known.error().message.c_str());
      });
      words.back() = kOwnWord;
    }
  }
  return words;
}

std::vector<DeviceType> deviceTypes(const Options &options) {
  std::vector<DeviceType> listed;
  for (std::string_view word : splitAtCommas(options.deviceType)) listed.push_back(typeOf(word));
  uint64_t count = std::clamp<uint64_t>(std::max<uint64_t>(options.devices, listed.size()), 1, 64);
  count = std::clamp<uint64_t>(deviceWords(options).size(), count, 64);
  listed.resize(count, listed.back());
  return listed;
}

DeviceInfo defaultProfile(const Options &options, const Machine &machine, DeviceType type, uint32_t index,
                          uint64_t memory) {
  DeviceInfo info;
  const std::string ours = std::string("Understudy ") + versionText();
  for (const DeviceTypeRow &row : kDeviceTypes)
    if (row.type == type) info.name = row.deviceName;
  if (index > 0) info.name += " " + std::to_string(index);
  info.vendor = "The Understudy project";
  info.vendorId = 0x55530001; // neither a PCI nor a Khronos number: we have none
  info.driverVersion = versionText();
  // No bus has this domain (they have 16 bits, or a few more): nobody takes the device for one of the machine's.
  info.pci = PciAddress{0x55530000, index, 0, 0};
  info.version = "OpenCL " + options.openclVersion + " " + ours;
  // "Returns the highest fully backwards compatible OpenCL C version supported": 2.0, between, is not supported.
  info.openclCVersion = "OpenCL C 1.2 " + ours;
  info.type = type;
  std::memcpy(info.uuid.data(), "understudy dev", 14);
  info.uuid[15] = static_cast<uint8_t>(index);
  std::memcpy(info.driverUuid.data(), "understudy", 10);
  std::strncpy(reinterpret_cast<char *>(info.driverUuid.data()) + 10, versionText(), 6);

  info.maxComputeUnits = static_cast<uint32_t>(options.computeUnits ? options.computeUnits : machine.cores);
  info.maxWorkGroupSize = std::clamp<uint64_t>(options.maxWorkGroupSize, 1, 8192);
  info.maxWorkItemSizes = {info.maxWorkGroupSize, info.maxWorkGroupSize, info.maxWorkGroupSize};
  info.subGroupSize = static_cast<uint32_t>(std::stoul(options.subGroupSize));
  info.subGroupSizes = {8, 16, 32}; // those that code generation has: abi::kSubGroupSizes
  const uint32_t least = info.subGroupSizes.front();
  info.maxSubGroups = static_cast<uint32_t>((info.maxWorkGroupSize + least - 1) / least);
  info.preferredWorkGroupSizeMultiple = std::min<uint64_t>(32, info.maxWorkGroupSize);
  info.maxClockMhz = machine.clockMhz;
  info.preferredWidths = VectorWidths{}; // work-items are what fills the machine's vectors
  info.nativeWidths = hostWidths(machine.vectorBits);
  info.singleFpConfig = kFpDenorm | kFpInfNan | kFpRoundToNearest | kFpFma | kFpCorrectlyRoundedDivideSqrt;
  // "The mandated minimum double-precision floating-point capability": all of these.
  info.doubleFpConfig = kFpDenorm | kFpInfNan | kFpRoundToNearest | kFpRoundToZero | kFpRoundToInf | kFpFma;
  info.halfFpConfig = kFpDenorm | kFpInfNan | kFpRoundToNearest;
  // A program that may run a host function as a kernel must be told that this is its host's processor.
  info.executesNativeKernels = type == DeviceType::Cpu;
  info.nonUniformWorkGroups = true;
  info.independentForwardProgress = true;
  info.workGroupCollectives = true;

  info.globalMemory = memory;
  // "Max size of memory object allocation in bytes. The minimum value is max(min(1024 x 1024 x 1024, 1/4th of
  // CL_DEVICE_GLOBAL_MEM_SIZE), 32 x 1024 x 1024)".
  info.maxAllocation = std::min(memory, std::max<uint64_t>(memory / 2, 128 * kMiB));
  info.localMemory = std::clamp<uint64_t>(options.localMemory, 1 * kKiB, 16 * kMiB);
  info.maxConstantBuffer = info.maxAllocation; // constants lie in global memory
  info.maxConstantArguments = 32;
  info.globalCache = machine.cache;
  info.globalCacheLine = 64;
  info.maxProgramVariable = std::min<uint64_t>(memory / 4, 16 * kMiB);
  info.preferredProgramVariables = info.maxProgramVariable;
  info.baseAddressAlignBits = 1024;
  info.minDataTypeAlign = 128;
  info.maxParameterSize = 4096;
  info.printfBuffer = 1 * kMiB;
  constexpr uint64_t kOrders = 1 | 2 | 4, kWorkItem = 8, kScopes = 16 | 32 | 64;
  info.atomicMemoryCapabilities = kOrders | kScopes;
  info.atomicFenceCapabilities = kOrders | kWorkItem | kScopes; // a work-item's scope exists for fences only
  info.genericAddressSpace = true;
  info.svmCapabilities = 1 | 2 | 4 | 8; // coarse and fine-grain buffers, all memory of the host, atomics

  info.maxPipeArguments = 16;
  info.pipeMaxReservations = 64; // we know no limit; a program may keep so many in an array
  info.pipeMaxPacketSize = 64 * kKiB;

  info.maxDeviceQueues = 64;
  info.maxDeviceEvents = 65536;
  info.deviceQueuePreferredSize = 4 * kMiB; // room for some 25,000 blocks
  info.deviceQueueMaxSize = 64 * kMiB;

  info.openclCVersions = listOf(kLanguages);
  info.openclCFeatures = listOf(kFeatures);
  info.extensions = listOf(kExtensions);
  addImages(info);
  info.ils = listOf(kIls);
  info.maxSubDevices = info.maxComputeUnits > 1 ? info.maxComputeUnits : 0;
  settleVersion(info);
  return info;
}

} // namespace us::profiles
