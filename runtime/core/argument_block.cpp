// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/argument_block.h"

#include "runtime/base/align.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

namespace us::core {
namespace {
/// Where a local argument lies in the arena, given what lies before it. Kernels often keep wider values in a buffer
/// declared narrow, so nothing is placed tighter than 16 bytes.
uint64_t placeLocal(uint64_t used, const ArgumentInfo &info) {
  return alignTo(used, std::max<uint64_t>(info.pointeeAlignment, 16));
}

/// What a local argument of that size takes: more than any device has is as good as any more, and sums of it do not
/// wrap to what fits.
uint64_t localBytes(uint64_t size) { return std::min(size, uint64_t{1} << 40); }

/// The images, by access, samplers and pipes that a launch uses.
struct ObjectCounts {
  uint32_t images[4] = {}, samplers = 0, pipes = 0;

  Expected<void> check(const KernelInfo &kernel, const DeviceInfo &device) const {
    const uint32_t reads =
        images[static_cast<size_t>(AccessQualifier::None)] +
        images[static_cast<size_t>(AccessQualifier::ReadOnly)]; // "the default qualifier is read_only"
    const struct {
      const char *name;
      uint32_t used, most;
    } rows[] = {
        {"read-only images", reads, device.maxReadImageArguments},
        {"write-only images", images[static_cast<size_t>(AccessQualifier::WriteOnly)], device.maxWriteImageArguments},
        {"read-write images", images[static_cast<size_t>(AccessQualifier::ReadWrite)],
         device.maxReadWriteImageArguments},
        {"samplers", samplers, device.maxSamplers},
        {"pipes", pipes, device.maxPipeArguments},
    };
    for (const auto &row : rows)
      if (row.used > row.most)
        return fail(ErrorCode::OutOfResources, "kernel " + kernel.name + " uses " + std::to_string(row.used) + " " +
                                                   row.name + ", " + device.name + " takes " +
                                                   std::to_string(row.most));
    return {};
  }
};

std::string argumentName(uint32_t index);

/// A constant argument that is larger than the device's constant memory. (0: the device knows no limit.)
Expected<void> checkConstant(uint32_t index, const Buffer &buffer, const KernelInfo &kernel, const DeviceInfo &device) {
  if (device.maxConstantBuffer == 0 || buffer.size() <= device.maxConstantBuffer) return {};
  return fail(ErrorCode::OutOfResources, argumentName(index) + " of " + kernel.name + " is a constant buffer of " +
                                             std::to_string(buffer.size()) + " bytes, " + device.name +
                                             " has at most " + std::to_string(device.maxConstantBuffer));
}

std::string argumentName(uint32_t index) { return "argument " + std::to_string(index); }
} // namespace

ArgumentBlock::ArgumentBlock(const std::vector<ArgumentInfo> &arguments) {
  uint32_t words = 0;
  for (const ArgumentInfo &info : arguments) {
    Argument argument;
    argument.kind = info.kind;
    argument.size = info.size;
    if (info.kind == ArgumentKind::Value) {
      argument.isPlain = !info.maybeObject;
      argument.valueWord = words;
      words += static_cast<uint32_t>(alignTo(info.size, sizeof(uint64_t)) / sizeof(uint64_t));
    }
    arguments_.push_back(std::move(argument));
  }
  values_.resize(words);
}

void ArgumentBlock::read(const Argument &argument, std::byte *to) const {
  const uint64_t *words = values_.data() + argument.valueWord;
  for (size_t at = 0; at < argument.size; at += sizeof *words, ++words) {
    const uint64_t word = std::atomic_ref(const_cast<uint64_t &>(*words)).load(std::memory_order_relaxed);
    std::memcpy(to + at, &word, std::min<size_t>(sizeof word, argument.size - at));
  }
}

Expected<ArgumentBlock::Argument *> ArgumentBlock::at(uint32_t index) {
  changed(index); // its caller holds the lock that launches are prepared with
  if (index < arguments_.size()) return &arguments_[index];
  return fail(ErrorCode::InvalidArgIndex,
              argumentName(index) + " was set, the kernel has " + std::to_string(arguments_.size()));
}

Expected<void> ArgumentBlock::setValue(uint32_t index, std::span<const std::byte> bytes) {
  US_TRY(Argument *const argument, at(index));
  if (argument->kind != ArgumentKind::Value)
    return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no value");
  if (bytes.size() != argument->size)
    return fail(ErrorCode::InvalidArgSize, argumentName(index) + " was given " + std::to_string(bytes.size()) +
                                               " bytes, it has " + std::to_string(argument->size));
  write(values_.data() + argument->valueWord, bytes.data(), bytes.size());
  argument->set = true;
  return {};
}

Expected<void> ArgumentBlock::setBuffer(uint32_t index, Buffer *buffer) {
  US_TRY(Argument *const argument, at(index));
  if (!takesBuffer(argument->kind)) return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no buffer");
  if (!buffer) return setPointer(index, nullptr);
  if (!setBufferQuickly(index, *buffer)) {
    const uint32_t which = argument->which() == 0 ? 1 : 0;
    argument->buffers[which] = buffer->weak();
    std::atomic_ref(argument->known[which]).store(buffer->weak().get(), std::memory_order_relaxed);
    std::atomic_ref(argument->current).store(which, std::memory_order_relaxed);
  }
  argument->set = true;
  return {};
}

Expected<void> ArgumentBlock::setPointer(uint32_t index, const void *pointer) {
  US_TRY(Argument *const argument, at(index));
  if (!takesBuffer(argument->kind)) return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no pointer");
  argument->pointer = pointer;
  std::atomic_ref(argument->current).store(kPointer, std::memory_order_relaxed);
  argument->set = true;
  return {};
}

Expected<void> ArgumentBlock::setImage(uint32_t index, Image &image) {
  US_TRY(Argument *const argument, at(index));
  if (argument->kind != ArgumentKind::Image)
    return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no image");
  argument->image = image.weak();
  argument->set = true;
  return {};
}

Expected<void> ArgumentBlock::setSampler(uint32_t index, const SamplerDescription &sampler) {
  US_TRY(Argument *const argument, at(index));
  if (argument->kind != ArgumentKind::Sampler)
    return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no sampler");
  argument->samplerBits = samplerBits(sampler);
  argument->set = true;
  return {};
}

Expected<void> ArgumentBlock::setPipe(uint32_t index, Pipe &pipe) {
  US_TRY(Argument *const argument, at(index));
  if (argument->kind != ArgumentKind::Pipe)
    return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no pipe");
  argument->pipe = pipe.weak();
  argument->set = true;
  return {};
}

Expected<void> ArgumentBlock::setQueue(uint32_t index, OnDeviceQueue &queue) {
  US_TRY(Argument *const argument, at(index));
  if (argument->kind != ArgumentKind::Queue)
    return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no queue");
  argument->queue = queue.weak();
  argument->set = true;
  return {};
}

Expected<void> ArgumentBlock::setLocal(uint32_t index, uint64_t size) {
  US_TRY(Argument *const argument, at(index));
  if (argument->kind != ArgumentKind::LocalPointer)
    return fail(ErrorCode::InvalidArgValue, argumentName(index) + " takes no local memory");
  argument->localSize = size;
  argument->set = true;
  return {};
}

std::optional<uint32_t> ArgumentBlock::released() const {
  const auto isGone = [](const auto &weak) { return weak && !weak->lock(); };
  for (uint32_t i = 0; i < arguments_.size(); ++i) {
    const Argument &one = arguments_[i];
    const uint32_t which = one.which();
    if ((which != kPointer && isGone(one.buffers[which])) || isGone(one.image) || isGone(one.pipe) || isGone(one.queue))
      return i;
  }
  return std::nullopt;
}

uint64_t ArgumentBlock::localMemory(const KernelInfo &info) const {
  uint64_t used = info.localMemory;
  for (size_t i = 0; i < arguments_.size(); ++i)
    if (arguments_[i].kind == ArgumentKind::LocalPointer && arguments_[i].set)
      used = placeLocal(used, info.arguments[i]) + localBytes(arguments_[i].localSize);
  return used;
}

bool ArgumentBlock::changesOn(const Device &device, const KernelInfo &info, Changes &into) const {
  const uint32_t changed = std::atomic_ref(changed_).exchange(0, std::memory_order_acquire);
  if (changed >> kMostNoted) return false;
  size_t used = 0;
  for (uint32_t left = changed; left; left &= left - 1)
    if (const Argument &argument = arguments_[std::countr_zero(left)]; argument.isPlain) used += argument.size;
  into.values.resize(used);
  used = 0;
  for (uint32_t left = changed; left; left &= left - 1) {
    const uint32_t index = std::countr_zero(left);
    const Argument &argument = arguments_[index];
    const uint32_t which = argument.which();
    if (argument.isPlain) {
      std::byte *const to = into.values.data() + used;
      read(argument, to);
      into.list.push_back({.index = index, .value = {to, argument.size}});
      used += argument.size;
    } else if (argument.kind == ArgumentKind::GlobalPointer && which != kPointer) {
      Ref<Buffer> buffer = argument.buffers[which]->lock();
      if (!buffer) return false;
      const Buffer &one = *buffer;
      into.keep.push_back(std::move(buffer)); // first of all
      DeviceMemory *const memory = one.memoryIfApart(device);
      if (!memory || !one.isAlignedFor(device) || !one.isAtHand(device, info.arguments[index].written) ||
          one.outlivesCommands())
        return false;
      into.list.push_back({.index = index, .memory = memory, .offset = one.origin()});
    } else {
      return false;
    }
  }
  return true;
}

Expected<ArgumentBlock::Packed> ArgumentBlock::pack(const KernelInfo &info, Device &device, LaunchCommand &launch,
                                                    KeepList &keep) const {
  ObjectCounts counts;
  Packed packed;
  launch.arguments.clear();
  launch.arguments.resize(info.argumentBlockSize);
  uint64_t local = info.localMemory;
  std::vector<ArgumentMemory> given(device.info().checksArguments ? arguments_.size() : 0);
  for (uint32_t i = 0; i < arguments_.size(); ++i) {
    const Argument &argument = arguments_[i];
    const ArgumentInfo &place = info.arguments[i];
    std::byte *const to = launch.arguments.data() + place.offset;
    if (!argument.isSet())
      return fail(ErrorCode::InvalidKernelArgs, argumentName(i) + " of " + info.name + " is not set");
    if (argument.kind == ArgumentKind::Value) {
      read(argument, to);
      continue;
    }
    const uint32_t which = argument.which();
    uint64_t word = which == kPointer ? reinterpret_cast<uint64_t>(argument.pointer) : 0;
    if (argument.kind == ArgumentKind::LocalPointer) {
      word = placeLocal(local, place);
      local = word + localBytes(argument.localSize);
      if (!given.empty()) given[i].size = argument.localSize;
    } else if (argument.kind == ArgumentKind::Sampler) {
      ++counts.samplers;
      word = argument.samplerBits;
    } else if (argument.kind == ArgumentKind::Image) {
      ++counts.images[static_cast<size_t>(place.access)];
      packed.isAtHand = false;
      const Ref<Image> image = argument.image->lock();
      if (!image)
        return fail(ErrorCode::InvalidKernelArgs,
                    argumentName(i) + " of " + info.name + " is an image that was released");
      keep.push_back(image); // first of all, as below
      if (!image->memory().isAlignedFor(device))
        return fail(ErrorCode::MisalignedSubBufferOffset,
                    argumentName(i) + " of " + info.name + " lies in a sub-buffer misaligned for the device");
      if (!image->memory().isOn(device)) return Packed{Ref<Buffer>(&image->memory())};
      US_TRY(const DeviceImage *const seen, image->on(device));
      word = seen->argument();
    } else if (argument.kind == ArgumentKind::Queue) {
      const Ref<OnDeviceQueue> queue = argument.queue->lock();
      packed.isAtHand = false;
      if (!queue)
        return fail(ErrorCode::InvalidKernelArgs,
                    argumentName(i) + " of " + info.name + " is a queue that was released");
      keep.push_back(queue); // first of all, as below
      // Its commands are run by the device of the launch that enqueues them.
      word = queue->argument();
    } else if (argument.kind == ArgumentKind::Pipe) {
      ++counts.pipes;
      packed.isAtHand = false;
      const Ref<Pipe> pipe = argument.pipe->lock();
      if (!pipe)
        return fail(ErrorCode::InvalidKernelArgs,
                    argumentName(i) + " of " + info.name + " is a pipe that was released");
      keep.push_back(pipe); // first of all, as below
      if (!pipe->memory().isOn(device)) return Packed{Ref<Buffer>(&pipe->memory())};
      US_TRY(word, pipe->on(device));
    } else if (which != kPointer) {
      Ref<Buffer> held = argument.buffers[which]->lock();
      if (!held)
        return fail(ErrorCode::InvalidKernelArgs,
                    argumentName(i) + " of " + info.name + " is a buffer that was released");
      Buffer *const buffer = held.get();
      keep.push_back(std::move(held)); // first of all: the last reference must not go while the caller holds its lock
      if (!buffer->isAlignedFor(device))
        return fail(ErrorCode::MisalignedSubBufferOffset,
                    argumentName(i) + " of " + info.name + " is a sub-buffer misaligned for the device");
      if (argument.kind == ArgumentKind::ConstantPointer) US_CHECK(checkConstant(i, *buffer, info, device.info()));
      word = buffer->addressIfOn(device);
      if (word == 0) return Packed{Ref<Buffer>(buffer)};
      packed.isAtHand &= buffer->isAtHand(device, place.written);
      packed.keepsBuffers |= buffer->outlivesCommands();
      if (!given.empty()) given[i] = {buffer->size(), buffer->request().access};
    } else if (argument.pointer) {
      packed.isAtHand = false;
    }
    std::memcpy(to, &word, sizeof word);
  }
  US_CHECK(counts.check(info, device.info()));
  launch.localMemory = local;
  if (!given.empty()) launch.argumentMemory = std::make_shared<const std::vector<ArgumentMemory>>(std::move(given));
  return packed;
}

} // namespace us::core
