// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_races.h"

#include "emulator/abi/launch_checks.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/check_copies.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/instrument/local_intervals.h"
#include "emulator/codegen/instrument/race_cells.h"
#include "emulator/codegen/instrument/unraced_accesses.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/SetVector.h>
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
  if (isLibrarys(root) || machineName(root) == "exchange") return false;
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

/// What a store writes, or a compare-and-exchange compares with.
llvm::Value *knownValue(llvm::Instruction &instruction) {
  if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return store->getValueOperand();
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return exchange->getCompareOperand();
  return nullptr;
}

/// Its bits as us.memory_access is told them; null if it is not. Those that do not fit lie in memory.
llvm::Value *bitsOf(llvm::IRBuilder<> &builder, llvm::Value &value, bool mayBeWide) {
  llvm::Type *type = value.getType();
  if (type->isPointerTy()) return builder.CreatePtrToInt(&value, builder.getInt64Ty());
  const unsigned bits = type->isPtrOrPtrVectorTy() ? 0 : type->getPrimitiveSizeInBits();
  if (bits == 0 || bits > 8 * (mayBeWide ? abi::MemoryAccess::kMostValueBytes : 8) || bits % 8 != 0) return nullptr;
  if (bits <= 64)
    return builder.CreateZExt(builder.CreateBitCast(&value, builder.getIntNTy(bits)), builder.getInt64Ty());
  llvm::IRBuilder<> entry(&*builder.GetInsertBlock()->getParent()->getEntryBlock().getFirstInsertionPt());
  llvm::Value *copy = entry.CreateAlloca(type);
  builder.CreateStore(&value, copy);
  return builder.CreatePtrToInt(copy, builder.getInt64Ty());
}

/// What is told of an access.
struct Told {
  AccessKind kind;
  uint32_t what; ///< the kind, and bits of MemoryAccess
  llvm::Constant *site;
  llvm::Value *value;
};

Told describe(const Access &access, bool fenced, bool isPtx) {
  llvm::IRBuilder<> builder(access.instruction);
  const AccessKind kind = kindOf(access, isPtx);
  uint32_t bits = uint32_t(kind);
  llvm::Value *known = knownValue(*access.instruction);
  llvm::Value *value = known ? bitsOf(builder, *known, llvm::isa<llvm::StoreInst>(access.instruction)) : nullptr;
  if (value) bits |= abi::MemoryAccess::kHasValue;
  if (value && known->getType()->getPrimitiveSizeInBits() > 64) bits |= abi::MemoryAccess::kIsAddressOfValue;
  if (llvm::isa<llvm::AtomicCmpXchgInst>(access.instruction)) bits |= abi::MemoryAccess::kCompares;
  if (isAtomic(*access.instruction, isPtx) && (fenced || isOrdering(*access.instruction)))
    bits |= abi::MemoryAccess::kIsOrdering;
  llvm::json::Object site = sourceSite(*access.instruction);
  site["operation"] = access.operation;
  return {kind, bits, siteText(*access.instruction->getModule(), std::move(site)), value ? value : builder.getInt64(0)};
}

void tell(const Access &access, const Told &told) {
  llvm::IRBuilder<> builder(access.instruction);
  createMachineCall(builder, "memory_access", builder.getVoidTy(),
                    {builder.CreatePtrToInt(access.pointer, builder.getInt64Ty()),
                     builder.CreateZExtOrTrunc(access.bytes, builder.getInt64Ty()), builder.getInt32(told.what),
                     told.site, told.value});
}

bool isLocal(const Access &access) {
  return withoutSteps(access.pointer)->getType()->isPointerTy() &&
         withoutSteps(access.pointer)->getType()->getPointerAddressSpace() == 3;
}

/// Whether an access begins and ends with a word.
bool isWhole(const Access &access) {
  auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  return bytes && bytes->getZExtValue() % 4 == 0 && access.alignment >= 4;
}

/// Cells say nothing of what atomic loads and stores are to others.
bool fitsCells(const Access &access, const Told &told) {
  constexpr uint64_t kMostBytes = 16, kMostWholeBytes = 64; // a cell for each, in a vector
  auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
  const bool isPlain = told.kind == AccessKind::Read || told.kind == AccessKind::Write;
  return bytes && bytes->getZExtValue() <= (isWhole(access) ? kMostWholeBytes : kMostBytes) &&
         (isPlain || told.kind == AccessKind::AtomicUpdate) &&
         (!(told.what & abi::MemoryAccess::kCompares) || (told.what & abi::MemoryAccess::kHasValue));
}

/// Of which memory the code may look for races by itself: where nothing but barriers orders work-items of a group, and
/// all accesses say which memory they go to.
struct CellUse {
  bool local = false, global = false;
};

