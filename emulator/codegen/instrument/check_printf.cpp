// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_printf.h"

#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <iterator>
#include <optional>

namespace us::codegen {
namespace {

using abi::StoredArgument;

/// Of a variable: PTX has all of a function's in one, and arrays take long to be cleared for each work-item.
constexpr uint64_t kMostBytes = 4096;

/// PTX's parameters of calls are variables, each stored to once.
llvm::StoreInst *onlyStoreTo(llvm::Value *pointer) {
  auto *variable = llvm::dyn_cast<llvm::AllocaInst>(pointer);
  llvm::StoreInst *only = nullptr;
  if (!variable) return nullptr;
  for (llvm::User *user : variable->users()) {
    auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
    const bool isStore = store && store->getPointerOperand() == variable;
    if (llvm::isa<llvm::LoadInst, llvm::LifetimeIntrinsic>(user)) continue;
    if (!isStore || only) return nullptr;
    only = store;
  }
  return only;
}

/// The variable that a pointer goes to, also by way of numbers.
llvm::AllocaInst *variableOf(llvm::Value *value) {
  while (true) {
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(value)) return variable;
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(value)) {
      llvm::StoreInst *store = onlyStoreTo(load->getPointerOperand());
      if (!store) return nullptr;
      value = store->getValueOperand();
      continue;
    }
    auto *step = llvm::dyn_cast<llvm::Operator>(value);
    if (!step) return nullptr;
    const bool isSum = step->getOpcode() == llvm::Instruction::Add;
    if (isSum && !llvm::isa<llvm::ConstantInt>(step->getOperand(1))) return nullptr;
    if (!isSum && !llvm::isa<llvm::GEPOperator, llvm::PtrToIntOperator>(step) &&
        step->getOpcode() != llvm::Instruction::IntToPtr && step->getOpcode() != llvm::Instruction::AddrSpaceCast &&
        step->getOpcode() != llvm::Instruction::Freeze)
      return nullptr;
    value = step->getOperand(0);
  }
}

/// Calls that may have its address, or number.
constexpr llvm::StringLiteral kHarmless[] = {"printf", "check", "check_failed", "bounds_begin", "bounds_size"};

/// Everything that stores to it, and the calls that print what lies there; false where it is used in another way.
struct Uses {
  llvm::SmallVector<llvm::StoreInst *, 16> stores;

  bool find(llvm::AllocaInst &variable) {
    llvm::SmallPtrSet<llvm::Value *, 32> seen;
    llvm::SmallVector<llvm::Value *, 16> open{&variable};
    while (!open.empty()) {
      llvm::Value *value = open.pop_back_val();
      if (!seen.insert(value).second) continue;
      for (llvm::User *user : value->users()) {
        auto *store = llvm::dyn_cast<llvm::StoreInst>(user);
        auto *call = llvm::dyn_cast<llvm::CallInst>(user);
        if (store && store->getPointerOperand() == value && store->getValueOperand() != value)
          stores.push_back(store);
        else if (store && onlyStoreTo(store->getPointerOperand()) == store)
          llvm::copy_if(store->getPointerOperand()->users(), std::back_inserter(open),
                        [](llvm::User *other) { return llvm::isa<llvm::LoadInst>(other); });
        else if (llvm::isa<llvm::LoadInst, llvm::CmpInst, llvm::LifetimeIntrinsic>(user) ||
                 (call && llvm::is_contained(kHarmless, machineName(call))))
          continue;
        else if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::FreezeInst>(user) ||
                 (llvm::isa<llvm::BinaryOperator>(user) && user->getOperand(0) == value))
          open.push_back(user);
        else
          return false;
      }
    }
    return true;
  }
};

/// The arguments are as vprintf takes them.
bool hasNoTypes(llvm::CallInst *call) {
  auto *size = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
  return size && size->getZExtValue() == abi::kFormatSaysSize;
}

StoredArgument kindOf(uint64_t bytes, bool isConstant) {
  if (bytes == 4) return isConstant ? StoredArgument::ConstantWord : StoredArgument::Word;
  return bytes == 8 && !isConstant ? StoredArgument::TwoWords : StoredArgument::Unknown;
}

