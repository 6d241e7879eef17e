// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/kernel.h"

#include "runtime/core/enqueue_runtime.h"
#include "runtime/core/runtime.h"

#include <string>

namespace us::core {
namespace {
/// LaunchCommand::argumentsNumber of launches such as no one was before.
uint64_t nextNumber() {
  static constinit std::atomic<uint64_t> latest{0};
  return latest.fetch_add(1, std::memory_order_relaxed) + 1;
}
} // namespace

Kernel::Kernel(Program &program, std::string name, PerDevice kernels, ArgumentBlock arguments)
    : program_(&program), name_(std::move(name)), kernels_(std::move(kernels)), arguments_(std::move(arguments)) {
  program.attachedKernels_.fetch_add(1, std::memory_order_acq_rel);
}
Kernel::~Kernel() { program_->attachedKernels_.fetch_sub(1, std::memory_order_acq_rel); }

void Kernel::lastReferenceGone() {
  if (!runtimeDead()) delete this;
}

Expected<Ref<DeviceKernel>> Kernel::on(const Device &device) const {
  // "A program binary (compiled binary, library binary or executable binary) built for a parent device can be used by
  // all its sub-devices."
  for (const Device *holder = &device; holder; holder = holder->parent())
    for (const auto &[candidate, kernel] : kernels_)
      if (candidate.get() == holder) return kernel;
  return fail(ErrorCode::InvalidProgramExecutable,
              "kernel " + name_ + " was not built for the device " + device.info().name);
}

std::vector<Ref<Device>> Kernel::devices() const {
  std::vector<Ref<Device>> devices;
  for (const auto &[device, kernel] : kernels_) devices.push_back(device);
  return devices;
}

Expected<void> Kernel::setValue(uint32_t index, std::span<const std::byte> bytes) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setValue(index, bytes);
}

Expected<void> Kernel::setBuffer(uint32_t index, Buffer *buffer) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setBuffer(index, buffer);
}

Expected<void> Kernel::setImage(uint32_t index, Image &image) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setImage(index, image);
}

Expected<void> Kernel::setSampler(uint32_t index, const SamplerDescription &sampler) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setSampler(index, sampler);
}

Expected<void> Kernel::setPipe(uint32_t index, Pipe &pipe) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setPipe(index, pipe);
}

Expected<void> Kernel::setQueue(uint32_t index, OnDeviceQueue &queue) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setQueue(index, queue);
}

Expected<void> Kernel::setLocal(uint32_t index, uint64_t size) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setLocal(index, size);
}

Expected<void> Kernel::setPointer(uint32_t index, const void *pointer) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  return arguments_.setPointer(index, pointer);
}

Expected<void> Kernel::setIndirectPointers(std::vector<const void *> pointers) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  indirectPointers_ = std::make_shared<const std::vector<const void *>>(std::move(pointers));
  arguments_.changed();
  return {};
}

Expected<void> Kernel::setUsesSystemMemory(bool uses) {
  if (runtimeDead()) return failDead();
  std::lock_guard hold(mutex_);
  usesSystemMemory_ = uses;
  arguments_.changed();
  return {};
}

Expected<uint64_t> Kernel::localMemoryOn(const Device &device) const {
  if (runtimeDead()) return failDead();
  US_TRY(const Ref<DeviceKernel> kernel, on(device));
  std::lock_guard hold(mutex_);
  return arguments_.localMemory(kernel->info());
}

std::optional<uint32_t> Kernel::releasedArgument() const {
  std::lock_guard hold(mutex_);
  return arguments_.released();
}

Ref<Kernel> Kernel::clone() const {
  std::lock_guard hold(mutex_);
  Ref<Kernel> copy(new Kernel(*program_, name_, kernels_, arguments_));
  copy->indirectPointers_ = indirectPointers_;
  copy->usesSystemMemory_ = usesSystemMemory_;
  return copy;
}

Expected<void> Kernel::keepShared(const DeviceInfo &device, KeepList &keep) const {
  const AddressMap &shared = program_->context().svm();
  const bool anyPointer = device.svmCapabilities & kSvmFineGrainSystem;
  if (usesSystemMemory_ && !anyPointer)
    return fail(ErrorCode::InvalidOperation,
                "kernel " + name_ + " uses the host's memory, which " + device.name + " cannot reach");
  const std::vector<const void *> none;
  for (const void *pointer : indirectPointers_ ? *indirectPointers_ : none)
    if (Ref<SvmAllocation> allocation = shared.find(pointer)) keep.push_back(std::move(allocation));
  Expected<void> result;
  arguments_.forEachPointer([&](uint32_t index, const void *pointer) {
    if (Ref<SvmAllocation> allocation = shared.find(pointer))
      keep.push_back(std::move(allocation));
    else if (!anyPointer && result)
      result = fail(ErrorCode::InvalidOperation, "argument " + std::to_string(index) + " of kernel " + name_ +
                                                     " points to no shared memory of the context, and " + device.name +
                                                     " cannot reach other memory of the host");
  });
  return result;
}

