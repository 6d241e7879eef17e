// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V's types beside LLVM's: LLVM's pointers do not say what they point to, SPIR-V's do.
#pragma once

#include "frontend/spirv/module_reader.h"

#include <llvm/IR/DerivedTypes.h>

#include <memory>
#include <unordered_map>
#include <vector>

namespace us::frontend::spirv {

enum class TypeKind : uint8_t {
  Void,
  Bool,
  Integer,
  Float,
  Vector,
  Array,
  Struct,
  Pointer,
  Function,
  Opaque,       ///< OpTypeOpaque: behind pointers only
  Event,        ///< event_t
  Sampler,      ///< sampler_t
  Image,        ///< image*_t
  SampledImage, ///< an image and a sampler, made and taken apart inside a function
  Pipe,         ///< one end of a pipe
  PipeStorage,  ///< a pipe in memory of the program
  ReserveId,    ///< reserve_id_t
  Queue,        ///< queue_t, on the device
  DeviceEvent,  ///< clk_event_t
};

struct ImageFacts {
  uint32_t dimension = 0; ///< spv::Dim
  bool depth = false, arrayed = false, multisampled = false;
  uint32_t format = 0, access = 0; ///< spv::ImageFormat, spv::AccessQualifier
};

struct Type {
  TypeKind kind;
  uint32_t id = 0;
  uint32_t width = 0;                  ///< bits of an Integer or Float
  uint64_t count = 0;                  ///< elements of a Vector or Array
  const Type *element = nullptr;       ///< of a Vector or Array; what a Pointer points to; a Function's result; the
                                       ///< image of a SampledImage
  std::vector<const Type *> members{}; ///< of a Struct; a Function's parameters
  spv::StorageClass storage{};         ///< of a Pointer
  ImageFacts image{};
  uint32_t pipeAccess = 0;    ///< spv::AccessQualifier of a Pipe
  llvm::Type *llvm = nullptr; ///< null for a SampledImage
  uint64_t size = 0;          ///< bytes in memory; 0: has none
  uint64_t parts = 1;         ///< numbers and pointers that it is made of, vectors as one
  unsigned depth = 0;         ///< how many types it is nested
  std::string name{};         ///< OpName

  bool is(TypeKind wanted) const { return kind == wanted; }
  const Type &scalar() const { return kind == TypeKind::Vector ? *element : *this; }
  bool isIntegers() const { return scalar().kind == TypeKind::Integer; }
  bool isFloats() const { return scalar().kind == TypeKind::Float; }
  bool isBools() const { return scalar().kind == TypeKind::Bool; }
  /// Values with more parts cannot be loaded or passed at once: LLVM takes each part by itself.
  static constexpr uint64_t kMostParts = 16384;
  bool isTooLargeForAValue() const { return parts > kMostParts; }
  /// Elements of a vector, 1 for a scalar.
  unsigned lanes() const { return kind == TypeKind::Vector ? unsigned(count) : 1; }
};

/// The address space of kernel IR for a storage class; nothing for one that kernels do not have.
std::optional<unsigned> addressSpaceOf(spv::StorageClass storage);

class Translation;

/// Adds the type that an OpType instruction declares. False if it is no such instruction.
Expected<bool> addType(Translation &translation, const Instruction &instruction);

} // namespace us::frontend::spirv