CellUse cellsFor(llvm::Function &kernel, llvm::ArrayRef<Access> accesses, llvm::ArrayRef<Told> told) {
  CellUse use{true, true};
  for (const char *name :
       {"sub_group_sync", "named_barrier", "cluster_arrive", "cluster_wait", "yield", "watch", "async_copy"})
    if (!machineCalls(kernel, name).empty()) return {};
  for (const auto &[access, its] : llvm::zip(accesses, told)) {
    const unsigned space = withoutSteps(access.pointer)->getType()->getPointerAddressSpace();
    if ((space != 1 && space != 3) || (its.what & abi::MemoryAccess::kIsOrdering)) return {};
    if (isLocal(access))
      use.local &= fitsCells(access, its);
    else
      use.global &= fitsCells(access, its) && llvm::isa_and_nonnull<llvm::Argument>(rootOf(access.pointer));
  }
  return accesses.size() <= kMostCellAccesses ? use : CellUse{};
}

} // namespace

bool needsOrder(const llvm::Function &kernel) {
  return kernel.hasFnAttribute(kRacesAreChecked) || kernel.hasFnAttribute(kLocalCells) ||
         kernel.hasFnAttribute(kGlobalCells);
}

llvm::PreservedAnalyses CheckRaces::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  if (!(request.specialization.instrumentation & abi::kRaceChecks)) return llvm::PreservedAnalyses::all();
  llvm::Function &kernel = *module.getFunction(request.kernel);
  promoteVariables(kernel, request.specialization.instrumentation);
  llvm::SmallVector<Access, 32> accesses;
  bool fenced = false;
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    fenced |= llvm::isa<llvm::FenceInst>(instruction);
    if (instruction.hasMetadata(kToldElsewhere)) continue;
    for (Access &access : accessesOf(instruction))
      if (isShared(access.pointer)) accesses.push_back(std::move(access));
  }
  const bool isPtx = kernel.hasMetadata("us_language_target");
  llvm::SmallBitVector isUnraced(unsigned(accesses.size()));
  // What copies touch is told by others.
  const bool copies = !machineCalls(kernel, "async_copy").empty();
  if (copies) kernel.addFnAttr(kRacesAreChecked);
  if (!abi::isIn(request.specialization.exhaustive, abi::CheckClass::Races) && !copies) {
    llvm::IRBuilder<> builder(&*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    UnracedAccesses unraced = findUnraced(kernel, accesses, request.specialization, builder);
    isUnraced = std::move(unraced.isUnraced);
    if (isUnraced.any()) createRequire(builder, abi::CheckClass::Races, unraced.condition);
  }
  if (!copies) isUnraced |= findUnracedLocal(kernel, accesses, request.specialization);
  llvm::SmallVector<Access, 32> left;
  llvm::SmallVector<Told, 32> told;
  for (const auto &[number, access] : llvm::enumerate(accesses)) {
    if (isUnraced[unsigned(number)]) continue;
    left.push_back(access);
    told.push_back(describe(access, fenced, isPtx));
  }
  CellUse use = cellsFor(kernel, left, told);
  use.global &= !request.specialization.tellsAccesses;
  llvm::SmallVector<CellAccess, 32> cells;
  CellBytes cellBytes;
  llvm::SmallSetVector<unsigned, 8> arguments;
  for (const auto &[access, its] : llvm::zip(left, told)) {
    const bool isOfLocal = isLocal(access);
    if (!(isOfLocal ? use.local : use.global)) {
      tell(access, its);
      kernel.addFnAttr(kRacesAreChecked);
      continue;
    }
    auto *argument = isOfLocal ? nullptr : llvm::cast<llvm::Argument>(rootOf(access.pointer));
    cells.push_back({access.instruction, access.pointer, llvm::cast<llvm::ConstantInt>(access.bytes)->getZExtValue(),
                     its.kind, its.what, its.site, its.value, argument});
    if (argument) arguments.insert(argument->getArgNo());
    if (!isWhole(access)) (isOfLocal ? cellBytes.local : cellBytes.global) = 1;
  }
  if (cells.empty()) return llvm::PreservedAnalyses::none();
  checkCells(kernel, cells, cellBytes);
  if (cells.size() > size_t(llvm::count_if(cells, [](const CellAccess &access) { return access.argument; })))
    kernel.addFnAttr(kLocalCells, std::to_string(cellBytes.local));
  if (arguments.empty()) return llvm::PreservedAnalyses::none();
  kernel.addFnAttr(kGlobalCells, std::to_string(cellBytes.global));
  std::string numbers;
  for (unsigned number : arguments) numbers += (numbers.empty() ? "" : " ") + std::to_string(number);
  kernel.addFnAttr(kCellArguments, numbers);
  return llvm::PreservedAnalyses::none();
}

} // namespace us::codegen
