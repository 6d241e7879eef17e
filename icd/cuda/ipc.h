// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events that two processes share: files without a name, which the other process opens through the first.
#pragma once

#include "icd/cuda/context.h"

#include <memory>
#include <mutex>
#include <set>

namespace us::cuda {

/// The state of an event of two processes: how often it was recorded, and up to which recording the work has ended.
/// Lives in shared memory. Whoever has recorded it holds a lock of that number's byte of the file until the work has
/// ended: a lock goes with its process, and so does the work.
class SharedEvent {
public:
  static Expected<std::shared_ptr<SharedEvent>> create();
  static Expected<std::shared_ptr<SharedEvent>> open(const CUipcEventHandle &handle);
  ~SharedEvent();

  CUipcEventHandle handle() const;
  /// A recording has been asked for; its number.
  uint64_t record();
  void completed(uint64_t number);
  uint64_t recorded() const;
  bool hasCompleted(uint64_t number);
  void wait(uint64_t number);

private:
  struct Page;
  SharedEvent(int file, Page *page, CUipcEventHandle handle) : file_(file), page_(page), handle_(handle) {}
  static Expected<std::shared_ptr<SharedEvent>> map(int file, const CUipcEventHandle &handle);
  bool isHeld(uint64_t number);
  const int file_;
  Page *const page_;
  const CUipcEventHandle handle_;
  std::mutex mutex_;           // guards all below
  std::set<uint64_t> pending_; ///< recordings of this process whose work has not ended
};

} // namespace us::cuda
