// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool of handle slots.
#include "icd/opencl/handle.h"

#include "icd/opencl/dispatch.h"

#include <deque>
#include <mutex>
#include <sys/mman.h>

// The leak checker looks for pointers in the heap, and slots lie outside of it.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define US_HOLDS_POINTERS(at, size) __lsan_register_root_region(at, size)
#endif
#endif
#ifndef US_HOLDS_POINTERS
#define US_HOLDS_POINTERS(at, size)
#endif

namespace us::opencl {

constinit std::atomic<uintptr_t> detail::poolBegin{0}, detail::poolEnd{0};

namespace {
using detail::poolBegin, detail::poolEnd;

constexpr size_t kStep = 64 * 1024;  ///< made accessible at a time
constexpr size_t kQuarantine = 4096; ///< slots that were given back later than a slot before that is used again

struct Pool {
  std::mutex mutex;
  uintptr_t limit = 0;            // guarded by mutex
  uintptr_t accessible = 0;       // guarded by mutex: up to here
  std::deque<HandleSlot *> freed; // guarded by mutex, oldest first
};

Pool &pool() {
  // Never destroyed: handles are looked up during process exit.
  static Pool &instance = *new Pool;
  return instance;
}

/// Reserves addresses, of which nothing can be touched yet: after mlockall(MCL_FUTURE) the kernel would back at once
/// all that can.
void reserve(Pool &p) {
  for (size_t size = size_t(1) << 32; size >= (size_t(1) << 16); size >>= 1) {
    void *at = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) continue;
    p.limit = reinterpret_cast<uintptr_t>(at) + size;
    p.accessible = reinterpret_cast<uintptr_t>(at);
    poolEnd.store(reinterpret_cast<uintptr_t>(at), std::memory_order_relaxed);
    poolBegin.store(reinterpret_cast<uintptr_t>(at), std::memory_order_release);
    return;
  }
}

} // namespace

HandleSlot *takeSlot() {
  Pool &p = pool();
  std::lock_guard lock(p.mutex);
  if (poolBegin.load(std::memory_order_relaxed) == 0) reserve(p);
  uintptr_t next = poolEnd.load(std::memory_order_relaxed);
  bool full = next + sizeof(HandleSlot) > p.limit;
  if (p.freed.size() > kQuarantine || (full && !p.freed.empty())) {
    HandleSlot *slot = p.freed.front();
    p.freed.pop_front();
    slot->applicationCount.store(0, std::memory_order_relaxed);
    return slot;
  }
  if (full) return nullptr;
  if (next == p.accessible) {
    if (mprotect(reinterpret_cast<void *>(next), kStep, PROT_READ | PROT_WRITE) != 0) return nullptr;
    p.accessible += kStep;
  }
  // Zero pages: the kind is Dead and the count zero.
  auto *slot = reinterpret_cast<HandleSlot *>(next);
  slot->dispatch = &dispatchTable();
  US_HOLDS_POINTERS(slot, sizeof *slot);
  poolEnd.store(next + sizeof(HandleSlot), std::memory_order_release);
  return slot;
}

void giveSlotBack(HandleSlot *slot) {
  Pool &p = pool();
  std::lock_guard lock(p.mutex);
  p.freed.push_back(slot);
}

std::unexpected<Error> invalidHandle(const void *handle, ErrorCode code, const char *wanted) {
  noteInvalidHandle(handle, wanted);
  return fail(code, icd::format("{} is not a valid {}", handle, wanted));
}

} // namespace us::opencl