PreparedLaunch Kernel::prepareAgain(const Device &device, DeviceQueue &queue) const {
  if (runtimeDead()) return {};
  ArgumentBlock::Changes changes;
  std::lock_guard hold(mutex_);
  const uint64_t before = latest_.number.load(std::memory_order_relaxed), age = arguments_.age();
  if (before == 0 || latest_.device.load(std::memory_order_relaxed) != &device ||
      latest_.memoryAge.load(std::memory_order_relaxed) != program_->context().memoryAge())
    return {};
  DeviceKernel &kernel = *latest_.kernel.load(std::memory_order_relaxed);
  latest_.number.store(0, std::memory_order_release);
  if (!arguments_.changesOn(device, kernel.info(), changes)) return {};
  const uint64_t number = nextNumber();
  if (!queue.changeArguments(kernel, before, number, changes.list)) return {};
  latest_.argumentsAge.store(age, std::memory_order_release);
  latest_.number.store(number, std::memory_order_release);
  return {&kernel, number};
}

void Kernel::note(const Device &device, LaunchCommand &launch, uint64_t argumentsAge, uint64_t memoryAge) const {
  const bool isSame = latest_.argumentsAge.load(std::memory_order_relaxed) == argumentsAge &&
                      latest_.memoryAge.load(std::memory_order_relaxed) == memoryAge &&
                      latest_.device.load(std::memory_order_relaxed) == &device;
  launch.argumentsNumber = isSame ? latest_.number.load(std::memory_order_relaxed) : 0;
  if (launch.argumentsNumber) return;
  launch.argumentsNumber = nextNumber();
  latest_.number.store(0, std::memory_order_release);
  latest_.argumentsAge.store(argumentsAge, std::memory_order_release);
  latest_.memoryAge.store(memoryAge, std::memory_order_release);
  latest_.device.store(&device, std::memory_order_release);
  latest_.kernel.store(launch.kernel.get(), std::memory_order_release);
  latest_.number.store(launch.argumentsNumber, std::memory_order_release);
}

Expected<bool> Kernel::prepareLaunch(Device &device, LaunchCommand &launch, KeepList &keep) const {
  if (runtimeDead()) return failDead();
  US_TRY(launch.kernel, on(device));
  const KernelInfo &info = launch.kernel->info();
  const size_t kept = keep.size();
  bool isAtHand;
  for (;;) {
    Ref<Buffer> missing;
    {
      std::lock_guard hold(mutex_);
      const uint64_t argumentsAge = arguments_.age(), memoryAge = program_->context().memoryAge();
      if (arguments_.forgetChanges()) latest_.number.store(0, std::memory_order_release);
      US_TRY(ArgumentBlock::Packed packed, arguments_.pack(info, device, launch, keep));
      missing = std::move(packed.missing);
      isAtHand = packed.isAtHand && !indirectPointers_;
      if (!missing) US_CHECK(keepShared(device.info(), keep));
      launch.indirect = indirectPointers_;
      if (device.info().keepsMemory && isAtHand && !packed.keepsBuffers && !usesSystemMemory_)
        note(device, launch, argumentsAge, memoryAge);
    }
    if (!missing) break;
    // Making memory may wait for other commands to give some back: with no lock held.
    US_CHECK(missing->memoryOn(device));
    keep.resize(kept);
  }
  if (info.usesDeviceQueue) {
    Ref<DeviceRuntime> runtime =
        makeEnqueueRuntime(device, *launch.kernel, OnDeviceQueue::defaultOf(program_->context(), device));
    launch.deviceRuntime = runtime.get();
    keep.push_back(std::move(runtime));
    isAtHand = false;
  }
  if (launch.localMemory > device.info().localMemory) {
    US_CHECK(device.check(launch)); // it may say more of it
    return fail(ErrorCode::OutOfResources, "kernel " + name_ + " needs " + std::to_string(launch.localMemory) +
                                               " bytes of local memory, the device has " +
                                               std::to_string(device.info().localMemory));
  }
  return isAtHand;
}

} // namespace us::core
