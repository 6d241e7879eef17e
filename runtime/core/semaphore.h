// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphore: pairs commands that signal with commands that wait, of any queues of a context. It is made of events: a
// wait waits for the event of the signal that it takes, so nobody sleeps and the device is not asked for anything.
#pragma once

#include "runtime/base/ref.h"
#include "runtime/core/event.h"

#include <deque>
#include <mutex>

namespace us::core {

/// A binary one: a signal that no wait has taken makes another signal meaningless.
class Semaphore final : public Object {
public:
  static Ref<Semaphore> create(Context &context) { return Ref<Semaphore>(new Semaphore(context)); }

  /// What a command that waits has to wait for: the event of the signal, which is taken, or, if none was enqueued yet,
  /// one that ends with the next signal's.
  Ref<Event> take();
  /// What take() gave was not waited for.
  void giveBack(Ref<Event> event);
  /// `event` is that of a command that signals.
  void signal(Ref<Event> event);
  /// A signal has completed that no wait has taken.
  bool isSignalled() const;

private:
  explicit Semaphore(Context &context) : context_(&context) {}
  ~Semaphore() override;

  const Ref<Context> context_;
  mutable std::mutex mutex_;     // guards all below
  Ref<Event> signal_;            ///< that no wait has taken; null: none
  std::deque<Ref<Event>> waits_; ///< user events of waits that came before their signals
};

} // namespace us::core
