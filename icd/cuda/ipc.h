// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory and events that two processes share: files without a name, which the other process opens through the first.
#pragma once

#include "icd/cuda/context.h"

#include <memory>

namespace us::cuda {

/// The state of an event of two processes: how often it was recorded, and up to which recording the work has ended.
/// Lives in shared memory.
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
  bool hasCompleted(uint64_t number) const;
  void wait(uint64_t number) const;

private:
  struct Page;
  SharedEvent(int file, Page *page, CUipcEventHandle handle) : file_(file), page_(page), handle_(handle) {}
  static Expected<std::shared_ptr<SharedEvent>> map(int file, const CUipcEventHandle &handle);
  const int file_;
  Page *const page_;
  const CUipcEventHandle handle_;
};

/// Memory that is freed, or goes with its context, is shared no more.
void forgetExport(uint64_t begin, uint64_t size);

} // namespace us::cuda
