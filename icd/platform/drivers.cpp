// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/platform/drivers.h"

#include "runtime/base/log.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/loader/vendor_files.h"
#include "runtime/forward/opencl/forwarded_devices.h"

#include <algorithm>
#include <filesystem>
#include <string_view>

namespace us::platform {
namespace {

using forward::Candidate;

/// What the kernel shows to programs where it drives a GPU: without any of them there is none, and no driver is asked.
bool mayHaveGpu() {
  std::error_code error;
  for (const char *node : {"/dev/nvidiactl", "/dev/kfd", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0"})
    if (std::filesystem::exists(node, error)) return true;
  for (std::filesystem::directory_iterator at("/dev/dri", error), end; !error && at != end; at.increment(error))
    if (at->path().filename().string().starts_with("render")) return true;
  return false;
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

} // namespace

std::vector<DriverVerdict> judgeDrivers(const DeviceChoice &choice, const Options &options, bool isForReport) {
  std::vector<DriverVerdict> verdicts;
  const bool isNamed = !options.forward.empty();
  const bool wantsReal =
      choice.isAutomatic || std::ranges::find(choice.sources, DeviceSource::Real) != choice.sources.end();
  if (options.forward == "none" || (!isForReport && !wantsReal)) return verdicts;
  if (!isForReport && !isNamed && choice.isAutomatic && !mayHaveGpu()) return verdicts;

  const forward::VendorPlaces places = forward::vendorPlaces();
  const std::vector<Candidate> visible = forward::visibleDrivers(places);
  std::vector<Candidate> candidates = isNamed ? forward::namedDrivers(options.forward, places) : visible;
  if (!isNamed)
    for (Candidate &one : forward::systemDrivers(places))
      if (!contains(candidates, one)) candidates.push_back(std::move(one));

  forward::ProbeSettings settings;
  settings.milliseconds = std::max<uint64_t>(options.forwardLimit, 1);
  for (const Candidate &candidate : candidates) {
    DriverVerdict verdict;
    // Asked by nobody else, so that a process that does not need it does not wait for it.
    const bool isSeenAnyway = !isNamed && choice.isAutomatic && contains(visible, candidate);
    if (isSeenAnyway && !isForReport) continue;
    verdict.report = forward::probe(candidate, settings);
    const forward::DriverReport &report = verdict.report;
    if (!report.problem.empty()) {
      verdict.why = "passed over: it " + report.problem;
      verdict.isTold = !report.isQuiet;
    } else if (!wantsReal) {
      verdict.why = "not used: only emulated devices were asked for";
    } else if (isSeenAnyway) {
      verdict.why = "not used: programs see its devices without us; real or both list them here, too";
    } else if (!isNamed && std::ranges::none_of(report.devices, &forward::DriverDevice::accelerates)) {
      verdict.why = "not used: it has no GPU; UNDERSTUDY_FORWARD takes it by name";
    }
    verdicts.push_back(std::move(verdict));
  }
  return verdicts;
}

std::vector<Ref<Device>> openRealDevices(const std::vector<DriverVerdict> &verdicts, const Options &options,
                                         const Ref<Device> &describer) {
  std::vector<Ref<Device>> found;
  for (const DriverVerdict &verdict : verdicts) {
    if (verdict.isTold) notice(forward::sentenceOf(verdict.report));
    if (!verdict.why.empty()) continue;
    forward::ForwardRequest request{verdict.report.library, {}, describer};
    if (options.forward.empty())
      request.wants = [](const DeviceInfo &info) {
        return info.type == DeviceType::Gpu || info.type == DeviceType::Accelerator;
      };
    Expected<std::vector<Ref<Device>>> devices = forward::openDevices(request);
    if (!devices) {
      forward::DriverReport broken = verdict.report;
      broken.problem = devices.error().message;
      notice(forward::sentenceOf(broken));
      continue;
    }
    found.insert(found.end(), devices->begin(), devices->end());
  }
  return found;
}

} // namespace us::platform