/// As far behind its beginning as `address` behind that of the variable.
llvm::Value *sameIn(llvm::IRBuilder<> &builder, llvm::AllocaInst &stored, llvm::AllocaInst &variable,
                    llvm::Value *address) {
  llvm::Type *number = builder.getInt64Ty();
  llvm::Value *distance =
      builder.CreateSub(builder.CreatePtrToInt(address, number), builder.CreatePtrToInt(&variable, number));
  return builder.CreateGEP(builder.getInt8Ty(), &stored, distance);
}

void remember(llvm::StoreInst &store, llvm::AllocaInst &stored, llvm::AllocaInst &variable) {
  const llvm::DataLayout &layout = store.getDataLayout();
  llvm::Type *type = store.getValueOperand()->getType();
  const uint64_t element = layout.getTypeStoreSize(type->getScalarType()), bytes = layout.getTypeStoreSize(type);
  const StoredArgument kind = kindOf(element, llvm::isa<llvm::Constant>(store.getValueOperand()));
  llvm::IRBuilder<> builder(&store);
  llvm::Constant *all =
      llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(unsigned(bytes)), builder.getInt8(uint8_t(kind)));
  builder.CreateAlignedStore(all, sameIn(builder, stored, variable, store.getPointerOperand()), llvm::Align());
}

} // namespace

llvm::PreservedAnalyses CheckPrintf::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Printf))
    return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  const llvm::DataLayout &layout = module.getDataLayout();
  if (llvm::none_of(machineCalls(kernel, "printf"), hasNoTypes)) return llvm::PreservedAnalyses::all();
  promoteVariables(kernel, request.specialization.instrumentation);
  llvm::SmallVector<llvm::CallInst *, 8> withoutArguments;
  llvm::MapVector<llvm::AllocaInst *, llvm::SmallVector<llvm::CallInst *, 8>> calls; // by what they print
  for (llvm::CallInst *call : machineCalls(kernel, "printf")) {
    if (!hasNoTypes(call)) continue;
    llvm::Value *record = call->getArgOperand(1);
    if (auto *number = llvm::dyn_cast<llvm::IntToPtrInst>(record)) record = number->getOperand(0);
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(record))
      if (llvm::StoreInst *store = onlyStoreTo(load->getPointerOperand())) record = store->getValueOperand();
    auto *constant = llvm::dyn_cast<llvm::Constant>(record);
    if (constant && constant->isNullValue())
      withoutArguments.push_back(call);
    else if (llvm::AllocaInst *variable = variableOf(record))
      calls[variable].push_back(call);
  }
  for (llvm::CallInst *call : withoutArguments) {
    llvm::IRBuilder<> builder(call);
    createMachineCall(
        builder, "printed", builder.getVoidTy(),
        {call->getArgOperand(0), llvm::ConstantPointerNull::get(builder.getPtrTy()), builder.getInt64(0)});
  }
  for (auto &[variable, printing] : calls) {
    const std::optional<llvm::TypeSize> size = variable->getAllocationSize(layout);
    Uses uses;
    if (!size || size->getFixedValue() > kMostBytes || !uses.find(*variable)) continue;
    const uint64_t bytes = size->getFixedValue();
    llvm::IRBuilder<> builder(variable->getNextNode());
    llvm::AllocaInst *stored = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), bytes));
    builder.CreateMemSet(stored, builder.getInt8(0), bytes, llvm::Align());
    for (llvm::StoreInst *store : uses.stores) remember(*store, *stored, *variable);
    for (llvm::CallInst *call : printing) {
      builder.SetInsertPoint(call);
      llvm::Value *here = sameIn(builder, *stored, *variable, call->getArgOperand(1));
      llvm::Value *before = builder.CreateSub(builder.CreatePtrToInt(here, builder.getInt64Ty()),
                                              builder.CreatePtrToInt(stored, builder.getInt64Ty()));
      createMachineCall(builder, "printed", builder.getVoidTy(),
                        {call->getArgOperand(0), here, builder.CreateSub(builder.getInt64(bytes), before)});
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
