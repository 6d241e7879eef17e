// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <thread>

namespace us::cuda_test {

/// Keeps a stream from going on: a host function that is entered, and waits to be let out.
struct Gate {
  std::atomic<bool> isOpen{false}, isEntered{false};
  static void wait(void *self) {
    auto *gate = static_cast<Gate *>(self);
    gate->isEntered = true;
    while (!gate->isOpen) std::this_thread::yield();
  }
};

} // namespace us::cuda_test
