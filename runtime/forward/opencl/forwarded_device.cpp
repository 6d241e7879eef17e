// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/opencl/forwarded_device.h"

#include "runtime/base/clock.h"
#include "runtime/base/without_exceptions.h"
#include "runtime/device/argument_words.h"
#include "runtime/forward/opencl/forwarded_image.h"
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
    if (!isIndirect && size && latest.localMemory == launch_.localMemory && latest.block.size() == size &&
        std::memcmp(latest.block.data(), launch_.arguments.data(), size) == 0)
      return {};
    latest.block.clear();
    const std::vector<ArgumentInfo> &arguments = kernel_.info().arguments;
    for (cl_uint index = 0; index < arguments.size(); ++index) US_CHECK(set(index, arguments[index]));
    if (blockSaysAll_) latest.block = launch_.arguments;
    latest.localMemory = launch_.localMemory;
    if (!isIndirect) return {};
    return driverResult("clSetKernelExecInfo",
                        device_.call().clSetKernelExecInfo(kernel_.object(), CL_KERNEL_EXEC_INFO_SVM_PTRS,
                                                           launch_.indirect->size() * sizeof(void *),
                                                           launch_.indirect->data()));
  }

private:
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

/// What the driver would say of the launch, in a sentence with numbers.
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

constexpr const char *kLaunchCall = "clEnqueueNDRangeKernel";

Expected<void> giveLaunch(const RealDevice &device, const MemoryTable &memory, const DeviceInfo &info,
                          const LaunchCommand &launch, cl_event *event) {
  auto &kernel = static_cast<ForwardedKernel &>(*launch.kernel);
  US_CHECK(checkLaunch(launch, info));
  std::array<size_t, 3> offset{}, global{}, local{};
  for (size_t i = 0; i < 3; ++i) {
    offset[i] = launch.globalOffset[i];
    global[i] = launch.globalSize[i];
    local[i] = launch.localSize[i];
  }
  US_CHECK(ArgumentReplay(device, memory, launch, kernel).run());
  return driverResult(kLaunchCall, device.call().clEnqueueNDRangeKernel(
                                       device.queue(), kernel.object(), launch.workDimensions, offset.data(),
                                       global.data(), local[0] ? local.data() : nullptr, 0, nullptr, event));
}

Expected<Begun> beginLaunch(const RealDevice &device, const MemoryTable &memory, const DeviceInfo &info,
                            const LaunchCommand &launch, Manner manner) {
  Begun begun{.call = kLaunchCall, .hasNoEvent = !manner.wantsEvent};
  US_CHECK(giveLaunch(device, memory, info, launch, manner.wantsEvent ? &begun.event : nullptr));
  return begun;
}

} // namespace

/// A command, or those of a sequence, one after the other.
class ForwardedDevice::CommandPieces final : public PieceSource {
public:
  CommandPieces(ForwardedDevice &device, const Command &command) : device_(device) {
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
    const RealDevice &real = *device_.device_;
    const MemoryTable &memory = *device_.memory_;
    const auto nothing = [](const auto &) -> Expected<Begun> { return Begun{}; };
    return std::visit(
        Overloaded{
            nothing,
            [&](const LaunchCommand &launch) { return beginLaunch(real, memory, device_.info_, launch, manner); },
            [&](const CopyCommand &copy) { return beginCopy(real, memory, copy, manner); },
            [&](const FillCommand &fill) { return beginFill(real, memory, fill); },
            [&](MapCommand map) -> Expected<Begun> {
              if (const MemoryPlace place = memory.find(map.address); place.memory && place.memory->shared())
                map.address = reinterpret_cast<uint64_t>(place.memory->shared() + place.offset);
              // Of other memory whoever maps copies.
              return memory.isShared(map.address) ? beginSharedMap(real, map) : Begun{};
            },
            [](const BindCommand &) -> Expected<Begun> {
              return fail(ErrorCode::Unsupported, "the device has no textures");
            },
        },
        command);
  }

  ForwardedDevice &device_; ///< lives while its commands do
  std::span<const Command> commands_;
};

uint64_t ForwardedDevice::now() const { return monotonicNanoseconds(); }

Expected<std::unique_ptr<DeviceMemory>> ForwardedDevice::allocate(const MemoryRequest &request) {
  if (request.shared) return SharedMemory::create(device_, memory_, request, info_.globalMemory);
  return ForwardedMemory::create(device_, memory_, request, info_.globalMemory);
}

Expected<std::unique_ptr<DeviceImage>> ForwardedDevice::createImage(const ImageDescription &image, std::byte *memory) {
  if (!info_.images) return fail(ErrorCode::Unsupported, info_.name + " has no images");
  return ForwardedImage::create(device_, image, memory_->find(reinterpret_cast<uint64_t>(memory)));
}

void ForwardedDevice::unloadCompiler() {
  const DriverPlatform &platform = device_->platform();
  if (platform.call->clUnloadPlatformCompiler) platform.call->clUnloadPlatformCompiler(platform.id);
}

Expected<Size3> ForwardedDevice::suggestLocalSize(DeviceKernel &kernel, uint32_t dimensions, const Size3 &,
                                                  const Size3 &globalSize) {
  if (const Size3 &required = kernel.info().requiredWorkGroupSize; required[0]) return required;
  uint64_t most = std::clamp<uint64_t>(kernel.info().largestWorkGroup, 1, info_.maxWorkGroupSize);
  // Parts that divide the range, as large as they may be, dimension by dimension.
  Size3 local{1, 1, 1};
  for (uint32_t i = 0; i < dimensions; ++i) {
    uint64_t part = std::min<uint64_t>({most, globalSize[i], info_.maxWorkItemSizes[i]});
    while (part > 1 && globalSize[i] % part) --part;
    local[i] = std::max<uint64_t>(part, 1);
    most /= local[i];
  }
  return local;
}

Expected<void> ForwardedDevice::check(const LaunchCommand &launch) const { return checkLaunch(launch, info_); }

void ForwardedDevice::submit(const Command &command, CommandObserver &observer) {
  const auto *host = std::get_if<HostCallCommand>(&command);
  if (!host) {
    CommandPieces pieces(*this, command);
    return completion_.submit(pieces, observer);
  }
  // Native kernels run on the thread that submits them: the runtime has chosen it.
  completion_.finish();
  observer.started(now());
  Expected<void> result = withoutExceptions([&]() -> Expected<void> {
    host->call();
    return {};
  });
  observer.finished(now(), std::move(result));
}

Expected<bool> ForwardedDevice::pass(const LaunchCommand &launch, CommandOwner &owner, KeptObjects &keep) {
  struct Launch final : OneCall {
    Launch(ForwardedDevice &device, const LaunchCommand &command) : device(device), command(command) {}
    Expected<void> give(cl_event *event) override {
      return giveLaunch(*device.device_, *device.memory_, device.info_, command, event);
    }
    ForwardedDevice &device;
    const LaunchCommand &command;
  } call(*this, launch);
  US_CHECK(completion_.pass(call, owner, keep));
  return true;
}

Expected<bool> ForwardedDevice::runToEnd(const Command &command) {
  const auto *const copy = std::get_if<CopyCommand>(&command);
  if (!copy) return false;
  return copyToEnd(*device_, *memory_, *copy, completion_);
}

Expected<std::vector<Ref<Device>>> ForwardedDevice::partition(const Partition &) {
  return fail(ErrorCode::DevicePartitionFailed, "a real device is not divided");
}

} // namespace us::forward
