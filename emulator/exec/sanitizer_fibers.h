// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells the sanitizers about stack switches; nothing at all in other builds.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define US_ADDRESS_SANITIZER 1
#endif
#if __has_feature(thread_sanitizer)
#define US_THREAD_SANITIZER 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define US_ADDRESS_SANITIZER 1
#endif
#if defined(__SANITIZE_THREAD__)
#define US_THREAD_SANITIZER 1
#endif

#ifdef US_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef US_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace us::exec {

/// Before a switch to the stack [bottom, bottom + size). `*fakeStack` keeps what the stack being left needs to come
/// back; null if it never will.
inline void aboutToSwitch(void **fakeStack, const void *bottom, size_t size) {
#ifdef US_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(fakeStack, bottom, size);
#endif
}
/// First thing on the stack switched to; tells which stack was left.
inline void haveSwitched(void *fakeStack, const void **bottom, size_t *size) {
#ifdef US_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(fakeStack, bottom, size);
#endif
}
/// Forgets red zones on memory that becomes a fresh stack.
inline void forgetStack(const void *bottom, size_t size) {
#ifdef US_ADDRESS_SANITIZER
  __asan_unpoison_memory_region(bottom, size);
#endif
}

inline void *makeThreadFiber() {
#ifdef US_THREAD_SANITIZER
  return __tsan_create_fiber(0);
#else
  return nullptr;
#endif
}
inline void dropThreadFiber(void *fiber) {
#ifdef US_THREAD_SANITIZER
  if (fiber) __tsan_destroy_fiber(fiber);
#endif
}
inline void *currentThreadFiber() {
#ifdef US_THREAD_SANITIZER
  return __tsan_get_current_fiber();
#else
  return nullptr;
#endif
}
inline void switchThreadFiber(void *fiber) {
#ifdef US_THREAD_SANITIZER
  if (fiber) __tsan_switch_to_fiber(fiber, 0);
#endif
}

} // namespace us::exec
