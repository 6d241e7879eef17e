// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What entry points tell of what the program does, where somebody wants to hear what is wrong with it: handles that are
// used after their release, objects that stay, events that nobody completes.
#pragma once

#include "icd/opencl/cl.h"
#include "runtime/device/host_findings.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace us::opencl {

struct HandleSlot;
class ClKernel;
class ClMem;
class CommandChecks;

class ApiChecks {
public:
  /// From now on apiChecks() is there. Once in a process.
  static void begin(HostFindings &findings);

  /// From where the program has made the call in progress.
  static const CallSite *site();
  /// HostFinding::alsoTold of what has to do with a context: its callback. Null: nobody.
  static std::function<void(const std::string &, const std::string &)> callbackOf(cl_context context);

  /// An object that the application has now, by the call in progress; the text lives for ever.
  void made(const HandleSlot &slot, const char *noun, cl_context context);
  /// The application's last reference goes.
  void released(HandleSlot &slot);
  /// The call in progress was given a handle that is not what is wanted there: told if the call fails.
  void failedCall(const char *function, const void *handle, const char *wanted);
  /// The kernel's arguments cannot be used as they are.
  void failedLaunch(const ClKernel &kernel);
  /// clEnqueueUnmapMemObject of a pointer that is not mapped, or mapped no longer.
  void mapped(const ClMem &memory, const void *pointer, const CallSite *site);
  void unmapped(const ClMem &memory, const void *pointer);
  void failedUnmap(const ClMem &memory, const void *pointer);

  /// Null: nobody wants to hear of these.
  CommandChecks *commands() { return commands_.get(); }

  /// A call that came after the runtime has ended, and was not answered: `handle` is its first parameter, if that may
  /// be one.
  void calledLate(const char *function, const void *handle);

private:
  struct Object {
    const char *noun;
    cl_context context = nullptr;
    const CallSite *made = nullptr, *released = nullptr;
  };
  struct Unmapped {
    const CallSite *mapped = nullptr, *unmapped = nullptr;
  };
  explicit ApiChecks(HostFindings &findings);
  static void prepareEnd();
  [[gnu::destructor]] static void atEnd();
  void tellLeaks();
  void tellWaitingEvents();
  void tell(std::string kind, std::string sentence, std::vector<std::pair<std::string, const CallSite *>> others,
            cl_context context);

  HostFindings &findings_;
  const std::unique_ptr<CommandChecks> commands_;
  std::mutex mutex_; ///< guards all below
  std::map<const HandleSlot *, Object> objects_;
  std::map<std::pair<const HandleSlot *, const void *>, Unmapped> maps_;
  bool wasCalledLate_ = false; ///< by a call that is no release
};

namespace detail {
inline constinit std::atomic<ApiChecks *> theApiChecks{nullptr};
}
/// Null: nobody wants to hear.
inline ApiChecks *apiChecks() { return detail::theApiChecks.load(std::memory_order_acquire); }

/// Null likewise.
inline CommandChecks *commandChecks() {
  ApiChecks *const checks = apiChecks();
  return checks ? checks->commands() : nullptr;
}

} // namespace us::opencl
