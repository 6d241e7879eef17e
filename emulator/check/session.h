// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The findings of a process: each told once, when it first occurs; how often each did, at the end.
#pragma once

#include "emulator/check/host_places.h"
#include "emulator/check/launch_findings.h"
#include "runtime/device/host_findings.h"

#include <functional>
#include <map>
#include <mutex>
#include <string>

namespace us {
class CommandObserver;
}

namespace us::check {

class Session final : public HostFindings {
public:
  /// `report`: the file that receives lines of JSON (README.md); empty: sentences go to standard error. `lines`: who
  /// finds lines of the host's program.
  Session(abi::CheckSet checks, std::string report, HostPlaces::Lines lines);

  /// What kernels' code checks.
  abi::CheckSet checks() const { return checks_ & ~abi::kHostChecks; }
  /// The first one is told.
  void deviceMade(const std::string &name);
  /// A launch has ended that was enqueued there (null: not known); `observer` is told what is new.
  void launched(const std::string &kernel, uint64_t workItems, std::vector<CheckFinding> findings,
                const CallSite *enqueuedAt, CommandObserver *observer);
  /// A launch that did not come to run.
  void refused(const CheckFinding &found);

  bool wants(HostCheck check) const override;
  void tell(const HostFinding &finding) override;
  void prepare(const CallSite &site) override { (void)places_.of(site); }

  /// What is told when the process ends.
  void end();

private:
  struct Count {
    uint64_t items = 0, launches = 0;
  };
  void addSites(CheckFinding &found, const CallSite *enqueuedAt);
  CheckFinding describe(const HostFinding &told);
  void say(const CheckFinding &found, uint64_t launch) const;
  using Listener = std::function<void(const std::string &sentence, const std::string &json)>;
  void tellProgram(const CheckFinding &found, uint64_t launch, const Listener &listener) const;
  void write(std::string line) const;

  const abi::CheckSet checks_;
  const std::string report_;
  HostPlaces places_;
  std::mutex mutex_; ///< guards all below
  bool hasBegun_ = false;
  uint64_t launches_ = 0, workItems_ = 0;
  std::map<std::string, uint64_t> kernels_; ///< launches of each
  std::map<std::string, Count> counts_;     ///< by key
};

} // namespace us::check
