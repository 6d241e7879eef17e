// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is wrong with what the host does, as a value, and who is told.
#pragma once

#include "runtime/device/call_site.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace us {

/// Whoever looks at what the host does asks which of it is wanted.
enum class HostCheck : uint8_t {
  Use,   ///< of the API
  Leaks, ///< what is still there when the process ends
  Races, ///< between commands
};

struct HostFinding {
  HostCheck check = HostCheck::Use;
  std::string kind;     ///< "use after release": a few words, the same for all of the kind
  std::string sentence; ///< for a person
  const CallSite *where = nullptr;
  std::vector<std::pair<std::string, const CallSite *>> others = {}; ///< "made", "released"; null: not known
  const CallSite *second = nullptr;                                  ///< the other side of a race
  bool isLate = false;                                               ///< none of the program's code may run any more
  /// Hears of it, too, the first time: the sentence, and all of it as JSON. On the calling thread, with no lock held.
  std::function<void(const std::string &, const std::string &)> alsoTold = {};
};

/// All functions are thread-safe and may be called until the process's last exit handler has run. Call them with no
/// lock held.
class HostFindings {
public:
  virtual ~HostFindings() = default;
  virtual bool wants(HostCheck check) const = 0;
  virtual void tell(const HostFinding &finding) = 0;
  /// What will perhaps be told of when the process ends: its lines are looked for now, as there is no other time.
  virtual void prepare(const CallSite &site) = 0;
};

} // namespace us
