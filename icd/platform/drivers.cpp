// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/platform/drivers.h"

#include "icd/platform/compose.h"
#include "runtime/base/list_text.h"
#include "runtime/base/log.h"
#include "runtime/forward/loader/cuda_libraries.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/loader/vendor_files.h"
#include "runtime/forward/opencl/forwarded_devices.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string_view>

namespace us::platform {
namespace {

using forward::Candidate;

bool exists(const char *node) {
  std::error_code error;
  return std::filesystem::exists(node, error);
}

// What the kernel shows to programs where it drives a GPU: without any of them there is none, and no driver is asked.

/// Those of machines that CUDA's driver runs on: PCs and servers, Linux on Windows, boards.
constexpr const char *kCudaNodes[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-gpu", "/dev/nvhost-ctrl-gpu",
                                      "/dev/nvgpu"};
constexpr const char *kOtherNodes[] = {"/dev/kfd", "/dev/mali0", "/dev/kgsl-3d0"};

std::vector<std::string> nodesIn(const char *folder, std::string_view beginning) {
  std::vector<std::string> nodes;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with(beginning)) nodes.push_back(at->path().string());
  return nodes;
}

bool mayHaveCudaGpu() { return std::ranges::any_of(kCudaNodes, exists); }

bool mayHaveGpu() {
  return mayHaveCudaGpu() || std::ranges::any_of(kOtherNodes, exists) || !nodesIn("/dev/dri", "render").empty();
}

/// Two names of one library; a bare name is the library that the dynamic linker finds.
bool isSame(const Candidate &a, const Candidate &b) {
  if (!a.problem.empty() || !b.problem.empty()) return a.file == b.file && a.library == b.library;
  if (a.library == b.library) return true;
  const std::string identity = forward::fileIdentity(a.library);
  return !identity.empty() && identity == forward::fileIdentity(b.library);
}

bool contains(const std::vector<Candidate> &list, const Candidate &one) {
  return std::ranges::any_of(list, [&](const Candidate &other) { return isSame(one, other); });
}

bool wantsRealDevices(const DeviceChoice &choice) {
  return choice.isAutomatic || std::ranges::find(choice.sources, DeviceSource::Real) != choice.sources.end();
}

/// What is said of a driver that cannot be used, or that nobody wants; empty: neither is so.
void judge(DriverVerdict &verdict, bool wantsReal) {
  const forward::DriverReport &report = verdict.report;
  if (!report.problem.empty()) {
    verdict.why = "passed over: it " + report.problem;
    verdict.isTold = !report.isQuiet;
  } else if (!wantsReal) {
    verdict.why = "not used: only emulated devices were asked for";
  }
}

/// Says what is wrong with drivers that are broken, and calls `open` with the library of each that was found good,
/// which may turn out to be broken then.
template <class Open> void openEach(const std::vector<DriverVerdict> &verdicts, Open open) {
  for (const DriverVerdict &verdict : verdicts) {
    if (verdict.isTold) notice(forward::sentenceOf(verdict.report));
    if (!verdict.why.empty()) continue;
    const Expected<void> opened = open(verdict.report.library);
    if (opened) continue;
    forward::DriverReport broken = verdict.report;
    broken.problem = opened.error().message;
    notice(forward::sentenceOf(broken));
  }
}

} // namespace

