// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// understudy-driver-probe opencl|cuda LIBRARY [DEVICE:INODE of what is ours …]: opens a driver and writes which devices
// it has. What the driver does to this process, it does not do to the program that wants to know.
#include "runtime/forward/loader/cuda_driver.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/loader/probe_lines.h"

#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace {

using namespace us;
using namespace us::forward;

FILE *answer = nullptr;

/// A field that ends no line and no other field.
std::string field(std::string text) {
  for (char &c : text)
    if (c == '\n' || c == '\t' || c == '\r') c = ' ';
  return text;
}

void say(const char *word, const std::string &text) {
  std::fprintf(answer, "%s\t%s\n", word, text.c_str());
  std::fflush(answer); // what was said before a crash is heard
}

Expected<void> reportOpenCl(const char *library, const std::vector<std::string> &own) {
  US_TRY(const OpenedDriver driver, openDriver(library, own));
  say(kLibraryLine, field(driver.library));
  for (const DriverPlatform &platform : driver.platforms) {
    const std::string name = platformText(platform, CL_PLATFORM_NAME);
    if (name == "Understudy") return fail(ErrorCode::InvalidPlatform, "is another copy of this library");
    say(kPlatformLine, field(name + ", " + platformText(platform, CL_PLATFORM_VERSION)));
    US_TRY(const std::vector<cl_device_id> devices, devicesOf(platform));
    for (const cl_device_id device : devices) {
      const auto type = deviceValue<cl_device_type>(platform, device, CL_DEVICE_TYPE);
      say(kDeviceLine, std::to_string(type) + "\t" + field(deviceText(platform, device, CL_DEVICE_NAME)) + "\t" +
                           field(deviceText(platform, device, CL_DRIVER_VERSION)));
    }
  }
  return {};
}

Expected<void> reportCuda(const char *library, const std::vector<std::string> &own) {
  US_TRY(const OpenedCudaDriver driver, openCudaDriver(library, own));
  say(kLibraryLine, field(driver.library));
  US_TRY(const CudaDriverFacts facts, askCudaDriver(driver));
  const std::string version = cudaVersionText(facts.version);
  say(kPlatformLine, "CUDA " + version);
  for (const std::string &name : facts.devices)
    say(kDeviceLine, std::to_string(CL_DEVICE_TYPE_GPU) + "\t" + field(name) + "\tCUDA " + version);
  return {};
}

} // namespace

int main(int count, char **arguments) {
  const std::string_view api = count < 3 ? "" : arguments[1];
  if (api != kAskOpenCl && api != kAskCuda) {
    std::fputs("usage: understudy-driver-probe opencl|cuda LIBRARY [DEVICE:INODE ...]\n", stderr);
    return 2;
  }
  // Drivers write to standard output, too.
  answer = fdopen(fcntl(1, F_DUPFD_CLOEXEC, 3), "w");
  if (!answer) return 2;
  if (const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) dup2(nowhere, 1);
  const auto ask = api == kAskCuda ? reportCuda : reportOpenCl;
  if (const Expected<void> done = ask(arguments[2], {arguments + 3, arguments + count}); !done) {
    if (done.error().code != ErrorCode::DeviceNotAvailable) say(kQuietLine, {});
    say(kProblemLine, field(done.error().message));
  }
  std::fputs(kLastLine, answer);
  std::fflush(answer);
  _exit(0); // without what the driver does at the end of a process
}
