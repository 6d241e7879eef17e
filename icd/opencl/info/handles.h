// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handles of a list of devices or queues, as queries answer them.
#pragma once

#include "icd/opencl/device.h"

#include <vector>

namespace us::opencl {

template <class T> auto handlesOf(const std::vector<Ref<T>> &objects) {
  std::vector<decltype(objects[0]->handle())> handles;
  handles.reserve(objects.size());
  for (const Ref<T> &object : objects) handles.push_back(object->handle());
  return handles;
}

} // namespace us::opencl
