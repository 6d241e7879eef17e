// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ArgumentBlock: the arguments of a kernel as currently set, by index; packed for a device when a launch is enqueued.
#pragma once

#include "runtime/base/expected.h"
#include "runtime/base/ref.h"
#include "runtime/core/buffer.h"
#include "runtime/core/image.h"
#include "runtime/core/keep_list.h"
#include "runtime/core/on_device_queue.h"
#include "runtime/core/pipe.h"
#include "runtime/device/command.h"
#include "runtime/device/executable.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace us::core {

/// Not thread-safe by itself: Kernel guards it. Holds no memory object alive.
class ArgumentBlock {
public:
  explicit ArgumentBlock(const std::vector<ArgumentInfo> &arguments);

  /// InvalidArgIndex; InvalidArgSize if not exactly the argument's size; InvalidArgValue if it takes no value.
  Expected<void> setValue(uint32_t index, std::span<const std::byte> bytes);
  /// Null is a null pointer. InvalidArgIndex; InvalidArgValue if it takes no buffer.
  Expected<void> setBuffer(uint32_t index, Buffer *buffer);
  /// InvalidArgIndex; InvalidArgValue if it takes no image, or one of another kind.
  Expected<void> setImage(uint32_t index, Image &image);
  /// InvalidArgIndex; InvalidArgValue if it takes no sampler.
  Expected<void> setSampler(uint32_t index, const SamplerDescription &sampler);
  /// InvalidArgIndex; InvalidArgValue if it takes no pipe.
  Expected<void> setPipe(uint32_t index, Pipe &pipe);
  /// InvalidArgIndex; InvalidArgValue if it takes no queue.
  Expected<void> setQueue(uint32_t index, OnDeviceQueue &queue);
  /// An address the application answers for. InvalidArgIndex; InvalidArgValue if it takes no pointer.
  Expected<void> setPointer(uint32_t index, const void *pointer);
  /// Bytes of local memory. InvalidArgIndex; InvalidArgSize if zero; InvalidArgValue if not a local pointer.
  Expected<void> setLocal(uint32_t index, uint64_t size);

  /// The first argument whose object is gone.
  std::optional<uint32_t> released() const;

  /// Bytes of the local arena of a kernel as set now: its static memory, then each argument at its alignment.
  uint64_t localMemory(const KernelInfo &info) const;

  struct Packed {
    Ref<Buffer> missing{};
    bool isAtHand = true; ///< as Kernel::prepareLaunch says it
  };
  /// Packs the block and its local memory into `launch`, and adds the buffers used to `keep`. Makes no memory: the
  /// first buffer (or the memory of an image or pipe) that has none on the device yet is returned instead, and the
  /// caller makes it and packs again. InvalidKernelArgs names the first argument that is not set;
  /// MisalignedSubBufferOffset; OutOfResources if there are more images, samplers or pipes than the device takes;
  /// errors of Image::on and Pipe::on.
  Expected<Packed> pack(const KernelInfo &info, Device &device, LaunchCommand &launch, KeepList &keep) const;

  /// Every address set by setPointer, with its index, that is not null.
  template <class Function> void forEachPointer(Function function) const {
    for (uint32_t i = 0; i < arguments_.size(); ++i)
      if (arguments_[i].pointer) function(i, arguments_[i].pointer);
  }

private:
  struct Argument {
    ArgumentKind kind;
    bool set = false;
    uint32_t valueOffset = 0, size = 0; ///< Value: where its bytes lie in values_
    uint64_t localSize = 0;
    Ref<WeakLink<Buffer>> buffer;  ///< null and set: `pointer`
    const void *pointer = nullptr; ///< shared virtual memory, or a null pointer
    Ref<WeakLink<Image>> image;
    Ref<WeakLink<Pipe>> pipe;
    Ref<WeakLink<OnDeviceQueue>> queue;
    uint64_t samplerBits = 0;
  };
  Expected<Argument *> at(uint32_t index);

  std::vector<Argument> arguments_;
  std::vector<std::byte> values_;
};

} // namespace us::core
