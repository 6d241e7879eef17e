// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic instructions. The scope does not matter on one host: all are of the widest.
#include "frontend/spirv/operands.h"

namespace us::frontend::spirv {
namespace {

/// LLVM's order for memory semantics. A value that is no constant takes the strongest.
Expected<llvm::AtomicOrdering> orderAt(FunctionTranslation &f, const Instruction &in, size_t place) {
  US_TRY(const Value value, f.operand(in, place));
  if (!value.type->is(TypeKind::Integer)) return failOperand(in, place, *value.type, "memory semantics");
  const auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value.llvm);
  if (!constant) return llvm::AtomicOrdering::SequentiallyConsistent;
  const uint64_t bits = constant->getZExtValue();
  const auto has = [&](spv::MemorySemanticsMask mask) { return (bits & uint32_t(mask)) != 0; };
  if (has(spv::MemorySemanticsMask::SequentiallyConsistent)) return llvm::AtomicOrdering::SequentiallyConsistent;
  const bool acquires = has(spv::MemorySemanticsMask::Acquire), releases = has(spv::MemorySemanticsMask::Release);
  if (has(spv::MemorySemanticsMask::AcquireRelease) || (acquires && releases))
    return llvm::AtomicOrdering::AcquireRelease;
  if (acquires) return llvm::AtomicOrdering::Acquire;
  return releases ? llvm::AtomicOrdering::Release : llvm::AtomicOrdering::Monotonic;
}

struct Place {
  Value pointer;
  llvm::AtomicOrdering order;
};

/// Operands 0 to 2: a pointer to a number, a scope, memory semantics.
Expected<Place> placeOf(FunctionTranslation &f, const Instruction &in) {
  US_TRY(const Value pointer, pointerAt(f, in, 0));
  const Type &content = *pointer.type->element;
  const bool fits = (content.is(TypeKind::Integer) || content.is(TypeKind::Float)) &&
                    pointer.type->storage != spv::StorageClass::UniformConstant;
  if (!fits) return failOperand(in, 0, *pointer.type, "a pointer to a number in memory that can be written");
  US_TRY(const llvm::AtomicOrdering order, orderAt(f, in, 2));
  return Place{pointer, order};
}

llvm::Align alignmentOf(const Place &place) { return llvm::Align(place.pointer.type->element->size); }

Result load(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Place place, placeOf(f, in));
  llvm::LoadInst *loaded =
      f.builder.CreateAlignedLoad(place.pointer.type->element->llvm, place.pointer.llvm, alignmentOf(place));
  const bool releases = llvm::isReleaseOrStronger(place.order);
  const bool acquires = llvm::isAcquireOrStronger(place.order);
  if (place.order == llvm::AtomicOrdering::SequentiallyConsistent)
    loaded->setAtomic(place.order);
  else // a load does not release
    loaded->setAtomic(acquires   ? llvm::AtomicOrdering::Acquire
                      : releases ? llvm::AtomicOrdering::Monotonic
                                 : place.order);
  return loaded;
}

Result store(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Place place, placeOf(f, in));
  US_TRY(const Value value, valueOf(f, in, 3, *place.pointer.type->element));
  llvm::StoreInst *stored = f.builder.CreateAlignedStore(value.llvm, place.pointer.llvm, alignmentOf(place));
  const bool releases = llvm::isReleaseOrStronger(place.order);
  if (place.order == llvm::AtomicOrdering::SequentiallyConsistent)
    stored->setAtomic(place.order);
  else // a store does not acquire
    stored->setAtomic(releases ? llvm::AtomicOrdering::Release : llvm::AtomicOrdering::Monotonic);
  return nullptr;
}

Result modify(FunctionTranslation &f, const Instruction &in, llvm::AtomicRMWInst::BinOp operation, const Place &place,
              llvm::Value *value) {
  return f.builder.CreateAtomicRMW(operation, place.pointer.llvm, value, alignmentOf(place), place.order);
}

/// `detail` is LLVM's operation.
Result operate(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  const auto operation = llvm::AtomicRMWInst::BinOp(detail);
  US_TRY(const Place place, placeOf(f, in));
  const Type &content = *place.pointer.type->element;
  US_TRY(const Value value, valueOf(f, in, 3, content));
  const bool fits = operation == llvm::AtomicRMWInst::Xchg ||
                    content.is(llvm::AtomicRMWInst::isFPOperation(operation) ? TypeKind::Float : TypeKind::Integer);
  if (!fits) return failOperand(in, 0, *place.pointer.type, "a pointer to another kind of number");
  return modify(f, in, operation, place, value.llvm);
}

