// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User objects: what a program wants destroyed when no graph needs it any more.
#include "icd/cuda/entry_points.h"
#include "icd/cuda/graph.h"

namespace us::cuda {
namespace {

/// Lives while the program or a graph has references, and calls the program when it goes.
class UserObject final : public Object {
public:
  UserObject(void *pointer, CUhostFn destroy, uint64_t count)
      : references(count), pointer_(pointer), destroy_(destroy) {}
  ~UserObject() override { destroy_(pointer_); }

  uint64_t references; ///< the program's own; guarded by graphMutex

private:
  void *const pointer_;
  const CUhostFn destroy_;
};

auto &objects() {
  static auto &set = *new HandleSet<UserObject, CUuserObject>;
  return set;
}

Expected<Ref<UserObject>> objectOf(CUuserObject handle) {
  US_CHECK(checkInitialised());
  Ref<UserObject> object = objects().find(handle);
  if (!object) return fail(CUDA_ERROR_INVALID_VALUE, "the user object is not valid");
  return object;
}

Expected<void> checkCount(unsigned count) {
  // "The number of references must be nonzero and not greater than INT_MAX."
  if (count != 0 && count <= 0x7fffffff) return {};
  return fail(CUDA_ERROR_INVALID_VALUE, format("{} references", count));
}

/// With graphMutex held; what has to go without it is moved out. A graph's references are not the program's, but its
/// handle stays valid while a graph has some.
Expected<void> dropOwn(const Ref<UserObject> &object, CUuserObject handle, unsigned count, bool isMoved) {
  if (object->references < count)
    return fail(CUDA_ERROR_INVALID_VALUE, format("{} references, and the program has {}", count, object->references));
  object->references -= count;
  if (object->references == 0 && !isMoved) (void)objects().remove(handle);
  return {};
}

} // namespace

Expected<void> userObjectCreate(CUuserObject *handle, void *pointer, CUhostFn destroy, unsigned count, unsigned flags) {
  US_CHECK(checkOut(handle, "the result"));
  US_CHECK(checkOut(destroy, "the destructor"));
  US_CHECK(checkInitialised());
  US_CHECK(checkCount(count));
  // "Flags: currently must be CU_USER_OBJECT_NO_DESTRUCTOR_SYNC": nobody can wait for the destructor.
  if (flags != CU_USER_OBJECT_NO_DESTRUCTOR_SYNC)
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} of a user object", flags));
  *handle = objects().add(Ref<UserObject>(new UserObject(pointer, destroy, count)));
  return {};
}

Expected<void> userObjectRetain(CUuserObject handle, unsigned count) {
  US_CHECK(checkCount(count));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<UserObject> object, objectOf(handle));
  object->references += count;
  return {};
}

Expected<void> userObjectRelease(CUuserObject handle, unsigned count) {
  US_CHECK(checkCount(count));
  Ref<UserObject> object; // goes without the lock: its destructor is the program's
  const GraphLock lock(graphMutex());
  US_TRY(object, objectOf(handle));
  return dropOwn(object, handle, count, false);
}

Expected<void> graphRetainUserObject(CUgraph graphHandle, CUuserObject handle, unsigned count, unsigned flags) {
  US_CHECK(checkCount(count));
  // "flags: The optional flag CU_GRAPH_USER_OBJECT_MOVE transfers references from the calling thread, rather than
  // create new references. Pass 0 to create new references."
  if (flags & ~unsigned(CU_GRAPH_USER_OBJECT_MOVE))
    return fail(CUDA_ERROR_INVALID_VALUE, format("flags {:#x} are not defined", flags));
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(graphHandle));
  US_TRY(const Ref<UserObject> object, objectOf(handle));
  if (flags & CU_GRAPH_USER_OBJECT_MOVE) US_CHECK(dropOwn(object, handle, count, false));
  auto &[held, number] = graph->userObjects[handle];
  held = object;
  number += count;
  return {};
}

Expected<void> graphReleaseUserObject(CUgraph graphHandle, CUuserObject handle, unsigned count) {
  US_CHECK(checkCount(count));
  Ref<Object> gone; // goes without the lock
  const GraphLock lock(graphMutex());
  US_TRY(const Ref<Graph> graph, graphOf(graphHandle));
  const auto found = graph->userObjects.find(handle);
  if (found == graph->userObjects.end() || found->second.second < count)
    return fail(CUDA_ERROR_INVALID_VALUE, format("the graph has not {} references to the user object", count));
  found->second.second -= count;
  if (found->second.second != 0) return {};
  gone = std::move(found->second.first);
  graph->userObjects.erase(found);
  return {};
}

} // namespace us::cuda
