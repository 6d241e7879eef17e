// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/semaphore.h"

#include "runtime/core/context.h"
#include "runtime/core/ticker.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

namespace us::core {
namespace {

/// The shared semaphores that commands wait for.
struct Watched {
  std::mutex mutex; // guards semaphores; taken before a semaphore's own
  std::vector<Semaphore *> semaphores;
};
Watched &watched() {
  static Watched &one = *new Watched; // never destroyed: the ticker looks at it as long as the process lives
  return one;
}

/// Without waiting: true if there was a signal, which is taken.
bool takeSignal(int descriptor) {
  eventfd_t count = 0;
  return eventfd_read(descriptor, &count) == 0;
}

} // namespace

Semaphore::~Semaphore() {
  if (isShared()) {
    std::lock_guard hold(watched().mutex);
    std::erase(watched().semaphores, this);
  }
  // Nobody can signal it any more: what still waits has failed.
  for (const Ref<Event> &wait : waits_) (void)wait->completeUser(-1);
  if (isShared()) ::close(descriptor_);
}

Expected<Ref<Semaphore>> Semaphore::createShared(Context &context, int descriptor) {
  if (descriptor >= 0) {
    std::array<char, 64> target{};
    const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
    const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
    if (std::string_view(target.data(), length < 0 ? 0 : size_t(length)) != "anon_inode:[eventfd]")
      return fail(ErrorCode::InvalidProperty, "descriptor " + std::to_string(descriptor) + " is no semaphore's");
    // Who takes a signal before us must not let us wait.
    ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) | O_NONBLOCK);
    return Ref<Semaphore>(new Semaphore(context, descriptor));
  }
  descriptor = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (descriptor < 0)
    return fail(ErrorCode::OutOfResources, std::string("a descriptor for a semaphore: ") + std::strerror(errno));
  return Ref<Semaphore>(new Semaphore(context, descriptor));
}

Expected<int> Semaphore::exportDescriptor() const {
  const int copy = ::fcntl(descriptor_, F_DUPFD_CLOEXEC, 0);
  if (copy < 0)
    return fail(ErrorCode::OutOfResources, std::string("a descriptor of a semaphore: ") + std::strerror(errno));
  return copy;
}

Ref<Event> Semaphore::take() {
  if (isShared()) {
    std::lock_guard watching(watched().mutex);
    std::lock_guard hold(mutex_);
    if (waits_.empty()) watched().semaphores.push_back(this);
    Ticker::poke();
    return waits_.emplace_back(Event::createUser(*context_));
  }
  std::lock_guard hold(mutex_);
  if (signal_) return std::exchange(signal_, nullptr);
  return waits_.emplace_back(Event::createUser(*context_));
}

void Semaphore::giveBack(Ref<Event> event) {
  std::lock_guard hold(mutex_);
  if (std::erase(waits_, event) == 0 && !event->isUser()) signal_ = std::move(event);
}

bool Semaphore::tickShared() {
  std::vector<Ref<Event>> signalled; // completed with no lock held
  bool isBusy = false;
  {
    std::lock_guard watching(watched().mutex);
    std::erase_if(watched().semaphores, [&](Semaphore *semaphore) {
      std::lock_guard hold(semaphore->mutex_);
      std::deque<Ref<Event>> &waits = semaphore->waits_;
      if (!waits.empty() && takeSignal(semaphore->descriptor_)) {
        signalled.push_back(std::move(waits.front()));
        waits.pop_front();
      }
      isBusy |= !waits.empty();
      return waits.empty();
    });
  }
  for (const Ref<Event> &wait : signalled) (void)wait->completeUser(0);
  return isBusy || !signalled.empty();
}

void Semaphore::signal(Ref<Event> event) {
  if (isShared()) {
    event->addCallback(EventState::Complete, [self = Ref<Semaphore>(this)](const EventStatus &status) {
      if (!status.failed()) (void)eventfd_write(self->descriptor_, 1);
    });
    return;
  }
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
  if (isShared()) {
    pollfd asked{descriptor_, POLLIN, 0};
    return ::poll(&asked, 1, 0) == 1;
  }
  std::lock_guard hold(mutex_);
  return signal_ && signal_->peekStatus().state == EventState::Complete;
}

} // namespace us::core
