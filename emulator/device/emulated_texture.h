// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A texture as generated code sees it: the descriptor that a handle is the address of.
#pragma once

#include "emulator/abi/texture_abi.h"
#include "runtime/device/texture.h"

#include <deque>
#include <mutex>
#include <unordered_set>
#include <vector>

namespace us::emulator {

/// Descriptors stay where they are as long as the device lives: a kernel with a stale handle finds zeros. Thread-safe.
class TexturePool final : public Object {
public:
  abi::TextureDescriptor *take(const abi::TextureDescriptor &descriptor);
  void give(abi::TextureDescriptor *descriptor);
  /// Zeros: there is none.
  abi::TextureDescriptor at(uint64_t handle);

private:
  std::mutex mutex_; // guards all below
  std::deque<abi::TextureDescriptor> slots_;
  std::unordered_set<uint64_t> handles_; // of the slots
  std::vector<abi::TextureDescriptor *> free_;
};

class EmulatedTexture final : public DeviceTexture {
public:
  EmulatedTexture(Ref<TexturePool> pool, const TextureRequest &request);
  ~EmulatedTexture() override { pool_->give(descriptor_); }
  uint64_t handle() const override { return reinterpret_cast<uint64_t>(descriptor_); }
  const abi::TextureDescriptor &descriptor() const { return *descriptor_; }

private:
  const Ref<TexturePool> pool_;
  std::vector<abi::TextureDescriptor> levels_; ///< of mipmaps
  abi::TextureDescriptor *const descriptor_;
};

/// How a descriptor says that its texture is read, as far as a program's text can say it.
TextureSampling samplingOf(const abi::TextureDescriptor &descriptor);

} // namespace us::emulator
