// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/memory/host_access.h"

#include "runtime/base/signal_handlers.h"

#include <cstdio>
#include <map>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

namespace us::memory {
namespace {

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

struct Range {
  uint64_t end = 0;
  const char *reason = nullptr;
};
struct Guard {
  SpinLock mutex; // guards all below
  std::map<uint64_t, Range> byBegin;
  unsigned running = 0; ///< commands
};
Guard &guard() {
  static auto &instance = *new Guard;
  return instance;
}

void protect(uint64_t begin, uint64_t end, bool closed) {
  mprotect(reinterpret_cast<void *>(begin), end - begin, closed ? PROT_NONE : PROT_READ | PROT_WRITE);
}
void protectAll(bool closed) {
  for (const auto &[begin, range] : guard().byBegin) protect(begin, range.end, closed);
}

/// A real device of the kind leaves it at the signal, which goes on to the host; the line says what happened.
bool onFault(int, siginfo_t *info, void *) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  const char *reason = nullptr;
  for (unsigned attempts = 0; attempts < 1000; ++attempts) {
    if (!guard().mutex.try_lock()) continue;
    const auto after = guard().byBegin.upper_bound(address);
    const bool isOurs =
        guard().running == 0 && after != guard().byBegin.begin() && address < std::prev(after)->second.end;
    if (isOurs) reason = std::prev(after)->second.reason;
    guard().mutex.unlock();
    break;
  }
  if (reason) {
    char line[256];
    const int length = std::snprintf(line, sizeof line, "understudy: the host accessed managed memory at %p %s\n",
                                     info->si_addr, reason);
    (void)!::write(STDERR_FILENO, line, size_t(length));
  }
  return false;
}

} // namespace

std::atomic<int> CommandWindow::restrictable{0};

void countRestrictable(int change) {
  static const bool filters = (filterSignal(SIGSEGV, onFault), true);
  (void)filters;
  CommandWindow::restrictable += change;
}

void restrictHostAccess(uint64_t begin, uint64_t size, const char *reason) {
  Guard &all = guard();
  std::lock_guard hold(all.mutex);
  const bool wasClosed = all.byBegin.contains(begin);
  if (reason)
    all.byBegin[begin] = {begin + size, reason};
  else
    all.byBegin.erase(begin);
  if (wasClosed != (reason != nullptr) && all.running == 0) protect(begin, begin + size, reason != nullptr);
}

void CommandWindow::enter() {
  std::lock_guard hold(guard().mutex);
  if (guard().running++ == 0) protectAll(false);
}

void CommandWindow::leave() {
  std::lock_guard hold(guard().mutex);
  if (--guard().running == 0) protectAll(true);
}

} // namespace us::memory
