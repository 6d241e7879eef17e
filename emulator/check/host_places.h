// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of the host's program: from the addresses of a CallSite to places in its sources.
#pragma once

#include "emulator/abi/compiler_api.h"
#include "emulator/check/found_place.h"
#include "runtime/device/call_site.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace us::check {

class HostPlaces {
public:
  /// Who looks: the lines of an address, as the file that was mapped there counts, innermost first.
  using Lines = std::vector<abi::SourceLine> (*)(const std::string &file, uint64_t address);
  explicit HostPlaces(Lines lines) : lines_(lines) {}

  /// The place of the call in the program, and who called there: innermost first. Only what is known; what lies between
  /// the program and the runtime (a loader, a binding, headers of the system) is left out where there is anything else.
  const std::vector<FoundPlace> &of(const CallSite &site);
  /// "clFinish at main.c:12, in 'main'"; "somewhere" in place of what is not known.
  std::string textOf(const CallSite &site);

private:
  const Lines lines_; ///< null: nobody
  std::mutex mutex_;  ///< guards places_; those in it stay
  std::map<const CallSite *, std::vector<FoundPlace>> places_;
};

/// "main.c:12, in 'main'".
std::string textOf(const FoundPlace &place);

} // namespace us::check
