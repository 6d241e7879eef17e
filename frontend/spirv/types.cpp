// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/types.h"

#include "frontend/spirv/grammar.h"
#include "frontend/spirv/translation.h"

namespace us::frontend::spirv {
namespace {

/// No object is larger; sums and products of sizes below cannot overflow.
constexpr uint64_t kLargestType = uint64_t(1) << 40;
/// "Universal limits: structure nesting depth: 255"; arrays count here too, for LLVM recurses through both.
constexpr unsigned kDeepestType = 255;
/// "Structure members: 16,383".
constexpr size_t kMostMembers = 16383;

using Fill = Expected<void> (*)(Translation &, const Instruction &, Type &);

Expected<const Type *> memoryType(Translation &translation, const Instruction &instruction, uint32_t id) {
  US_TRY(const Type *type, translation.typeAt(instruction, id));
  if (type->size == 0) return failAt(instruction, "is made of a type that has no size");
  return type;
}

/// What the type's LLVM form says of its size, unless that is too much.
Expected<void> measure(Translation &translation, const Instruction &instruction, Type &type, uint64_t upperBound) {
  if (upperBound > kLargestType) return failAt(instruction, "declares a type of more than 2^40 bytes");
  if (type.depth > kDeepestType) return failAt(instruction, "nests types too deeply");
  type.size = translation.layout().getTypeAllocSize(type.llvm).getFixedValue();
  return {};
}

Expected<void> addVoid(Translation &translation, const Instruction &, Type &type) {
  type.llvm = llvm::Type::getVoidTy(translation.context);
  return {};
}

Expected<void> addBool(Translation &translation, const Instruction &instruction, Type &type) {
  type.llvm = llvm::Type::getInt1Ty(translation.context);
  return measure(translation, instruction, type, 1);
}

Expected<void> addInteger(Translation &translation, const Instruction &instruction, Type &type) {
  type.width = instruction.operands[0];
  if (type.width != 8 && type.width != 16 && type.width != 32 && type.width != 64)
    return failAt(instruction, "is " + std::to_string(type.width) + " bits wide; kernels have 8, 16, 32 and 64");
  type.llvm = llvm::Type::getIntNTy(translation.context, type.width);
  return measure(translation, instruction, type, 8);
}

Expected<void> addFloat(Translation &translation, const Instruction &instruction, Type &type) {
  type.width = instruction.operands[0];
  if (type.width != 16 && type.width != 32 && type.width != 64)
    return failAt(instruction, "is " + std::to_string(type.width) + " bits wide; kernels have 16, 32 and 64");
  type.llvm = type.width == 16   ? llvm::Type::getHalfTy(translation.context)
              : type.width == 32 ? llvm::Type::getFloatTy(translation.context)
                                 : llvm::Type::getDoubleTy(translation.context);
  return measure(translation, instruction, type, 8);
}

Expected<void> addVector(Translation &translation, const Instruction &instruction, Type &type) {
  US_TRY(type.element, translation.typeAt(instruction, instruction.operands[0]));
  type.count = instruction.operands[1];
  const bool isScalar =
      type.element->is(TypeKind::Bool) || type.element->is(TypeKind::Integer) || type.element->is(TypeKind::Float);
  if (!isScalar) return failAt(instruction, "is a vector of what is no number and no boolean");
  if (type.count < 2 || type.count > 16 || (type.count > 4 && type.count != 8 && type.count != 16))
    return failAt(instruction, "has " + std::to_string(type.count) + " elements; kernels have 2, 3, 4, 8 and 16");
  type.llvm = llvm::FixedVectorType::get(type.element->llvm, unsigned(type.count));
  return measure(translation, instruction, type, 256);
}

Expected<void> addArray(Translation &translation, const Instruction &instruction, Type &type) {
  US_TRY(type.element, memoryType(translation, instruction, instruction.operands[0]));
  US_TRY(type.count, translation.numberAt(instruction, instruction.operands[1]));
  if (type.count == 0 || type.count > kLargestType)
    return failAt(instruction, "has a length of " + std::to_string(type.count));
  type.depth = type.element->depth + 1;
  type.parts = type.element->parts * std::min(type.count, Type::kMostParts + 1);
  if (type.element->isTooLargeForAValue()) type.parts = type.element->parts;
  if (type.count > kLargestType / type.element->size) return failAt(instruction, "declares more than 2^40 bytes");
  type.llvm = llvm::ArrayType::get(type.element->llvm, type.count);
  return measure(translation, instruction, type, type.count * type.element->size);
}

Expected<void> addStruct(Translation &translation, const Instruction &instruction, Type &type) {
  if (instruction.operands.size() > kMostMembers) return failAt(instruction, "has more than 16383 members");
  uint64_t upperBound = 0;
  std::vector<llvm::Type *> members;
  for (const uint32_t id : instruction.operands) {
    US_TRY(const Type *member, memoryType(translation, instruction, id));
    type.members.push_back(member);
    members.push_back(member->llvm);
    type.parts = std::min(type.parts + member->parts, Type::kMostParts + 1);
    type.depth = std::max(type.depth, member->depth + 1);
    upperBound += member->size + 256; // and padding
    if (upperBound > kLargestType) return failAt(instruction, "declares more than 2^40 bytes");
  }
  const bool packed = translation.decorations.has(type.id, spv::Decoration::CPacked);
  type.llvm = llvm::StructType::create(translation.context, members, type.name.empty() ? "struct" : type.name, packed);
  return measure(translation, instruction, type, upperBound);
}

Expected<void> addOpaque(Translation &translation, const Instruction &instruction, Type &type) {
  type.llvm = llvm::StructType::create(translation.context, stringIn(instruction.operands));
  return {};
}

Expected<unsigned> addressSpaceAt(const Instruction &instruction, uint32_t storage) {
  const std::optional<unsigned> space = addressSpaceOf(spv::StorageClass(storage));
  if (!space) return failAt(instruction, "names storage class " + nameOfStorageClass(storage) + ", which kernels lack");
  return *space;
}

Expected<void> addPointer(Translation &translation, const Instruction &instruction, Type &type) {
  US_TRY(const unsigned space, addressSpaceAt(instruction, instruction.operands[0]));
  if (type.is(TypeKind::Pointer) && type.llvm && type.storage != spv::StorageClass(instruction.operands[0]))
    return failAt(instruction, "has another storage class than its forward declaration");
  const bool isForward = type.llvm != nullptr;
  US_TRY(type.element, translation.typeAt(instruction, instruction.operands[1]));
  // So that only structs can refer to themselves.
  if (isForward && !type.element->is(TypeKind::Struct))
    return failAt(instruction, "was declared before what it points to, which is no struct");
  type.depth = type.element->is(TypeKind::Struct) ? 1 : type.element->depth + 1;
  type.storage = spv::StorageClass(instruction.operands[0]);
  type.llvm = llvm::PointerType::get(translation.context, space);
  return measure(translation, instruction, type, 8);
}

Expected<void> addFunctionType(Translation &translation, const Instruction &instruction, Type &type) {
  US_TRY(type.element, translation.typeAt(instruction, instruction.operands[0]));
  if (!type.element->is(TypeKind::Void) && (type.element->size == 0 || type.element->isTooLargeForAValue()))
    return failAt(instruction, "returns what cannot be returned");
  std::vector<llvm::Type *> parameters;
  for (const uint32_t id : instruction.operands.subspan(1)) {
    US_TRY(const Type *parameter, translation.typeAt(instruction, id));
    if (parameter->size == 0 || parameter->isTooLargeForAValue())
      return failAt(instruction, "has a parameter of a type that cannot be passed");
    type.members.push_back(parameter);
    parameters.push_back(parameter->llvm);
  }
  if (parameters.size() > 255) return failAt(instruction, "has more than 255 parameters");
  type.llvm = llvm::FunctionType::get(type.element->llvm, parameters, false);
  return {};
}

/// The target types that Clang has for what needs no parameters.
constexpr struct {
  TypeKind kind;
  const char *name;
} kTargetTypes[] = {
    {TypeKind::Event, "spirv.Event"},
    {TypeKind::Sampler, "spirv.Sampler"},
    {TypeKind::ReserveId, "spirv.ReserveId"},
    {TypeKind::Queue, "spirv.Queue"},
    {TypeKind::DeviceEvent, "spirv.DeviceEvent"},
};

Expected<void> addTargetType(Translation &translation, const Instruction &instruction, Type &type) {
  for (const auto &[kind, name] : kTargetTypes)
    if (type.is(kind)) type.llvm = llvm::TargetExtType::get(translation.context, name);
  return measure(translation, instruction, type, 8);
}

Expected<void> addImage(Translation &translation, const Instruction &instruction, Type &type) {
  const std::span<const uint32_t> operands = instruction.operands;
  US_TRY(const Type *sampled, translation.typeAt(instruction, operands[0]));
  if (!sampled->is(TypeKind::Void)) return failAt(instruction, "has a sampled type; an image of a kernel has none");
  type.image = {.dimension = operands[1],
                .depth = operands[2] == 1,
                .arrayed = operands[3] == 1,
                .multisampled = operands[4] == 1,
                .format = operands[6],
                .access = operands.size() > 7 ? operands[7] : uint32_t(spv::AccessQualifier::ReadOnly)};
  type.llvm = llvm::TargetExtType::get(
      translation.context, "spirv.Image", {sampled->llvm},
      {operands[1], operands[2], operands[3], operands[4], operands[5], operands[6], type.image.access});
  return measure(translation, instruction, type, 8);
}

Expected<void> addSampledImage(Translation &translation, const Instruction &instruction, Type &type) {
  US_TRY(type.element, translation.typeAt(instruction, instruction.operands[0]));
  if (!type.element->is(TypeKind::Image)) return failAt(instruction, "is not made of an image");
  return {};
}

Expected<void> addPipe(Translation &translation, const Instruction &instruction, Type &type) {
  type.pipeAccess = instruction.operands[0];
  if (type.pipeAccess > uint32_t(spv::AccessQualifier::WriteOnly))
    return failAt(instruction, "is neither read nor written");
  type.llvm = llvm::TargetExtType::get(translation.context, "spirv.Pipe", {}, {type.pipeAccess});
  return measure(translation, instruction, type, 8);
}

Expected<void> addPipeStorage(Translation &translation, const Instruction &instruction, Type &type) {
  constexpr unsigned kGlobal = 1;
  type.llvm = llvm::PointerType::get(translation.context, kGlobal);
  return measure(translation, instruction, type, 8);
}

struct TypeRow {
  spv::Op opcode;
  TypeKind kind;
  Fill fill;
};
constexpr TypeRow kTypeRows[] = {
    {spv::Op::OpTypeVoid, TypeKind::Void, addVoid},
    {spv::Op::OpTypeBool, TypeKind::Bool, addBool},
    {spv::Op::OpTypeInt, TypeKind::Integer, addInteger},
    {spv::Op::OpTypeFloat, TypeKind::Float, addFloat},
    {spv::Op::OpTypeVector, TypeKind::Vector, addVector},
    {spv::Op::OpTypeArray, TypeKind::Array, addArray},
    {spv::Op::OpTypeStruct, TypeKind::Struct, addStruct},
    {spv::Op::OpTypePointer, TypeKind::Pointer, addPointer},
    {spv::Op::OpTypeFunction, TypeKind::Function, addFunctionType},
    {spv::Op::OpTypeOpaque, TypeKind::Opaque, addOpaque},
    {spv::Op::OpTypeEvent, TypeKind::Event, addTargetType},
    {spv::Op::OpTypeSampler, TypeKind::Sampler, addTargetType},
    {spv::Op::OpTypeImage, TypeKind::Image, addImage},
    {spv::Op::OpTypeSampledImage, TypeKind::SampledImage, addSampledImage},
    {spv::Op::OpTypePipe, TypeKind::Pipe, addPipe},
    {spv::Op::OpTypePipeStorage, TypeKind::PipeStorage, addPipeStorage},
    {spv::Op::OpTypeReserveId, TypeKind::ReserveId, addTargetType},
    {spv::Op::OpTypeQueue, TypeKind::Queue, addTargetType},
    {spv::Op::OpTypeDeviceEvent, TypeKind::DeviceEvent, addTargetType},
};

Type &newType(Translation &translation, TypeKind kind, uint32_t id) {
  translation.allTypes.push_back(std::make_unique<Type>(Type{.kind = kind}));
  Type &type = *translation.allTypes.back();
  type.id = id;
  type.name = translation.nameOf(id);
  return type;
}

/// A pointer to a type that is declared later.
Expected<void> addForwardPointer(Translation &translation, const Instruction &instruction) {
  const uint32_t id = instruction.operands[0];
  US_TRY(const unsigned space, addressSpaceAt(instruction, instruction.operands[1]));
  if (translation.types[id]) return failAt(instruction, "declares a type that there is already");
  Type &type = newType(translation, TypeKind::Pointer, id);
  type.storage = spv::StorageClass(instruction.operands[1]);
  type.llvm = llvm::PointerType::get(translation.context, space);
  type.size = 8;
  translation.types[id] = &type;
  return {};
}

} // namespace

Type *Translation::vectorOf(const Type &element, unsigned count) {
  Type &type = newType(*this, TypeKind::Vector, 0);
  type.element = &element;
  type.count = count;
  type.llvm = llvm::FixedVectorType::get(element.llvm, count);
  type.size = layout().getTypeAllocSize(type.llvm).getFixedValue();
  return &type;
}

std::optional<unsigned> addressSpaceOf(spv::StorageClass storage) {
  struct Place {
    spv::StorageClass storage;
    unsigned space;
  };
  constexpr Place kPlaces[] = {
      {spv::StorageClass::UniformConstant, 2}, {spv::StorageClass::Input, 0},    {spv::StorageClass::Workgroup, 3},
      {spv::StorageClass::CrossWorkgroup, 1},  {spv::StorageClass::Function, 0}, {spv::StorageClass::Generic, 4},
  };
  for (const Place &place : kPlaces)
    if (place.storage == storage) return place.space;
  return std::nullopt;
}

Expected<bool> addType(Translation &translation, const Instruction &instruction) {
  if (instruction.opcode == spv::Op::OpTypeForwardPointer) {
    US_CHECK(addForwardPointer(translation, instruction));
    return true;
  }
  for (const TypeRow &row : kTypeRows) {
    if (row.opcode != instruction.opcode) continue;
    Type *type = translation.types[instruction.result]; // from a forward declaration
    if (type && row.kind != TypeKind::Pointer) return failAt(instruction, "was declared as a pointer");
    if (!type) type = &newType(translation, row.kind, instruction.result);
    US_CHECK(row.fill(translation, instruction, *type));
    translation.types[instruction.result] = type;
    return true;
  }
  return false;
}

} // namespace us::frontend::spirv
