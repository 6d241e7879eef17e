// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/semaphore.h"

#include "runtime/core/context.h"

#include <utility>

namespace us::core {

Semaphore::~Semaphore() {
  // Nobody can signal it any more: what still waits has failed.
  for (const Ref<Event> &wait : waits_) (void)wait->completeUser(-1);
}

Ref<Event> Semaphore::take() {
  std::lock_guard hold(mutex_);
  if (signal_) return std::exchange(signal_, nullptr);
  return waits_.emplace_back(Event::createUser(*context_));
}

void Semaphore::giveBack(Ref<Event> event) {
  std::lock_guard hold(mutex_);
  if (std::erase(waits_, event) == 0 && !event->isUser()) signal_ = std::move(event);
}

void Semaphore::signal(Ref<Event> event) {
  Ref<Event> wait;
  {
    std::lock_guard hold(mutex_);
    if (waits_.empty()) {
      signal_ = std::move(event);
      return;
    }
    wait = std::move(waits_.front());
    waits_.pop_front();
  }
  event->addCallback(EventState::Complete,
                     [wait](const EventStatus &status) { (void)wait->completeUser(status.failed() ? -1 : 0); });
}

bool Semaphore::isSignalled() const {
  std::lock_guard hold(mutex_);
  return signal_ && signal_->peekStatus().state == EventState::Complete;
}

} // namespace us::core
