// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One field per fact that either API can ask of a device. Constant for the device's life; both info tables read it.
#pragma once

#include "runtime/base/geometry.h"
#include "runtime/device/image.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace us {

enum class DeviceType : uint8_t { Cpu, Gpu, Accelerator, Custom };

struct NamedVersion {
  std::string name;
  uint32_t version; ///< major << 22 | minor << 12 | patch (OpenCL 3.0, section 4.1, cl_version)
};

/// Whether one of `list` is called so.
inline bool hasName(const std::vector<NamedVersion> &list, std::string_view name) {
  return std::ranges::find(list, name, &NamedVersion::name) != list.end();
}

/// Bits of floating-point capability, with the values of cl_device_fp_config.
enum FpConfig : uint64_t {
  kFpDenorm = 1,
  kFpInfNan = 2,
  kFpRoundToNearest = 4,
  kFpRoundToZero = 8,
  kFpRoundToInf = 16,
  kFpFma = 32,
  kFpSoftFloat = 64,
  kFpCorrectlyRoundedDivideSqrt = 128,
};

/// One widths entry per OpenCL C type.
struct VectorWidths {
  uint32_t char_ = 1, short_ = 1, int_ = 1, long_ = 1, float_ = 1, double_ = 1, half_ = 1;
};

enum class CacheType : uint8_t { None, ReadOnly, ReadWrite };

struct PciAddress {
  uint32_t domain = 0, bus = 0, device = 0, function = 0;
};

/// The answer to a query that only one vendor's API has.
using VendorFact = std::variant<uint64_t, std::string, std::vector<uint64_t>>;

struct DeviceInfo {
  // Identity
  std::string name, vendor, driverVersion, version, openclCVersion, profile = "FULL_PROFILE";
  DeviceType type = DeviceType::Gpu;
  uint32_t vendorId = 0;
  bool available = true, compilerAvailable = true, linkerAvailable = true;
  std::array<uint8_t, 16> uuid{}, driverUuid{};
  /// Everything that changes compiled code: a part of program binaries and cache keys.
  std::string codeIdentity;
  std::optional<PciAddress> pci;

  // What it pretends to be; empty: nothing but itself
  std::string profileName;
  std::vector<std::string> differences;          ///< from the device it pretends to be, a sentence each
  std::map<std::string, VendorFact> vendorFacts; ///< by the name of the query
  std::map<std::string, int64_t> cudaAttributes; ///< by the attribute's name; empty: no CUDA device
  std::vector<std::string> cudaDerived;          ///< those of them that come from a table, not from a reading

  // Execution
  uint32_t maxComputeUnits = 1;
  uint32_t maxWorkItemDimensions = 3;
  Size3 maxWorkItemSizes{1, 1, 1};
  uint64_t maxWorkGroupSize = 1;
  uint32_t subGroupSize = 32;          ///< of kernels that require no other
  std::vector<uint32_t> subGroupSizes; ///< that kernels may require, ascending; empty: they may not
  uint32_t maxSubGroups = 1;
  uint64_t preferredWorkGroupSizeMultiple = 32;
  uint32_t maxClockMhz = 0;
  VectorWidths preferredWidths, nativeWidths;
  uint64_t singleFpConfig = 0, doubleFpConfig = 0, halfFpConfig = 0;
  bool executesKernels = true, executesNativeKernels = false;
  bool errorCorrection = false, littleEndian = true, hostUnifiedMemory = true;
  uint64_t profilingTimerResolution = 1; ///< nanoseconds
  bool nonUniformWorkGroups = true, independentForwardProgress = false, workGroupCollectives = true;

  // Memory
  uint32_t addressBits = 64;
  uint64_t globalMemory = 0, maxAllocation = 0, localMemory = 0, maxConstantBuffer = 0;
  uint32_t maxConstantArguments = 0;
  bool dedicatedLocalMemory = true; ///< local memory is no part of global memory
  CacheType globalCacheType = CacheType::ReadWrite;
  uint64_t globalCache = 0;
  uint32_t globalCacheLine = 64;
  uint64_t maxProgramVariable = 0, preferredProgramVariables = 0;
  uint32_t baseAddressAlignBits = 1024, minDataTypeAlign = 128;
  uint64_t maxParameterSize = 1024;
  uint64_t printfBuffer = 0;
  uint64_t preferredPlatformAtomicAlignment = 0, preferredGlobalAtomicAlignment = 0, preferredLocalAtomicAlignment = 0;
  uint64_t atomicMemoryCapabilities = 0, atomicFenceCapabilities = 0; ///< bits of cl_device_atomic_capabilities
  bool genericAddressSpace = true;
  uint64_t svmCapabilities = 0; ///< bits of cl_device_svm_capabilities; 0: none
  /// True when device memory is the host's own: maps and host pointers need no copy.
  bool sharesHostMemory = true;
  /// It makes use of LaunchCommand::argumentMemory.
  bool checksArguments = false;

  // Queues
  bool outOfOrderQueues = true;
  /// submit() returns before the command has ended, and commands run and end in the order of submission: one need not
  /// have ended before the next is submitted that depends on it (Device::await).
  bool handsOver = false;
  /// Of such a device: it keeps memory and kernel of a launch until that has ended, whoever lets go of them before.
  bool keepsMemory = false;
  bool preferredInteropUserSync = true;

  // Images and samplers
  bool images = false;
  uint32_t maxReadImageArguments = 0, maxWriteImageArguments = 0, maxReadWriteImageArguments = 0, maxSamplers = 0;
  uint64_t image2DMaxWidth = 0, image2DMaxHeight = 0; ///< pixels; a 1D image's width is limited by image2DMaxWidth
  uint64_t image3DMaxWidth = 0, image3DMaxHeight = 0, image3DMaxDepth = 0;
  uint64_t imageMaxBufferSize = 0, imageMaxArraySize = 0;               ///< pixels, layers
  uint32_t imagePitchAlignment = 0, imageBaseAddressAlignment = 0;      ///< pixels, for images made from buffers
  std::vector<ImageFormat> formatsRead, formatsWrite, formatsReadWrite; ///< in the order they are reported
  std::vector<std::pair<ImageKind, ImageFormat>> formatExceptions;      ///< no image of the kind has the format

  // Pipes and device-side queues; zeros: none
  uint32_t maxPipeArguments = 0, pipeMaxReservations = 0, pipeMaxPacketSize = 0; ///< packet size in bytes
  uint32_t maxDeviceQueues = 0, maxDeviceEvents = 0, deviceQueuePreferredSize = 0, deviceQueueMaxSize = 0; ///< bytes

  // Language
  std::vector<NamedVersion> openclCVersions, openclCFeatures, extensions, ils;
  std::vector<std::string> spirvInstructionSets, spirvExtensions; ///< that modules may use
  std::vector<uint32_t> spirvCapabilities;                        ///< that modules may declare
  std::string latestConformanceVersionPassed;

  // Partitioning
  uint32_t maxSubDevices = 0;   ///< 0: it cannot be divided
  uint64_t affinityDomains = 0; ///< bits of cl_device_affinity_domain by which it can; 0: none
};

} // namespace us
