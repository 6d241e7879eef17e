// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver that PyOpenCL's bundled loader finds in its own folder: the ICD of the package beside it. It has no
// platform where the loader has opened the ICD already, named by a file of the folder that it reads first ('understudy
// run', an installed package).
#include <CL/cl_icd.h>

#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <string>
#include <string_view>
#include <unistd.h>

namespace {

constexpr const char *kIcd = "libunderstudy-icd.so";

template <typename Function> Function *ofIcd(const char *name) {
  static void *const icd = dlopen(kIcd, RTLD_NOW | RTLD_LOCAL); // linked with
  return icd ? reinterpret_cast<Function *>(dlsym(icd, name)) : nullptr;
}

/// Whether it is a vendor's file that names the ICD, and that can be opened.
bool namesIcd(const std::string &file) {
  if (!file.ends_with(".icd")) return false;
  char text[4096] = "";
  if (FILE *const opened = std::fopen(file.c_str(), "re")) {
    if (std::fscanf(opened, "%4095s", text) != 1) text[0] = '\0';
    std::fclose(opened);
  }
  const std::string_view library = text;
  return library.ends_with(kIcd) && (library == kIcd || access(text, R_OK) == 0);
}

bool isNamedElsewhere() {
  const char *const chosen = secure_getenv("OCL_ICD_VENDORS");
  const std::string folder = chosen && *chosen ? chosen : "/etc/OpenCL/vendors";
  if (namesIcd(folder)) return true;
  DIR *const open = opendir(folder.c_str());
  if (!open) return false;
  bool found = false;
  while (const dirent *const entry = readdir(open)) found |= namesIcd(folder + "/" + entry->d_name);
  closedir(open);
  return found;
}

} // namespace

#define US_EXPORTED __attribute__((visibility("default")))

extern "C" {

US_EXPORTED cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
  static const bool isSilent = isNamedElsewhere();
  const auto asked = ofIcd<decltype(clIcdGetPlatformIDsKHR)>("clIcdGetPlatformIDsKHR");
  if (asked && !isSilent) return asked(room, platforms, count);
  if (count) *count = 0;
  return CL_PLATFORM_NOT_FOUND_KHR;
}

US_EXPORTED void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  if (name && std::strcmp(name, "clIcdGetPlatformIDsKHR") == 0) return reinterpret_cast<void *>(clIcdGetPlatformIDsKHR);
  const auto asked = ofIcd<decltype(clGetExtensionFunctionAddress)>("clGetExtensionFunctionAddress");
  return asked ? asked(name) : nullptr;
}

US_EXPORTED cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t room,
                                                 void *value, size_t *size) {
  const auto asked = ofIcd<decltype(clGetPlatformInfo)>("clGetPlatformInfo");
  return asked ? asked(platform, what, room, value, size) : CL_INVALID_PLATFORM;
}
}
