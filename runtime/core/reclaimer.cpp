// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/reclaimer.h"

#include "runtime/core/image.h"
#include "runtime/core/queue.h"
#include "runtime/core/svm.h"
#include "runtime/core/ticker.h"

#include <algorithm>
#include <unordered_set>

namespace us::core {
namespace {

std::string nameOf(const LaunchCommand &launch) { return "kernel '" + launch.kernel->info().name + "'"; }
std::string nameOf(const CopyCommand &) { return "a copy"; }
std::string nameOf(const FillCommand &) { return "a fill"; }
std::string nameOf(const MapCommand &map) { return map.unmap ? "an unmap" : "a map"; }
std::string nameOf(const HostCallCommand &) { return "a call of the program's"; }
std::string nameOf(const BindCommand &) { return "a binding of a texture"; }
std::string nameOf(const SequenceCommand &) { return "a command buffer"; }
std::string nameOf(const BranchCommand &) { return "a choice of a command buffer"; }
std::string nameOf(const NoCommand &) { return "a command that frees or migrates"; }

} // namespace

// A command that has ended but is still listed is just dropping what it held: wait for that, too.
bool Reclaimer::holdsReleased(const Event &event) {
  if (event.state_.load(std::memory_order_acquire) >= EventState::Complete) return true;
  std::lock_guard hold(event.mutex_);
  return std::any_of(event.keep_.begin(), event.keep_.end(), [](const Ref<Object> &object) {
    const auto *buffer = dynamic_cast<const Buffer *>(object.get());
    if (const auto *image = dynamic_cast<const Image *>(object.get())) buffer = &image->memory();
    if (buffer) return buffer->isReleased();
    const auto *shared = dynamic_cast<const SvmAllocation *>(object.get());
    return shared && shared->isReleased();
  });
}

// Everything that must end before `event` can, itself included.
bool Reclaimer::waitsForApplication(const Ref<Event> &event) {
  std::vector<Ref<Event>> needed{event}; // grows; holds all, so that no address is seen twice
  std::unordered_set<const Event *> seen{event.get()};
  const auto need = [&](const Ref<Event> &other) {
    if (seen.insert(other.get()).second) needed.push_back(other);
  };
  for (size_t i = 0; i < needed.size(); ++i) {
    // NOLINTNEXTLINE(performance-unnecessary-copy-initialization): what it is copied from moves as the list grows
    const Ref<Event> next = needed[i];
    if (next->settled()) continue;
    if (next->isUser() || next->isHostCall_) return true;
    {
      std::lock_guard hold(next->mutex_);
      for (const Event::Dependency &dependency : next->dependencies_) need(dependency.event);
    }
    for (const Ref<Event> &earlier : next->queue()->unfinishedEvents(next.get())) need(earlier);
  }
  return false;
}

bool Reclaimer::reclaim() {
  bool any = false;
  for (const Ref<Queue> &queue : Ticker::queues()) {
    any |= queue->finishPassedOn(); // what they hold is not told
    for (const Ref<Event> &event : queue->unfinishedEvents())
      if (holdsReleased(*event) && !waitsForApplication(event)) {
        any = true;
        (void)event->wait(); // a failure is the event's
      }
  }
  return any;
}

std::vector<std::string> Reclaimer::commandsHolding(const Object &object) {
  std::vector<std::string> names;
  for (const Ref<Queue> &queue : Ticker::queues())
    for (const Ref<Event> &event : queue->unfinishedEvents()) {
      std::lock_guard hold(event->mutex_);
      if (std::any_of(event->keep_.begin(), event->keep_.end(),
                      [&](const auto &kept) { return kept.get() == &object; }))
        names.push_back(std::visit([](const auto &command) { return nameOf(command); }, event->command_));
    }
  return names;
}

} // namespace us::core
