// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/device/compile_threads.h"

#include "runtime/base/c_locale.h"
#include "runtime/base/without_exceptions.h"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
#include <vector>

namespace us::emulator {
namespace {

constexpr size_t kStackSize = 64 << 20; // pages are backed when touched
constexpr unsigned kMostPosted = 8;     // each holds some MB while it compiles

thread_local constinit bool onCompileThread = false;

struct Worker {
  std::condition_variable wake;
  const std::function<void()> *work = nullptr; ///< null: parked
  bool *done = nullptr;                        ///< null: nobody waits
  Expected<void> *result = nullptr;            ///< of whoever waits
  std::condition_variable *caller = nullptr;
};

struct Pool {
  const pid_t process = getpid();
  std::mutex mutex; ///< guards all below and every Worker
  std::vector<Worker *> parked;
  std::condition_variable idle;
  uint32_t busy = 0;
  std::deque<std::function<void()>> posted;
  uint32_t servingPosted = 0; ///< of the busy ones
  bool exiting = false;
};

/// Never destroyed: its threads and late callers outlive static objects.
Pool &pool() {
  static Pool &instance = *new Pool;
  return instance;
}

void serve(Worker &self) {
  Pool &all = pool();
  std::unique_lock lock(all.mutex);
  for (;;) {
    self.wake.wait(lock, [&] { return self.work != nullptr; });
    const std::function<void()> &work = *self.work;
    lock.unlock();
    Expected<void> result = withoutExceptions([&]() -> Expected<void> {
      work();
      return {};
    });
    lock.lock();
    self.work = nullptr;
    all.parked.push_back(&self);
    if (--all.busy == 0) all.idle.notify_all();
    if (!self.done) continue;
    // The caller's flag and condition may vanish as soon as the lock is free.
    *self.done = true;
    *self.result = std::move(result);
    self.caller->notify_one();
  }
}

Worker *startWorker() {
  auto *worker = new Worker;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackSize);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // The application's signals go to the application's threads; faults are delivered whatever the mask says.
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int error = pthread_create(
      &thread, &attributes,
      [](void *argument) -> void * {
        pthread_setname_np(pthread_self(), "understudy-comp");
        onCompileThread = true;
        // What is compiled is kept for other programs: the locale and the rounding of this one must not get into it.
        const CLocale locale;
        fesetenv(FE_DFL_ENV);
        serve(*static_cast<Worker *>(argument));
        return nullptr;
      },
      worker);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (error == 0) return worker;
  delete worker;
  return nullptr;
}

/// With the pool's lock: a worker that is not busy, or null.
Worker *freeWorker() {
  Pool &all = pool();
  if (all.parked.empty()) return startWorker();
  Worker *worker = all.parked.back();
  all.parked.pop_back();
  return worker;
}

void servePosted() {
  Pool &all = pool();
  std::unique_lock lock(all.mutex);
  while (!all.posted.empty() && !all.exiting) {
    std::function<void()> work = std::move(all.posted.front());
    all.posted.pop_front();
    lock.unlock();
    // Nobody waits for it: whoever needs what it would have made finds it missing, and says why.
    (void)withoutExceptions([&]() -> Expected<void> {
      work();
      return {};
    });
    work = nullptr; // what it held goes with no lock held
    lock.lock();
  }
  --all.servingPosted;
}

void waitAtExit() {
  Pool &all = pool();
  if (all.process != getpid()) return; // a forked child has none of the threads
  std::unique_lock lock(all.mutex);
  all.exiting = true;
  // A build that never ends must not keep the process for ever.
  all.idle.wait_for(lock, std::chrono::seconds(10), [&] { return all.busy == 0; });
}

} // namespace

Expected<void> runOnCompileThread(const std::function<void()> &work) {
  Pool &all = pool();
  if (all.process != getpid())
    return fail(ErrorCode::OutOfResources, "the compiler cannot be used in a forked child process");
  std::condition_variable finished;
  bool done = false;
  Expected<void> result;
  std::unique_lock lock(all.mutex);
  if (all.exiting) return fail(ErrorCode::OutOfResources, "the process is exiting");
  if (onCompileThread) {
    lock.unlock();
    work();
    return {};
  }
  Worker *const worker = freeWorker();
  if (!worker)
    return fail(ErrorCode::OutOfResources, "no thread with a 64 MiB stack could be started for the compiler");
  ++all.busy;
  worker->done = &done;
  worker->result = &result;
  worker->caller = &finished;
  worker->work = &work;
  worker->wake.notify_one();
  finished.wait(lock, [&] { return done; });
  return result;
}

void postToCompileThread(unsigned most, std::function<void()> work) {
  static const std::function<void()> &serve = *new std::function<void()>(servePosted);
  Pool &all = pool();
  if (all.process != getpid()) return;
  std::lock_guard lock(all.mutex);
  if (all.exiting) return;
  if (all.servingPosted < std::min(most, kMostPosted)) {
    if (Worker *const worker = freeWorker()) {
      ++all.busy;
      ++all.servingPosted;
      worker->done = nullptr;
      worker->caller = nullptr;
      worker->work = &serve;
      worker->wake.notify_one();
    } else if (all.servingPosted == 0) {
      return;
    }
  }
  all.posted.push_back(std::move(work));
}

void guardProcessExit() {
  // Made here, and not by the first build: a fork while another thread makes it would leave the child's exit handler
  // waiting for that thread.
  (void)pool();
  static const int registered = std::atexit(waitAtExit);
  (void)registered;
}

} // namespace us::emulator
