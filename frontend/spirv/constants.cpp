// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constants, specialization constants with the values that the application gave, and undefined values.
#include "emulator/abi/pipe_abi.h"
#include "frontend/frontend.h"
#include "frontend/spirv/names.h"
#include "frontend/spirv/translation.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

namespace us::frontend::spirv {
namespace {

constexpr uint64_t kLargestPipe = uint64_t(1) << 30;

/// The application's value for a specialization constant, if it gave one.
Expected<std::optional<uint64_t>> specialization(const Translation &translation, const Instruction &instruction,
                                                 size_t size) {
  const std::optional<uint32_t> id = translation.decorations.number(instruction.result, spv::Decoration::SpecId);
  if (!id) return std::nullopt;
  for (const SpecializationValue &given : translation.request.specializations) {
    if (given.id != *id) continue;
    if (given.bytes.size() != size)
      return failAt(instruction, "is specialization constant " + std::to_string(*id) + " of " + std::to_string(size) +
                                     " bytes, its value has " + std::to_string(given.bytes.size()));
    uint64_t value = 0;
    for (size_t i = size; i-- > 0;) value = value << 8 | uint8_t(given.bytes[i]);
    return value;
  }
  return std::nullopt;
}

using ConstantResult = Expected<llvm::Constant *>;

ConstantResult boolean(Translation &translation, const Instruction &instruction, const Type &type, bool value) {
  if (!type.is(TypeKind::Bool)) return failAt(instruction, "is of a type that is not boolean");
  return llvm::ConstantInt::get(type.llvm, value);
}

template <bool value>
ConstantResult plainBoolean(Translation &translation, const Instruction &instruction, const Type &type) {
  return boolean(translation, instruction, type, value);
}

template <bool value>
ConstantResult specBoolean(Translation &translation, const Instruction &instruction, const Type &type) {
  US_TRY(const std::optional<uint64_t> given, specialization(translation, instruction, 1));
  return boolean(translation, instruction, type, given ? *given != 0 : value);
}

ConstantResult number(const Instruction &instruction, const Type &type, uint64_t bits) {
  if (type.is(TypeKind::Integer)) return llvm::ConstantInt::get(type.llvm, llvm::APInt(64, bits).trunc(type.width));
  if (!type.is(TypeKind::Float)) return failAt(instruction, "is of a type that is no number");
  const llvm::APInt pattern = llvm::APInt(64, bits).trunc(type.width);
  return llvm::ConstantFP::get(type.llvm, llvm::APFloat(type.llvm->getFltSemantics(), pattern));
}

uint64_t literalOf(const Instruction &instruction) {
  const uint64_t low = instruction.operands[0];
  return instruction.operands.size() > 1 ? low | uint64_t(instruction.operands[1]) << 32 : low;
}

ConstantResult plainNumber(Translation &, const Instruction &instruction, const Type &type) {
  return number(instruction, type, literalOf(instruction));
}

ConstantResult specNumber(Translation &translation, const Instruction &instruction, const Type &type) {
  US_TRY(const std::optional<uint64_t> given, specialization(translation, instruction, type.width / 8));
  return number(instruction, type, given.value_or(literalOf(instruction)));
}

ConstantResult composite(Translation &translation, const Instruction &instruction, const Type &type) {
  std::vector<llvm::Constant *> parts;
  for (size_t i = 0; i < instruction.operands.size(); ++i) {
    US_TRY(llvm::Constant * part, translation.constantAt(instruction, instruction.operands[i]));
    const Type *expected = type.is(TypeKind::Struct) && i < type.members.size() ? type.members[i] : type.element;
    if (!expected || expected->llvm != part->getType())
      return failAt(instruction, "has a constituent " + std::to_string(i) + " of the wrong type");
    parts.push_back(part);
  }
  const uint64_t wanted = type.is(TypeKind::Struct) ? type.members.size() : type.count;
  if (parts.size() != wanted)
    return failAt(instruction,
                  "has " + std::to_string(parts.size()) + " constituents, its type has " + std::to_string(wanted));
  if (type.is(TypeKind::Vector)) return llvm::ConstantVector::get(parts);
  if (type.is(TypeKind::Array)) return llvm::ConstantArray::get(llvm::cast<llvm::ArrayType>(type.llvm), parts);
  if (type.is(TypeKind::Struct)) return llvm::ConstantStruct::get(llvm::cast<llvm::StructType>(type.llvm), parts);
  return failAt(instruction, "is of a type that has no constituents");
}

ConstantResult null(Translation &, const Instruction &instruction, const Type &type) {
  const bool hasNull = type.size != 0 && !type.is(TypeKind::Image) && !type.is(TypeKind::Sampler);
  if (!hasNull) return failAt(instruction, "is of a type that has no null value");
  return llvm::Constant::getNullValue(type.llvm);
}

ConstantResult undefined(Translation &, const Instruction &instruction, const Type &type) {
  if (type.size == 0) return failAt(instruction, "is of a type that has no values");
  return llvm::UndefValue::get(type.llvm);
}

ConstantResult operation(Translation &translation, const Instruction &instruction, const Type &) {
  return specializedOperation(translation, instruction);
}

/// The memory of a pipe of the program: a variable that lasts as long as it.
ConstantResult pipeStorage(Translation &translation, const Instruction &instruction, const Type &type) {
  if (!type.is(TypeKind::PipeStorage)) return failAt(instruction, "is of a type that is no pipe's storage");
  const uint32_t size = instruction.operands[0], capacity = instruction.operands[2];
  if (size == 0 || capacity == 0 || capacity > abi::kMaxPipePackets || abi::pipeBytes(size, capacity) > kLargestPipe)
    return failAt(instruction, "is a pipe of " + std::to_string(capacity) + " packets of " + std::to_string(size) +
                                   " bytes; it takes some of both, and at most 2^30 bytes");
  llvm::Type *const word = llvm::Type::getInt32Ty(translation.context);
  llvm::Type *const wide = llvm::Type::getInt64Ty(translation.context);
  // abi::PipeHeader, as far as it does not begin with zeros.
  llvm::Type *const rest =
      llvm::ArrayType::get(llvm::Type::getInt8Ty(translation.context),
                           abi::pipeBytes(size, capacity) - 2 * sizeof(uint32_t) - sizeof(uint64_t));
  llvm::Constant *const initial = llvm::ConstantStruct::getAnon(
      {llvm::ConstantInt::get(word, size), llvm::ConstantInt::get(word, capacity),
       llvm::ConstantInt::get(wide, abi::pipePacketsOffset(capacity)), llvm::ConstantAggregateZero::get(rest)});
  auto *variable =
      new llvm::GlobalVariable(translation.module, initial->getType(), false, llvm::GlobalValue::InternalLinkage,
                               initial, innerName(translation.nameOf(instruction.result), "pipe"), nullptr,
                               llvm::GlobalValue::NotThreadLocal, type.llvm->getPointerAddressSpace());
  variable->setAlignment(llvm::Align(alignof(abi::PipeHeader)));
  return variable;
}

struct ConstantRow {
  spv::Op opcode;
  ConstantResult (*make)(Translation &, const Instruction &, const Type &);
};
constexpr ConstantRow kConstantRows[] = {
    {spv::Op::OpConstantTrue, plainBoolean<true>},
    {spv::Op::OpConstantFalse, plainBoolean<false>},
    {spv::Op::OpConstant, plainNumber},
    {spv::Op::OpConstantComposite, composite},
    {spv::Op::OpConstantNull, null},
    {spv::Op::OpSpecConstantTrue, specBoolean<true>},
    {spv::Op::OpSpecConstantFalse, specBoolean<false>},
    {spv::Op::OpSpecConstant, specNumber},
    {spv::Op::OpSpecConstantComposite, composite},
    {spv::Op::OpSpecConstantOp, operation},
    {spv::Op::OpConstantPipeStorage, pipeStorage},
    {spv::Op::OpUndef, undefined},
};

/// A literal sampler becomes a call where it is used: notes the bits of OpenCL C's literal.
Expected<void> noteSampler(Translation &translation, const Instruction &instruction) {
  US_TRY(const Type *type, translation.resultType(instruction));
  if (!type->is(TypeKind::Sampler)) return failAt(instruction, "is of a type that is no sampler");
  // CLK_ADDRESS_NONE, _CLAMP_TO_EDGE, _CLAMP, _REPEAT, _MIRRORED_REPEAT in the order of SPIR-V's addressing modes.
  constexpr uint32_t kAddressing[] = {0, 2, 4, 6, 8};
  constexpr uint32_t kNormalized = 1, kFilterNearest = 0x10, kFilterLinear = 0x20;
  const uint32_t mode = instruction.operands[0];
  if (mode >= std::size(kAddressing)) return failAt(instruction, "has an unknown addressing mode");
  const bool linear = spv::SamplerFilterMode(instruction.operands[2]) == spv::SamplerFilterMode::Linear;
  translation.samplers[instruction.result] =
      kAddressing[mode] | (instruction.operands[1] != 0 ? kNormalized : 0) | (linear ? kFilterLinear : kFilterNearest);
  // So that the id has a type; its value is made in functions.
  translation.define(instruction, llvm::PoisonValue::get(type->llvm), type);
  return {};
}

} // namespace

Expected<bool> addConstant(Translation &translation, const Instruction &instruction) {
  if (instruction.opcode == spv::Op::OpConstantSampler) {
    US_CHECK(noteSampler(translation, instruction));
    return true;
  }
  for (const ConstantRow &row : kConstantRows) {
    if (row.opcode != instruction.opcode) continue;
    US_TRY(const Type *type, translation.resultType(instruction));
    US_TRY(llvm::Constant * value, row.make(translation, instruction, *type));
    if (value->getType() != type->llvm) return failAt(instruction, "has a value of another type than it says");
    translation.define(instruction, value, type);
    return true;
  }
  return false;
}

} // namespace us::frontend::spirv
