// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/step_together.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <optional>

namespace us::codegen {
namespace {

struct LaneCall {
  OfLanes what;
  const char *name;
};
constexpr LaneCall kLaneCalls[] = {{OfLanes::Greatest, "lane.greatest"}, {OfLanes::First, "lane.first"}};

llvm::Value *ask(llvm::IRBuilder<> &builder, OfLanes what, llvm::ArrayRef<llvm::Value *> of) {
  llvm::SmallVector<llvm::Type *, 2> types;
  for (llvm::Value *value : of) types.push_back(value->getType());
  const auto *row = llvm::find_if(kLaneCalls, [&](const LaneCall &one) { return one.what == what; });
  auto callee = builder.GetInsertBlock()->getModule()->getOrInsertFunction(
      row->name, llvm::FunctionType::get(builder.getInt32Ty(), types, false));
  auto *function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotAccessMemory();
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::Convergent);
  return builder.CreateCall(callee, of);
}

/// A loop of which a turn looks at one node.
struct Walk {
  llvm::Loop *loop;
  llvm::PHINode *top;      ///< how long the stack is
  llvm::Instruction *node; ///< a PHI node of the header, or a load from the stack there
};

using Asked = llvm::function_ref<bool(llvm::Value *)>;

class Finder {
public:
  Finder(Asked isPrivate, Asked isDivergent) : isPrivate_(isPrivate), isDivergent_(isDivergent) {}

  std::optional<Walk> find(llvm::Loop &loop) const {
    if (!isAlone(loop)) return std::nullopt;
    llvm::BasicBlock &header = *loop.getHeader();
    for (llvm::PHINode &top : header.phis()) {
      if (!top.getType()->isIntegerTy(32) || !isDivergent_(&top) || !isPushed(top, loop)) continue;
      for (llvm::Instruction &node : header)
        if (node.getType()->isIntegerTy(32) && &node != &top && isTaken(node, top, loop) && isPlace(node, loop))
          return Walk{&loop, &top, &node};
    }
    return std::nullopt;
  }

private:
  /// Nobody sees in which order lanes take their turns.
  static bool isAlone(const llvm::Loop &loop) {
    return llvm::none_of(loop.blocks(), [](const llvm::BasicBlock *block) {
      return llvm::any_of(*block, [](const llvm::Instruction &instruction) {
        auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        return instruction.isAtomic() || instruction.isVolatile() || (call && call->mayHaveSideEffects());
      });
    });
  }

  /// Whether something is put on the stack. A list that is only gone through is none: there each lane has its own node
  /// in each turn.
  bool isPushed(llvm::PHINode &top, const llvm::Loop &loop) const {
    return llvm::any_of(loop.blocks(), [&](llvm::BasicBlock *block) {
      return llvm::any_of(*block, [&](llvm::Instruction &instruction) {
        auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
        return store && isPrivate_(store->getPointerOperand()) && countsFrom(*store->getPointerOperand(), top, loop);
      });
    });
  }

  /// What the top of the stack holds, before the header or in the turn before: the node to be looked at.
  bool isTaken(llvm::Instruction &node, llvm::PHINode &top, const llvm::Loop &loop) const {
    if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&node)) return isOfStack(*load, top, loop);
    auto *phi = llvm::dyn_cast<llvm::PHINode>(&node);
    if (!phi) return false;
    llvm::SmallPtrSet<llvm::Value *, 8> seen{phi};
    llvm::SmallVector<llvm::Value *, 8> open(phi->incoming_values());
    while (!open.empty()) {
      auto *made = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
      if (!made || !loop.contains(made) || !seen.insert(made).second) continue;
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(made); load && isOfStack(*load, top, loop)) return true;
      if (llvm::isa<llvm::PHINode, llvm::SelectInst>(made)) open.append(made->value_op_begin(), made->value_op_end());
    }
    return false;
  }

  bool isOfStack(llvm::LoadInst &load, llvm::PHINode &top, const llvm::Loop &loop) const {
    return isPrivate_(load.getPointerOperand()) && countsFrom(*load.getPointerOperand(), top, loop);
  }

  /// Whether it is calculated, in one turn, from the number, and for the rest from what the loop does not change.
  static bool countsFrom(llvm::Value &value, llvm::PHINode &top, const llvm::Loop &loop) {
    llvm::SmallPtrSet<llvm::Value *, 8> seen{&value};
    llvm::SmallVector<llvm::Value *, 8> open{&value};
    while (!open.empty()) {
      auto *made = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
      if (!made || made == &top || !loop.contains(made)) continue;
      const bool isOfTurn = llvm::isa<llvm::PHINode>(made)
                                ? made->getParent() != loop.getHeader()
                                : llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(made);
      if (!isOfTurn) return false;
      for (llvm::Value *operand : made->operands())
        if (seen.insert(operand).second) open.push_back(operand);
    }
    return seen.contains(&top);
  }

  /// Whether something that all work-items may read is found by it.
  bool isPlace(llvm::Instruction &node, const llvm::Loop &loop) const {
    llvm::SmallPtrSet<llvm::Value *, 16> seen{&node};
    llvm::SmallVector<llvm::Value *, 16> open{&node};
    while (!open.empty())
      for (llvm::User *user : open.pop_back_val()->users()) {
        auto *instruction = llvm::cast<llvm::Instruction>(user);
        if (!loop.contains(instruction)) continue;
        if (auto *load = llvm::dyn_cast<llvm::LoadInst>(instruction)) {
          if (!isPrivate_(load->getPointerOperand())) return true;
        } else if (llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::GetElementPtrInst>(instruction) &&
                   seen.insert(instruction).second) {
          open.push_back(instruction);
        }
      }
    return false;
  }

  Asked isPrivate_, isDivergent_;
};

