// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/vendors_directory.h"

#include "runtime/base/cache_directory.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace us::install {
namespace fs = std::filesystem;
namespace {

/// Writes `text` into `path` unless it is there already; by rename, because other processes read it.
bool writeOnce(const fs::path &path, const std::string &text) {
  std::error_code error;
  fs::create_directories(path.parent_path(), error);
  if (error) return false;
  std::ifstream present(path);
  if (std::string found; std::getline(present, found) && found + "\n" == text) return true;
  fs::path temporary = path;
  temporary += "." + std::to_string(getpid());
  std::ofstream file(temporary);
  file << text;
  file.close();
  if (!file) return false;
  fs::rename(temporary, path, error);
  return !error;
}

/// In a folder that somebody else can write, programs would be shown somebody else's library.
bool isOurs(const fs::path &directory) {
  struct stat status;
  return lstat(directory.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & S_IWOTH) == 0;
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
  const std::string name = "vendors-" + std::to_string(std::hash<std::string>()(library));
  std::error_code error;
  const fs::path temporary = fs::temp_directory_path(error) / ("understudy-" + std::to_string(getuid()));
  for (const fs::path &base : {fs::path(userCacheDirectory()), temporary})
    if (!base.empty() && writeOnce(base / name / "understudy.icd", library + "\n") && isOurs(base))
      return (base / name).string();
  return fail(ErrorCode::OutOfResources, "neither the cache directory nor the temporary directory can be written");
}

} // namespace us::install
