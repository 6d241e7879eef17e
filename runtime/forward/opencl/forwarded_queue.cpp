// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_queue.h"

#include "runtime/base/clock.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/device/argument_words.h"
#include "runtime/forward/opencl/forwarded_image.h"
#include "runtime/forward/opencl/forwarded_program.h"
#include "runtime/forward/opencl/shared_memory.h"
#include "runtime/forward/opencl/transfer.h"

#include <algorithm>
#include <array>
#include <string>

namespace us::forward {
namespace {

template <class... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};

/// Sets the arguments of the driver's kernel as a launch's block has them.
class ArgumentReplay {
public:
  ArgumentReplay(const RealDevice &device, const MemoryTable &memory, const LaunchCommand &launch,
                 ForwardedKernel &kernel)
      : device_(device), memory_(memory), launch_(launch), kernel_(kernel) {}

  Expected<void> run() {
    ForwardedKernel::Arguments &latest = kernel_.arguments();
    const bool isIndirect = launch_.indirect && !launch_.indirect->empty();
    const size_t size = launch_.arguments.size();
    if (launch_.argumentsNumber && latest.number == launch_.argumentsNumber) return {};
    latest.number = 0;
    if (!isIndirect && size && latest.localMemory == launch_.localMemory && latest.block.size() == size &&
        std::memcmp(latest.block.data(), launch_.arguments.data(), size) == 0) {
      latest.number = launch_.argumentsNumber;
      return {};
    }
    // While they are set nothing is known of them: one may be refused.
    const ForwardedKernel::Block before = std::exchange(latest.block, {});
    const std::vector<ArgumentInfo> &arguments = kernel_.info().arguments;
    for (cl_uint index = 0; index < arguments.size(); ++index)
      if (before.size() != size || !isIn(before, arguments[index])) US_CHECK(set(index, arguments[index]));
    if (blockSaysAll_) latest.block = launch_.arguments;
    latest.localMemory = launch_.localMemory;
    if (!isIndirect) {
      latest.number = launch_.argumentsNumber;
      return {};
    }
    return driverResult("clSetKernelExecInfo",
                        device_.call().clSetKernelExecInfo(kernel_.object(), CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                                           launch_.indirect->size() * sizeof(void *),
                                                           launch_.indirect->data()));
  }

private:
  /// Whether a block that says all of the kernel's arguments says the same of this one.
  bool isIn(const ForwardedKernel::Block &block, const ArgumentInfo &argument) const {
    // Of local memory it says where it lies, not how large it is.
    return argument.kind != ArgumentKind::LocalPointer &&
           std::memcmp(block.data() + argument.offset, launch_.arguments.data() + argument.offset, argument.size) == 0;
  }

  Expected<void> set(cl_uint index, const ArgumentInfo &argument) {
    switch (argument.kind) {
    case ArgumentKind::Value:
      return set(index, argument.size, launch_.arguments.data() + argument.offset);
    case ArgumentKind::GlobalPointer:
    case ArgumentKind::ConstantPointer:
      return setMemory(index, argumentWord(launch_, argument));
    case ArgumentKind::LocalPointer:
      return set(index, localArgumentSize(launch_, kernel_.info(), index), nullptr);
    case ArgumentKind::Image: {
      blockSaysAll_ = false; // by the next launch another image may have the address
      const cl_mem image = ForwardedImage::of(argumentWord(launch_, argument)).object();
      return set(index, sizeof image, &image);
    }
    case ArgumentKind::Sampler: {
      US_TRY(const cl_sampler sampler, device_.sampler(argumentWord(launch_, argument)));
      return set(index, sizeof sampler, &sampler);
    }
    default:
      return fail(ErrorCode::Unsupported, "argument " + std::to_string(index) + " of kernel " + kernel_.info().name +
                                              " is of a kind that is not forwarded to real devices");
    }
  }

  Expected<void> set(cl_uint index, size_t size, const void *value) {
    const cl_int code = device_.call().clSetKernelArg(kernel_.object(), index, size, value);
    if (code == CL_SUCCESS) return {};
    Error error = driverError("clSetKernelArg", code);
    error.message += " for argument " + std::to_string(index) + " of kernel " + kernel_.info().name;
    return std::unexpected(std::move(error));
  }

