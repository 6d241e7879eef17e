// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/both.h"
#include "icd/cuda/forward/current_side.h"
#include "icd/cuda/forward/listed_devices.h"
#include "icd/cuda/forward/owners.h"
#include "icd/cuda/forward/real_driver.h"
#include "runtime/base/fork_guard.h"
#include "runtime/base/log.h"

#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace us::cuda::both {
namespace {

/// A variable of the environment that says something else for a while.
class ChangedVariable {
public:
  ChangedVariable(const char *name, const std::string &text) : name_(name) {
    if (const char *before = secure_getenv(name)) before_ = before;
    setenv(name, text.c_str(), 1);
  }
  ~ChangedVariable() {
    if (before_)
      setenv(name_, before_->c_str(), 1);
    else
      unsetenv(name_);
  }
  ChangedVariable(const ChangedVariable &) = delete;
  ChangedVariable &operator=(const ChangedVariable &) = delete;

private:
  const char *const name_;
  std::optional<std::string> before_;
};

constexpr const char *kVisible = "CUDA_VISIBLE_DEVICES";

int countOn(CudaSide side) {
  int count = 0;
  return US_ON(side, cuDeviceGetCount)(&count) == CUDA_SUCCESS ? count : 0;
}

/// Starts the real driver, which reads CUDA_VISIBLE_DEVICES then and never again.
CUresult startReal(const DeviceList &planned, bool isFiltered) {
  if (!isFiltered) return US_REAL(cuInit)(0);
  const ChangedVariable visible(kVisible, planned.visibleToDriver);
  return US_REAL(cuInit)(0);
}

CUresult makeList() {
  const platform::CudaSides &sides = platform::cudaSides();
  std::vector<int> counts;
  for (const CudaSide side : sides.order)
    counts.push_back(side == CudaSide::Emulated ? countOn(side) : sides.driverDevices);
  const char *const visible = secure_getenv(kVisible);
  DeviceList list = planDevices(sides.order, counts, visible);
  const CUresult started = startReal(list, visible);
  // "CUDA_ERROR_NO_DEVICE" is what it says when none of its devices shall be visible.
  if (started != CUDA_SUCCESS && started != CUDA_ERROR_NO_DEVICE)
    notice("the CUDA driver answers cuInit with " + std::to_string(started) + "; its devices are not listed");
  list.devices = shownDevices(std::move(list.devices), started == CUDA_SUCCESS ? countOn(CudaSide::Real) : 0);
  // "CUDA_ERROR_NO_DEVICE: no CUDA-capable devices were detected"
  if (list.devices.empty()) return started == CUDA_SUCCESS ? CUDA_ERROR_NO_DEVICE : started;
  listDevices(std::move(list.devices));
  return CUDA_SUCCESS;
}

/// Before anything that only our list answers.
CUresult checkStarted() {
  return inForkedChild() || listedDevices().empty() ? CUDA_ERROR_NOT_INITIALIZED : CUDA_SUCCESS;
}

/// Both are on one side: it answers. Else the two have nothing to do with each other.
template <class OnSide, class Apart> CUresult ofTwo(CUdevice first, CUdevice second, OnSide onSide, Apart apart) {
  if (const CUresult state = checkStarted(); state != CUDA_SUCCESS) return state;
  const ListedDevice *const a = listedDevice(first), *const b = listedDevice(second);
  // "CUDA_ERROR_INVALID_DEVICE: the device ordinal supplied by the user does not correspond to a valid CUDA device"
  if (!a || !b) return CUDA_ERROR_INVALID_DEVICE;
  return a->side == b->side ? onSide(a->side, a->number, b->number) : apart();
}

void renumber(void *value, CUpointer_attribute attribute, CudaSide side) {
  if (attribute != CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL || !value) return;
  int &number = *static_cast<int *>(value);
  if (number >= 0) number = listedNumber(side, number);
}

CudaSide sideOfAddress(CUdeviceptr pointer) { return isOwnAddress(pointer) ? CudaSide::Emulated : CudaSide::Real; }

} // namespace

CUresult init(unsigned flags) {
  static std::mutex mutex;
  // Also what is wrong with the flags, and in a child of fork.
  const CUresult emulated = US_EMULATED(cuInit)(flags);
  if (emulated != CUDA_SUCCESS && emulated != CUDA_ERROR_NO_DEVICE) return emulated;
  std::lock_guard hold(mutex);
  return listedDevices().empty() ? makeList() : CUDA_SUCCESS;
}

