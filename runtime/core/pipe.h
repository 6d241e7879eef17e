// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipe: a queue of packets in a Buffer of its own, made empty by the first device that a command needs it on.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/core/buffer.h"
#include "runtime/device/device.h"

#include <mutex>
#include <optional>

namespace us::core {

class Pipe final : public Object {
public:
  /// InvalidPipeSize if no device of the context can have such a pipe; MemObjectAllocationFailure if it is larger than
  /// every device's largest allocation. No memory is made yet.
  static Expected<Ref<Pipe>> create(Context &context, const PipeDescription &description);

  const PipeDescription &description() const { return description_; }
  /// What it lies in: references, callbacks and the account are this object's affair.
  Buffer &memory() const { return *memory_; }

  /// What a launch's argument block holds for the pipe there; the first call makes it, and its memory. Errors of
  /// Buffer::memoryOn and Device::createPipe.
  Expected<uint64_t> on(Device &device);

  const Ref<WeakLink<Pipe>> &weak() const { return weak_; }

private:
  Pipe(Ref<Buffer> memory, const PipeDescription &description);
  void lastReferenceGone() override;

  const Ref<Buffer> memory_;
  const PipeDescription description_;
  const Ref<WeakLink<Pipe>> weak_;

  std::mutex mutex_; // guards argument_
  std::optional<uint64_t> argument_;
};

} // namespace us::core
