// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaDeviceProp: nearly all of it are attributes of the device.
#include "icd/cudart/entry_points.h"
#include "icd/cudart/thread_state.h"

#include <cstring>
#include <type_traits>

namespace us::cudart {
namespace {

// What programs were compiled with: the layouts of CUDA 12 and 13.
static_assert(sizeof(cudaDeviceProp) == (CUDART_VERSION >= 13000 ? 1008 : 1032));

int attributeOf(int device, cudaDeviceAttr attribute) {
  int value = 0;
  // What an older driver does not know is 0.
  if (driver().cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(attribute), device) != CUDA_SUCCESS)
    return 0;
  return value;
}

} // namespace

cudaError_t getDeviceProperties(cudaDeviceProp *properties, int device) {
  if (!properties) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(startDriver());
  int count = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuDeviceGetCount(&count)));
  if (device < 0 || device >= count) return cudaErrorInvalidDevice;
  cudaDeviceProp all = {};
  US_RETURN_IF_ERROR(errorOf(driver().cuDeviceGetName(all.name, sizeof(all.name), device)));
  driver().cuDeviceGetUuid_v2(&all.uuid, device);
  driver().cuDeviceGetLuid(all.luid, &all.luidDeviceNodeMask, device); // only on systems that have such a thing
  US_RETURN_IF_ERROR(errorOf(driver().cuDeviceTotalMem_v2(&all.totalGlobalMem, device)));
#define US_PROPERTY(MEMBER, ATTRIBUTE)                                                                                 \
  all.MEMBER = static_cast<std::remove_reference_t<decltype(all.MEMBER)>>(attributeOf(device, ATTRIBUTE));
#include "icd/cudart/device_properties.def"
  *properties = all;
  return cudaSuccess;
}

cudaError_t chooseDevice(int *device, const cudaDeviceProp *properties) {
  if (!device || !properties) return cudaErrorInvalidValue;
  US_RETURN_IF_ERROR(startDriver());
  int count = 0;
  US_RETURN_IF_ERROR(errorOf(driver().cuDeviceGetCount(&count)));
  if (count == 0) return cudaErrorNoDevice;
  // The first one that has what is wished for, else the first.
  *device = 0;
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp has;
    US_RETURN_IF_ERROR(getDeviceProperties(&has, i));
    const bool isNewEnough =
        has.major > properties->major || (has.major == properties->major && has.minor >= properties->minor);
    if (!isNewEnough || has.totalGlobalMem < properties->totalGlobalMem) continue;
    *device = i;
    break;
  }
  return cudaSuccess;
}

} // namespace us::cudart

#if CUDART_VERSION < 13000
// What programs of CUDA 11 call: the layout without what CUDA 12 put at its end. Since then the name means the function
// above, which has a symbol of its own.
extern "C" __attribute__((visibility("default"))) cudaError_t
devicePropertiesOfCuda11(void *properties, int device) __asm__("cudaGetDeviceProperties");
cudaError_t devicePropertiesOfCuda11(void *properties, int device) {
  cudaDeviceProp all;
  const cudaError_t error = properties ? us::cudart::getDeviceProperties(&all, device) : cudaErrorInvalidValue;
  if (error == cudaSuccess) std::memcpy(properties, &all, offsetof(cudaDeviceProp, hostRegisterSupported));
  return us::cudart::noteError(error);
}
#endif
