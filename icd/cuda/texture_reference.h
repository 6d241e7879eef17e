// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references: variables of a module that the host binds. What was set reaches the variable with the
// next launch of the module.
#pragma once

#include "icd/cuda/texture.h"

#include <span>

namespace us::cuda {

class TextureReference final : public Object {
public:
  /// `place`: the module's variable; empty for one that cuTexRefCreate made.
  explicit TextureReference(Context &context, std::span<std::byte> place = {});

  Context &context() const { return *context_; }
  /// The variable's new content, if it changes.
  std::optional<TextureDescriptor> pending();
  std::span<std::byte> place() const { return place_; }

  std::mutex mutex; ///< guards all below
  bool isBound = false, hasChanged = false;
  TextureSource source;
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  unsigned channels = 1;
  uint64_t address = 0; ///< aligned; of memory
  uint64_t bytes = 0;   ///< from there

private:
  Context *const context_; ///< alive: a context takes its references with it
  const std::span<std::byte> place_;
};

class SurfaceReference final : public Object {
public:
  SurfaceReference(Context &context, std::span<std::byte> place) : context_(&context), place_(place) {}

  Context &context() const { return *context_; }
  std::optional<TextureDescriptor> pending();
  std::span<std::byte> place() const { return place_; }

  std::mutex mutex; ///< guards all below
  bool hasChanged = false;
  Ref<Array> array;

private:
  Context *const context_;
  const std::span<std::byte> place_;
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
  /// Before a launch: writes what was set since the last one, after what runs has ended.
  void write(Context &context);

private:
  std::mutex mutex_; // guards all below
  std::map<std::string, Ref<TextureReference>> textures_;
  std::map<std::string, Ref<SurfaceReference>> surfaces_;
};

void forgetReferencesOf(const Context &context);

} // namespace us::cuda
