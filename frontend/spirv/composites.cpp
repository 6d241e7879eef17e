// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vectors, arrays and structs: making them, taking them apart, changing a part.
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

/// The part of a composite type at an index; null if there is none.
const Type *partOf(const Type &type, uint64_t index) {
  if (type.is(TypeKind::Struct)) return index < type.members.size() ? type.members[index] : nullptr;
  const bool hasElements = type.is(TypeKind::Vector) || type.is(TypeKind::Array);
  return hasElements && index < type.count ? type.element : nullptr;
}

llvm::Value *extractPart(FunctionTranslation &f, llvm::Value *value, const Type &type, uint32_t index) {
  if (type.is(TypeKind::Vector)) return f.builder.CreateExtractElement(value, uint64_t(index));
  return f.builder.CreateExtractValue(value, index);
}

llvm::Value *insertPart(FunctionTranslation &f, llvm::Value *value, llvm::Value *part, const Type &type,
                        uint32_t index) {
  if (type.is(TypeKind::Vector)) return f.builder.CreateInsertElement(value, part, uint64_t(index));
  return f.builder.CreateInsertValue(value, part, index);
}

Result vectorExtract(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value vector, f.operand(in, 0));
  if (!vector.type->is(TypeKind::Vector)) return failOperand(in, 0, *vector.type, "a vector");
  US_TRY(llvm::Value * index, integerAs(f, in, 1, 64));
  return f.builder.CreateExtractElement(vector.llvm, index);
}

Result vectorInsert(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value vector, f.operand(in, 0));
  if (!vector.type->is(TypeKind::Vector)) return failOperand(in, 0, *vector.type, "a vector");
  US_TRY(const Value part, valueOf(f, in, 1, *vector.type->element));
  US_TRY(llvm::Value * index, integerAs(f, in, 2, 64));
  return f.builder.CreateInsertElement(vector.llvm, part.llvm, index);
}

Result vectorShuffle(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value first, f.operand(in, 0));
  US_TRY(const Value second, f.operand(in, 1));
  if (!first.type->is(TypeKind::Vector)) return failOperand(in, 0, *first.type, "a vector");
  if (!second.type->is(TypeKind::Vector)) return failOperand(in, 1, *second.type, "a vector");
  if (first.type->element->llvm != second.type->element->llvm)
    return failOperand(in, 1, *second.type, "elements of the first vector's type");
  const unsigned firstLanes = first.type->lanes(), secondLanes = second.type->lanes();
  const unsigned lanes = std::max(firstLanes, secondLanes);
  const auto widened = [&](llvm::Value *vector, unsigned from) {
    if (from == lanes) return vector;
    llvm::SmallVector<int> places(lanes, -1);
    for (unsigned i = 0; i < from; ++i) places[i] = int(i);
    return f.builder.CreateShuffleVector(vector, places);
  };
  llvm::SmallVector<int> places;
  constexpr uint32_t kUndefined = 0xFFFFFFFF;
  for (const uint32_t component : in.operands.subspan(2)) {
    if (component != kUndefined && component >= firstLanes + secondLanes)
      return failAt(in, "selects component " + std::to_string(component) + " of " +
                            std::to_string(firstLanes + secondLanes));
    places.push_back(component == kUndefined  ? -1
                     : component < firstLanes ? int(component)
                                              : int(component - firstLanes + lanes));
  }
  if (places.empty() || places.size() > 16) return failAt(in, "makes a vector of no length that there is");
  return f.builder.CreateShuffleVector(widened(first.llvm, firstLanes), widened(second.llvm, secondLanes), places);
}

Result constructVector(FunctionTranslation &f, const Instruction &in, const Type &type) {
  llvm::Value *made = llvm::PoisonValue::get(type.llvm);
  uint64_t filled = 0;
  for (size_t i = 0; i < in.operands.size(); ++i) {
    US_TRY(const Value part, f.operand(in, i));
    if (part.type->scalar().llvm != type.element->llvm) return failOperand(in, i, *part.type, "the element's type");
    if (filled + part.type->lanes() > type.count) return failAt(in, "has too many constituents");
    for (unsigned lane = 0; lane < part.type->lanes(); ++lane, ++filled) {
      llvm::Value *element =
          part.type->is(TypeKind::Vector) ? f.builder.CreateExtractElement(part.llvm, uint64_t(lane)) : part.llvm;
      made = f.builder.CreateInsertElement(made, element, filled);
    }
  }
  if (filled != type.count) return failAt(in, "has too few constituents");
  return made;
}

