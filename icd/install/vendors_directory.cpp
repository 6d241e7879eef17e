// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/vendors_directory.h"

#include "runtime/base/cache_directory.h"
#include "runtime/base/private_folder.h"

#include <cerrno>
#include <cstring>
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
  std::string reasons;
  for (const std::string &base : {userCacheDirectory(), userTemporaryDirectory()}) {
    if (base.empty()) continue;
    Expected<std::string> made = vendorsBelow(base, library);
    if (made) return made;
    reasons += (reasons.empty() ? "" : "; ") + made.error().message;
  }
  return fail(ErrorCode::OutOfResources, "there is no folder of your own to name the library in: " + reasons);
}

} // namespace us::install
