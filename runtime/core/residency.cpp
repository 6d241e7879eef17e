// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/residency.h"

#include "runtime/core/buffer.h"
#include "runtime/core/image.h"
#include "runtime/core/svm.h"
#include "runtime/device/argument_words.h"
#include "runtime/device/device.h"

namespace us::core {
namespace {

/// A command's addresses, told from each other by the buffers that it keeps alive.
class Residency {
public:
  Residency(Device &device, const KeepList &keep, Patience patience)
      : device_(device), keep_(keep), patience_(patience) {}

  /// False if something must be waited for, and the caller has no patience.
  Expected<bool> bring(const Command &command) {
    US_CHECK(bringAll(command));
    return isThere_;
  }

private:
  Expected<void> bringAll(const Command &command) {
    if (const auto *sequence = std::get_if<SequenceCommand>(&command)) {
      for (const Command &one : sequence->list->commands) US_CHECK(bringAll(one));
      return {};
    }
    // A map of the device itself moves what it maps.
    const auto *const mapped = std::get_if<MapCommand>(&command);
    if (!mapped || device_.info().sharesHostMemory)
      for (const Ref<Object> &object : keep_)
        if (auto *const shared = dynamic_cast<SvmAllocation *>(object.get())) US_CHECK(moveShared(*shared));
    if (const auto *launch = std::get_if<LaunchCommand>(&command)) return bringArguments(*launch);
    if (const auto *copy = std::get_if<CopyCommand>(&command)) return bringSides(*copy);
    if (const auto *fill = std::get_if<FillCommand>(&command)) return bringFilled(*fill);
    if (mapped) return bringMapped(*mapped);
    // Migrations, and calls of the host, which may do anything.
    const bool writes = std::holds_alternative<HostCallCommand>(command);
    for (const Ref<Object> &object : keep_)
      if (auto *const buffer = dynamic_cast<Buffer *>(object.get()))
        US_CHECK(move(*buffer, 0, buffer->size(), {.writes = writes}));
    return {};
  }

  Expected<void> move(Buffer &buffer, uint64_t offset, uint64_t size, MemoryUse use) {
    US_TRY(const bool isThere, buffer.moveTo(device_, offset, size, use, patience_));
    isThere_ &= isThere;
    return {};
  }

  Expected<void> moveShared(SvmAllocation &shared) {
    US_TRY(const bool isThere, shared.moveTo(device_, patience_));
    isThere_ &= isThere;
    return {};
  }

  Expected<void> bringArguments(const LaunchCommand &launch) {
    struct Kept {
      Buffer *buffer;
      uint64_t address;
    };
    InlineVector<Kept, 8> kept;
    for (const Ref<Object> &object : keep_)
      if (auto *const buffer = dynamic_cast<Buffer *>(object.get()))
        kept.push_back({buffer, buffer->addressIfOn(device_)});
    for (const ArgumentInfo &argument : launch.kernel->info().arguments) {
      const bool isImage = argument.kind == ArgumentKind::Image;
      if (!isImage && !takesBuffer(argument.kind)) continue;
      const uint64_t address = argumentWord(launch, argument);
      if (isImage) {
        US_CHECK(bringImage(address, argument.access));
        continue;
      }
      // A buffer and a part of it may begin at one address: the larger one holds both.
      Buffer *largest = nullptr;
      for (const Kept &one : kept)
        if (address && one.address == address && (!largest || one.buffer->size() > largest->size()))
          largest = one.buffer;
      if (largest) US_CHECK(move(*largest, 0, largest->size(), {.writes = argument.written}));
    }
    return {};
  }

  Expected<void> bringImage(uint64_t argument, AccessQualifier access) {
    for (const Ref<Object> &object : keep_) {
      auto *const image = dynamic_cast<Image *>(object.get());
      if (!image) continue;
      US_TRY(const DeviceImage *const seen, image->on(device_));
      if (seen->argument() != argument) continue;
      // Which pixels a kernel writes is not known: it leaves some. Without a qualifier nobody has told what it does.
      return move(image->memory(), 0, image->memory().size(), {.writes = access != AccessQualifier::ReadOnly});
    }
    return {};
  }

  Expected<void> bringSides(const CopyCommand &copy) {
    const bool isLine = copy.region[1] == 1 && copy.region[2] == 1;
    const auto side = [&](const std::byte *address, const PitchedLayout &layout, MemoryUse use) -> Expected<void> {
      return bringRange(reinterpret_cast<uint64_t>(address) + layout.offset, spanOf(layout, copy.region), use);
    };
    US_CHECK(side(copy.from, copy.fromLayout, {}));
    return side(copy.to, copy.toLayout, {.keeps = !isLine, .writes = true});
  }

  Expected<void> bringFilled(const FillCommand &fill) {
    const Size3 region{fill.size, fill.rows, fill.slices};
    return bringRange(reinterpret_cast<uint64_t>(fill.to), spanOf({0, fill.rowPitch, fill.slicePitch}, region),
                      {.keeps = fill.rows * fill.slices != 1, .writes = true});
  }

  /// The host works on its own copy; what it has written is taken from there when a command needs it.
  Expected<void> bringMapped(const MapCommand &map) {
    if (map.unmap) return {};
    uint64_t offset = 0;
    Buffer *const buffer = holding(map.address, map.size, offset);
    if (!buffer) return {};
    US_TRY(const bool isThere, buffer->moveToHost(offset, map.size, {.writes = map.willWrite}, patience_));
    isThere_ &= isThere;
    return {};
  }

  Expected<void> bringRange(uint64_t address, uint64_t size, MemoryUse use) {
    uint64_t offset = 0;
    Buffer *const buffer = holding(address, size, offset);
    return buffer ? move(*buffer, offset, size, use) : Expected<void>();
  }

  /// The buffer that holds the range; null if it is the application's own memory.
  Buffer *holding(uint64_t address, uint64_t size, uint64_t &offset) {
    for (const Ref<Object> &object : keep_) {
      auto *buffer = dynamic_cast<Buffer *>(object.get());
      if (auto *const image = dynamic_cast<Image *>(object.get())) buffer = &image->memory();
      const uint64_t begin = buffer ? buffer->addressIfOn(device_) : 0;
      if (begin == 0 || address < begin || address - begin > buffer->size()) continue;
      offset = address - begin;
      if (size <= buffer->size() - offset) return buffer;
    }
    return nullptr;
  }

  Device &device_;
  const KeepList &keep_;
  const Patience patience_;
  bool isThere_ = true;
};

} // namespace

Expected<void> bringMemory(Device &device, const Command &command, const KeepList &keep) {
  if (!keep.empty()) US_CHECK(Residency(device, keep, Patience::Waits).bring(command));
  return {};
}

Expected<bool> bringMemoryAtOnce(Device &device, const Command &command, const KeepList &keep) {
  if (keep.empty()) return true;
  return Residency(device, keep, Patience::None).bring(command);
}

} // namespace us::core
