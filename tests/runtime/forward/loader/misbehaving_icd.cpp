// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver that goes wrong as US_TEST_ICD says. Without it, it has one platform with one device that does nothing.
#include <CL/cl_icd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <unistd.h>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

bool is(const char *word) {
  const char *const wanted = std::getenv("US_TEST_ICD");
  return wanted && std::string_view(wanted) == word;
}

void hang() {
  for (;;) pause();
}

// At dlopen.
__attribute__((constructor)) void load() {
  if (is("crashes when it is opened")) std::raise(SIGSEGV);
  if (is("hangs when it is opened")) hang();
  if (is("exits when it is opened")) _exit(7);
}

cl_icd_dispatch table;
struct Object {
  cl_icd_dispatch *dispatch;
};
Object platform{&table}, device{&table}, nothing{nullptr};

cl_int CL_API_CALL getPlatformInfo(cl_platform_id, cl_platform_info what, size_t size, void *value, size_t *needed) {
  const char *text = what == CL_PLATFORM_VERSION ? "OpenCL 1.2 test" : "Misbehaving\nplatform\twith breaks";
  if (is("has endless names")) {
    if (needed) *needed = ~size_t{0};
    return CL_SUCCESS;
  }
  if (needed) *needed = std::strlen(text) + 1;
  if (value && size) std::snprintf(static_cast<char *>(value), size, "%s", text);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getDeviceIDs(cl_platform_id, cl_device_type, cl_uint entries, cl_device_id *into, cl_uint *count) {
  if (is("crashes when it is asked for devices")) std::abort();
  if (is("hangs when it is asked for devices")) hang();
  if (is("takes its time")) usleep(500'000);
  if (count) *count = is("has four billion devices") ? 0xffffffffu : 1;
  if (into && entries) *into = is("has a device that is NULL") ? nullptr : reinterpret_cast<cl_device_id>(&device);
  return CL_SUCCESS;
}

cl_int CL_API_CALL getDeviceInfo(cl_device_id, cl_device_info what, size_t size, void *value, size_t *needed) {
  if (what == CL_DEVICE_TYPE) {
    const cl_device_type type = CL_DEVICE_TYPE_GPU;
    if (value && size >= sizeof type) std::memcpy(value, &type, sizeof type);
    if (needed) *needed = sizeof type;
    return CL_SUCCESS;
  }
  const char *text = what == CL_DEVICE_NAME ? "Nothing" : what == CL_DEVICE_VERSION ? "OpenCL 1.2 test" : "0.1";
  if (needed) *needed = std::strlen(text) + 1;
  if (value && size) std::snprintf(static_cast<char *>(value), size, "%s", text);
  return CL_SUCCESS;
}

cl_int CL_API_CALL icdGetPlatformIDs(cl_uint entries, cl_platform_id *into, cl_uint *count) {
  if (is("has no device")) return CL_PLATFORM_NOT_FOUND_KHR;
  if (is("fails")) return CL_OUT_OF_HOST_MEMORY;
  if (is("writes to standard output")) {
    std::puts("device\t4\tForged\t1");
    std::puts("end");
    std::fflush(stdout);
    std::raise(SIGKILL);
  }
  table.clGetPlatformInfo = getPlatformInfo;
  table.clGetDeviceIDs = getDeviceIDs;
  table.clGetDeviceInfo = getDeviceInfo;
  if (count) *count = is("has four billion platforms") ? 0xffffffffu : 1;
  if (into && entries)
    *into = reinterpret_cast<cl_platform_id>(is("has a platform without functions") ? &nothing : &platform);
  return CL_SUCCESS;
}

} // namespace

US_EXPORT void *clGetExtensionFunctionAddress(const char *name) {
  if (is("is for no loader") || std::strcmp(name, "clIcdGetPlatformIDsKHR") != 0) return nullptr;
  return reinterpret_cast<void *>(&icdGetPlatformIDs);
}
