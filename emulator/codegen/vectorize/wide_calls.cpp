// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/wide_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <optional>

namespace us::codegen {
namespace {

constexpr llvm::StringRef kOfLanes = "us_lanes_", kOfAll = "us_wide_", kRows = "us_lanes_matrix_rows";

llvm::Function *calledFunction(const llvm::Value &value) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&value);
  return call ? call->getCalledFunction() : nullptr;
}

/// Whether it is a call of a function whose name begins so.
bool isCallOf(const llvm::Value &value, llvm::StringRef prefix) {
  const llvm::Function *callee = calledFunction(value);
  return callee && callee->getName().starts_with(prefix);
}

using Pair = std::array<llvm::Value *, 2>;

/// A call that puts two registers in the other order, and which of both it gives.
struct Turned {
  llvm::CallInst *call;
  Pair registers;
  unsigned part;
};

std::optional<Turned> turnedBy(llvm::Value *value) {
  const llvm::Function *callee = calledFunction(*value);
  if (!callee || callee->getName() != kRows) return std::nullopt;
  auto *call = llvm::cast<llvm::CallInst>(value);
  auto *part = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
  if (!part) return std::nullopt;
  return Turned{call, {call->getArgOperand(0), call->getArgOperand(1)}, unsigned(part->getZExtValue())};
}

/// What a pair was before both were put in this order.
std::optional<Pair> before(const Pair &pair) {
  const auto first = turnedBy(pair[0]), second = turnedBy(pair[1]);
  if (first && second && first->part == 0 && second->part == 1 && first->registers == second->registers)
    return first->registers;
  auto *one = llvm::dyn_cast<llvm::Constant>(pair[0]);
  if (one && one == pair[1]) return pair; // all are the same, in any order
  return std::nullopt;
}

Pair turn(llvm::CallInst &like, const Pair &pair, llvm::Instruction &place) {
  llvm::IRBuilder<> builder(&place);
  Pair made;
  for (unsigned part = 0; part < 2; ++part) {
    auto *call = llvm::cast<llvm::CallInst>(like.clone());
    call->setArgOperand(0, pair[0]);
    call->setArgOperand(1, pair[1]);
    call->setArgOperand(2, builder.getInt32(part));
    made[part] = builder.Insert(call);
  }
  return made;
}

Pair phisLike(llvm::PHINode &phi) {
  Pair made;
  for (llvm::Value *&one : made)
    one = llvm::PHINode::Create(phi.getType(), phi.getNumIncomingValues(), phi.getName(), phi.getIterator());
  return made;
}

class RowOrder {
public:
  RowOrder(llvm::Function &function, const llvm::LoopInfo &loops) : function_(function), loops_(loops) {}

  bool run() {
    bool changed = false;
    for (bool again = true; again;) {
      again = false;
      llvm::SmallVector<llvm::CallInst *, 32> calls;
      for (llvm::Instruction &instruction : llvm::instructions(function_))
        if (turnedBy(&instruction)) calls.push_back(llvm::cast<llvm::CallInst>(&instruction));
      for (llvm::CallInst *call : calls)
        if (step(*call)) {
          again = changed = true;
          break;
        }
    }
    return changed;
  }

private:
  bool step(llvm::CallInst &call) {
    const Turned turned = *turnedBy(&call);
    if (call.use_empty()) {
      call.eraseFromParent();
      return true;
    }
    if (const auto pair = before(turned.registers)) {
      call.replaceAllUsesWith((*pair)[turned.part]);
      call.eraseFromParent();
      return true;
    }
    return turnRound(turned) || turnBehind(turned);
  }

  /// Round a loop: what all turns put in the other order comes in it.
  bool turnRound(const Turned &turned) {
    auto *first = llvm::dyn_cast<llvm::PHINode>(turned.registers[0]);
    auto *second = llvm::dyn_cast<llvm::PHINode>(turned.registers[1]);
    if (!first || !second || first == second || first->getParent() != second->getParent()) return false;
    for (llvm::PHINode *phi : {first, second})
      for (llvm::User *user : phi->users()) {
        const auto other = turnedBy(user);
        if (!other || other->registers != turned.registers) return false;
      }
    const auto ofEdge = [&](llvm::BasicBlock *from) {
      return Pair{first->getIncomingValueForBlock(from), second->getIncomingValueForBlock(from)};
    };
    if (llvm::none_of(first->blocks(), [&](llvm::BasicBlock *from) {
          return before(ofEdge(from)) && !llvm::isa<llvm::Constant>(ofEdge(from)[0]);
        }))
      return false;
    // Where ways join that part the warp, some threads come with one, some with the other; a loop's header is no such.
    const llvm::Loop *loop = loops_.getLoopFor(first->getParent());
    if (!loop || loop->getHeader() != first->getParent() || first->getNumIncomingValues() != 2) return false;
    const Pair made = phisLike(*first);
    for (llvm::BasicBlock *from : first->blocks()) {
      const Pair pair = ofEdge(from);
      const auto known = before(pair);
      const Pair values = known ? *known : turn(*turned.call, pair, *from->getTerminator());
      for (unsigned part = 0; part < 2; ++part) llvm::cast<llvm::PHINode>(made[part])->addIncoming(values[part], from);
    }
    for (llvm::User *user : llvm::to_vector(first->users())) {
      const Turned other = *turnedBy(user);
      other.call->replaceAllUsesWith(made[other.part]);
      other.call->eraseFromParent();
    }
    first->eraseFromParent();
    second->eraseFromParent();
    return true;
  }

