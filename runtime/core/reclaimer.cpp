// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/reclaimer.h"

#include "runtime/core/image.h"
#include "runtime/core/queue.h"
#include "runtime/core/ticker.h"

#include <algorithm>
#include <unordered_set>

namespace us::core {

// A command that has ended but is still listed is just dropping what it held: wait for that, too.
bool Queue::holdsReleased(const Event &event) {
  if (event.state_.load(std::memory_order_acquire) >= EventState::Complete) return true;
  std::lock_guard hold(event.mutex_);
  return std::any_of(event.keep_.begin(), event.keep_.end(), [](const Ref<Object> &object) {
    const auto *buffer = dynamic_cast<const Buffer *>(object.get());
    if (const auto *image = dynamic_cast<const Image *>(object.get())) buffer = &image->memory();
    return buffer && buffer->isReleased();
  });
}

std::vector<Ref<Event>> Queue::holdersOfReleased() const {
  std::vector<Ref<Event>> holders;
  std::lock_guard hold(mutex_);
  for (Event *event = first_; event; event = event->next_)
    if (holdsReleased(*event)) holders.push_back(Ref<Event>(event));
  return holders;
}

// Everything that must end before `event` can, itself included.
bool Queue::waitsForApplication(const Ref<Event> &event) {
  std::vector<Ref<Event>> needed{event}; // grows; holds all, so that no address is seen twice
  std::unordered_set<const Event *> seen{event.get()};
  const auto need = [&](const Ref<Event> &other) {
    if (seen.insert(other.get()).second) needed.push_back(other);
  };
  for (size_t i = 0; i < needed.size(); ++i) {
    const Ref<Event> next = needed[i];
    if (next->settled()) continue;
    if (next->isUser() || next->isHostCall_) return true;
    {
      std::lock_guard hold(next->mutex_);
      for (const Ref<Event> &dependency : next->dependencies_) need(dependency);
    }
    const Queue &queue = *next->queue_;
    std::lock_guard hold(queue.mutex_);
    if (queue.properties_.outOfOrder) continue;
    for (Event *earlier = queue.first_; earlier && earlier->number_ < next->number_; earlier = earlier->next_)
      need(Ref<Event>(earlier));
  }
  return false;
}

bool Reclaimer::reclaim() {
  bool any = false;
  for (const Ref<Queue> &queue : Ticker::queues())
    for (const Ref<Event> &event : queue->holdersOfReleased())
      if (!Queue::waitsForApplication(event)) {
        any = true;
        (void)event->wait(); // a failure is the event's
      }
  return any;
}

} // namespace us::core
