// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Semaphore: pairs commands that signal with commands that wait, of any queues of a context. It is made of events: a
// wait waits for the event of the signal that it takes, so nobody sleeps and the device is not asked for anything.
// A shared one has its payload in a file descriptor (an eventfd), which other processes may have: a signal writes to it
// when it has completed, and the ticker looks after waits.
#pragma once

#include "runtime/base/ref.h"
#include "runtime/core/event.h"

#include <deque>
#include <mutex>

namespace us::core {

/// A binary one: a signal that no wait has taken makes another signal meaningless.
class Semaphore final : public Object {
public:
  static Ref<Semaphore> create(Context &context) { return Ref<Semaphore>(new Semaphore(context, -1)); }
  /// A shared one. The descriptor is taken over if the call succeeds; -1: one is made. InvalidProperty for a descriptor
  /// that is no payload, OutOfResources.
  static Expected<Ref<Semaphore>> createShared(Context &context, int descriptor);
  /// Another descriptor of the payload of a shared one, the caller's to close. OutOfResources.
  Expected<int> exportDescriptor() const;
  bool isShared() const { return descriptor_ >= 0; }

  /// What a command that waits has to wait for: the event of the signal, which is taken, or, if none was enqueued yet,
  /// one that ends with the next signal's.
  Ref<Event> take();
  /// What take() gave was not waited for.
  void giveBack(Ref<Event> event);
  /// `event` is that of a command that signals.
  void signal(Ref<Event> event);
  /// A signal has completed that no wait has taken.
  bool isSignalled() const;

  /// The ticker's: ends waits of shared ones whose signals have come. True while there are waits.
  static bool tickShared();

private:
  Semaphore(Context &context, int descriptor) : context_(&context), descriptor_(descriptor) {}
  ~Semaphore() override;

  const Ref<Context> context_;
  const int descriptor_;         ///< of a shared one; else -1
  mutable std::mutex mutex_;     // guards all below
  Ref<Event> signal_;            ///< that no wait has taken; null: none
  std::deque<Ref<Event>> waits_; ///< user events of waits that came before their signals
};

} // namespace us::core
