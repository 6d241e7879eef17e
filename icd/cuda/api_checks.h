// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What entry points tell of what the program does with memory, where somebody wants to hear what is wrong with it: the
// classes `api` and `leaks` of `understudy check`.
#pragma once

#include "icd/cuda/memory.h"
#include "icd/cuda/stream_checks.h"
#include "runtime/device/host_findings.h"

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace us::cuda {

class ApiChecks {
public:
  /// From now on apiChecks() is there. Once in a process.
  static void begin(HostFindings &findings);
  /// From where the program has made the call in progress.
  static const CallSite *site();
  static void noteCall(const char *function);

  /// Null: nobody wants to hear of these.
  StreamChecks *streams() { return streams_.get(); }

  void allocated(uint64_t address, uint64_t size);
  void freed(const Allocation &allocation);
  /// The call in progress was to free what is no allocation's beginning.
  void failedFree(uint64_t address);
  /// It was to use memory that is not there.
  void failedUse(uint64_t address);
  /// It came after the runtime has ended, and was not answered.
  void calledLate(const char *function, uint64_t first);

private:
  struct Freed {
    uint64_t size = 0;
    const CallSite *made = nullptr, *freed = nullptr;
  };
  explicit ApiChecks(HostFindings &findings)
      : findings_(findings),
        streams_(findings.wants(HostCheck::Races) ? std::make_unique<StreamChecks>(findings) : nullptr) {}
  static void prepareEnd();
  [[gnu::destructor]] static void atEnd();
  void tell(std::string kind, std::string sentence, const Freed &memory);

  HostFindings &findings_;
  const std::unique_ptr<StreamChecks> streams_;
  std::mutex mutex_;                ///< guards all below
  std::map<uint64_t, Freed> freed_; ///< by address
  std::set<uint64_t> freedLate_;
  bool allFreedLate_ = false;
};

namespace detail {
inline constinit std::atomic<ApiChecks *> theApiChecks{nullptr};
}
/// Null: nobody wants to hear.
inline ApiChecks *apiChecks() { return detail::theApiChecks.load(std::memory_order_acquire); }

/// Null likewise.
inline StreamChecks *streamChecks() {
  ApiChecks *const checks = apiChecks();
  return checks ? checks->streams() : nullptr;
}

} // namespace us::cuda
