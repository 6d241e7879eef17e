// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_races.h"

#include "emulator/abi/launch_checks.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/instrument/unraced_accesses.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

namespace us::codegen {
namespace {

using abi::AccessKind;

/// The library's own: what a pipe or a queue is made of.
bool isLibrarys(llvm::Value *root) {
  while (auto *load = llvm::dyn_cast<llvm::LoadInst>(root)) root = withoutSteps(load->getPointerOperand());
  auto *argument = llvm::dyn_cast<llvm::Argument>(root);
  if (!argument || argument->getParent()->arg_empty()) return false;
  const ArgumentKind kind = argumentKind(*argument);
  return kind == ArgumentKind::Pipe || kind == ArgumentKind::Queue;
}

/// Memory that several work-items can reach, and that changes.
bool isShared(llvm::Value *pointer) {
  llvm::Value *root = withoutSteps(pointer);
  if (isLibrarys(root)) return false;
  const unsigned space = root->getType()->getPointerAddressSpace();
  if (llvm::isa<llvm::AllocaInst>(root) || space == 2) return false;
  auto *argument = llvm::dyn_cast<llvm::Argument>(root);
  return !argument || !argument->hasByValAttr();
}

/// PTX's memory model takes volatile accesses for relaxed ones of the widest scope; in OpenCL C they are like any
/// others.
bool isAtomic(const llvm::Instruction &instruction, bool isPtx) {
  return instruction.isAtomic() || (isPtx && instruction.isVolatile());
}

AccessKind kindOf(const Access &access, bool isPtx) {
  const llvm::StringRef operation = access.operation;
  if (operation == "update") return AccessKind::AtomicUpdate;
  const bool isRead = operation == "read";
  if (isAtomic(*access.instruction, isPtx)) return isRead ? AccessKind::AtomicRead : AccessKind::AtomicWrite;
  return isRead ? AccessKind::Read : AccessKind::Write;
}

/// Of a fence, or an atomic operation that orders what lies around it.
bool isOrdering(const llvm::Instruction &instruction) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return llvm::isAcquireOrStronger(load->getOrdering());
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return llvm::isReleaseOrStronger(store->getOrdering());
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
    return llvm::isStrongerThanMonotonic(update->getOrdering());
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
    return llvm::isStrongerThanMonotonic(exchange->getSuccessOrdering());
  return llvm::isa<llvm::FenceInst>(instruction);
}

/// The bits that a store writes, or that a compare-and-exchange compares with, if they fit.
llvm::Value *knownBits(llvm::IRBuilder<> &builder, llvm::Instruction &instruction) {
  llvm::Value *value = nullptr;
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) value = store->getValueOperand();
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) value = exchange->getCompareOperand();
  if (!value) return nullptr;
  llvm::Type *type = value->getType();
  if (type->isPointerTy()) return builder.CreatePtrToInt(value, builder.getInt64Ty());
  const unsigned bits = type->isVectorTy() ? 0 : type->getPrimitiveSizeInBits();
  if (bits == 0 || bits > 64 || bits % 8 != 0) return nullptr;
  return builder.CreateZExt(builder.CreateBitCast(value, builder.getIntNTy(bits)), builder.getInt64Ty());
}

void tell(const Access &access, bool fenced, bool isPtx) {
  llvm::IRBuilder<> builder(access.instruction);
  const AccessKind kind = kindOf(access, isPtx);
  uint32_t bits = uint32_t(kind);
  llvm::Value *value = knownBits(builder, *access.instruction);
  if (value) bits |= abi::MemoryAccess::kHasValue;
  if (llvm::isa<llvm::AtomicCmpXchgInst>(access.instruction)) bits |= abi::MemoryAccess::kCompares;
  if (isAtomic(*access.instruction, isPtx) && (fenced || isOrdering(*access.instruction)))
    bits |= abi::MemoryAccess::kIsOrdering;
  llvm::json::Object site = sourceSite(*access.instruction);
  site["operation"] = access.operation;
  llvm::Module &module = *access.instruction->getModule();
  createMachineCall(builder, "memory_access", builder.getVoidTy(),
                    {builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()),
                     builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()), builder.getInt32(bits),
                     siteText(module, std::move(site)), value ? value : builder.getInt64(0)});
}

} // namespace

llvm::PreservedAnalyses CheckRaces::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (!abi::isIn(request.specialization.instrumentation, abi::CheckClass::Races)) return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  promoteVariables(kernel, request.specialization.instrumentation);
  llvm::SmallVector<Access, 32> accesses;
  bool fenced = false;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    fenced |= llvm::isa<llvm::FenceInst>(instruction);
    for (Access &access : accessesOf(instruction))
      if (isShared(access.pointer)) accesses.push_back(std::move(access));
  }
  const bool isPtx = kernel.hasMetadata("us_language_target");
  llvm::SmallBitVector isUnraced(unsigned(accesses.size()));
  if (!request.specialization.tellsAll) {
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    UnracedAccesses unraced = findUnraced(kernel, accesses, builder);
    isUnraced = std::move(unraced.isUnraced);
    if (isUnraced.any())
      createMachineCall(builder, "require", builder.getVoidTy(),
                        {builder.CreateZExt(unraced.condition, builder.getInt32Ty())});
  }
  for (const auto &[number, access] : llvm::enumerate(accesses))
    if (!isUnraced[unsigned(number)]) tell(access, fenced, isPtx);
  if (!isUnraced.all()) kernel.addFnAttr(kRacesAreChecked);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
