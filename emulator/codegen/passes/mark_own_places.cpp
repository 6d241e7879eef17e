// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/mark_own_places.h"

#include "emulator/codegen/address_spaces.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <optional>

namespace us::codegen {
namespace {

/// Numbers of work-items by dimension: a bit each for those of the group, and those in it.
struct OwnNumbers {
  unsigned groups = 0, items = 0;
  bool any() const { return groups | items; }
};

OwnNumbers operator|(OwnNumbers one, OwnNumbers other) { return {one.groups | other.groups, one.items | other.items}; }

/// Which number a call asks for, if it does; nothing if its dimension is not known.
std::optional<OwnNumbers> askedFor(const llvm::CallBase &call) {
  const llvm::StringRef name = machineName(&call);
  const bool isGlobal = name == "global_id", isGroup = name == "group_id", isLocal = name == "local_id";
  if (!isGlobal && !isGroup && !isLocal) return OwnNumbers{};
  const std::optional<unsigned> dimension = queryDimension(call);
  if (!dimension || *dimension > 2) return std::nullopt;
  return OwnNumbers{isLocal ? 0 : 1u << *dimension, isGroup ? 0 : 1u << *dimension};
}

/// The numbers in a sum; nothing if it is not one.
std::optional<OwnNumbers> numbersIn(llvm::Value *value, unsigned depth = 0) {
  if (llvm::isa<llvm::Argument, llvm::Constant>(value)) return OwnNumbers{};
  if (depth > 16) return std::nullopt;
  if (auto *call = llvm::dyn_cast<llvm::CallBase>(value)) {
    const llvm::StringRef name = machineName(call);
    if (name.ends_with("_size") || name == "num_groups" || name == "global_offset") return OwnNumbers{};
    const auto asked = askedFor(*call);
    return asked && asked->any() ? asked : std::nullopt;
  }
  if (auto *address = llvm::dyn_cast<llvm::GEPOperator>(value)) {
    OwnNumbers all;
    for (llvm::Value *part : address->operands()) {
      const auto numbers = numbersIn(part, depth + 1);
      if (!numbers) return std::nullopt;
      all = all | *numbers;
    }
    return all;
  }
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(value))
    return numbersIn(llvm::cast<llvm::CastInst>(value)->getOperand(0), depth + 1);
  auto *operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!operation) return std::nullopt;
  const auto left = numbersIn(operation->getOperand(0), depth + 1);
  const auto right = numbersIn(operation->getOperand(1), depth + 1);
  if (!left || !right) return std::nullopt;
  switch (operation->getOpcode()) {
  case llvm::Instruction::Add:
    return *left | *right;
  case llvm::Instruction::Or:
    return llvm::cast<llvm::PossiblyDisjointInst>(operation)->isDisjoint() ? std::optional(*left | *right)
                                                                           : std::nullopt;
  case llvm::Instruction::Mul:
    return left->any() && right->any() ? std::nullopt : std::optional(*left | *right);
  case llvm::Instruction::Shl:
    return right->any() ? std::nullopt : left;
  default:
    return std::nullopt;
  }
}

/// The argument that a place begins at.
const llvm::Value *argumentOf(const llvm::Value *place) {
  while (auto *address = llvm::dyn_cast<llvm::GEPOperator>(place)) place = address->getPointerOperand();
  return llvm::isa<llvm::Argument>(place) ? place : nullptr;
}

bool isOfItsGroup(const llvm::Value *place) {
  return place->getType()->getPointerAddressSpace() == kLocalSpace ||
         llvm::isa<llvm::AllocaInst>(place->stripInBoundsOffsets());
}

bool writesOwnPlaces(llvm::Function &kernel) {
  OwnNumbers asked;
  llvm::SmallDenseMap<const llvm::Value *, llvm::Value *> places; // by argument
  for (llvm::Instruction &instruction : llvm::instructions(kernel)) {
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      const auto numbers = askedFor(*call);
      if (!numbers) return false;
      asked = asked | *numbers;
      if (isBarrier(call) || call->isLifetimeStartOrEnd() || llvm::isa<llvm::AssumeInst>(call)) continue;
    }
    if (!instruction.mayWriteToMemory()) continue;
    auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store || !store->isSimple()) return false;
    if (isOfItsGroup(store->getPointerOperand())) continue;
    const llvm::Value *argument = argumentOf(store->getPointerOperand());
    if (!argument ||
        places.try_emplace(argument, store->getPointerOperand()).first->second != store->getPointerOperand())
      return false;
  }
  // Who asks for one number in a dimension is one of all work-items that differ in it.
  const unsigned dimensions = asked.groups | asked.items;
  for (auto [argument, place] : places) {
    const auto numbers = numbersIn(place);
    if (!numbers || numbers->groups != dimensions || numbers->items != dimensions) return false;
  }
  return !places.empty() && dimensions & 1;
}

} // namespace

llvm::PreservedAnalyses MarkOwnPlaces::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (writesOwnPlaces(kernel)) kernel.addFnAttr(kOwnPlaces);
  return llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