Result increment(FunctionTranslation &f, const Instruction &in, uint32_t detail) {
  US_TRY(const Place place, placeOf(f, in));
  const Type &content = *place.pointer.type->element;
  if (!content.is(TypeKind::Integer)) return failOperand(in, 0, *place.pointer.type, "a pointer to an integer");
  return modify(f, in, llvm::AtomicRMWInst::BinOp(detail), place, llvm::ConstantInt::get(content.llvm, 1));
}

/// Operands: pointer, scope, semantics if equal, semantics if not, value, comparator.
Result compareExchange(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Place place, placeOf(f, in));
  US_TRY(llvm::AtomicOrdering failure, orderAt(f, in, 3));
  const Type &content = *place.pointer.type->element;
  US_TRY(const Value value, valueOf(f, in, 4, content));
  US_TRY(const Value comparator, valueOf(f, in, 5, content));
  if (!content.is(TypeKind::Integer)) return failOperand(in, 0, *place.pointer.type, "a pointer to an integer");
  failure = llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(
      llvm::isReleaseOrStronger(failure) && failure != llvm::AtomicOrdering::SequentiallyConsistent
          ? llvm::AtomicOrdering::AcquireRelease
          : failure);
  llvm::Value *both = f.builder.CreateAtomicCmpXchg(place.pointer.llvm, comparator.llvm, value.llvm, alignmentOf(place),
                                                    place.order, failure);
  return f.builder.CreateExtractValue(both, 0);
}

Expected<Place> flagOf(FunctionTranslation &f, const Instruction &in) {
  US_TRY(const Place place, placeOf(f, in));
  const Type &content = *place.pointer.type->element;
  if (!content.is(TypeKind::Integer) || content.width != 32)
    return failOperand(in, 0, *place.pointer.type, "a pointer to an integer of 32 bits");
  return place;
}

Result testAndSet(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Place place, flagOf(f, in));
  US_TRY(llvm::Value * before, modify(f, in, llvm::AtomicRMWInst::Xchg, place, f.builder.getInt32(1)));
  return f.builder.CreateICmpNE(before, f.builder.getInt32(0));
}

Result clear(FunctionTranslation &f, const Instruction &in, uint32_t) {
  US_TRY(const Place place, flagOf(f, in));
  llvm::StoreInst *stored = f.builder.CreateAlignedStore(f.builder.getInt32(0), place.pointer.llvm, alignmentOf(place));
  stored->setAtomic(llvm::isReleaseOrStronger(place.order) ? llvm::AtomicOrdering::SequentiallyConsistent
                                                           : llvm::AtomicOrdering::Monotonic);
  return nullptr;
}

using Operation = llvm::AtomicRMWInst;
constexpr InstructionRow kAtomicRows[] = {
    {spv::Op::OpAtomicLoad, load},
    {spv::Op::OpAtomicStore, store},
    {spv::Op::OpAtomicExchange, operate, Operation::Xchg},
    {spv::Op::OpAtomicCompareExchange, compareExchange},
    {spv::Op::OpAtomicCompareExchangeWeak, compareExchange},
    {spv::Op::OpAtomicIIncrement, increment, Operation::Add},
    {spv::Op::OpAtomicIDecrement, increment, Operation::Sub},
    {spv::Op::OpAtomicIAdd, operate, Operation::Add},
    {spv::Op::OpAtomicISub, operate, Operation::Sub},
    {spv::Op::OpAtomicSMin, operate, Operation::Min},
    {spv::Op::OpAtomicUMin, operate, Operation::UMin},
    {spv::Op::OpAtomicSMax, operate, Operation::Max},
    {spv::Op::OpAtomicUMax, operate, Operation::UMax},
    {spv::Op::OpAtomicAnd, operate, Operation::And},
    {spv::Op::OpAtomicOr, operate, Operation::Or},
    {spv::Op::OpAtomicXor, operate, Operation::Xor},
    {spv::Op::OpAtomicFAddEXT, operate, Operation::FAdd},
    {spv::Op::OpAtomicFMinEXT, operate, Operation::FMin},
    {spv::Op::OpAtomicFMaxEXT, operate, Operation::FMax},
    {spv::Op::OpAtomicFlagTestAndSet, testAndSet},
    {spv::Op::OpAtomicFlagClear, clear},
};

} // namespace

std::span<const InstructionRow> atomicRows() { return kAtomicRows; }

} // namespace us::frontend::spirv