  /// Of what is used behind a loop only, the last turn's is put in order there.
  bool turnBehind(const Turned &turned) {
    llvm::SmallVector<Turned, 2> both;
    for (llvm::User *user : turned.registers[0]->users())
      if (const auto other = turnedBy(user); other && other->registers == turned.registers) both.push_back(*other);
    const auto behind = [&](const Turned &one) {
      auto *phi = one.call->hasOneUse() ? llvm::dyn_cast<llvm::PHINode>(one.call->user_back()) : nullptr;
      return phi && phi->getNumIncomingValues() == 1 ? phi : nullptr;
    };
    if (both.empty() || !llvm::all_of(both, behind)) return false;
    llvm::BasicBlock *block = behind(both.front())->getParent();
    if (!llvm::all_of(both, [&](const Turned &one) { return behind(one)->getParent() == block; })) return false;
    llvm::BasicBlock *from = behind(both.front())->getIncomingBlock(0);
    const Pair made = phisLike(*behind(both.front()));
    for (unsigned part = 0; part < 2; ++part)
      llvm::cast<llvm::PHINode>(made[part])->addIncoming(turned.registers[part], from);
    const Pair values = turn(*turned.call, made, *block->getFirstInsertionPt());
    for (const Turned &one : both) {
      llvm::PHINode *phi = behind(one);
      phi->replaceAllUsesWith(values[one.part]);
      phi->eraseFromParent();
      one.call->eraseFromParent();
    }
    return true;
  }

  llvm::Function &function_;
  const llvm::LoopInfo &loops_;
};

} // namespace

bool isOfAllLanes(const llvm::Instruction &instruction) { return isCallOf(instruction, kOfLanes); }

llvm::Function *wideCallee(const llvm::Instruction &instruction) {
  if (!isOfAllLanes(instruction)) return nullptr;
  for (const llvm::Instruction &inside : llvm::instructions(*calledFunction(instruction)))
    if (isCallOf(inside, kOfAll)) return calledFunction(inside);
  return nullptr;
}

void dropWideCalls(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (!function.getName().starts_with(kOfLanes)) continue;
    for (llvm::User *user : llvm::to_vector(function.users())) {
      auto *call = llvm::dyn_cast<llvm::CallInst>(user);
      if (!call) continue;
      call->replaceAllUsesWith(llvm::PoisonValue::get(call->getType()));
      call->eraseFromParent();
    }
  }
  dropLanesFunctions(module);
}

void dropRepeatedStores(llvm::Function &function) {
  const llvm::DataLayout &layout = function.getDataLayout();
  struct Stored {
    const llvm::Value *base;
    int64_t from, to;
    llvm::Value *value;
  };
  for (llvm::BasicBlock &block : function) {
    llvm::SmallVector<Stored, 32> known;
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(block)) {
      if (!instruction.mayWriteToMemory()) continue;
      auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (!store || !store->isSimple()) {
        known.clear();
        continue;
      }
      Stored now{nullptr, 0, 0, store->getValueOperand()};
      now.base = llvm::GetPointerBaseWithConstantOffset(store->getPointerOperand(), now.from, layout);
      now.to = now.from + int64_t(layout.getTypeStoreSize(now.value->getType()).getFixedValue());
      if (llvm::any_of(known, [&](const Stored &one) {
            return one.base == now.base && one.from == now.from && one.value == now.value;
          })) {
        store->eraseFromParent();
        continue;
      }
      llvm::erase_if(
          known, [&](const Stored &one) { return one.base != now.base || (one.from < now.to && now.from < one.to); });
      known.push_back(now);
    }
  }
}

bool dropLanesFunctions(llvm::Module &module) {
  bool changed = false;
  for (const llvm::StringRef prefix : {kOfLanes, kOfAll}) // those call these
    for (llvm::Function &function : llvm::make_early_inc_range(module))
      if (function.getName().starts_with(prefix) && function.use_empty()) {
        function.eraseFromParent();
        changed = true;
      }
  return changed;
}

bool hasWideCalls(const llvm::Function &function) {
  return llvm::any_of(llvm::instructions(function),
                      [](const llvm::Instruction &instruction) { return isCallOf(instruction, kOfAll); });
}

bool keepRowOrder(llvm::Function &function, const llvm::LoopInfo &loops) { return RowOrder(function, loops).run(); }

} // namespace us::codegen
