// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/nvrtc/compiler.h"

#include <dlfcn.h>
#include <filesystem>
#include <mutex>
#include <sys/stat.h>

namespace us::nvrtc {
namespace fs = std::filesystem;
namespace {

constexpr const char *kFileName = "libunderstudy-cuda-compiler.so";

/// Of this library. Found early and kept: a relative path would change its meaning with the working directory.
const fs::path &ownFolder() {
  static const fs::path &folder = *new fs::path([] {
    Dl_info self{};
    std::error_code error;
    if (!dladdr(reinterpret_cast<const void *>(&compilerIdentity), &self) || !self.dli_fname) return fs::path();
    return fs::canonical(self.dli_fname, error).parent_path();
  }());
  return folder;
}

/// As installed and in the build tree, from lib64 and from nvvm/lib64; a wheel has copies beside libcuda.so.1.
const std::string &compilerPath() {
  static const std::string &path = *new std::string([] {
    std::error_code error;
    for (const char *const folder : {"../..", "../../lib", "../../..", "../../../lib", ".."})
      if (const fs::path file = (ownFolder() / folder / kFileName).lexically_normal(); fs::exists(file, error))
        return file.string();
    return (ownFolder() / kFileName).string();
  }());
  return path;
}

Expected<const frontend::cuda::CompilerApi *> open() {
  const std::string &path = compilerPath();
  void *const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *const reason = dlerror();
    return fail(ErrorCode::CompilerNotAvailable, "the compiler library could not be opened: " +
                                                     std::string(reason ? reason : "the loader gives no reason"));
  }
  const auto getter =
      reinterpret_cast<frontend::cuda::CompilerApiGetter>(dlsym(library, frontend::cuda::kCompilerApiSymbol));
  const frontend::cuda::CompilerApi *const api = getter ? getter() : nullptr;
  if (!api || api->size != sizeof(frontend::cuda::CompilerApi))
    return fail(ErrorCode::CompilerNotAvailable, "the compiler library " + path + " belongs to another version");
  return api;
}

} // namespace

Expected<const frontend::cuda::CompilerApi *> compilerLibrary() {
  static std::mutex mutex; // guards opened
  static const frontend::cuda::CompilerApi *opened = nullptr;
  std::scoped_lock lock(mutex);
  if (!opened) {
    US_TRY(opened, open());
  }
  return opened;
}

Expected<std::string> toolkitFolder() {
  std::error_code error;
  for (const char *const folder : {"..", "../..", "."})
    if (const fs::path toolkit = (ownFolder() / folder).lexically_normal();
        fs::exists(toolkit / "include/cuda_runtime.h", error))
      return toolkit.string();
  return fail(ErrorCode::CompilerNotAvailable, "the toolkit's folder is not above " + ownFolder().string());
}

const std::string &compilerIdentity() {
  static const std::string &identity = *new std::string([] {
    struct stat file{};
    const std::string &path = compilerPath();
    if (stat(path.c_str(), &file) != 0) return std::string();
    return path + " " + std::to_string(file.st_size) + "." + std::to_string(file.st_mtim.tv_sec) + "." +
           std::to_string(file.st_mtim.tv_nsec);
  }());
  return identity;
}

} // namespace us::nvrtc
