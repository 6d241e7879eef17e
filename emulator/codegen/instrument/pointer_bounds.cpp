// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/pointer_bounds.h"

#include "emulator/abi/bounds.h"
#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/address_spaces.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

namespace us::codegen {
namespace {

bool isOpaque(ArgumentKind kind) {
  return kind == ArgumentKind::Image || kind == ArgumentKind::Sampler || kind == ArgumentKind::Pipe ||
         kind == ArgumentKind::Queue;
}

/// A variable's name as the source has it: Clang calls local ones "kernel.name", and copies of parameters "name.addr".
std::string sourceName(const llvm::Value &variable) {
  const llvm::StringRef name = variable.getName();
  return (llvm::isa<llvm::AllocaInst>(variable) ? name.split('.').first : name.substr(name.rfind('.') + 1)).str();
}

} // namespace

BoundsOfPointers::BoundsOfPointers(llvm::Function &kernel) : kernel_(kernel), layout_(kernel.getDataLayout()) {}

llvm::Instruction &BoundsOfPointers::entry() { return *kernel_.getEntryBlock().getFirstNonPHIOrDbgOrAlloca(); }

PointerBounds BoundsOfPointers::of(llvm::Value *pointer) {
  llvm::GEPOperator *const step = stepFromArena(pointer);
  pointer = step ? step : withoutSteps(pointer);
  if (auto known = known_.find(pointer); known != known_.end()) return known->second;
  const PointerBounds made = make(pointer);
  known_[pointer] = made;
  return made;
}

void BoundsOfPointers::replaced(llvm::Value *before, llvm::Value *now) {
  if (const auto known = known_.find(before); known != known_.end()) {
    PointerBounds bounds = known->second;
    known_[now] = std::move(bounds);
  }
}

PointerBounds BoundsOfPointers::make(llvm::Value *pointer) {
  if (auto *step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) return ofShared(*step);
  if (auto *argument = llvm::dyn_cast<llvm::Argument>(pointer)) return ofArgument(*argument);
  if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(pointer)) {
    const std::optional<llvm::TypeSize> size = slot->getAllocationSize(layout_);
    return size ? ofVariable(*slot, size->getFixedValue(), "private") : PointerBounds{};
  }
  if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer)) {
    static constexpr const char *kWhat[] = {"constant", "variable", "constant", "local"};
    const unsigned space = variable->getAddressSpace();
    const uint64_t size = layout_.getTypeAllocSize(variable->getValueType());
    return size && space < std::size(kWhat) ? ofVariable(*variable, size, kWhat[space]) : PointerBounds{};
  }
  if (auto *phi = llvm::dyn_cast<llvm::PHINode>(pointer)) return merged(*phi);
  if (auto *select = llvm::dyn_cast<llvm::SelectInst>(pointer)) return merged(*select);
  if (llvm::Operator::getOpcode(pointer) == llvm::Instruction::IntToPtr) {
    llvm::Value *number = llvm::cast<llvm::User>(pointer)->getOperand(0), *before = nullptr;
    if (llvm::Argument *argument = baseOfNumber(number)) return ofArgument(*argument);
    if (llvm::PatternMatch::match(number, llvm::PatternMatch::m_PtrToInt(llvm::PatternMatch::m_Value(before))))
      return of(before);
    if (auto *cast = llvm::dyn_cast<llvm::IntToPtrInst>(pointer)) return asked(cast, *cast->getNextNode());
  }
  if (llvm::isa<llvm::ConstantPointerNull>(pointer)) {
    llvm::Constant *zero = llvm::ConstantInt::get(llvm::Type::getInt64Ty(kernel_.getContext()), 0);
    return {zero, zero, zero};
  }
  auto *instruction = llvm::dyn_cast<llvm::Instruction>(pointer);
  if (!instruction) return {};
  // Descriptors, and what the library keeps where no kernel of the source comes: it asks for what it may touch.
  if (instruction->hasMetadata(llvm::LLVMContext::MD_invariant_load)) return {};
  if (llvm::isa<llvm::CallBase>(instruction)) return {};
  return asked(pointer, *instruction->getNextNode());
}

PointerBounds BoundsOfPointers::ofArgument(llvm::Argument &argument) {
  PointedObject object{"argument", argument.getName().str(), argument.getArgNo()};
  llvm::IRBuilder<> builder(&entry());
  if (argument.hasByValAttr())
    return {builder.CreatePtrToInt(&argument, builder.getInt64Ty()),
            builder.getInt64(layout_.getTypeAllocSize(argument.getParamByValType())),
            builder.getInt64(layout_.getTypeAllocSize(argument.getParamByValType())),
            nullptr,
            nullptr,
            std::move(object)};
  const ArgumentKind kind = argumentKind(argument);
  if (isOpaque(kind)) return {};
  llvm::Value *all = loadLaunchField(builder, builder.getPtrTy(), offsetof(abi::LaunchContext, argumentBounds));
  const auto member = [&](size_t offset) {
    const uint64_t at = sizeof(abi::ArgumentBounds) * argument.getArgNo() + offset;
    return loadInvariant(builder, builder.getInt64Ty(), all, at);
  };
  const bool isLocal = kind == ArgumentKind::LocalPointer;
  llvm::Value *size = member(offsetof(abi::ArgumentBounds, readable));
  llvm::Value *begin =
      isLocal ? builder.CreatePtrToInt(&argument, builder.getInt64Ty()) : member(offsetof(abi::ArgumentBounds, begin));
  llvm::Value *writable = isLocal ? size : member(offsetof(abi::ArgumentBounds, writable));
  llvm::Value *whole = isLocal ? nullptr : member(offsetof(abi::ArgumentBounds, size));
  return {begin, size, writable, whole, nullptr, std::move(object)};
}