/// That of the real one: libraries ask for what it has.
CUresult driverGetVersion(int *version) { return US_REAL(cuDriverGetVersion)(version); }

/// Whoever asks for a driver's private tables calls through them past us, with whatever devices we showed him.
CUresult getExportTable(const void **table, const CUuuid *id) {
  static std::once_flag told;
  std::call_once(told, [] {
    notice("a library of this program takes the CUDA driver's private functions, which emulated devices do not have: "
           "from now on it sees real devices only");
    hideEmulatedDevices();
  });
  return US_REAL(cuGetExportTable)(table, id);
}

CUresult deviceGet(CUdevice *device, int ordinal) {
  if (const CUresult state = checkStarted(); state != CUDA_SUCCESS) return state;
  if (!device) return CUDA_ERROR_INVALID_VALUE;
  if (!listedDevice(ordinal)) return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult deviceGetCount(int *count) {
  if (const CUresult state = checkStarted(); state != CUDA_SUCCESS) return state;
  if (!count) return CUDA_ERROR_INVALID_VALUE;
  *count = int(listedDevices().size());
  return CUDA_SUCCESS;
}

CUresult deviceGetByPCIBusId(CUdevice *device, const char *id) {
  if (const CUresult state = checkStarted(); state != CUDA_SUCCESS) return state;
  CUresult result = CUDA_ERROR_INVALID_DEVICE;
  for (const CudaSide side : {CudaSide::Real, CudaSide::Emulated}) {
    CUdevice found = -1;
    result = US_ON(side, cuDeviceGetByPCIBusId)(device ? &found : nullptr, id);
    if (result != CUDA_SUCCESS) continue;
    const CUdevice listed = listedNumber(side, found);
    if (listed == CU_DEVICE_INVALID) continue; // CUDA_VISIBLE_DEVICES hides it
    *device = listed;
    return CUDA_SUCCESS;
  }
  return result == CUDA_SUCCESS ? CUDA_ERROR_INVALID_DEVICE : result;
}

CUresult deviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  if (!can) return CUDA_ERROR_INVALID_VALUE;
  return ofTwo(
      device, peer,
      [&](CudaSide side, int first, int second) { return US_ON(side, cuDeviceCanAccessPeer)(can, first, second); },
      [&] {
        *can = 0;
        return CUDA_SUCCESS;
      });
}

CUresult deviceGetP2PAttribute(int *value, CUdevice_P2PAttribute attribute, CUdevice from, CUdevice to) {
  if (!value || attribute < CU_DEVICE_P2P_ATTRIBUTE_PERFORMANCE_RANK) return CUDA_ERROR_INVALID_VALUE;
  return ofTwo(
      from, to,
      [&](CudaSide side, int first, int second) {
        return US_ON(side, cuDeviceGetP2PAttribute)(value, attribute, first, second);
      },
      [&] {
        *value = 0;
        return CUDA_SUCCESS;
      });
}

CUresult streamGetDevice(CUstream stream, CUdevice *device) {
  CudaSide side = currentSide();
  if (!isDefaultStream(stream)) side = isOwnHandle(stream) ? CudaSide::Emulated : CudaSide::Real;
  return withListedNumber(US_ON(side, cuStreamGetDevice)(stream, device), side, device);
}

CUresult pointerGetAttribute(void *value, CUpointer_attribute attribute, CUdeviceptr pointer) {
  const CudaSide side = sideOfAddress(pointer);
  const CUresult result = US_ON(side, cuPointerGetAttribute)(value, attribute, pointer);
  if (result == CUDA_SUCCESS) renumber(value, attribute, side);
  return result;
}

CUresult pointerGetAttributes(unsigned count, CUpointer_attribute *attributes, void **values, CUdeviceptr pointer) {
  const CudaSide side = sideOfAddress(pointer);
  const CUresult result = US_ON(side, cuPointerGetAttributes)(count, attributes, values, pointer);
  if (result == CUDA_SUCCESS && kindOfRealMemory(pointer) != CU_MEMORYTYPE_UNIFIED)
    for (unsigned i = 0; i < count; ++i) renumber(values[i], attributes[i], side);
  return result;
}

} // namespace us::cuda::both