  Expected<void> setMemory(cl_uint index, uint64_t address) {
    if (address == 0) return set(index, sizeof(cl_mem), nullptr);
    const MemoryPlace place = memory_.find(address);
    if (!place.memory && memory_.isShared(address)) {
      blockSaysAll_ = false; // the driver's address, which it may give again
      return driverResult(
          "clSetKernelArgSVMPointer",
          device_.call().clSetKernelArgSVMPointer(kernel_.object(), index, reinterpret_cast<const void *>(address)));
    }
    if (!place.memory)
      return fail(ErrorCode::InvalidMemObject, "argument " + std::to_string(index) + " of kernel " +
                                                   kernel_.info().name + " is no memory of the device");
    US_TRY(const cl_mem object, place.memory->objectFrom(place.offset));
    return set(index, sizeof object, &object);
  }

  const RealDevice &device_;
  const MemoryTable &memory_;
  const LaunchCommand &launch_;
  ForwardedKernel &kernel_;
  bool blockSaysAll_ = true; ///< one like it means the same arguments, as long as it is the latest
};

constexpr const char *kLaunchCall = "clEnqueueNDRangeKernel";

Expected<void> giveLaunch(const RealQueue &on, const MemoryTable &memory, const DeviceInfo &info,
                          const LaunchCommand &launch, cl_event *event) {
  auto &kernel = static_cast<ForwardedKernel &>(*launch.kernel);
  US_CHECK(checkLaunch(launch, info));
  std::array<size_t, 3> offset{}, global{}, local{};
  for (size_t i = 0; i < 3; ++i) {
    offset[i] = launch.globalOffset[i];
    global[i] = launch.globalSize[i];
    local[i] = launch.localSize[i];
  }
  std::lock_guard hold(kernel.arguments().mutex); // until the driver has taken them
  US_CHECK(ArgumentReplay(on.device(), memory, launch, kernel).run());
  return driverResult(kLaunchCall, on.call().clEnqueueNDRangeKernel(
                                       on.queue(), kernel.object(), launch.workDimensions, offset.data(), global.data(),
                                       local[0] ? local.data() : nullptr, 0, nullptr, event));
}

Expected<Begun> beginLaunch(const RealQueue &on, const MemoryTable &memory, const DeviceInfo &info,
                            const LaunchCommand &launch, Manner manner) {
  Begun begun{.call = kLaunchCall, .hasNoEvent = !manner.wantsEvent};
  US_CHECK(giveLaunch(on, memory, info, launch, manner.wantsEvent ? &begun.event : nullptr));
  return begun;
}

} // namespace

Expected<void> checkLaunch(const LaunchCommand &launch, const DeviceInfo &device) {
  const KernelInfo &kernel = launch.kernel->info();
  if (launch.localMemory > device.localMemory)
    return fail(ErrorCode::OutOfResources, "kernel " + kernel.name + " needs " + std::to_string(launch.localMemory) +
                                               " bytes of local memory, the device has " +
                                               std::to_string(device.localMemory));
  const Size3 &local = launch.localSize;
  const uint64_t items = local[0] * local[1] * local[2];
  // Not KernelInfo::largestWorkGroup: NVIDIA's driver 580 says 256 of kernels of which it runs work-groups of 512.
  if (local[0] && items > device.maxWorkGroupSize)
    return fail(ErrorCode::InvalidWorkGroupSize, "a work-group of " + std::to_string(items) + " work-items, " +
                                                     device.name + " takes at most " +
                                                     std::to_string(device.maxWorkGroupSize));
  return {};
}

/// A command, or those of a sequence, one after the other.
class ForwardedQueue::CommandPieces final : public PieceSource {
public:
  CommandPieces(const ForwardedQueue &queue, const Command &command) : queue_(queue) {
    const auto *sequence = std::get_if<SequenceCommand>(&command);
    commands_ = sequence ? std::span<const Command>(sequence->list->commands) : std::span<const Command>(&command, 1);
  }

