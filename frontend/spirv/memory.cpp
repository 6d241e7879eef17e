// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of functions, loads, stores, copies, and the arithmetic of pointers.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/names.h"
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

/// Memory operands: "Volatile", "Aligned n", "Nontemporal".
struct Access {
  bool isVolatile = false, isNontemporal = false;
  llvm::Align alignment;
};

Expected<Access> accessFrom(FunctionTranslation &f, const Instruction &in, size_t place, const Type &content) {
  Access access;
  access.alignment = f.module.layout().getABITypeAlign(content.llvm);
  if (in.operands.size() <= place) return access;
  const uint32_t bits = in.operands[place];
  access.isVolatile = (bits & uint32_t(spv::MemoryAccessMask::Volatile)) != 0;
  access.isNontemporal = (bits & uint32_t(spv::MemoryAccessMask::Nontemporal)) != 0;
  // Old producers write 0 where they know nothing.
  if ((bits & uint32_t(spv::MemoryAccessMask::Aligned)) && in.operands[place + 1] != 0) {
    US_TRY(access.alignment, alignmentFrom(in, in.operands[place + 1]));
  }
  return access;
}

void markNontemporal(FunctionTranslation &f, llvm::Instruction *instruction) {
  instruction->setMetadata(llvm::LLVMContext::MD_nontemporal,
                           llvm::MDNode::get(f.module.context, llvm::ConstantAsMetadata::get(f.builder.getInt32(1))));
}

Expected<void> checkSize(const Instruction &in, const Type &content) {
  if (!content.llvm->isSized()) return failAt(in, "moves a value of a type without a size");
  if (content.isTooLargeForAValue()) return failAt(in, "moves a value of more than 16384 parts at once");
  return {};
}

Result variable(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Type *type, f.resultType(in));
  const bool fits = type->is(TypeKind::Pointer) && type->storage == spv::StorageClass::Function &&
                    spv::StorageClass(in.operands[0]) == spv::StorageClass::Function && type->element->size != 0;
  if (!fits) return failAt(in, "is no variable of storage class Function");
  // "All OpVariable instructions in a function must be the first instructions in the first block."
  if (f.builder.GetInsertBlock() != &f.function.getEntryBlock()) return failAt(in, "lies outside of the first block");
  llvm::AllocaInst *slot = f.builder.CreateAlloca(type->element->llvm);
  US_TRY(const llvm::MaybeAlign alignment, alignmentOf(f.module, in));
  slot->setAlignment(std::max(alignment.valueOrOne(), f.module.layout().getABITypeAlign(type->element->llvm)));
  if (in.operands.size() > 1) {
    US_TRY(const Value initial, valueOf(f, in, 1, *type->element));
    US_CHECK(checkSize(in, *type->element));
    f.builder.CreateAlignedStore(initial.llvm, slot, slot->getAlign());
  }
  return slot;
}

Result load(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value pointer, pointerAt(f, in, 0));
  const Type &content = *pointer.type->element;
  US_CHECK(checkSize(in, content));
  US_TRY(const Access access, accessFrom(f, in, 1, content));
  llvm::LoadInst *loaded = f.builder.CreateAlignedLoad(content.llvm, pointer.llvm, access.alignment, access.isVolatile);
  if (access.isNontemporal) markNontemporal(f, loaded);
  return loaded;
}

Result store(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value pointer, pointerAt(f, in, 0));
  US_TRY(const Value value, valueOf(f, in, 1, *pointer.type->element));
  US_CHECK(checkSize(in, *pointer.type->element));
  US_TRY(const Access access, accessFrom(f, in, 2, *pointer.type->element));
  llvm::StoreInst *stored = f.builder.CreateAlignedStore(value.llvm, pointer.llvm, access.alignment, access.isVolatile);
  if (access.isNontemporal) markNontemporal(f, stored);
  return nullptr;
}

Result copyMemory(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value target, pointerAt(f, in, 0));
  US_TRY(const Value source, pointerAt(f, in, 1));
  const Type &content = *target.type->element;
  if (content.llvm != source.type->element->llvm) return failOperand(in, 1, *source.type, "a pointer to the same type");
  US_TRY(const Access access, accessFrom(f, in, 2, content));
  f.builder.CreateMemCpy(target.llvm, access.alignment, source.llvm, access.alignment, content.size, access.isVolatile);
  return nullptr;
}

Result copyMemorySized(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value target, f.operand(in, 0));
  US_TRY(const Value source, f.operand(in, 1));
  if (!target.type->is(TypeKind::Pointer)) return failOperand(in, 0, *target.type, "a pointer");
  if (!source.type->is(TypeKind::Pointer)) return failOperand(in, 1, *source.type, "a pointer");
  US_TRY(llvm::Value * size, integerAs(f, in, 2, 64));
  Access access; // without a word on alignment: bytes
  if (in.operands.size() > 3) {
    const bool isAligned = (in.operands[3] & uint32_t(spv::MemoryAccessMask::Aligned)) != 0;
    if (isAligned && in.operands[4] != 0) {
      US_TRY(access.alignment, alignmentFrom(in, in.operands[4]));
    }
    access.isVolatile = (in.operands[3] & uint32_t(spv::MemoryAccessMask::Volatile)) != 0;
  }
  f.builder.CreateMemCpy(target.llvm, access.alignment, source.llvm, access.alignment, size, access.isVolatile);
  return nullptr;
}

