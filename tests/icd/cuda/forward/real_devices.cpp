// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The devices of the driver that these tests take for a real one: it is ours a second time, alone with a runtime of its
// own in a library of another file name, and forwards to nobody. US_TEST_REAL_CUDA says which devices it pretends to
// have ("t4,v100"); like a real driver it shows those of them that CUDA_VISIBLE_DEVICES names, and knows no images of
// understudy-nvcc.
#include "emulator/device/emulated_devices.h"
#include "frontend/cuda/ptx_container.h"
#include "icd/cuda/api.h"
#include "icd/cuda/table.h"
#include "icd/platform/compose.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

namespace us::platform {
namespace {

std::vector<Ref<Device>> makeDevices() {
  Options asked = options();
  const char *const words = std::getenv("US_TEST_REAL_CUDA");
  asked.device = words ? words : "";
  asked.devices = static_cast<uint64_t>(std::ranges::count(asked.device, ',') + 1);
  asked.memory = uint64_t(1) << 30;
  std::vector<Ref<Device>> all = emulator::createDevices(asked);
  const char *rest = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!rest) return all;
  std::vector<Ref<Device>> visible;
  for (char *end = nullptr;; rest = end + 1) {
    const long number = std::strtol(rest, &end, 10);
    // "Devices that appear after an invalid index are not visible."
    if (end == rest || number < 0 || size_t(number) >= all.size()) return visible;
    visible.push_back(all[size_t(number)]);
    if (*end != ',') return visible;
  }
}

} // namespace

const std::vector<Ref<Device>> &emulatedDevices() {
  static const auto &devices = *new std::vector<Ref<Device>>(makeDevices());
  return devices;
}

} // namespace us::platform

namespace us::cuda {
namespace {

template <class Signature> Signature *ours(const char *symbol) {
  for (const TableRow *function : functions())
    if (std::strcmp(function->symbol, symbol) == 0) return reinterpret_cast<Signature *>(function->emulated);
  return nullptr;
}
#define US_OURS(symbol) ours<decltype(::symbol)>(#symbol)

CUresult loadData(CUmodule *module, const void *image) {
  if (image && isPtxContainer(image)) return CUDA_ERROR_INVALID_IMAGE;
  return US_OURS(cuModuleLoadData)(module, image);
}
CUresult loadFile(CUmodule *module, const char *path) {
  char first[9] = {};
  if (path) std::ifstream(path).read(first, 8);
  return isPtxContainer(first) ? CUDA_ERROR_INVALID_IMAGE : US_OURS(cuModuleLoad)(module, path);
}
CUresult loadLibrary(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitValues,
                     unsigned jitCount, CUlibraryOption *options, void **values, unsigned count) {
  if (code && isPtxContainer(code)) return CUDA_ERROR_INVALID_IMAGE;
  return US_OURS(cuLibraryLoadData)(library, code, jitOptions, jitValues, jitCount, options, values, count);
}
CUresult addData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name, unsigned count,
                 CUjit_option *options, void **values) {
  if (data && size >= 8 && isPtxContainer(data)) return CUDA_ERROR_INVALID_IMAGE;
  return US_OURS(cuLinkAddData_v2)(state, type, data, size, name, count, options, values);
}

[[maybe_unused]] const bool isDone = [] {
  for (TableRow *function : functions()) {
    const auto put = [&](const char *symbol, auto *instead) {
      if (std::strcmp(function->symbol, symbol) == 0) function->entry = reinterpret_cast<void *>(instead);
    };
    put("cuModuleLoadData", &loadData);
    put("cuModuleLoad", &loadFile);
    put("cuLibraryLoadData", &loadLibrary);
    put("cuLinkAddData_v2", &addData);
  }
  return true;
}();

} // namespace
} // namespace us::cuda
