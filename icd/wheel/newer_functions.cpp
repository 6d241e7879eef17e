// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What code compiled with newer headers asks of glibc that an older one does not have (old_glibc.py): hidden, in each
// library.
#include <cerrno>
#include <cstdint>
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/random.h>
#include <time.h>

#define US_HIDDEN __attribute__((visibility("hidden")))

namespace {

/// A time of that clock as a date; false if there is no such clock.
bool toDate(clockid_t clock, timespec &time) {
  constexpr int64_t kSecond = 1'000'000'000;
  timespec now{}, date{};
  if (clock == CLOCK_REALTIME) return true;
  if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &date) != 0) return false;
  const int64_t nanoseconds = time.tv_nsec - now.tv_nsec + date.tv_nsec; // from -1 to 2 seconds
  const int64_t carry = nanoseconds < 0 ? -1 : nanoseconds / kSecond;
  time.tv_sec += date.tv_sec - now.tv_sec + carry;
  time.tv_nsec = nanoseconds - carry * kSecond;
  return true;
}

} // namespace

extern "C" {

/// glibc 2.32. No: counts of references are changed atomically, as they are before 2.32.
US_HIDDEN extern char __libc_single_threaded;
char __libc_single_threaded = 0;

/// glibc 2.33. LLVM counts memory where it is asked to: here modulo 4 GiB.
US_HIDDEN struct mallinfo2 mallinfo2() {
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  const struct mallinfo info = mallinfo();
  struct mallinfo2 result = {};
  result.uordblks = static_cast<unsigned>(info.uordblks);
  return result;
}

/// glibc 2.36. libstdc++'s random_device asks.
US_HIDDEN uint32_t arc4random() {
  uint32_t number = 0;
  while (getrandom(&number, sizeof number, 0) != sizeof number) {
  }
  return number;
}

/// glibc 2.30, and the next. Where they are missing, the time is taken as so much from now on by the clock that the
/// older functions have: who sets that clock meanwhile changes the wait, as it was for all programs before 2.30.
US_HIDDEN int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                     const timespec *until) {
  static const auto libraries =
      reinterpret_cast<decltype(&pthread_cond_clockwait)>(dlsym(RTLD_DEFAULT, "pthread_cond_clockwait"));
  if (libraries) return libraries(condition, mutex, clock, until);
  timespec date = *until;
  return toDate(clock, date) ? pthread_cond_timedwait(condition, mutex, &date) : EINVAL;
}

US_HIDDEN int sem_clockwait(sem_t *semaphore, clockid_t clock, const timespec *until) {
  static const auto libraries = reinterpret_cast<decltype(&sem_clockwait)>(dlsym(RTLD_DEFAULT, "sem_clockwait"));
  if (libraries) return libraries(semaphore, clock, until);
  timespec date = *until;
  if (toDate(clock, date)) return sem_timedwait(semaphore, &date);
  errno = EINVAL;
  return -1;
}
}