  Expected<std::optional<Begun>> next(Manner manner) override {
    if (commands_.empty()) return std::nullopt;
    const Command &command = commands_.front();
    commands_ = commands_.subspan(1);
    manner.mayBlock &= commands_.empty();
    return begin(command, manner);
  }

private:
  Expected<Begun> begin(const Command &command, Manner manner) {
    const RealQueue &on = *queue_.on_;
    const MemoryTable &memory = *queue_.memory_;
    const auto nothing = [](const auto &) -> Expected<Begun> { return Begun{}; };
    return std::visit(
        Overloaded{
            nothing,
            [&](const LaunchCommand &launch) { return beginLaunch(on, memory, queue_.info_, launch, manner); },
            [&](const CopyCommand &copy) { return beginCopy(on, memory, copy, manner); },
            [&](const FillCommand &fill) { return beginFill(on, memory, fill); },
            [&](MapCommand map) -> Expected<Begun> {
              if (const MemoryPlace place = memory.find(map.address); place.memory && place.memory->shared())
                map.address = reinterpret_cast<uint64_t>(place.memory->shared() + place.offset);
              // Of other memory whoever maps copies.
              return memory.isShared(map.address) ? beginSharedMap(on, map) : Begun{};
            },
            [](const BindCommand &) -> Expected<Begun> {
              return fail(ErrorCode::Unsupported, "the device has no textures");
            },
        },
        command);
  }

  const ForwardedQueue &queue_; ///< lives while its commands do
  std::span<const Command> commands_;
};

ForwardedQueue::ForwardedQueue(Ref<RealQueue> queue, std::shared_ptr<MemoryTable> memory, const DeviceInfo &info,
                               std::shared_ptr<QueueList> list)
    : on_(std::move(queue)), memory_(std::move(memory)), info_(info), list_(std::move(list)), completion_(on_) {
  std::lock_guard hold(list_->mutex);
  list_->queues.push_back(this);
}

ForwardedQueue::~ForwardedQueue() {
  std::lock_guard hold(list_->mutex);
  std::erase(list_->queues, this);
}

void ForwardedQueue::submit(const Command &command, CommandObserver &observer) {
  const auto *host = std::get_if<HostCallCommand>(&command);
  if (!host) {
    CommandPieces pieces(*this, command);
    return completion_.submit(pieces, observer);
  }
  // Native kernels run on the thread that submits them: the runtime has chosen it.
  completion_.finish();
  observer.started(monotonicNanoseconds());
  Expected<void> result = withoutExceptions([&]() -> Expected<void> {
    host->call();
    return {};
  });
  observer.finished(monotonicNanoseconds(), std::move(result));
}

Expected<bool> ForwardedQueue::pass(const LaunchCommand &launch, CommandOwner &owner, KeptObjects &keep) {
  struct Launch final : OneCall {
    Launch(ForwardedQueue &queue, const LaunchCommand &command) : queue(queue), command(command) {}
    Expected<void> give(cl_event *event) override {
      return giveLaunch(*queue.on_, *queue.memory_, queue.info_, command, event);
    }
    ForwardedQueue &queue;
    const LaunchCommand &command;
  } call(*this, launch);
  if (launch.argumentsNumber == 0) {
    US_CHECK(completion_.pass(call, owner, keep));
    return true;
  }
  const std::lock_guard order(completion_.order().giving);
  US_CHECK(call.give(nullptr));
  completion_.order().noteUnkept();
  return true;
}

namespace {
using Events = InlineVector<cl_event, 8>;
cl_event eventOf(PassedCommand command) { return static_cast<cl_event>(command.handle); }
Events eventsOf(std::span<const PassedCommand> commands) {
  Events events;
  for (const PassedCommand command : commands) events.push_back(eventOf(command));
  return events;
}
} // namespace

