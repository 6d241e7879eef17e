// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/base/finding_listener.h"

#include <mutex>

namespace us {
namespace {

std::mutex listenerMutex; ///< guards the next two
FindingListener known = nullptr;
void *data = nullptr;

} // namespace

void setFindingListener(FindingListener listener, void *userData) {
  const std::scoped_lock lock(listenerMutex);
  known = listener;
  data = userData;
}

void tellFindingListener(const std::string &sentence, const std::string &json) {
  FindingListener listener;
  void *userData;
  {
    const std::scoped_lock lock(listenerMutex);
    listener = known;
    userData = data;
  }
  if (listener) listener(sentence.c_str(), json.c_str(), json.size(), userData);
}

} // namespace us
