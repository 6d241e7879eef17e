// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/cuda_driver.h"

#define UNDERSTUDY_CUDA_EXPLICIT_VERSIONS
#include "icd/cuda/include/cuda.h"
#include "runtime/forward/loader/driver_library.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>

namespace us::forward {
namespace {

/// More than any machine has: a driver that says so is not to be believed.
constexpr int kMostCudaDevices = 256;
/// The first release whose driver has what programs of today ask for (cuGetProcAddress), and more than any will have.
constexpr int kOldestVersion = 11030, kNewestVersion = 99990;
constexpr int kLongestName = 256;

/// What is called here, by its exported name.
template <class Function> Function *find(const OpenedCudaDriver &driver, const char *name) {
  return reinterpret_cast<Function *>(dlsym(driver.handle, name));
}
#define US_FIND(driver, name) find<decltype(::name)>(driver, #name)

std::unexpected<Error> refuse(std::string sentence) { return fail(ErrorCode::DeviceNotAvailable, std::move(sentence)); }

} // namespace

Expected<OpenedCudaDriver> openCudaDriver(const std::string &library, const std::vector<std::string> &own) {
  const auto isOwn = [&](const std::string &path) { return std::ranges::find(own, fileIdentity(path)) != own.end(); };
  if (isOwn(library)) return fail(ErrorCode::InvalidPlatform, "is this library itself");
  // By its path: a bare name would be compared with those of the libraries that are there, and ours is one.
  OpenedCudaDriver driver{library, dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL)};
  if (!driver.handle) {
    const char *const reason = dlerror();
    return refuse(std::string("cannot be opened: ") + (reason ? reason : "no reason is given"));
  }
  const link_map *map = nullptr;
  if (dlinfo(driver.handle, RTLD_DI_LINKMAP, &map) == 0 && map && isOwn(map->l_name))
    return fail(ErrorCode::InvalidPlatform, "is this library itself");
  if (dlsym(driver.handle, kOurCudaMark)) return fail(ErrorCode::InvalidPlatform, "is another copy of this library");
  for (const char *name : {"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName",
                           "cuCtxGetCurrent", "cuGetProcAddress"})
    if (!dlsym(driver.handle, name)) return refuse(std::string("is no CUDA driver of today: it has no ") + name);
  return driver;
}

Expected<CudaDriverFacts> askCudaDriver(const OpenedCudaDriver &driver) {
  const auto init = US_FIND(driver, cuInit);
  const auto getVersion = US_FIND(driver, cuDriverGetVersion);
  const auto getCount = US_FIND(driver, cuDeviceGetCount);
  const auto get = US_FIND(driver, cuDeviceGet);
  const auto getName = US_FIND(driver, cuDeviceGetName);
  const int started = init(0);
  // "CUDA_ERROR_NO_DEVICE: no CUDA-capable devices were detected"; "CUDA_ERROR_STUB_LIBRARY: the CUDA driver that the
  // application has loaded is a stub library", for linkers, which compilers' packages have.
  if (started == CUDA_ERROR_NO_DEVICE) return fail(ErrorCode::DeviceNotFound, "has no device on this machine");
  if (started == CUDA_ERROR_STUB_LIBRARY) return fail(ErrorCode::DeviceNotFound, "is a stub for linkers");
  if (started != CUDA_SUCCESS) return refuse("answers cuInit with " + std::to_string(started));
  CudaDriverFacts facts;
  if (getVersion(&facts.version) != CUDA_SUCCESS || facts.version < kOldestVersion || facts.version > kNewestVersion)
    return refuse("says that its version is " + std::to_string(facts.version));
  int count = 0;
  if (const int code = getCount(&count); code != CUDA_SUCCESS)
    return refuse("answers cuDeviceGetCount with " + std::to_string(code));
  if (count == 0) return fail(ErrorCode::DeviceNotFound, "has no device on this machine");
  if (count < 0 || count > kMostCudaDevices) return refuse("claims to have " + std::to_string(count) + " devices");
  for (int i = 0; i < count; ++i) {
    CUdevice device = -1;
    if (get(&device, i) != CUDA_SUCCESS) return refuse("counts its devices, but does not give them");
    char name[kLongestName] = {};
    if (getName(name, kLongestName - 1, device) != CUDA_SUCCESS) return refuse("does not say what its devices are");
    facts.devices.emplace_back(name);
  }
  return facts;
}

std::string cudaVersionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace us::forward
