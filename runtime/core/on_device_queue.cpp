// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/on_device_queue.h"

#include "runtime/core/runtime.h"

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

namespace us::core {
namespace {

/// Every queue there is: a context has few. Contexts hold none, as the queues hold them.
struct Registry {
  struct Entry {
    const OnDeviceQueue *queue;
    const Context *context;
    const Device *device;
    Ref<WeakLink<OnDeviceQueue>> weak;
    bool isDefault;
  };
  std::mutex mutex; // guards entries
  std::vector<Entry> entries;

  Ref<OnDeviceQueue> find(auto &&isIt) {
    std::lock_guard hold(mutex);
    const auto found = std::ranges::find_if(entries, isIt);
    return found == entries.end() ? Ref<OnDeviceQueue>() : found->weak->lock();
  }
  static Registry &instance() {
    static Registry &registry = *new Registry;
    return registry;
  }
};

} // namespace

OnDeviceQueue::OnDeviceQueue(Context &context, Device &device, uint32_t size, bool profiling)
    : context_(&context), device_(&device), size_(size), profiling_(profiling),
      weak_(makeRef<WeakLink<OnDeviceQueue>>(this)) {}
OnDeviceQueue::~OnDeviceQueue() = default;

void OnDeviceQueue::lastReferenceGone() {
  if (runtimeDead()) return;
  weak_->cut();
  {
    Registry &registry = Registry::instance();
    std::lock_guard hold(registry.mutex);
    std::erase_if(registry.entries, [this](const Registry::Entry &entry) { return entry.queue == this; });
  }
  delete this;
}

Expected<Ref<OnDeviceQueue>> OnDeviceQueue::create(Context &context, Device &device, uint32_t size, bool profiling) {
  if (runtimeDead()) return failDead();
  if (device.info().maxDeviceQueues == 0) return fail(ErrorCode::Unsupported, "the device has no on-device queues");
  Ref<OnDeviceQueue> queue(new OnDeviceQueue(context, device, size, profiling));
  Registry &registry = Registry::instance();
  std::unique_lock hold(registry.mutex);
  // Beside the default one, as Khronos's tests count.
  const auto present = std::ranges::count_if(registry.entries, [&](const Registry::Entry &entry) {
    return entry.context == &context && entry.device == &device && !entry.isDefault;
  });
  if (present >= static_cast<ptrdiff_t>(device.info().maxDeviceQueues)) {
    hold.unlock(); // dropping the queue takes the lock
    return fail(ErrorCode::OutOfResources, "the context has " + std::to_string(present) + " queues on " +
                                               device.info().name + ", there can be no more");
  }
  registry.entries.push_back({queue.get(), &context, &device, queue->weak(), false});
  return queue;
}

void OnDeviceQueue::makeDefault() {
  Registry &registry = Registry::instance();
  std::lock_guard hold(registry.mutex);
  for (Registry::Entry &entry : registry.entries)
    if (entry.context == context_.get() && entry.device == device_.get()) entry.isDefault = entry.queue == this;
}

Ref<OnDeviceQueue> OnDeviceQueue::defaultOf(const Context &context, const Device &device) {
  return Registry::instance().find([&](const Registry::Entry &entry) {
    return entry.isDefault && entry.context == &context && entry.device == &device;
  });
}

Ref<OnDeviceQueue> OnDeviceQueue::at(uint64_t argument) {
  return Registry::instance().find(
      [=](const Registry::Entry &entry) { return entry.queue == reinterpret_cast<const void *>(argument); });
}

} // namespace us::core
