// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references: variables of a module that the host binds. What was set reaches the variable with the
// next launch of the module.
#pragma once

#include "icd/cuda/texture.h"

#include <optional>

namespace us::cuda {

/// A module's variable, and what it is bound to.
class BoundVariable {
public:
  /// `address` 0: none.
  explicit BoundVariable(uint64_t address) : address_(address) {}

  /// What the next launch runs behind.
  struct Change {
    BindCommand command;
    Ref<DeviceTexture> texture, before; ///< the new one, and the one that launches under way read
  };
  /// From now on the variable is that texture; nothing if it is already.
  Expected<std::optional<Change>> bind(Device &device, TextureRequest request);

private:
  const uint64_t address_;
  TextureRequest request_;
  Ref<DeviceTexture> texture_;
};

class TextureReference final : public Object {
public:
  /// `variable`: the module's; none for one that cuTexRefCreate made.
  explicit TextureReference(Context &context, const TextureVariable &variable = {});

  Context &context() const { return *context_; }
  /// How its variable has to change before a launch.
  Expected<std::optional<BoundVariable::Change>> pending();

  std::mutex mutex; ///< guards all below
  bool isBound = false, hasChanged = false;
  TextureSource source;
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  unsigned channels = 1;
  uint64_t address = 0; ///< aligned; of memory
  uint64_t bytes = 0;   ///< from there

private:
  Context *const context_; ///< alive: a context takes its references with it
  BoundVariable variable_;
};

class SurfaceReference final : public Object {
public:
  SurfaceReference(Context &context, const TextureVariable &variable)
      : context_(&context), variable_(variable.address) {}

  Context &context() const { return *context_; }
  Expected<std::optional<BoundVariable::Change>> pending();

  std::mutex mutex; ///< guards all below
  bool hasChanged = false;
  Ref<Array> array;

private:
  Context *const context_;
  BoundVariable variable_;
};

/// The references of one module that the host has asked for.
class ReferenceTable {
public:
  ReferenceTable() = default;
  /// The handles end with the module.
  ~ReferenceTable();
  ReferenceTable(const ReferenceTable &) = delete;
  ReferenceTable &operator=(const ReferenceTable &) = delete;

  /// Always the same object for a name: CUDA_ERROR_NOT_FOUND.
  Expected<Ref<TextureReference>> texture(Context &context, DeviceProgram &program, const std::string &name);
  Expected<Ref<SurfaceReference>> surface(Context &context, DeviceProgram &program, const std::string &name);
  /// Before a launch in the stream: binds what was set since the last one, behind all launches of the context that are
  /// under way; what is enqueued from now on, in any stream, runs behind that.
  Expected<void> bind(Stream &stream);

private:
  std::mutex mutex_; // guards all below
  std::map<std::string, Ref<TextureReference>> textures_;
  std::map<std::string, Ref<SurfaceReference>> surfaces_;
};

void forgetReferencesOf(const Context &context);

} // namespace us::cuda