Expected<bool> ForwardedQueue::passAgain(DeviceKernel &kernel, uint64_t argumentsNumber, const LaunchShape &shape,
                                         std::span<const PassedCommand> after, PassedCommand *passed) {
  static_assert(std::is_same_v<uint64_t, size_t>);
  auto &its = static_cast<ForwardedKernel &>(kernel);
  const auto give = [&](const Events *events, cl_event *event) {
    return on_->call().clEnqueueNDRangeKernel(on_->queue(), its.object(), shape.dimensions, shape.offset.data(),
                                              shape.global.data(), shape.local[0] ? shape.local.data() : nullptr,
                                              events ? static_cast<cl_uint>(events->size()) : 0,
                                              events ? events->data() : nullptr, event);
  };
  cl_event event = nullptr;
  cl_int code;
  {
    const std::lock_guard order(completion_.order().giving);
    const std::lock_guard hold(its.arguments().mutex);
    if (its.arguments().number != argumentsNumber) return false;
    if (after.empty()) {
      code = give(nullptr, passed ? &event : nullptr);
    } else {
      const Events events = eventsOf(after);
      code = give(&events, passed ? &event : nullptr);
    }
    if (code == CL_SUCCESS) {
      const uint64_t number = completion_.order().noteUnkept();
      if (passed) *passed = {event, number};
    }
  }
  if (code != CL_SUCCESS) return std::unexpected(driverError(kLaunchCall, code));
  return true;
}

bool ForwardedQueue::takeArguments(const LaunchCommand &launch) {
  auto &kernel = static_cast<ForwardedKernel &>(*launch.kernel);
  const std::lock_guard hold(kernel.arguments().mutex);
  return ArgumentReplay(on_->device(), *memory_, launch, kernel).run().has_value();
}

bool ForwardedQueue::changeArguments(DeviceKernel &kernel, uint64_t from, uint64_t to,
                                     std::span<const ArgumentChange> changes) {
  auto &its = static_cast<ForwardedKernel &>(kernel);
  ForwardedKernel::Arguments &latest = its.arguments();
  const std::lock_guard hold(latest.mutex);
  if (latest.number != from) return false;
  latest.number = 0;
  latest.block.clear();
  for (const ArgumentChange &change : changes) {
    std::span<const std::byte> value = change.value;
    cl_mem object = nullptr;
    if (change.memory) {
      const Expected<cl_mem> found = static_cast<ForwardedMemory *>(change.memory)->objectFrom(change.offset);
      if (!found) return false;
      object = *found;
      value = std::as_bytes(std::span(&object, 1));
    }
    if (on_->call().clSetKernelArg(its.object(), change.index, value.size(), value.data()) != CL_SUCCESS) return false;
  }
  latest.number = to;
  return true;
}

void ForwardedQueue::releasePassed(PassedCommand command) { on_->call().clReleaseEvent(eventOf(command)); }

bool ForwardedQueue::awaitPassed(std::span<const PassedCommand> commands) {
  const Events events = eventsOf(commands);
  return on_->call().clWaitForEvents(static_cast<cl_uint>(events.size()), events.data()) == CL_SUCCESS;
}

void ForwardedQueue::adopt(PassedCommand command, CommandObserver &observer) {
  completion_.adopt(eventOf(command), command.number, kLaunchCall, observer);
}

Expected<bool> ForwardedQueue::transfer(DeviceMemory &memory, uint64_t offset, std::byte *host, uint64_t size,
                                        bool reads, std::span<const PassedCommand> after) {
  const auto &from = static_cast<ForwardedMemory &>(memory);
  if (size == 0 || from.image() || from.shared() || memory_->isShared(host)) return false;
  const Events events = eventsOf(after);
  const auto count = static_cast<cl_uint>(events.size());
  const cl_event *const list = count ? events.data() : nullptr;
  const cl_icd_dispatch &call = on_->call();
  const auto read = [&] {
    return driverResult("clEnqueueReadBuffer", call.clEnqueueReadBuffer(on_->queue(), from.object(), CL_TRUE, offset,
                                                                        size, host, count, list, nullptr));
  };
  const auto write = [&] {
    return driverResult("clEnqueueWriteBuffer", call.clEnqueueWriteBuffer(on_->queue(), from.object(), CL_TRUE, offset,
                                                                          size, host, count, list, nullptr));
  };
  US_CHECK(reads ? completion_.runEnding(read) : completion_.runUnkept(write));
  return true;
}

Expected<bool> ForwardedQueue::runToEnd(const Command &command) {
  const auto *const copy = std::get_if<CopyCommand>(&command);
  if (!copy) return false;
  return copyToEnd(*on_, *memory_, *copy, completion_);
}

} // namespace us::forward