PointerBounds BoundsOfPointers::ofVariable(llvm::Value &variable, uint64_t size, const char *what) {
  llvm::Type *number = llvm::Type::getInt64Ty(kernel_.getContext());
  auto *global = llvm::dyn_cast<llvm::GlobalVariable>(&variable);
  const bool isConstant = global && (global->isConstant() || global->getAddressSpace() == kConstantSpace);
  return {nullptr,   llvm::ConstantInt::get(number, size), llvm::ConstantInt::get(number, isConstant ? 0 : size),
          nullptr, // a constant may lie beside machine code
          &variable, {what, sourceName(variable), 0}};
}

/// Arrays whose size only the launch knows lie behind all others.
PointerBounds BoundsOfPointers::ofShared(llvm::GEPOperator &step) {
  llvm::GlobalVariable *variable = step.getNumIndices() == 1 ? variableOfNumber(step.idx_begin()->get()) : nullptr;
  const uint64_t size = variable ? uint64_t(layout_.getTypeAllocSize(variable->getValueType())) : 0;
  if (size) return numbers(ofVariable(*variable, size, "local"));
  llvm::IRBuilder<> builder(&entry());
  llvm::Type *number = builder.getInt64Ty();
  llvm::Value *arena = createMachineCall(builder, "local_arena", builder.getPtrTy(kLocalSpace));
  llvm::Value *all = createMachineCall(builder, "local_memory", number);
  return {builder.CreatePtrToInt(arena, number), all, all};
}

PointerBounds BoundsOfPointers::asked(llvm::Value *pointer, llvm::Instruction &before) {
  llvm::IRBuilder<> builder(&before);
  llvm::Value *address = builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  llvm::Value *begin = createMachineCall(builder, "bounds_begin", builder.getInt64Ty(), {address});
  llvm::Value *size = createMachineCall(builder, "bounds_size", builder.getInt64Ty(), {address});
  return {begin, size, size};
}

PointerBounds BoundsOfPointers::numbers(PointerBounds bounds) {
  if (!bounds.variable) return bounds;
  llvm::Type *number = llvm::Type::getInt64Ty(kernel_.getContext());
  if (auto *constant = llvm::dyn_cast<llvm::Constant>(bounds.variable)) {
    bounds.begin = llvm::ConstantExpr::getPtrToInt(constant, number);
  } else {
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(bounds.variable)->getNextNode());
    bounds.begin = builder.CreatePtrToInt(bounds.variable, number);
  }
  bounds.variable = nullptr;
  return bounds;
}

PointerBounds BoundsOfPointers::merged(llvm::PHINode &pointer) {
  llvm::IRBuilder<> builder(&pointer);
  llvm::PHINode *begin = builder.CreatePHI(builder.getInt64Ty(), pointer.getNumIncomingValues());
  llvm::PHINode *size = builder.CreatePHI(builder.getInt64Ty(), pointer.getNumIncomingValues());
  llvm::PHINode *writable = builder.CreatePHI(builder.getInt64Ty(), pointer.getNumIncomingValues());
  llvm::PHINode *whole = builder.CreatePHI(builder.getInt64Ty(), pointer.getNumIncomingValues());
  known_[&pointer] = {begin, size, writable, whole}; // it may come back to itself
  for (unsigned i = 0; i < pointer.getNumIncomingValues(); ++i) {
    const PointerBounds one = numbers(of(pointer.getIncomingValue(i)));
    // Where nothing can be said of one, whatever comes that way is taken for right.
    begin->addIncoming(one.size ? one.begin : builder.getInt64(0), pointer.getIncomingBlock(i));
    size->addIncoming(one.size ? one.size : builder.getInt64(~uint64_t(0)), pointer.getIncomingBlock(i));
    writable->addIncoming(one.size ? one.writable : builder.getInt64(~uint64_t(0)), pointer.getIncomingBlock(i));
    whole->addIncoming(one.whole ? one.whole : builder.getInt64(0), pointer.getIncomingBlock(i));
  }
  return {begin, size, writable, whole};
}

PointerBounds BoundsOfPointers::merged(llvm::SelectInst &pointer) {
  const PointerBounds first = numbers(of(pointer.getTrueValue())), second = numbers(of(pointer.getFalseValue()));
  if (!first.size || !second.size) return {};
  llvm::IRBuilder<> builder(&pointer);
  const auto orNone = [&](llvm::Value *whole) { return whole ? whole : builder.getInt64(0); };
  return {builder.CreateSelect(pointer.getCondition(), first.begin, second.begin),
          builder.CreateSelect(pointer.getCondition(), first.size, second.size),
          builder.CreateSelect(pointer.getCondition(), first.writable, second.writable),
          builder.CreateSelect(pointer.getCondition(), orNone(first.whole), orNone(second.whole))};
}

llvm::Value *BoundsOfPointers::distance(llvm::IRBuilderBase &builder, llvm::Value *pointer,
                                        const PointerBounds &bounds) {
  if (!bounds.variable) return builder.CreateSub(builder.CreatePtrToInt(pointer, builder.getInt64Ty()), bounds.begin);
  llvm::Value *sum = nullptr;
  while (pointer != bounds.variable) {
    if (auto *place = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
      // Without what the language promises of the result: that is what is looked at.
      llvm::Value *step = llvm::emitGEPOffset(&builder, layout_, place, /*NoAssumptions=*/true);
      sum = sum ? builder.CreateAdd(sum, step) : step;
      pointer = place->getPointerOperand();
    } else {
      pointer = llvm::cast<llvm::User>(pointer)->getOperand(0);
    }
  }
  return sum ? sum : builder.getInt64(0);
}

} // namespace us::codegen
