// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/vendors_directory.h"

#include "runtime/base/cache_directory.h"
#include "runtime/base/private_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <functional>
#include <span>
#include <unistd.h>

namespace us::install {
namespace fs = std::filesystem;
namespace {

/// The vendors' folder below `base`, which must be nobody else's: programs load the library that the file names.
Expected<std::string> vendorsBelow(const std::string &base, const std::string &library) {
  const std::string name = "vendors-" + std::to_string(std::hash<std::string>()(library)), text = library + "\n";
  US_TRY(const PrivateFolder ours, PrivateFolder::open(base));
  US_TRY(const PrivateFolder vendors, ours.folder(name));
  std::string found(text.size() + 1, '\0');
  const Descriptor present = vendors.fileToRead("understudy.icd");
  const ssize_t length = present ? read(present.get(), found.data(), found.size()) : 0;
  if (found.substr(0, length > 0 ? static_cast<size_t>(length) : 0) != text &&
      !vendors.replaceFile("understudy.icd", std::as_bytes(std::span(text))))
    return fail(ErrorCode::OutOfResources, base + " cannot be written: " + std::strerror(errno));
  return base + "/" + name;
}

/// The same with links to our libcuda.
Expected<std::string> driverBelow(const std::string &base, const std::string &cudaDirectory) {
  const std::string name = "cuda-" + std::to_string(std::hash<std::string>()(cudaDirectory));
  US_TRY(const PrivateFolder ours, PrivateFolder::open(base));
  US_TRY(const PrivateFolder folder, ours.folder(name));
  for (const char *const link : {"libcuda.so.1", "libcuda.so"}) {
    const std::string target = cudaDirectory + "/libcuda.so.1";
    std::string found(target.size() + 1, '\0');
    const ssize_t length = readlinkat(folder.descriptor(), link, found.data(), found.size());
    if (found.substr(0, length > 0 ? static_cast<size_t>(length) : 0) == target) continue;
    const std::string made = std::string(link) + "." + std::to_string(getpid());
    if (symlinkat(target.c_str(), folder.descriptor(), made.c_str()) != 0 ||
        renameat(folder.descriptor(), made.c_str(), folder.descriptor(), link) != 0)
      return fail(ErrorCode::OutOfResources, base + " cannot be written: " + std::strerror(errno));
  }
  return base + "/" + name;
}

template <class Make> Expected<std::string> belowAnyBase(Make make) {
  std::string reasons;
  for (const std::string &base : {userCacheDirectory(), userTemporaryDirectory()}) {
    if (base.empty()) continue;
    Expected<std::string> made = make(base);
    if (made) return made;
    reasons += (reasons.empty() ? "" : "; ") + made.error().message;
  }
  return fail(ErrorCode::OutOfResources, "there is no folder of your own to name the library in: " + reasons);
}

} // namespace

Expected<std::string> icdLibrary() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  fs::path beside = self.parent_path();
  for (const fs::path &candidate :
       {beside / "../lib/libunderstudy-icd.so", beside / "../lib/understudy/libunderstudy-icd.so",
        beside / "../" US_LIBRARY_DIRECTORY "/libunderstudy-icd.so"})
    if (fs::exists(candidate, error)) return fs::canonical(candidate).string();
  return fail(ErrorCode::DeviceNotFound, "libunderstudy-icd.so is not beside " + self.string());
}

std::string cudaDirectory() {
  std::error_code error;
  const fs::path beside = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char *candidate : {"../lib/cuda", "../lib/understudy/cuda", "../" US_LIBRARY_DIRECTORY "/cuda"})
    if (fs::exists(beside / candidate / "libcuda.so.1", error)) return fs::canonical(beside / candidate).string();
  return {};
}

Expected<std::string> vendorsDirectory() {
  US_TRY(std::string library, icdLibrary());
  return belowAnyBase([&](const std::string &base) { return vendorsBelow(base, library); });
}

Expected<std::string> cudaDriverDirectories(const std::string &cudaDirectory) {
  US_TRY(const std::string library, icdLibrary());
  US_TRY(const std::string driver,
         belowAnyBase([&](const std::string &base) { return driverBelow(base, cudaDirectory); }));
  return driver + ":" + fs::path(library).parent_path().string();
}

} // namespace us::install
