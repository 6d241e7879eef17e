// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/doctor.h"

#include "icd/install/vendors_directory.h"
#include "icd/platform/compose.h"
#include "runtime/base/cache_directory.h"
#include "runtime/base/options.h"
#include "runtime/base/private_folder.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace us::install {
namespace {

/// Lines for a person, and whether one of them is bad.
class Findings {
public:
  void good(const std::string &sentence) { std::printf("ok     %s\n", sentence.c_str()); }
  void wrong(const std::string &sentence) {
    std::printf("wrong  %s\n", sentence.c_str());
    ++wrong_;
  }
  int finish() const {
    if (wrong_ == 0) std::printf("nothing is wrong\n");
    return wrong_ == 0 ? 0 : 1;
  }

private:
  int wrong_ = 0;
};

/// The library that a program opens by that name: as this process would, or with a folder before all others. Empty: it
/// finds none. Asked in a process of its own, since the dynamic linker reads its environment once.
std::string openedLibrary(const std::string &name, const std::string &folder) {
  int ends[2];
  if (pipe(ends) != 0) return {};
  std::string path = folder;
  if (const char *const others = secure_getenv("LD_LIBRARY_PATH"); others && *others)
    path += (path.empty() ? "" : ":") + std::string(others);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (!folder.empty()) setenv("LD_LIBRARY_PATH", path.c_str(), 1);
    execl("/proc/self/exe", "understudy", "doctor", "--library", name.c_str(), nullptr);
    _exit(1);
  }
  close(ends[1]);
  std::string found;
  char bytes[512];
  for (ssize_t count; (count = read(ends[0], bytes, sizeof bytes)) != 0;) {
    if (count > 0) found.append(bytes, static_cast<size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  close(ends[0]);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  while (!found.empty() && found.back() == '\n') found.pop_back();
  return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? found : std::string();
}

void examineLibraries(Findings &findings) {
  const std::string loader = openedLibrary("libOpenCL.so.1", {});
  if (loader.empty())
    findings.wrong(
        "a program finds no libOpenCL.so.1: OpenCL needs a loader (ocl-icd-libopencl1 in Debian and Ubuntu)");
  else
    findings.good("libOpenCL.so.1 is " + loader);
  const std::string cuda = openedLibrary("libcuda.so.1", {}), folder = cudaDirectory();
  findings.good("libcuda.so.1 is " + (cuda.empty() ? "nowhere" : cuda) + " without 'understudy run'");
  const std::string ours = folder.empty() ? std::string() : openedLibrary("libcuda.so.1", folder);
  if (folder.empty())
    findings.good("our libcuda.so.1 is not installed");
  else if (ours.empty())
    findings.wrong("libcuda.so.1 in " + folder + " cannot be opened");
  else
    findings.good("libcuda.so.1 is " + ours + " under 'understudy run'");
}

void examineVendors(Findings &findings) {
  for (const char *name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH", "OCL_ICD_FILENAMES"})
    if (const char *const value = secure_getenv(name); value && *value)
      findings.good(std::string(name) + " is " + value + ": loaders look there");
  bool hasOurs = false;
  const std::vector<platform::SeenDriver> seen = platform::seenDrivers();
  for (const platform::SeenDriver &driver : seen) {
    const std::string where = driver.file.empty() ? std::string() : ", named by " + driver.file;
    hasOurs |= driver.isOurs;
    if (!driver.problem.empty())
      findings.wrong("a loader cannot use " + (driver.library.empty() ? driver.file : driver.library + where) +
                     ": it " + driver.problem);
    else
      findings.good("a loader opens " + driver.library + where + (driver.isOurs ? " (this is ours)" : ""));
  }
  if (seen.empty()) findings.wrong("a loader sees no driver at all: no vendor's file names one");
  if (!hasOurs)
    findings.good("a loader does not see us: programs do under 'understudy run', or once our .icd is installed");
}

void examineDrivers(Findings &findings) {
  for (const platform::DriverLine &driver : platform::drivers()) {
    std::string sentence = "driver " + (driver.library.empty() ? driver.file : driver.library) + ": " + driver.state;
    for (const std::string &device : driver.devices) sentence += "; has " + device;
    driver.isBroken ? findings.wrong(sentence) : findings.good(sentence);
  }
}

void examineOurs(Findings &findings) {
  const Expected<std::string> library = icdLibrary();
  if (!library) return findings.wrong("our OpenCL library is missing: " + library.error().message);
  void *const opened = dlopen(library->c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!opened) {
    const char *const why = dlerror();
    return findings.wrong("our OpenCL library cannot be opened: " + std::string(why ? why : library->c_str()));
  }
  findings.good("our OpenCL library opens: " + *library);
  const std::vector<Ref<Device>> &devices = platform::devices();
  if (devices.empty()) findings.wrong("our platform has no device");
  for (const Ref<Device> &device : devices) findings.good("our platform has the device " + device->info().name);
}

void examineNodes(Findings &findings) {
  const std::vector<std::string> nodes = platform::gpuNodes();
  if (nodes.empty()) findings.good("the kernel shows no GPU: no driver of one is loaded, or this container has none");
  for (const std::string &node : nodes) {
    if (access(node.c_str(), R_OK | W_OK) == 0)
      findings.good(node + " can be read and written");
    else
      findings.wrong(node + " cannot be read and written by this user: " + std::strerror(errno) +
                     "; its group often has to be joined (video, render)");
  }
}

void examineCache(Findings &findings) {
  if (!options().cache) return findings.good("the cache is switched off");
  // As whoever compiles a kernel opens it, who makes it where it is missing.
  const std::string directory = cacheDirectory(options());
  const auto folder = PrivateFolder::open(directory);
  if (!folder)
    findings.wrong("compiled kernels are not kept: " + folder.error().message);
  else if (faccessat(folder->descriptor(), ".", W_OK, 0) != 0)
    findings.wrong("compiled kernels are not kept: " + directory + " cannot be written: " + std::strerror(errno));
  else
    findings.good("compiled kernels are kept in " + directory);
}

} // namespace

int reportHealth() {
  Findings findings;
  examineLibraries(findings);
  examineVendors(findings);
  examineDrivers(findings);
  examineOurs(findings);
  examineNodes(findings);
  examineCache(findings);
  return findings.finish();
}

int reportLibrary(const std::string &name) {
  void *const opened = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  link_map *map = nullptr;
  if (!opened || dlinfo(opened, RTLD_DI_LINKMAP, &map) != 0) return 1;
  std::printf("%s\n", map->l_name);
  std::fflush(stdout);
  // No destructor of a driver need run: it was asked for nothing.
  _exit(0);
}

} // namespace us::install