/// What is calculated in the loop, again with another number.
llvm::Value *again(llvm::Value &value, const llvm::Loop &loop, llvm::ValueToValueMapTy &made,
                   llvm::IRBuilder<> &builder) {
  if (llvm::Value *known = made.lookup(&value)) return known;
  if (loop.isLoopInvariant(&value)) return &value;
  llvm::Instruction *copy = llvm::cast<llvm::Instruction>(value).clone();
  for (llvm::Use &operand : copy->operands()) operand = again(*operand, loop, made, builder);
  builder.Insert(copy);
  made[&value] = copy;
  return copy;
}

/// The lanes with the longest stack that are at the node of the first of them take the turn; the others come back.
void rewrite(const Walk &walk) {
  llvm::BasicBlock &header = *walk.loop->getHeader();
  llvm::Instruction &begin = *header.getFirstNonPHIIt();
  llvm::IRBuilder<> builder(&begin);
  llvm::Value *longest = ask(builder, OfLanes::Greatest, {walk.top});
  llvm::Value *isLongest = builder.CreateICmpEQ(walk.top, longest);
  llvm::Value *node = walk.node;
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(walk.node)) {
    llvm::ValueToValueMapTy numbers;
    numbers[walk.top] = longest;
    llvm::Value *place = again(*load->getPointerOperand(), *walk.loop, numbers, builder);
    node = builder.CreateAlignedLoad(load->getType(), place, load->getAlign());
  }
  node = builder.CreateFreeze(node); // of a lane with a shorter stack it is anything
  llvm::Value *first = ask(builder, OfLanes::First, {node, isLongest});
  llvm::Value *isThere = builder.CreateLogicalAnd(isLongest, builder.CreateICmpEQ(node, first));

  llvm::BasicBlock *step = header.splitBasicBlock(begin.getIterator(), "step");
  auto *wait = llvm::BasicBlock::Create(header.getContext(), "wait", header.getParent(), step);
  llvm::BranchInst::Create(&header, wait);
  header.getTerminator()->eraseFromParent();
  llvm::BranchInst::Create(step, wait, isThere, &header);
  // All that follows is done by lanes for which these are the same.
  for (auto [value, same] : {std::pair<llvm::Instruction *, llvm::Value *>(walk.top, longest), {walk.node, first}})
    value->replaceUsesWithIf(same, [&](const llvm::Use &use) {
      return llvm::cast<llvm::Instruction>(use.getUser())->getParent() != &header ||
             llvm::isa<llvm::PHINode>(use.getUser());
    });
  llvm::RecursivelyDeleteTriviallyDeadInstructions(walk.node);
  for (llvm::PHINode &phi : header.phis()) phi.addIncoming(&phi, wait);
}

} // namespace

OfLanes ofLanes(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  if (!callee) return OfLanes::Nothing;
  const auto *row = llvm::find_if(kLaneCalls, [&](const LaneCall &one) { return callee->getName() == one.name; });
  return row != std::end(kLaneCalls) ? row->what : OfLanes::Nothing;
}

void dropLaneFunctions(llvm::Module &module) {
  for (const LaneCall &one : kLaneCalls)
    if (llvm::Function *function = module.getFunction(one.name); function && function->use_empty())
      function->eraseFromParent();
}

bool stepTogether(const llvm::LoopInfo &loops, llvm::function_ref<bool(llvm::Value *)> isPrivate,
                  llvm::function_ref<bool(llvm::Value *)> isDivergent) {
  const Finder finder(isPrivate, isDivergent);
  llvm::SmallVector<Walk, 2> walks;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (!walks.empty() && walks.back().loop->contains(loop)) continue;
    if (std::optional<Walk> walk = finder.find(*loop)) walks.push_back(*walk);
  }
  for (const Walk &walk : walks) rewrite(walk);
  return !walks.empty();
}

} // namespace us::codegen
