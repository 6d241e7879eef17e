// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/device.h"

#include "icd/cuda/compute_mode.h"
#include "icd/cuda/entry_points.h"
#include "icd/platform/compose.h"
#include "runtime/base/c_locale.h"
#include "runtime/base/options.h"

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace us::cuda {
namespace {

struct AttributeRow {
  CUdevice_attribute attribute;
  const char *name;
  int64_t (*value)(const DeviceInfo &info); ///< null: the emulator lacks it
  bool isMost = false;                      ///< of what the profile says these bits alone
};

/// Stream-ordered memory came with the sixth generation's paging.
bool hasPools(const DeviceInfo &info) {
  const auto told = info.cudaAttributes.find("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR");
  return told == info.cudaAttributes.end() || told->second >= 6;
}

/// As devices of our compute capability, unless the user wants less or more.
int64_t sharedOnRequest(const DeviceInfo &info) {
  constexpr uint64_t kUsual = 64 << 10, kMost = 99 << 10;
  return int64_t(info.localMemory < kUsual ? info.localMemory : std::max(info.localMemory, kMost));
}

constexpr AttributeRow kAttributes[] = {
#define US_CU_ATTRIBUTE(name, value)                                                                                   \
  {CU_DEVICE_ATTRIBUTE_##name, "CU_DEVICE_ATTRIBUTE_" #name,                                                           \
   []([[maybe_unused]] const DeviceInfo &info) -> int64_t { return value; }},
#define US_CU_AT_MOST(name, bits)                                                                                      \
  {CU_DEVICE_ATTRIBUTE_##name, "CU_DEVICE_ATTRIBUTE_" #name, [](const DeviceInfo &info) -> int64_t { return bits; },   \
   true},
#define US_CU_LACKS(name) {CU_DEVICE_ATTRIBUTE_##name, "CU_DEVICE_ATTRIBUTE_" #name, nullptr},
#include "icd/cuda/device_attributes.def"
#undef US_CU_ATTRIBUTE
#undef US_CU_AT_MOST
#undef US_CU_LACKS
};

/// Our own device is one; of those it pretends to be, those whose profile has CUDA's attributes.
bool isCudaDevice(const DeviceInfo &info) { return info.profileName.empty() || !info.cudaAttributes.empty(); }

/// Where the profile leaves it open, no two devices have the same.
std::string pciIdOf(const Device &device, CUdevice number) {
  const PciAddress pci = device.info().pci.value_or(PciAddress{0, uint32_t(number) + 1, 0, 0});
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02X:%02X.%x", pci.domain, pci.bus, pci.device, pci.function);
  return text;
}

Expected<void> putText(char *into, int room, const std::string &text) {
  US_CHECK(checkOut(into, "the result"));
  if (room <= 0) return fail(CUDA_ERROR_INVALID_VALUE, format("room for {} characters", room));
  const size_t count = std::min(text.size(), size_t(room) - 1);
  std::memcpy(into, text.data(), count);
  into[count] = '\0';
  return {};
}

} // namespace

const std::vector<Ref<Device>> &devices() {
  static const auto &list = *[] {
    auto *found = new std::vector<Ref<Device>>;
    for (const Ref<Device> &device : platform::emulatedDevices())
      if (isCudaDevice(device->info())) found->push_back(device);
    return found;
  }();
  return list;
}

ExpectedRef<Device> deviceAt(CUdevice number) {
  US_CHECK(checkInitialised());
  if (number < 0 || size_t(number) >= devices().size())
    return fail(CUDA_ERROR_INVALID_DEVICE, format("device {} of {}", number, devices().size()));
  return *devices()[size_t(number)];
}

Expected<int64_t> attributeOf(const Device &device, CUdevice_attribute attribute) {
  const DeviceInfo &info = device.info();
  for (const AttributeRow &row : kAttributes) {
    if (row.attribute != attribute) continue;
    if (!row.value) return 0;
    const auto told = info.cudaAttributes.find(row.name);
    if (told == info.cudaAttributes.end()) return std::clamp<int64_t>(row.value(info), INT_MIN, INT_MAX);
    return std::clamp<int64_t>(row.isMost ? told->second & row.value(info) : told->second, INT_MIN, INT_MAX);
  }
  return fail(CUDA_ERROR_INVALID_VALUE, format("there is no device attribute {}", int(attribute)));
}

LaunchLimits::LaunchLimits(const Device &device) {
  const auto fact = [&](CUdevice_attribute attribute) { return uint64_t(attributeOf(device, attribute).value_or(0)); };
  grid = {fact(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), fact(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
          fact(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z)};
  block = {fact(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X), fact(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
           fact(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z)};
  threads = fact(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  shared = fact(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  sharedOnRequest = fact(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
}

Expected<void> deviceGet(CUdevice *device, int ordinal) {
  US_CHECK(checkOut(device, "the result"));
  US_CHECK(deviceAt(ordinal));
  *device = ordinal;
  return {};
}

Expected<void> deviceGetCount(int *count) {
  US_CHECK(checkOut(count, "the result"));
  US_CHECK(checkInitialised());
  *count = int(devices().size());
  return {};
}

Expected<void> deviceGetName(char *name, int length, CUdevice number) {
  US_TRY(Device & device, deviceAt(number));
  return putText(name, length, device.info().name);
}

Expected<void> deviceGetUuid(CUuuid *uuid, CUdevice number) {
  US_CHECK(checkOut(uuid, "the result"));
  US_TRY(Device & device, deviceAt(number));
  std::memcpy(uuid->bytes, device.info().uuid.data(), sizeof uuid->bytes);
  return {};
}

Expected<void> deviceGetLuid(char *luid, unsigned int *nodeMask, CUdevice number) {
  US_CHECK(checkOut(luid, "the result"));
  US_CHECK(checkOut(nodeMask, "the result"));
  US_TRY(Device & device, deviceAt(number));
  std::memcpy(luid, device.info().uuid.data(), 8);
  *nodeMask = 1;
  return {};
}

Expected<void> deviceTotalMem(size_t *bytes, CUdevice number) {
  US_CHECK(checkOut(bytes, "the result"));
  US_TRY(Device & device, deviceAt(number));
  *bytes = device.info().globalMemory;
  return {};
}

Expected<void> deviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice number) {
  US_CHECK(checkOut(value, "the result"));
  US_TRY(Device & device, deviceAt(number));
  US_TRY(const int64_t found, attributeOf(device, attribute));
  *value = int(found);
  return {};
}

Expected<void> deviceGetProperties(CUdevprop *properties, CUdevice number) {
  US_CHECK(checkOut(properties, "the result"));
  US_TRY(Device & device, deviceAt(number));
  struct Row {
    CUdevice_attribute attribute;
    int *into;
  };
  const Row rows[] = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &properties->maxThreadsPerBlock},
                      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, &properties->maxThreadsDim[0]},
                      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, &properties->maxThreadsDim[1]},
                      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, &properties->maxThreadsDim[2]},
                      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, &properties->maxGridSize[0]},
                      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, &properties->maxGridSize[1]},
                      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, &properties->maxGridSize[2]},
                      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &properties->sharedMemPerBlock},
                      {CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY, &properties->totalConstantMemory},
                      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &properties->SIMDWidth},
                      {CU_DEVICE_ATTRIBUTE_MAX_PITCH, &properties->memPitch},
                      {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, &properties->regsPerBlock},
                      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &properties->clockRate},
                      {CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT, &properties->textureAlign}};
  for (const Row &row : rows) {
    US_TRY(const int64_t value, attributeOf(device, row.attribute));
    *row.into = int(value);
  }
  return {};
}