std::vector<DriverVerdict> judgeDrivers(const DeviceChoice &choice, const Options &options, bool isForReport) {
  std::vector<DriverVerdict> verdicts;
  const bool isNamed = !options.forward.empty();
  const bool wantsReal = wantsRealDevices(choice);
  if (options.forward == "none" || (!isForReport && !wantsReal)) return verdicts;
  if (!isForReport && !isNamed && choice.isAutomatic && !mayHaveGpu()) return verdicts;

  const forward::VendorPlaces places = forward::vendorPlaces();
  const std::vector<Candidate> visible = forward::visibleDrivers(places);
  std::vector<Candidate> candidates = isNamed ? forward::namedDrivers(options.forward, places) : visible;
  if (!isNamed)
    for (Candidate &one : forward::systemDrivers(places))
      if (!contains(candidates, one)) candidates.push_back(std::move(one));

  forward::ProbeSettings settings;
  settings.milliseconds = options.forwardLimit;
  for (const Candidate &candidate : candidates) {
    DriverVerdict verdict;
    // Asked by nobody else, so that a process that does not need it does not wait for it.
    const bool isSeenAnyway = !isNamed && choice.isAutomatic && contains(visible, candidate);
    if (isSeenAnyway && !isForReport) continue;
    verdict.report = forward::probe(candidate, settings);
    judge(verdict, wantsReal);
    if (verdict.why.empty() && isSeenAnyway)
      verdict.why = "not used: programs see its devices without us; real or both list them here, too";
    const bool hasGpu = std::ranges::any_of(verdict.report.devices, &forward::DriverDevice::accelerates);
    if (verdict.why.empty() && !isNamed && !hasGpu)
      verdict.why = "not used: it has no GPU; UNDERSTUDY_FORWARD takes it by name";
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

std::vector<std::string> gpuNodes() {
  std::vector<std::string> nodes(std::begin(kCudaNodes), std::end(kCudaNodes));
  nodes.insert(nodes.end(), std::begin(kOtherNodes), std::end(kOtherNodes));
  for (const auto &[folder, beginning] : {std::pair("/dev", "nvidia"), std::pair("/dev/dri", "render")})
    std::ranges::move(nodesIn(folder, beginning), std::back_inserter(nodes));
  std::ranges::sort(nodes);
  const auto twice = std::ranges::unique(nodes);
  nodes.erase(twice.begin(), twice.end());
  // Some are folders.
  std::error_code error;
  std::erase_if(nodes, [&](const std::string &node) { return !std::filesystem::is_character_file(node, error); });
  return nodes;
}

bool mayHaveCudaDriver(const Options &options) {
  for (std::string_view rest = options.forward; !rest.empty();)
    if (forward::isCudaItem(takeItem(rest, ","))) return true;
  return mayHaveCudaGpu();
}

std::vector<DriverVerdict> judgeCudaDrivers(const DeviceChoice &choice, const Options &options, bool isForReport) {
  std::vector<DriverVerdict> verdicts;
  const bool isNamed = !options.forward.empty();
  const bool wantsReal = wantsRealDevices(choice);
  if (options.forward == "none" || (!isForReport && !wantsReal)) return verdicts;
  if (!isForReport && choice.isAutomatic && !mayHaveCudaDriver(options)) return verdicts;

  const forward::CudaPlaces places = forward::cudaPlaces();
  forward::ProbeSettings settings;
  settings.api = forward::DriverApi::Cuda;
  settings.milliseconds = options.forwardLimit;
  // Where both kinds are listed, which of them the program sees is decided for both together.
  settings.isUnfiltered = choice.sources.size() > 1;
  bool isFound = false;
  for (const Candidate &candidate :
       isNamed ? forward::namedCudaDrivers(options.forward, places) : forward::cudaDrivers(places)) {
    DriverVerdict verdict;
    verdict.report = forward::probe(candidate, settings);
    judge(verdict, wantsReal);
    if (verdict.why.empty() && isFound) verdict.why = "not used: a process has one CUDA driver, and another came first";
    isFound = isFound || verdict.why.empty();
    verdicts.push_back(std::move(verdict));
    if (isFound && !isForReport) break;
  }
  return verdicts;
}

std::vector<forward::OpenedDriver> openDrivers(const std::vector<DriverVerdict> &verdicts) {
  std::vector<forward::OpenedDriver> opened;
  openEach(verdicts, [&](const std::string &library) -> Expected<void> {
    US_TRY(forward::OpenedDriver driver, forward::openDriver(library, forward::ownLibraries()));
    opened.push_back(std::move(driver));
    return {};
  });
  return opened;
}

std::vector<Ref<Device>> openRealDevices(const std::vector<DriverVerdict> &verdicts, const Options &options,
                                         const Ref<Device> &describer) {
  std::vector<Ref<Device>> found;
  openEach(verdicts, [&](const std::string &library) -> Expected<void> {
    forward::ForwardRequest request{library, {}, describer};
    if (options.forward.empty())
      request.wants = [](const DeviceInfo &info) {
        return info.type == DeviceType::Gpu || info.type == DeviceType::Accelerator;
      };
    US_TRY(const std::vector<Ref<Device>> devices, forward::openDevices(request));
    found.insert(found.end(), devices.begin(), devices.end());
    return {};
  });
  return found;
}

} // namespace us::platform
