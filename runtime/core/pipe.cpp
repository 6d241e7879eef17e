// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/pipe.h"

#include "runtime/core/runtime.h"

#include <algorithm>
#include <string>

namespace us::core {
namespace {

std::string textOf(const PipeDescription &pipe) {
  return "a pipe of " + std::to_string(pipe.maxPackets) + " packets of " + std::to_string(pipe.packetSize) + " bytes";
}

} // namespace

Pipe::Pipe(Ref<Buffer> memory, const PipeDescription &description)
    : memory_(std::move(memory)), description_(description), weak_(makeRef<WeakLink<Pipe>>(this)) {}

void Pipe::lastReferenceGone() {
  if (runtimeDead()) return;
  weak_->cut();
  delete this;
}

Expected<Ref<Pipe>> Pipe::create(Context &context, const PipeDescription &description) {
  BufferRequest request{.what = "pipe"};
  for (const Ref<Device> &device : context.devices())
    request.size = std::max(request.size, device->pipeBytes(description));
  if (request.size == 0)
    return fail(ErrorCode::InvalidPipeSize, textOf(description) + " was asked for, which no device of the context has");
  Expected<Ref<Buffer>> memory = Buffer::create(context, request);
  // A pipe that could be, but for the memory it takes.
  if (!memory && memory.error().code == ErrorCode::InvalidBufferSize)
    return fail(ErrorCode::MemObjectAllocationFailure, textOf(description) + ": " + memory.error().message);
  if (!memory) return std::unexpected(std::move(memory).error());
  return Ref<Pipe>(new Pipe(*std::move(memory), description));
}

Expected<uint64_t> Pipe::on(Device &device) {
  if (runtimeDead()) return failDead();
  // First of all: making memory may wait for other commands, which is done with no lock held.
  US_TRY(std::byte *const memory, memory_->addressOn(device));
  std::lock_guard hold(mutex_);
  if (!argument_) {
    // Devices of one context share the memory, and with it the pipe.
    US_TRY(argument_, device.createPipe(description_, memory));
  }
  return *argument_;
}

} // namespace us::core
