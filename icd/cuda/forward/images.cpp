// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/cuda/forward/images.h"

#include "frontend/cuda/ptx_container.h"
#include "icd/cuda/file.h"
#include "icd/cuda/forward/real_driver.h"

#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace us::cuda {
namespace {

/// The architecture of the current context's device, or of the first one where none is current: 86 of sm_86.
uint32_t architectureOfDevice() {
  CUdevice device = 0;
  int major = 0, minor = 0;
  if (US_REAL(cuCtxGetDevice)(&device) != CUDA_SUCCESS) device = 0;
  if (US_REAL(cuDeviceGetAttribute)(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) != CUDA_SUCCESS ||
      US_REAL(cuDeviceGetAttribute)(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) != CUDA_SUCCESS)
    return 0;
  return uint32_t(major * 10 + minor);
}

/// Of the texts the newest that the device can take; else the oldest, of which the driver says what is wrong.
Expected<std::string> textFor(uint32_t architecture, std::string_view image) {
  const std::optional<std::vector<PtxText>> texts = readPtxContainer(image);
  if (!texts || texts->empty()) return fail(CUDA_ERROR_INVALID_IMAGE, "the container of PTX is damaged");
  const PtxText *best = &texts->front();
  for (const PtxText &text : *texts) {
    const bool isTaken = text.architecture <= architecture, bestIsTaken = best->architecture <= architecture;
    if (isTaken != bestIsTaken ? isTaken : isTaken == (text.architecture > best->architecture)) best = &text;
  }
  return std::string(best->text);
}

/// An image in memory says its size itself.
std::string_view wholeOf(const void *image) {
  PtxContainerHeader header;
  std::memcpy(&header, image, sizeof header);
  return {static_cast<const char *>(image), header.size};
}

/// Calls `load` with the PTX of an image that is a container of ours, or with the image itself.
template <class Load> CUresult withImage(const void *image, Load load) {
  if (!image || !isPtxContainer(image)) return load(image);
  const Expected<std::string> text = textFor(architectureOfDevice(), wholeOf(image));
  return text ? load(text->c_str()) : resultOf(text.error());
}

/// The bytes of a file that begins as our containers do; nothing of any other one.
std::optional<std::string> containerIn(const char *path) {
  char first[kPtxContainerMagic.size()] = {};
  std::FILE *const file = path ? std::fopen(path, "rbe") : nullptr;
  if (!file) return {};
  const size_t read = std::fread(first, 1, sizeof first, file);
  std::fclose(file);
  if (std::string_view(first, read) != kPtxContainerMagic) return {};
  Expected<std::string> bytes = readFile(path);
  return bytes ? std::optional(*std::move(bytes)) : std::nullopt;
}

/// Calls `fromText` with the PTX of a file that is a container of ours, `fromFile` for any other.
template <class FromText, class FromFile> CUresult withFile(const char *path, FromText fromText, FromFile fromFile) {
  const std::optional<std::string> bytes = containerIn(path);
  if (!bytes) return fromFile();
  const Expected<std::string> text = textFor(architectureOfDevice(), *bytes);
  return text ? fromText(*text) : resultOf(text.error());
}

/// Options of a library, but that its image stays: ours does not.
struct LibraryOptions {
  LibraryOptions(CUlibraryOption *given, void **givenValues, unsigned count) {
    for (unsigned i = 0; given && givenValues && i < count; ++i) {
      if (given[i] == CU_LIBRARY_BINARY_IS_PRESERVED) continue;
      options.push_back(given[i]);
      values.push_back(givenValues[i]);
    }
  }
  std::vector<CUlibraryOption> options;
  std::vector<void *> values;
};

CUresult loadText(CUlibrary *library, const void *text, CUjit_option *jitOptions, void **jitValues, unsigned jitCount,
                  CUlibraryOption *options, void **values, unsigned count) {
  LibraryOptions left(options, values, count);
  return US_REAL(cuLibraryLoadData)(library, text, jitOptions, jitValues, jitCount, left.options.data(),
                                    left.values.data(), unsigned(left.options.size()));
}

using AddData = decltype(&::cuLinkAddData_v2);

CUresult addData(AddData add, CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                 unsigned count, CUjit_option *options, void **values) {
  if (!data || size < sizeof(PtxContainerHeader) || !isPtxContainer(data))
    return add(state, type, data, size, name, count, options, values);
  Expected<std::string> text = textFor(architectureOfDevice(), {static_cast<const char *>(data), size});
  if (!text) return resultOf(text.error());
  return add(state, CU_JIT_INPUT_PTX, text->data(), text->size() + 1, name, count, options, values);
}

CUresult addFile(AddData add, decltype(&::cuLinkAddFile_v2) addItself, CUlinkState state, CUjitInputType type,
                 const char *path, unsigned count, CUjit_option *options, void **values) {
  return withFile(
      path,
      [&](std::string text) {
        return add(state, CU_JIT_INPUT_PTX, text.data(), text.size() + 1, path, count, options, values);
      },
      [&] { return addItself(state, type, path, count, options, values); });
}

} // namespace

