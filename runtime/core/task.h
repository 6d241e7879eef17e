// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Task: something for a pool of threads to do. Whoever wants it done later makes it now, and keeps the memory: giving
// it to a pool allocates nothing, so that it cannot fail when it has to happen.
#pragma once

namespace us::core {

class Task {
public:
  /// The pool does not touch the task once it has called this: it may delete itself, or be posted again.
  virtual void run() = 0;

protected:
  ~Task() = default;

private:
  friend class WorkerPool;
  Task *next_ = nullptr;
};

} // namespace us::core