constexpr uint32_t kFirstIsElement = 1, kInBounds = 2;

/// The address of a part. `detail`: the first index steps over whole elements; the address is inside the object.
Result accessChain(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Value base, pointerAt(f, in, 0));
  US_TRY(const Type *result, f.resultType(in));
  const Type *type = base.type->element;
  std::vector<llvm::Value *> indices;
  size_t next = 1;
  if (detail & kFirstIsElement) {
    US_TRY(const Value element, f.operand(in, next++));
    if (!element.type->is(TypeKind::Integer)) return failOperand(in, 1, *element.type, "an integer");
    indices.push_back(f.builder.CreateSExtOrTrunc(element.llvm, f.builder.getInt64Ty()));
  } else {
    indices.push_back(f.builder.getInt64(0));
  }
  for (; next < in.operands.size(); ++next) {
    US_TRY(const Value index, f.operand(in, next));
    if (!index.type->is(TypeKind::Integer)) return failOperand(in, next, *index.type, "an integer");
    if (type->is(TypeKind::Struct)) {
      US_TRY(const uint64_t member, f.number(in, next));
      if (member >= type->members.size())
        return failAt(in, "takes member " + std::to_string(member) + " of " + std::to_string(type->members.size()));
      indices.push_back(f.builder.getInt32(uint32_t(member)));
      type = type->members[member];
    } else if (type->is(TypeKind::Array) || type->is(TypeKind::Vector)) {
      indices.push_back(f.builder.CreateSExtOrTrunc(index.llvm, f.builder.getInt64Ty()));
      type = type->element;
    } else {
      return failAt(in, "has an index into " + typeName(*type));
    }
  }
  const bool fits = result->is(TypeKind::Pointer) && result->element->llvm == type->llvm;
  if (!fits)
    return failAt(in, "says that it gives " + typeName(*result) + " and gives a pointer to " + typeName(*type));
  const auto flags = detail & kInBounds ? llvm::GEPNoWrapFlags::inBounds() : llvm::GEPNoWrapFlags::none();
  return f.builder.CreateGEP(base.type->element->llvm, base.llvm, indices, "", flags);
}

/// MemorySemantics of the memory that a generic pointer points to.
Result memorySemantics(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value pointer, f.operand(in, 0));
  const bool isGeneric = pointer.type->is(TypeKind::Pointer) && pointer.type->storage == spv::StorageClass::Generic;
  if (!isGeneric) return failOperand(in, 0, *pointer.type, "a generic pointer");
  auto &b = f.builder;
  US_TRY(llvm::Value * space, callSymbol(f, in, "us.address_space", b.getInt32Ty(), {pointer.llvm}));
  constexpr unsigned kLocal = 3;
  return b.CreateSelect(b.CreateICmpEQ(space, b.getInt32(kLocal)),
                        b.getInt32(uint32_t(spv::MemorySemanticsMask::WorkgroupMemory)),
                        b.getInt32(uint32_t(spv::MemorySemanticsMask::CrossWorkgroupMemory)));
}

/// How long a variable lives is LLVM's to find out.
Result lifetime(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_CHECK(pointerAt(f, in, 0));
  return nullptr;
}

Result sizeOf(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Value pointer, pointerAt(f, in, 0));
  US_TRY(const Type *type, f.resultType(in));
  if (!type->is(TypeKind::Integer)) return failAt(in, "does not give an integer");
  return llvm::ConstantInt::get(type->llvm, pointer.type->element->size);
}

constexpr InstructionRow kMemoryRows[] = {
    {spv::Op::OpVariable, variable},
    {spv::Op::OpLoad, load},
    {spv::Op::OpStore, store},
    {spv::Op::OpCopyMemory, copyMemory},
    {spv::Op::OpCopyMemorySized, copyMemorySized},
    {spv::Op::OpAccessChain, accessChain, 0},
    {spv::Op::OpInBoundsAccessChain, accessChain, kInBounds},
    {spv::Op::OpPtrAccessChain, accessChain, kFirstIsElement},
    {spv::Op::OpInBoundsPtrAccessChain, accessChain, kFirstIsElement | kInBounds},
    {spv::Op::OpGenericPtrMemSemantics, memorySemantics},
    {spv::Op::OpLifetimeStart, lifetime},
    {spv::Op::OpLifetimeStop, lifetime},
    {spv::Op::OpSizeOf, sizeOf},
};

} // namespace

std::span<const InstructionRow> memoryRows() { return kMemoryRows; }

} // namespace us::frontend::spirv