Result construct(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  if (type->is(TypeKind::Vector)) return constructVector(f, in, *type);
  const uint64_t wanted = type->is(TypeKind::Struct) ? type->members.size() : type->count;
  const bool isComposite = type->is(TypeKind::Struct) || type->is(TypeKind::Array);
  if (!isComposite || wanted != in.operands.size())
    return failAt(in, "has " + std::to_string(in.operands.size()) + " constituents for " + typeName(*type));
  llvm::Value *made = llvm::PoisonValue::get(type->llvm);
  for (size_t i = 0; i < in.operands.size(); ++i) {
    US_TRY(const Value part, valueOf(f, in, i, *partOf(*type, i)));
    made = f.builder.CreateInsertValue(made, part.llvm, unsigned(i));
  }
  return made;
}

Result extract(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value composite, f.operand(in, 0));
  llvm::Value *value = composite.llvm;
  const Type *type = composite.type;
  for (const uint32_t index : in.operands.subspan(1)) {
    const Type *part = partOf(*type, index);
    if (!part) return failAt(in, "takes part " + std::to_string(index) + " of " + typeName(*type));
    value = extractPart(f, value, *type, index);
    type = part;
  }
  return value;
}

Result insert(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value object, f.operand(in, 0));
  US_TRY(const Value composite, f.operand(in, 1));
  // Down to the part, then up again with the parts around it.
  struct Step {
    llvm::Value *value;
    const Type *type;
    uint32_t index;
  };
  std::vector<Step> steps;
  llvm::Value *value = composite.llvm;
  const Type *type = composite.type;
  for (const uint32_t index : in.operands.subspan(2)) {
    const Type *part = partOf(*type, index);
    if (!part) return failAt(in, "changes part " + std::to_string(index) + " of " + typeName(*type));
    steps.push_back({value, type, index});
    value = extractPart(f, value, *type, index);
    type = part;
  }
  if (object.type->llvm != type->llvm) return failOperand(in, 0, *object.type, typeName(*type).c_str());
  llvm::Value *made = object.llvm;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    made = insertPart(f, step->value, made, *step->type, step->index);
  return made;
}

Result copy(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, f.operand(in, 0));
  return value.llvm;
}

/// A value as one of another type with the same structure.
Result copyParts(FunctionTranslation &f, const Instruction &in, llvm::Value *value, const Type &from, const Type &to) {
  if (from.llvm == to.llvm) return value;
  const uint64_t parts = from.is(TypeKind::Struct) ? from.members.size() : from.count;
  const uint64_t wanted = to.is(TypeKind::Struct) ? to.members.size() : to.count;
  const bool isAggregate = from.is(TypeKind::Struct) || from.is(TypeKind::Array);
  constexpr uint64_t kMost = 65536;
  if (!isAggregate || from.kind != to.kind || parts != wanted || parts > kMost)
    return failAt(in, "copies " + typeName(from) + " to " + typeName(to));
  llvm::Value *made = llvm::PoisonValue::get(to.llvm);
  for (uint32_t i = 0; i < parts; ++i) {
    US_TRY(llvm::Value * part,
           copyParts(f, in, f.builder.CreateExtractValue(value, i), *partOf(from, i), *partOf(to, i)));
    made = f.builder.CreateInsertValue(made, part, i);
  }
  return made;
}

Result copyLogical(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value value, f.operand(in, 0));
  US_TRY(const Type *type, f.resultType(in));
  return copyParts(f, in, value.llvm, *value.type, *type);
}

constexpr InstructionRow kCompositeRows[] = {
    {spv::Op::OpVectorExtractDynamic, vectorExtract},
    {spv::Op::OpVectorInsertDynamic, vectorInsert},
    {spv::Op::OpVectorShuffle, vectorShuffle},
    {spv::Op::OpCompositeConstruct, construct},
    {spv::Op::OpCompositeExtract, extract},
    {spv::Op::OpCompositeInsert, insert},
    {spv::Op::OpCopyObject, copy},
    {spv::Op::OpCopyLogical, copyLogical},
};

} // namespace

std::span<const InstructionRow> compositeRows() { return kCompositeRows; }

} // namespace us::frontend::spirv
