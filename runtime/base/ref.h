// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Object: an intrusive reference count; Ref<T>: a counted pointer to one.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace us {

/// Base of shared objects. Born with no reference; the first Ref owns it. Deleted when the last Ref goes.
class Object {
public:
  Object() = default;
  Object(const Object &) = delete;
  Object &operator=(const Object &) = delete;
  virtual ~Object() = default;

  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  void release() const {
    if (count_.fetch_sub(1, std::memory_order_acq_rel) == 1) const_cast<Object *>(this)->lastReferenceGone();
  }
  /// retain(), unless the last reference is already gone. Only for weak links, which keep the memory valid meanwhile.
  bool retainIfAlive() const {
    uint32_t count = count_.load(std::memory_order_relaxed);
    while (count != 0)
      if (count_.compare_exchange_weak(count, count + 1, std::memory_order_acq_rel, std::memory_order_relaxed))
        return true;
    return false;
  }
  /// True when only one Ref exists (the caller's).
  bool unique() const { return count_.load(std::memory_order_acquire) == 1; }

protected:
  /// Called when the last reference goes; a pooled type overrides it.
  virtual void lastReferenceGone() { delete this; }

private:
  mutable std::atomic<uint32_t> count_{0};
};

template <class T> class Ref {
public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  explicit Ref(T *object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref &other) : Ref(other.object_) {}
  Ref(Ref &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U *, T *>
  Ref(const Ref<U> &other) : Ref(static_cast<T *>(other.get())) {}
  template <class U>
    requires std::is_convertible_v<U *, T *>
  Ref(Ref<U> &&other) noexcept : object_(other.detach()) {}
  ~Ref() {
    if (object_) object_->release();
  }
  Ref &operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }

  T *get() const { return object_; }
  T *operator->() const { return object_; }
  T &operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref &a, const Ref &b) { return a.object_ == b.object_; }

  /// Gives the reference away: the caller owes one release().
  T *detach() { return std::exchange(object_, nullptr); }
  /// Takes over a reference that detach() gave away.
  static Ref adopt(T *object) {
    Ref ref;
    ref.object_ = object;
    return ref;
  }

private:
  T *object_ = nullptr;
};

template <class T, class... Args> Ref<T> makeRef(Args &&...args) { return Ref<T>(new T(std::forward<Args>(args)...)); }

} // namespace us
