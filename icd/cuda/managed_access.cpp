// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host and kernels have one address space here, and so the pages are opened while a command runs: what the host does
// just then goes unnoticed. Launches run late (docs/decisions/0003-lazy-submission.md), so that little is missed.
#include "icd/cuda/managed_access.h"

#include "icd/cuda/device.h"
#include "runtime/base/signal_handlers.h"

#include <cstdio>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace us::cuda {
namespace {

struct Range {
  uint64_t end = 0;
  const Context *context = nullptr;
  unsigned attachment = CU_MEM_ATTACH_GLOBAL;
  uint64_t stream = 0; ///< CU_MEM_ATTACH_SINGLE
  bool isClosed = false;
};

/// A lock that a signal handler can try.
class SpinLock {
public:
  void lock() {
    while (flag_.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
  }
  bool try_lock() { return !flag_.test_and_set(std::memory_order_acquire); }
  void unlock() { flag_.clear(std::memory_order_release); }

private:
  std::atomic_flag flag_;
};

struct Guard {
  SpinLock mutex; // guards all below
  std::map<uint64_t, Range> byBegin;
  std::map<const Context *, std::set<uint64_t>> busy; ///< streams with kernels that the host has not waited for
  unsigned running = 0;                               ///< commands
};
Guard &guard() {
  static auto &instance = *new Guard;
  return instance;
}
std::atomic<bool> hasRanges{false};

bool isBusy(const Range &range) {
  const auto found = guard().busy.find(range.context);
  if (found == guard().busy.end() || range.attachment == CU_MEM_ATTACH_HOST) return false;
  return range.attachment == CU_MEM_ATTACH_SINGLE ? found->second.contains(range.stream) : !found->second.empty();
}

void apply() {
  for (auto &[begin, range] : guard().byBegin) {
    const bool closed = guard().running == 0 && isBusy(range);
    if (closed == range.isClosed) continue;
    mprotect(reinterpret_cast<void *>(begin), range.end - begin, closed ? PROT_NONE : PROT_READ | PROT_WRITE);
    range.isClosed = closed;
  }
}

/// A real device of the kind leaves it at the signal, which goes on to the host; the line says what happened.
bool onFault(int, siginfo_t *info, void *) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  bool isOurs = false;
  for (unsigned attempts = 0; attempts < 1000 && !isOurs; ++attempts) {
    if (!guard().mutex.try_lock()) continue;
    const auto after = guard().byBegin.upper_bound(address);
    isOurs =
        after != guard().byBegin.begin() && address < std::prev(after)->second.end && std::prev(after)->second.isClosed;
    guard().mutex.unlock();
    break;
  }
  if (isOurs) {
    char line[256];
    const int length = std::snprintf(
        line, sizeof line,
        "understudy: the host accessed managed memory at %p while a kernel may use it: the device has no concurrent "
        "managed access (CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS is 0). Synchronise before.\n",
        info->si_addr);
    (void)!::write(STDERR_FILENO, line, size_t(length));
  }
  return false;
}

} // namespace

bool lacksConcurrentAccess(const Device &device) {
  return attributeOf(device, CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS).value_or(1) == 0;
}

void guardManaged(const Context &context, uint64_t begin, uint64_t size, unsigned attachment) {
  static const bool filters = (filterSignal(SIGSEGV, onFault), true);
  (void)filters;
  std::lock_guard hold(guard().mutex);
  guard().byBegin[begin] = {.end = begin + size, .context = &context, .attachment = attachment};
  hasRanges = true;
  apply();
}

void unguardManaged(uint64_t begin) {
  if (!hasRanges) return;
  std::lock_guard hold(guard().mutex);
  const auto found = guard().byBegin.find(begin);
  if (found == guard().byBegin.end()) return;
  if (found->second.isClosed)
    mprotect(reinterpret_cast<void *>(begin), found->second.end - begin, PROT_READ | PROT_WRITE);
  guard().byBegin.erase(found);
  hasRanges = !guard().byBegin.empty();
}

bool attachManaged(uint64_t begin, unsigned attachment, const Stream &stream) {
  if (!hasRanges) return false;
  std::lock_guard hold(guard().mutex);
  const auto found = guard().byBegin.find(begin);
  if (found == guard().byBegin.end()) return false;
  found->second.attachment = attachment;
  found->second.stream = stream.id();
  apply();
  return true;
}

bool guardsManaged() { return hasRanges.load(std::memory_order_relaxed); }

void managedLaunched(const Stream &stream) {
  std::lock_guard hold(guard().mutex);
  guard().busy[&stream.context()].insert(stream.id());
  apply();
}

void managedIdle(const Stream &stream) {
  std::lock_guard hold(guard().mutex);
  const auto found = guard().busy.find(&stream.context());
  if (found == guard().busy.end() || !found->second.erase(stream.id())) return;
  if (found->second.empty()) guard().busy.erase(found);
  apply();
}

void managedEnter() {
  std::lock_guard hold(guard().mutex);
  ++guard().running;
  apply();
}

void managedLeave() {
  std::lock_guard hold(guard().mutex);
  --guard().running;
  apply();
}

} // namespace us::cuda
