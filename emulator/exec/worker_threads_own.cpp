// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of our own, which stay.
#include "emulator/exec/signals.h"
#include "emulator/exec/worker_threads.h"
#include "runtime/base/own_thread.h"

#include <exception>
#include <thread>

namespace us::exec {

const uint64_t kLongestSleep = UINT64_MAX;

bool startWorker(unsigned, std::function<void()> work) noexcept try {
  HostSignalsBlocked blocked; // inherited
  std::thread([work = std::move(work)] {
    thisThreadIsOurs();
    work();
  }).detach();
  return true;
} catch (const std::exception &) {
  return false;
}

} // namespace us::exec
