// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/driver_library.h"

#include "runtime/forward/loader/driver_text.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <sys/stat.h>
#include <unistd.h>

namespace us::forward {
namespace {

/// More than any machine has: a driver that says so is not to be believed.
constexpr cl_uint kMostPlatforms = 64, kMostDevices = 256;
constexpr size_t kLongestText = 1 << 20;

/// The folder that holds this code: of the runtime library, or of a program that holds it statically.
std::string ownFolder() {
  Dl_info self{};
  std::string path;
  if (dladdr(reinterpret_cast<const void *>(&ownLibraries), &self) && self.dli_fname) path = self.dli_fname;
  // A program is named as it was called: never look in the folder one happens to be in.
  if (char program[4096]; !path.contains('/')) {
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    if (length <= 0) return {};
    path.assign(program, static_cast<size_t>(length));
  }
  path.resize(path.find_last_of('/'));
  return path;
}

std::string absolute(const std::string &path) {
  char *const real = realpath(path.c_str(), nullptr);
  if (!real) return {};
  std::string result = real;
  std::free(real);
  return result;
}

/// NVIDIA's driver opens libcuda.so.1 by that name, and where a program was started with ours in front it would find
/// ours. The dynamic linker takes the one of that name that is there already: so the one beside the driver comes first.
void openCompanion(const std::string &library) {
  const std::string path = absolute(library);
  const size_t name = path.find_last_of('/');
  if (path.find("nvidia", name + 1) == std::string::npos) return;
  const std::string companion = path.substr(0, name) + "/libcuda.so.1";
  if (access(companion.c_str(), R_OK) == 0) dlopen(companion.c_str(), RTLD_NOW | RTLD_LOCAL);
}

Expected<std::vector<DriverPlatform>> platformsOf(clIcdGetPlatformIDsKHR_fn ask) {
  cl_uint count = 0;
  const cl_int code = ask(0, nullptr, &count);
  // "CL_PLATFORM_NOT_FOUND_KHR if zero platforms are available": a driver without its hardware is no fault.
  if (code == CL_PLATFORM_NOT_FOUND_KHR || (code == CL_SUCCESS && count == 0))
    return fail(ErrorCode::DeviceNotFound, "has no device on this machine");
  if (code != CL_SUCCESS)
    return fail(ErrorCode::DeviceNotAvailable, "answers clIcdGetPlatformIDsKHR with " + std::to_string(code));
  if (count > kMostPlatforms)
    return fail(ErrorCode::DeviceNotAvailable, "claims to have " + std::to_string(count) + " platforms");
  std::vector<cl_platform_id> ids(count);
  if (ask(count, ids.data(), nullptr) != CL_SUCCESS)
    return fail(ErrorCode::DeviceNotAvailable, "counts its platforms, but does not give them");
  std::vector<DriverPlatform> platforms;
  for (const cl_platform_id id : ids) {
    // "Each platform object ... must have as its first member a pointer to the dispatch table"
    const cl_icd_dispatch *const call = id ? *reinterpret_cast<const cl_icd_dispatch *const *>(id) : nullptr;
    if (!call || !call->clGetPlatformInfo || !call->clGetDeviceIDs)
      return fail(ErrorCode::DeviceNotAvailable, "gives a platform without a table of functions");
    platforms.push_back({id, call});
  }
  return platforms;
}

} // namespace

std::string fileIdentity(const std::string &path) {
  struct stat file{};
  if (stat(path.c_str(), &file) != 0) return {};
  return std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino);
}

std::string besideOurLibrary(const std::string &name) {
  const std::string folder = ownFolder();
  for (const char *relative : {"/", "/../lib/", "/../lib/understudy/"})
    if (std::string path = absolute(folder + relative + name); !path.empty()) return path;
  return {};
}

std::vector<std::string> ownLibraries() {
  std::vector<std::string> found;
  for (const char *name : {"libunderstudy-icd.so", "libunderstudy.so", "cuda/libcuda.so.1"})
    if (std::string identity = fileIdentity(besideOurLibrary(name)); !identity.empty()) found.push_back(identity);
  return found;
}

Expected<OpenedDriver> openDriver(const std::string &library, const std::vector<std::string> &own) {
  const auto isOwn = [&](const std::string &path) { return std::ranges::find(own, fileIdentity(path)) != own.end(); };
  const auto ours = [] { return fail(ErrorCode::InvalidPlatform, "is this library itself"); };
  if (library.contains('/') && isOwn(library)) return ours();
  if (library.contains('/')) openCompanion(library);
  void *const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *const reason = dlerror();
    return fail(ErrorCode::DeviceNotAvailable,
                std::string("cannot be opened: ") + (reason ? reason : "no reason is given"));
  }
  OpenedDriver driver;
  const link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map) driver.library = absolute(map->l_name);
  if (driver.library.empty()) driver.library = library;
  if (isOwn(driver.library)) return ours();
  driver.extension = reinterpret_cast<void *(*)(const char *)>(dlsym(handle, "clGetExtensionFunctionAddress"));
  if (!driver.extension)
    return fail(ErrorCode::DeviceNotAvailable, "is no OpenCL driver: it has no clGetExtensionFunctionAddress");
  auto ask = reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(driver.extension("clIcdGetPlatformIDsKHR"));
  if (!ask) ask = reinterpret_cast<clIcdGetPlatformIDsKHR_fn>(dlsym(handle, "clIcdGetPlatformIDsKHR"));
  if (!ask) return fail(ErrorCode::DeviceNotAvailable, "is made for no loader: it has no clIcdGetPlatformIDsKHR");
  US_TRY(driver.platforms, platformsOf(ask));
  return driver;
}

std::string platformText(const DriverPlatform &platform, cl_platform_info what) {
  const auto query = [&](size_t size, void *into, size_t *needed) {
    return platform.call->clGetPlatformInfo(platform.id, what, size, into, needed);
  };
  return textFrom(query, kLongestText);
}

std::string deviceText(const DriverPlatform &platform, cl_device_id device, cl_device_info what) {
  const auto query = [&](size_t size, void *into, size_t *needed) {
    return platform.call->clGetDeviceInfo(device, what, size, into, needed);
  };
  return textFrom(query, kLongestText);
}

Expected<std::vector<cl_device_id>> devicesOf(const DriverPlatform &platform) {
  cl_uint count = 0;
  const cl_int code = platform.call->clGetDeviceIDs(platform.id, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
  if (code == CL_DEVICE_NOT_FOUND || (code == CL_SUCCESS && count == 0)) return std::vector<cl_device_id>();
  if (code != CL_SUCCESS)
    return fail(ErrorCode::DeviceNotAvailable, "answers clGetDeviceIDs with " + std::to_string(code));
  if (count > kMostDevices)
    return fail(ErrorCode::DeviceNotAvailable, "claims to have " + std::to_string(count) + " devices");
  std::vector<cl_device_id> devices(count);
  if (platform.call->clGetDeviceIDs(platform.id, CL_DEVICE_TYPE_ALL, count, devices.data(), nullptr) != CL_SUCCESS)
    return fail(ErrorCode::DeviceNotAvailable, "counts its devices, but does not give them");
  if (std::ranges::find(devices, cl_device_id(nullptr)) != devices.end())
    return fail(ErrorCode::DeviceNotAvailable, "gives a device that is NULL");
  return devices;
}

} // namespace us::forward
