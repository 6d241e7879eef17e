// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/compute_mode.h"

#include "runtime/base/cache_directory.h"
#include "runtime/base/log.h"
#include "runtime/base/options.h"
#include "runtime/base/private_folder.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <string_view>
#include <sys/file.h>
#include <unistd.h>

namespace us::cuda {
namespace {

struct Row {
  std::string_view name;
  CUcomputemode mode;
};
constexpr Row kModes[] = {{"default", CU_COMPUTEMODE_DEFAULT},
                          {"prohibited", CU_COMPUTEMODE_PROHIBITED},
                          {"exclusive_process", CU_COMPUTEMODE_EXCLUSIVE_PROCESS}};

/// A file that the process keeps locked: the system lets go of it when the process ends, however that happens.
bool lockForEver(CUdevice number) {
  static std::mutex mutex;
  static auto &held = *new std::map<CUdevice, int>;
  std::lock_guard hold(mutex);
  if (held.contains(number)) return true;
  // In the folder for temporary files anybody could hold a file of that name.
  const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
  const auto folder = PrivateFolder::open(runtime && *runtime == '/' ? runtime : userTemporaryDirectory());
  if (!folder) {
    log(LogLevel::Error, "exclusive_process: " + folder.error().message);
    return false;
  }
  const std::string name = "understudy-cuda-" + std::to_string(geteuid()) + "-" + std::to_string(number) + ".lock";
  const int file = openat(folder->descriptor(), name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return false;
  if (flock(file, LOCK_EX | LOCK_NB) != 0) {
    close(file);
    return false;
  }
  held[number] = file;
  return true;
}

} // namespace

CUcomputemode computeMode() {
  // The option's choices are these.
  static const CUcomputemode mode = std::ranges::find(kModes, options().cudaComputeMode, &Row::name)->mode;
  return mode;
}

Expected<void> claimDevice(CUdevice number) {
  if (computeMode() == CU_COMPUTEMODE_PROHIBITED)
    return fail(CUDA_ERROR_DEVICE_UNAVAILABLE, "UNDERSTUDY_CUDA_COMPUTE_MODE prohibits contexts");
  if (computeMode() == CU_COMPUTEMODE_EXCLUSIVE_PROCESS && !lockForEver(number))
    return fail(CUDA_ERROR_DEVICE_UNAVAILABLE, "another process has the device, whose compute mode is exclusive");
  return {};
}

} // namespace us::cuda
