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
#include "runtime/device/device.h"
#include "runtime/device/executable.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

namespace us::core {

/// Not thread-safe by itself, but where it says so: Kernel guards it. Holds no memory object alive.
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

  // What most programs set before each launch, without the guard's lock: beside any other call, and never by two
  // threads at a time for one argument. (Two that do it all the same get one of the values, or a part of each.) False,
  // and nothing was done: the functions above are to be asked.
  /// A value of the argument's size.
  bool setValueQuickly(uint32_t index, const void *bytes, size_t size) {
    if (index >= arguments_.size()) return false;
    Argument &argument = arguments_[index];
    if (!argument.isPlain || argument.size != size) return false;
    const bool isNew = write(values_.data() + argument.valueWord, static_cast<const std::byte *>(bytes), size);
    const bool wasSet = argument.isSet();
    std::atomic_ref(argument.set).store(true, std::memory_order_relaxed);
    if (isNew || !wasSet) changed(index);
    return true;
  }
  /// One of the two buffers that were set there last.
  bool setBufferQuickly(uint32_t index, const Buffer &buffer) {
    if (index >= arguments_.size()) return false;
    Argument &argument = arguments_[index];
    for (uint32_t which = 0; which < kPointer; ++which)
      if (std::atomic_ref(argument.known[which]).load(std::memory_order_relaxed) == buffer.weak().get()) {
        if (argument.which() == which) return true;
        std::atomic_ref(argument.current).store(which, std::memory_order_relaxed);
        changed(index);
        return true;
      }
    return false;
  }

  /// Another one since any argument has become another one.
  uint64_t age() const { return std::atomic_ref(const_cast<uint64_t &>(age_)).load(std::memory_order_acquire); }
  /// Something beside the arguments has changed that a launch takes.
  void changed() { changed(kMostNoted); }

  /// What changesOn says: `list` refers to `values`, and to memory that `keep` holds.
  struct Changes {
    InlineVector<ArgumentChange, 2> list;
    InlineVector<std::byte, 64> values;
    KeepList keep;
  };
  /// The arguments that have become others since changesOn or forgetChanges was asked last, if these are plain values,
  /// and buffers of the device with which a launch moves no memory. With the last reference to one of these in `into`,
  /// none may go while the caller's lock is held.
  bool changesOn(const Device &device, const KernelInfo &info, Changes &into) const;
  /// True if there were any.
  bool forgetChanges() const { return std::atomic_ref(changed_).exchange(0, std::memory_order_acquire) != 0; }

  /// The first argument whose object is gone.
  std::optional<uint32_t> released() const;

  /// Bytes of the local arena of a kernel as set now: its static memory, then each argument at its alignment.
  uint64_t localMemory(const KernelInfo &info) const;

  struct Packed {
    Ref<Buffer> missing{};
    bool isAtHand = true;      ///< as Kernel::prepareLaunch says it
    bool keepsBuffers = false; ///< of some, Buffer::outlivesCommands
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
      if (arguments_[i].pointer && arguments_[i].which() == kPointer) function(i, arguments_[i].pointer);
  }

private:
  static constexpr uint32_t kPointer = 2;
  struct Argument {
    ArgumentKind kind;
    bool isPlain = false; ///< a value that needs no look
    bool set = false;
    uint32_t valueWord = 0, size = 0; ///< Value: where its bytes begin in values_
    uint64_t localSize = 0;
    /// Which of the two buffers is set, or kPointer. Programs swap two, or set the same one again; a reference to the
    /// link is the most of what setting costs.
    uint32_t current = kPointer;
    const void *pointer = nullptr;                ///< shared virtual memory, or a null pointer
    const WeakLink<Buffer> *known[kPointer] = {}; ///< those of `buffers`
    Ref<WeakLink<Buffer>> buffers[kPointer];
    Ref<WeakLink<Image>> image;
    Ref<WeakLink<Pipe>> pipe;
    Ref<WeakLink<OnDeviceQueue>> queue;
    uint64_t samplerBits = 0;

    uint32_t which() const { // in C++26 atomic_ref takes what is const
      return std::atomic_ref(const_cast<uint32_t &>(current)).load(std::memory_order_relaxed);
    }
    bool isSet() const { return std::atomic_ref(const_cast<bool &>(set)).load(std::memory_order_relaxed); }
  };
  Expected<Argument *> at(uint32_t index);
  /// After the argument has become another one.
  void changed(uint32_t index) {
    const uint32_t bit = uint32_t(1) << std::min(index, kMostNoted);
    // There is one who sets arguments, and at most one who takes these bits away: that leaves some too many at worst.
    const std::atomic_ref bits(changed_);
    bits.store(bits.load(std::memory_order_relaxed) | bit, std::memory_order_release);
    std::atomic_ref(age_).store(age_ + 1, std::memory_order_release);
  }

  /// True if they were others.
  static bool write(uint64_t *words, const std::byte *from, size_t size) {
    bool isNew = false;
    const auto put = [&](uint64_t word) {
      isNew |= std::atomic_ref(*words).load(std::memory_order_relaxed) != word;
      std::atomic_ref(*words).store(word, std::memory_order_relaxed);
    };
    for (; size >= sizeof *words; ++words, from += sizeof *words, size -= sizeof *words) {
      uint64_t word;
      std::memcpy(&word, from, sizeof word);
      put(word);
    }
    if (size == 0) return isNew;
    uint64_t word = 0;
    if (size == sizeof(uint32_t))
      std::memcpy(&word, from, sizeof(uint32_t)); // without a call
    else
      std::memcpy(&word, from, size);
    put(word);
    return isNew;
  }
  void read(const Argument &argument, std::byte *to) const;

  std::vector<Argument> arguments_;
  std::vector<uint64_t> values_;             ///< of whole words each; read and written word by word
  static constexpr uint32_t kMostNoted = 31; ///< arguments from here on share a bit, with what is none
  mutable uint32_t changed_ = 0;             ///< a bit for each that has
  uint64_t age_ = 0;
};

} // namespace us::core
