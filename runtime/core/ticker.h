// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ticker: the thread behind everything that happens "after a while", and the list of the process's queues.
// It ticks every millisecond while something was going on lately, and sleeps otherwise.
#pragma once

#include "runtime/base/ref.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace us::core {

class Queue;

class Ticker {
public:
  /// Something may need a tick soon. Costs a system call only when the ticker sleeps.
  static void poke() noexcept;
  /// Ticks so far.
  static uint64_t now();

  static void add(Queue &queue);
  static void remove(Queue &queue);
  /// The process's live queues.
  static std::vector<Ref<Queue>> queues();

  static size_t started();

private:
  struct State;
  static State &state();
  static void work();
  static bool tickAll();
};

} // namespace us::core
