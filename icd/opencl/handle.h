// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles. A cl_* handle points to a slot of a pool that is never unmapped: dispatch pointer first, then a kind, the
// application's reference count and the object itself. A slot whose object is gone keeps its dispatch pointer, is Dead,
// and waits in quarantine before it is used again; so NULL, stale and wrong-typed handles are told from valid ones
// without touching freed memory. (A pointer that was never a handle dies in the ICD loader, before us.)
#pragma once

#include "icd/common/format.h"
#include "icd/opencl/check/api_checks.h"
#include "icd/opencl/cl.h"
#include "runtime/base/expected.h"
#include "runtime/base/ref.h"

#include <atomic>
#include <cstddef>

#include <new>
#include <utility>

namespace us::opencl {

enum class HandleKind : uint32_t {
  Dead,
  Platform,
  Device,
  Context,
  Queue,
  Memory,
  Program,
  Kernel,
  Event,
  Sampler,
  CommandBuffer,
  MutableCommand,
  Semaphore
};

struct HandleSlot {
  const cl_icd_dispatch *dispatch;
  std::atomic<HandleKind> kind;
  std::atomic<uint32_t> applicationCount;
  alignas(16) std::byte object[240];
};
static_assert(offsetof(HandleSlot, dispatch) == 0 && sizeof(HandleSlot) == 256);

/// A slot, Dead, its count zero; null when the host's memory is used up.
HandleSlot *takeSlot();
/// The object is destroyed: the slot is Dead and may be used again much later.
void giveSlotBack(HandleSlot *slot);
namespace detail {
/// [poolBegin, poolEnd) has been handed out at least once. Written under the pool's mutex; looked at in every call.
extern std::atomic<uintptr_t> poolBegin, poolEnd;
} // namespace detail
/// The slot a handle points to, or null if it points to none.
inline HandleSlot *slotOf(const void *handle) {
  const auto address = reinterpret_cast<uintptr_t>(handle);
  const uintptr_t end = detail::poolEnd.load(std::memory_order_acquire);
  const uintptr_t begin = detail::poolBegin.load(std::memory_order_relaxed);
  if (address < begin || address >= end || (address - begin) % sizeof(HandleSlot) != 0) return nullptr;
  return reinterpret_cast<HandleSlot *>(address);
}

/// Base of what lives in a slot. It lives while the application or another object of the API holds it: a handle is
/// valid exactly as long (a context stays while its buffers do). Running commands hold core objects, never these.
class ClObject : public Object {
public:
  HandleSlot *slot() const {
    return reinterpret_cast<HandleSlot *>(reinterpret_cast<uintptr_t>(this) - offsetof(HandleSlot, object));
  }
  uint32_t applicationCount() const { return slot()->applicationCount.load(std::memory_order_relaxed); }

protected:
  void lastReferenceGone() override {
    HandleSlot *mine = slot();
    mine->kind.store(HandleKind::Dead, std::memory_order_release);
    this->~ClObject();
    giveSlotBack(mine);
  }
};

/// The type behind a handle type: `using Handle`, `kKind`, `kInvalid` (what an invalid handle is called), `kName`.
template <class T, class ClHandle, HandleKind Kind, ErrorCode Invalid> class ClObjectOf : public ClObject {
public:
  using Handle = ClHandle;
  static constexpr HandleKind kKind = Kind;
  static constexpr ErrorCode kInvalid = Invalid;
  Handle handle() const { return reinterpret_cast<Handle>(slot()); }

private:
  ClObjectOf() = default;
  friend T;
};

/// Makes an object in a slot. The application owns nothing of it yet: see giveToApplication.
template <class T, class... Arguments> Expected<Ref<T>> makeObject(Arguments &&...arguments) {
  static_assert(sizeof(T) <= sizeof(HandleSlot::object) && alignof(T) <= 16);
  HandleSlot *slot = takeSlot();
  if (!slot) return fail(ErrorCode::OutOfHostMemory, "no room for another handle");
  T *object = new (slot->object) T(std::forward<Arguments>(arguments)...);
  Ref<T> ref(object);
  slot->kind.store(T::kKind, std::memory_order_release);
  return ref;
}

/// What an object is called where there is more to say than its type.
template <class T> const char *nounOf(const T &) { return T::kName; }

/// The application's first reference; what a creating call returns.
template <class T> typename T::Handle giveToApplication(Ref<T> object) {
  object->slot()->applicationCount.store(1, std::memory_order_relaxed);
  if (ApiChecks *const checks = apiChecks()) {
    cl_context context = nullptr;
    if constexpr (requires { object->context->handle(); }) context = object->context->handle();
    checks->made(*object->slot(), nounOf(*object), context);
  }
  return object.detach()->handle();
}

/// A handle that the call in progress cannot use: who looks for mistakes is told, should the call fail.
void noteInvalidHandle(const void *handle, const char *wanted);

/// Whether it is a handle of that type.
template <class T> bool isHandleOf(const void *handle) {
  const HandleSlot *slot = slotOf(handle);
  return slot && slot->kind.load(std::memory_order_acquire) == T::kKind;
}

/// The error of a handle that is not what is wanted.
[[nodiscard]] std::unexpected<Error> invalidHandle(const void *handle, ErrorCode code, const char *wanted);

/// The object behind a handle; null if it is no handle of that type.
template <class T> T *objectBehind(typename T::Handle handle) {
  HandleSlot *slot = slotOf(handle);
  if (!slot || slot->kind.load(std::memory_order_acquire) != T::kKind) return nullptr;
  return std::launder(reinterpret_cast<T *>(slot->object));
}

/// The object behind a handle, or its type's error.
template <class T> ExpectedRef<T> fromHandle(typename T::Handle handle) {
  if (T *const object = objectBehind<T>(handle)) [[likely]]
    return *object;
  return invalidHandle(handle, T::kInvalid, T::kName);
}

template <class T> Expected<void> retainHandle(typename T::Handle handle) {
  US_TRY(T & object, fromHandle<T>(handle));
  // An object that only others of the API still hold comes back to the application (a queue's context, say).
  if (object.slot()->applicationCount.fetch_add(1, std::memory_order_relaxed) == 0) object.retain();
  return {};
}

template <class T> Expected<void> releaseHandle(typename T::Handle handle) {
  US_TRY(T & object, fromHandle<T>(handle));
  std::atomic<uint32_t> &count = object.slot()->applicationCount;
  uint32_t before = count.load(std::memory_order_relaxed);
  do {
    if (before == 0) {
      noteInvalidHandle(handle, T::kName);
      return fail(T::kInvalid, icd::format("the {} was released more often than retained", T::kName));
    }
  } while (!count.compare_exchange_weak(before, before - 1, std::memory_order_acq_rel));
  if (before == 1) {
    if (ApiChecks *const checks = apiChecks()) checks->released(*object.slot());
    if constexpr (requires { object.releasedByApplication(); }) object.releasedByApplication();
    object.release();
  }
  return {};
}

} // namespace us::opencl
