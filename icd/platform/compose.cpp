// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The policy: which devices there are, in which order, and who runs them. docs/real-devices.md says it to users.
#include "icd/platform/compose.h"

#include "emulator/device/emulated_devices.h"
#include "icd/platform/comparison.h"
#include "icd/platform/drivers.h"
#include "runtime/base/log.h"
#include "runtime/forward/loader/cuda_driver.h"
#include "runtime/forward/loader/driver_library.h"
#include "runtime/forward/loader/vendor_files.h"

#include <algorithm>

namespace us::platform {
namespace {

Expected<DeviceChoice> choiceFrom(const std::string &text) {
  // Nearly always no profile is named, and reading their facts takes most of a millisecond.
  if (Expected<DeviceChoice> plain = parseDeviceChoice(text, {})) return plain;
  std::vector<std::string> known;
  for (auto &[word, title] : knownDevices()) known.push_back(word);
  return parseDeviceChoice(text, known);
}

DeviceChoice choiceOf(const Options &options) {
  Expected<DeviceChoice> choice = choiceFrom(options.deviceChoice);
  if (choice) return *std::move(choice);
  notice("UNDERSTUDY_DEVICES: " + choice.error().message + "; its default is used");
  DeviceChoice automatic;
  automatic.isAutomatic = true;
  return automatic;
}

// What is made here is never destroyed: calls arrive during process exit, after static objects are gone.

const DeviceChoice &theChoice() {
  static const auto &choice = *new DeviceChoice(choiceOf(options()));
  return choice;
}

ComparisonChoice comparisonOf(const Options &options) {
  Expected<ComparisonChoice> choice = parseComparison(options);
  if (choice) return *std::move(choice);
  notice("UNDERSTUDY_DIFF: " + choice.error().message + "; nothing is compared");
  return {};
}

const ComparisonChoice &theComparison() {
  static const auto &choice = *new ComparisonChoice(comparisonOf(options()));
  return choice;
}

std::vector<Ref<Device>> emulatedDevicesFrom(Options asked) {
  asked.devices = theChoice().emulatedCount;
  if (!theChoice().pretended.empty()) asked.device = theChoice().pretended;
  return emulator::createDevices(asked);
}

/// As they are, whether they are listed or not.
const std::vector<Ref<Device>> &plainEmulatedDevices() {
  static const auto &devices = *new std::vector<Ref<Device>>(emulatedDevicesFrom(options()));
  return devices;
}

/// As programs see them.
const std::vector<Ref<Device>> &everyEmulatedDevice() {
  static const auto &devices = *[] {
    const ComparisonChoice &comparison = theComparison();
    return new std::vector<Ref<Device>>(
        comparison.ofEmulated
            ? compared(plainEmulatedDevices(), emulatedDevicesFrom(comparison.candidate), comparison.rules)
            : plainEmulatedDevices());
  }();
  return devices;
}

bool hasSource(const DeviceChoice &choice, DeviceSource source) {
  return std::ranges::find(choice.sources, source) != choice.sources.end();
}

std::vector<Ref<Device>> compose(const DeviceChoice &choice) {
  // Where only real devices are listed, our compiler still tells what their kernels' arguments are.
  const std::vector<Ref<Device>> &emulated = everyEmulatedDevice(), &plain = plainEmulatedDevices();
  const Ref<Device> describer =
      !plain.empty() && plain.front()->info().compilerAvailable ? plain.front() : Ref<Device>();
  std::vector<Ref<Device>> real = openRealDevices(judgeDrivers(choice, options()), options(), describer);
  if (theComparison().ofReal) real = compared(real, plain, theComparison().rules);
  std::vector<DeviceSource> sources = choice.sources;
  if (choice.isAutomatic) sources = {real.empty() ? DeviceSource::Emulated : DeviceSource::Real};
  std::vector<Ref<Device>> all;
  for (const DeviceSource source : sources) {
    const std::vector<Ref<Device>> &from = source == DeviceSource::Real ? real : emulated;
    all.insert(all.end(), from.begin(), from.end());
  }
  if (theComparison().ofReal && real.empty())
    notice("there is no real device whose launches could be compared with an emulated one's; tier=fiber, say, compares "
           "two emulated ones");
  if (all.empty())
    notice("there is no real device that could be used, and no other was asked for; 'understudy info' says why");
  return all;
}

CudaSides composeCuda(const DeviceChoice &choice) {
  CudaSides sides;
  for (const DriverVerdict &verdict : judgeCudaDrivers(choice, options())) {
    if (verdict.isTold) notice(forward::sentenceOf(verdict.report));
    if (!verdict.why.empty()) continue;
    sides.driver = verdict.report.library;
    sides.driverDevices = int(verdict.report.devices.size());
  }
  sides.hasNeighbors = options().forward != "none" && mayHaveCudaDriver(options());
  // Programs that find our library find no other: what they do not see through it they do not see.
  if (choice.isAutomatic) {
    sides.order = {sides.driver.empty() ? CudaSide::Emulated : CudaSide::Real};
    return sides;
  }
  for (const DeviceSource source : choice.sources)
    if (source == DeviceSource::Emulated)
      sides.order.push_back(CudaSide::Emulated);
    else if (!sides.driver.empty())
      sides.order.push_back(CudaSide::Real);
  // Without a driver it is ours that says that there is no device.
  if (!sides.order.empty()) return sides;
  notice("there is no CUDA driver that could be used, and no other device was asked for; 'understudy info' says why");
  sides.order.push_back(CudaSide::Emulated);
  return sides;
}

DriverLine lineOf(const DriverVerdict &verdict) {
  const forward::DriverReport &report = verdict.report;
  DriverLine line{report.library, report.file,      verdict.why.empty() ? "used" : verdict.why,
                  verdict.isTold, report.platforms, {}};
  for (const forward::DriverDevice &device : report.devices)
    line.devices.push_back(device.name + ", driver " + device.driverVersion);
  return line;
}

} // namespace

const std::vector<Ref<Device>> &devices() {
  static const auto &all = *new std::vector<Ref<Device>>(compose(theChoice()));
  return all;
}

const std::vector<Ref<Device>> &emulatedDevices() {
  static const auto &none = *new std::vector<Ref<Device>>;
  const DeviceChoice &choice = theChoice();
  return choice.isAutomatic || hasSource(choice, DeviceSource::Emulated) ? everyEmulatedDevice() : none;
}

const CudaSides &cudaSides() {
  static const auto &sides = *new CudaSides(composeCuda(theChoice()));
  return sides;
}

bool mayListRealCudaOnly(const Options &options) {
  if (options.forward == "none") return false;
  const DeviceChoice choice = choiceOf(options);
  if (choice.isAutomatic) return mayHaveCudaDriver(options);
  return hasSource(choice, DeviceSource::Real) && !hasSource(choice, DeviceSource::Emulated);
}

Expected<void *> openCudaDriver(const std::string &library) {
  US_TRY(const forward::OpenedCudaDriver driver, forward::openCudaDriver(library, forward::ownLibraries()));
  return driver.handle;
}

const std::vector<PassedDriver> &passedDrivers() {
  static const auto &all = *[] {
    DeviceChoice real;
    real.sources = {DeviceSource::Real};
    auto *const passed = new std::vector<PassedDriver>;
    for (forward::OpenedDriver &driver : openDrivers(judgeDrivers(real, options()))) {
      PassedDriver one{driver.extension, {}};
      for (const forward::DriverPlatform &each : driver.platforms) one.platforms.push_back(each.id);
      passed->push_back(std::move(one));
    }
    if (passed->empty()) notice("there is no driver to pass through; 'understudy doctor' says why");
    return passed;
  }();
  return all;
}

std::vector<std::pair<std::string, std::string>> knownDevices() { return emulator::knownDevices(); }

Expected<void> checkDeviceChoice(const std::string &text) {
  US_CHECK(choiceFrom(text));
  return {};
}

std::vector<SeenDriver> seenDrivers() {
  std::vector<SeenDriver> seen;
  const std::vector<std::string> own = forward::ownLibraries();
  for (const forward::Candidate &one : forward::visibleDrivers(forward::vendorPlaces())) {
    const bool isOurs = std::ranges::find(own, forward::fileIdentity(one.library)) != own.end();
    seen.push_back({one.file, one.library, one.problem, isOurs});
  }
  return seen;
}

Expected<void> checkComparison(const Options &options) {
  US_CHECK(parseComparison(options));
  return {};
}

Expected<void> checkTarget(const Options &options) { return emulator::checkTarget(options); }

std::vector<DriverLine> drivers() {
  std::vector<DriverLine> lines;
  for (const DriverVerdict &verdict : judgeDrivers(theChoice(), options(), true)) lines.push_back(lineOf(verdict));
  const std::vector<DriverVerdict> cuda = judgeCudaDrivers(theChoice(), options(), true);
  const auto good =
      std::ranges::find_if(cuda, [](const DriverVerdict &verdict) { return verdict.report.problem.empty(); });
  for (const DriverVerdict &verdict : cuda) {
    DriverLine &line = lines.emplace_back(lineOf(verdict));
    // A process has one CUDA driver, and machines have files of others: a compiler's, a newer one for other GPUs.
    if (!line.isBroken || good == cuda.end()) continue;
    line.isBroken = false;
    line.state += " (" + good->report.library + " can be used)";
  }
  return lines;
}

} // namespace us::platform
