// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Context: the devices that share objects, and where failures of their commands are told.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/core/callbacks.h"
#include "runtime/core/svm.h"
#include "runtime/device/device.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace us::core {

class Context final : public Object {
public:
  /// Called with every failure that has no call to return it to, and with what report() is given.
  using ErrorCallback = std::function<void(const Error &)>;
  /// Called with each finding of checked code in a command, and all of it as JSON.
  using FindingCallback = std::function<void(const std::string &sentence, const std::string &json)>;

  /// At least one device; duplicates are removed, the order is kept.
  static Ref<Context> create(std::vector<Ref<Device>> devices, ErrorCallback onError = {},
                             FindingCallback onFinding = {});

  std::span<const Ref<Device>> devices() const { return devices_; }
  bool has(const Device &device) const;
  /// True if some device's memory is not the host's: buffers may have several copies then, and commands bring what they
  /// use (residency.h).
  bool hasSeparateMemory() const { return hasSeparateMemory_; }

  /// Another one since it was last asked for: some buffer that kernels had as an argument is gone, or its contents are
  /// current elsewhere, or it must be kept until commands have ended (Buffer::outlivesCommands). Of a context with
  /// separate memory only.
  uint64_t memoryAge() const { return memoryAge_.load(std::memory_order_acquire); }
  void memoryChanges() { memoryAge_.fetch_add(1, std::memory_order_acq_rel); }

  /// The context's shared virtual memory.
  AddressMap &svm() const { return svm_; }

  /// Tells the application (on a thread of the runtime, later) and the log. Safe from any thread, with no lock needed.
  void report(const Error &error);
  /// Likewise of a command that failed, which the program sees as a number in an event, if at all: where it gave no
  /// callback, whoever watches standard error is told. Not for want of memory: the command has to end.
  void reportCommand(const Error &error) noexcept;
  /// Likewise of a finding.
  void reportFinding(const std::string &sentence, const std::string &json);

  /// Called on a runtime thread, in reverse order of registration, when the context goes.
  void addDestructorCallback(std::function<void()> callback) { destructorCallbacks_.add(std::move(callback)); }

private:
  Context(std::vector<Ref<Device>> devices, ErrorCallback onError, FindingCallback onFinding);
  void lastReferenceGone() override;
  void tell(const Error &error);

  const std::vector<Ref<Device>> devices_;
  const bool hasSeparateMemory_;
  const ErrorCallback onError_;
  const FindingCallback onFinding_;
  std::atomic<uint64_t> memoryAge_{0};
  mutable AddressMap svm_;
  DestructorCallbacks destructorCallbacks_;
};

} // namespace us::core