CUresult forwardedModuleLoad(CUmodule *module, const char *file) {
  return withFile(
      file, [&](const std::string &text) { return US_REAL(cuModuleLoadData)(module, text.c_str()); },
      [&] { return US_REAL(cuModuleLoad)(module, file); });
}

CUresult forwardedModuleLoadData(CUmodule *module, const void *image) {
  return withImage(image, [&](const void *plain) { return US_REAL(cuModuleLoadData)(module, plain); });
}

CUresult forwardedModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options,
                                   void **values) {
  return withImage(
      image, [&](const void *plain) { return US_REAL(cuModuleLoadDataEx)(module, plain, count, options, values); });
}

/// PTX is no fat binary: the driver takes it as data.
CUresult forwardedModuleLoadFatBinary(CUmodule *module, const void *image) {
  return withImage(image, [&](const void *plain) {
    return plain == image ? US_REAL(cuModuleLoadFatBinary)(module, plain) : US_REAL(cuModuleLoadData)(module, plain);
  });
}

CUresult forwardedLibraryLoadData(CUlibrary *library, const void *code, CUjit_option *jitOptions, void **jitValues,
                                  unsigned jitCount, CUlibraryOption *options, void **values, unsigned count) {
  return withImage(code, [&](const void *plain) {
    const auto load = plain == code ? US_REAL(cuLibraryLoadData) : &loadText;
    return load(library, plain, jitOptions, jitValues, jitCount, options, values, count);
  });
}

CUresult forwardedLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *jitOptions, void **jitValues,
                                      unsigned jitCount, CUlibraryOption *options, void **values, unsigned count) {
  return withFile(
      file,
      [&](const std::string &text) {
        return loadText(library, text.c_str(), jitOptions, jitValues, jitCount, options, values, count);
      },
      [&] {
        return US_REAL(cuLibraryLoadFromFile)(library, file, jitOptions, jitValues, jitCount, options, values, count);
      });
}

CUresult forwardedLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                              unsigned count, CUjit_option *options, void **values) {
  return addData(US_REAL(cuLinkAddData_v2), state, type, data, size, name, count, options, values);
}
CUresult forwardedLinkAddDataOld(CUlinkState state, CUjitInputType type, void *data, size_t size, const char *name,
                                 unsigned count, CUjit_option *options, void **values) {
  return addData(reinterpret_cast<AddData>(usCudaFunction_cuLinkAddData.real), state, type, data, size, name, count,
                 options, values);
}
CUresult forwardedLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                              CUjit_option *options, void **values) {
  return addFile(US_REAL(cuLinkAddData_v2), US_REAL(cuLinkAddFile_v2), state, type, path, count, options, values);
}
CUresult forwardedLinkAddFileOld(CUlinkState state, CUjitInputType type, const char *path, unsigned count,
                                 CUjit_option *options, void **values) {
  return addFile(reinterpret_cast<AddData>(usCudaFunction_cuLinkAddData.real),
                 reinterpret_cast<decltype(&::cuLinkAddFile_v2)>(usCudaFunction_cuLinkAddFile.real), state, type, path,
                 count, options, values);
}

} // namespace us::cuda