Expected<void> deviceComputeCapability(int *major, int *minor, CUdevice number) {
  US_CHECK(checkOut(major, "the result"));
  US_CHECK(checkOut(minor, "the result"));
  US_TRY(Device & device, deviceAt(number));
  US_TRY(const int64_t first, attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  US_TRY(const int64_t second, attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
  *major = int(first);
  *minor = int(second);
  return {};
}

Expected<void> deviceGetPCIBusId(char *id, int length, CUdevice number) {
  US_TRY(Device & device, deviceAt(number));
  const std::string text = pciIdOf(device, number);
  // "len: maximum length of string to store in name"; one that is cut off names no device.
  if (length <= int(text.size()))
    return fail(CUDA_ERROR_INVALID_VALUE,
                format("the PCI address takes {} bytes, there is room for {}", text.size() + 1, length));
  return putText(id, length, text);
}

Expected<void> deviceGetByPCIBusId(CUdevice *device, const char *id) {
  US_CHECK(checkOut(device, "the result"));
  US_CHECK(checkOut(id, "the id"));
  US_CHECK(checkInitialised());
  for (size_t i = 0; i < devices().size(); ++i) {
    const std::string own = pciIdOf(*devices()[i], CUdevice(i));
    // The domain and the function may be left out.
    const std::string withoutFunction = own.substr(0, own.rfind('.'));
    for (const std::string &text : {own, withoutFunction, own.substr(5), withoutFunction.substr(5)})
      if (std::ranges::equal(std::string_view(id), text, {}, lowerCase, lowerCase)) {
        *device = CUdevice(i);
        return {};
      }
  }
  // "[domain]:[bus]:[device].[function]", in hexadecimal digits
  if (std::string_view(id).find(':') == std::string_view::npos ||
      std::string_view(id).find_first_not_of("0123456789abcdefABCDEF:.") != std::string_view::npos)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} is no PCI address", id));
  return fail(CUDA_ERROR_INVALID_DEVICE, format("no device has the PCI address {}", id));
}

/// All emulated devices live in one memory.
Expected<void> deviceCanAccessPeer(int *can, CUdevice number, CUdevice peer) {
  US_CHECK(checkOut(can, "the result"));
  US_CHECK(deviceAt(number));
  US_CHECK(deviceAt(peer));
  *can = number != peer;
  return {};
}

/// The size of the first driver, of 32 bits.
Expected<void> deviceTotalMemOld(unsigned *bytes, CUdevice number) {
  US_CHECK(checkOut(bytes, "the result"));
  US_TRY(const Device &device, deviceAt(number));
  *bytes = unsigned(std::min<uint64_t>(device.info().globalMemory, UINT_MAX));
  return {};
}

Expected<void> deviceGetExecAffinitySupport(int *supported, CUexecAffinityType type, CUdevice number) {
  US_CHECK(checkOut(supported, "the result"));
  US_CHECK(deviceAt(number));
  if (type != CU_EXEC_AFFINITY_TYPE_SM_COUNT)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no execution affinity of type {}", int(type)));
  *supported = 0;
  return {};
}

/// All emulated devices live in one memory.
Expected<void> deviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  US_CHECK(checkOut(value, "the result"));
  US_CHECK(deviceAt(from));
  US_CHECK(deviceAt(to));
  // "CUDA_ERROR_INVALID_DEVICE if srcDevice or dstDevice are not valid or if they represent the same device"
  if (from == to) return fail(CUDA_ERROR_INVALID_DEVICE, "both are the same device");
  constexpr int kValues[] = {0, 1, 1, 1, 0};
  if (attribute < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK ||
      attribute > CU_DEVICE_P2P_ATTRIBUTE_ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED)
    return fail(CUDA_ERROR_INVALID_VALUE, format("there is no attribute {} of two devices", int(attribute)));
  *value = kValues[attribute - CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK];
  return {};
}

} // namespace us::cuda
