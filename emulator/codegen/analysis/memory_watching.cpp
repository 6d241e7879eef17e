// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/memory_watching.h"

#include "emulator/codegen/analysis/outdated.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/raw_ostream.h>

namespace us::codegen {
namespace {

using namespace llvm;
using namespace llvm::PatternMatch;

bool isOwnStack(const Value *pointer) { return isa<AllocaInst>(getUnderlyingObject(pointer)); }

/// Functions that were left as calls: what they give back may be what they watched. Recursive ones are not followed
/// far.
bool mayWatch(const Function &function, unsigned depth = 0) {
  if (function.isDeclaration()) return false;
  for (const Instruction &instruction : instructions(function)) {
    if (watchesMemory(instruction)) return true;
    auto *call = dyn_cast<CallBase>(&instruction);
    if (call && call->getCalledFunction() && depth < 4 && mayWatch(*call->getCalledFunction(), depth + 1)) return true;
  }
  return false;
}

/// What the control of one loop depends on, inside of the loop.
class Dependences {
public:
  Dependences(const Loop &loop, const DominatorTree &dominators) : loop_(loop), dominators_(dominators) {
    loop.getLoopLatches(latches_);
  }

  bool waits() {
    SmallVector<BasicBlock *, 8> exiting;
    loop_.getExitingBlocks(exiting);
    for (BasicBlock *block : exiting) {
      addCondition(*block);
      // Whether it is reached at all matters, unless each round comes by.
      if (!all_of(latches_, [&](BasicBlock *latch) { return dominators_.dominates(block, latch); }))
        addDecisions(*block, *loop_.getHeader());
    }
    while (!work_.empty())
      if (isWatch(*work_.pop_back_val())) return true;
    return false;
  }

private:
  void add(Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && loop_.contains(instruction) && seen_.insert(instruction).second) work_.push_back(instruction);
  }

  void addCondition(BasicBlock &block) {
    if (auto *branch = dyn_cast<BranchInst>(block.getTerminator()); branch && branch->isConditional())
      add(branch->getCondition());
    if (auto *choice = dyn_cast<SwitchInst>(block.getTerminator())) add(choice->getCondition());
  }

  /// The branches between `top` and `block` that decide whether, or from where, `block` is reached.
  void addDecisions(BasicBlock &block, BasicBlock &top) {
    SmallPtrSet<BasicBlock *, 16> passed;
    SmallVector<BasicBlock *, 16> blocks;
    const auto addPredecessors = [&](BasicBlock &of) {
      for (BasicBlock *before : predecessors(&of))
        if (loop_.contains(before) && passed.insert(before).second) blocks.push_back(before);
    };
    addPredecessors(block);
    while (!blocks.empty()) {
      BasicBlock &one = *blocks.pop_back_val();
      addCondition(one);
      if (&one != &top) addPredecessors(one);
    }
  }

  /// Tries again with what it has just read there: when it fails another work-item has got on.
  bool triesAgain(AtomicCmpXchgInst &exchange) {
    SmallPtrSet<Value *, 8> passed;
    SmallVector<Value *, 8> values{exchange.getCompareOperand()};
    while (!values.empty()) {
      auto *value = dyn_cast<Instruction>(values.pop_back_val());
      if (!value || !loop_.contains(value) || !passed.insert(value).second) continue;
      if (match(value, m_ExtractValue<0>(m_Specific(&exchange)))) return true;
      if (auto *load = dyn_cast<LoadInst>(value); load && load->getPointerOperand() == exchange.getPointerOperand())
        return true;
      if (isa<PHINode>(value) || isa<CastInst>(value) || isa<FreezeInst>(value))
        append_range(values, value->operands());
    }
    return false;
  }

  /// Whether a compare-exchange succeeded, of one that tries again.
  bool isOutcome(Instruction &instruction) {
    Value *pair = nullptr, *expected = nullptr;
    if (match(&instruction, m_ExtractValue<1>(m_Value(pair)))) {
      auto *exchange = dyn_cast<AtomicCmpXchgInst>(pair);
      return exchange && triesAgain(*exchange);
    }
    ICmpInst::Predicate predicate;
    if (!match(&instruction, m_c_ICmp(predicate, m_ExtractValue<0>(m_Value(pair)), m_Value(expected)))) return false;
    auto *exchange = dyn_cast<AtomicCmpXchgInst>(pair);
    return exchange && ICmpInst::isEquality(predicate) && exchange->getCompareOperand() == expected &&
           triesAgain(*exchange);
  }

  /// Each round changes it itself, and nothing in the loop takes that back.
  bool counts(AtomicRMWInst &update) {
    const auto operation = update.getOperation();
    auto *step = dyn_cast<ConstantInt>(update.getValOperand());
    if (!step || step->isZero() || (operation != AtomicRMWInst::Add && operation != AtomicRMWInst::Sub)) return false;
    for (BasicBlock *block : loop_.blocks())
      for (Instruction &other : *block) {
        if (&other == &update || !(other.isAtomic() || other.isVolatile())) continue;
        const Value *pointer = getPointerOperand(&other);
        if (!pointer) {
          if (auto *another = dyn_cast<AtomicRMWInst>(&other)) pointer = another->getPointerOperand();
          if (auto *another = dyn_cast<AtomicCmpXchgInst>(&other)) pointer = another->getPointerOperand();
        }
        if (pointer == update.getPointerOperand()) return false;
      }
    return true;
  }

  enum class Advance { None, InEachTurn, Unknown };

  /// Whether a value is another one in each turn of the loop: a counter, by what leaves it one.
  Advance advanceOf(const Value *value, unsigned depth = 0) const {
    auto *instruction = dyn_cast<Instruction>(value);
    if (!instruction || !loop_.contains(instruction)) return Advance::None;
    if (depth > 8) return Advance::Unknown;
    if (auto *counter = dyn_cast<PHINode>(instruction)) {
      const bool counts = counter->getParent() == loop_.getHeader() && all_of(latches_, [&](BasicBlock *latch) {
                            const Value *next = counter->getIncomingValueForBlock(latch);
                            const APInt *step = nullptr;
                            return match(next, m_Add(m_Specific(counter), m_APInt(step))) && !step->isZero();
                          });
      return counts ? Advance::InEachTurn : Advance::Unknown;
    }
    const APInt *factor = nullptr;
    const bool isScaled = match(instruction, m_Mul(m_Value(), m_APInt(factor)))
                              ? !factor->isZero()
                              : match(instruction, m_Shl(m_Value(), m_APInt(factor)));
    if (isScaled || isa<CastInst, FreezeInst>(instruction)) return advanceOf(instruction->getOperand(0), depth + 1);
    const unsigned operation = instruction->getOpcode();
    if (operation != Instruction::Add && operation != Instruction::Sub && operation != Instruction::GetElementPtr)
      return Advance::Unknown;
    Advance sum = Advance::None;
    for (const Value *part : instruction->operands()) {
      const Advance its = advanceOf(part, depth + 1);
      if (its == Advance::None) continue;
      sum = sum == Advance::None ? its : Advance::Unknown; // two may undo each other
    }
    return sum;
  }

  /// A load of another place in each turn: nobody waits at any of them.
  bool looksFurtherOn(const Instruction &instruction) const {
    auto *load = dyn_cast<LoadInst>(&instruction);
    return load && advanceOf(load->getPointerOperand()) == Advance::InEachTurn;
  }

  bool isWatch(Instruction &instruction) {
    if (isOutcome(instruction)) return false;
    if (auto *update = dyn_cast<AtomicRMWInst>(&instruction); update && counts(*update)) return false;
    if (watchesMemory(instruction) && !looksFurtherOn(instruction)) return true;
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (call->getCalledFunction() && mayWatch(*call->getCalledFunction())) return true;
    for (Value *operand : instruction.operands()) add(operand);
    if (auto *merge = dyn_cast<PHINode>(&instruction); merge && merge->getNumIncomingValues() > 1) {
      BasicBlock &block = *merge->getParent();
      if (&block == loop_.getHeader()) {
        // From where in the loop: only where there are several ways back.
        if (latches_.size() > 1) addDecisions(block, block);
      } else if (auto *node = dominators_.getNode(&block); node && node->getIDom()) {
        addDecisions(block, *node->getIDom()->getBlock());
      }
    }
    return false;
  }

  const Loop &loop_;
  const DominatorTree &dominators_;
  SmallVector<BasicBlock *, 4> latches_;
  SmallPtrSet<Instruction *, 32> seen_;
  SmallVector<Instruction *, 32> work_;
};

} // namespace

bool watchesMemory(const llvm::Instruction &instruction) {
  if (auto *read = dyn_cast<LoadInst>(&instruction))
    return (read->isAtomic() || read->isVolatile()) && !isOwnStack(read->getPointerOperand());
  if (auto *update = dyn_cast<AtomicRMWInst>(&instruction))
    return !update->use_empty() && !isOwnStack(update->getPointerOperand());
  if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) return !isOwnStack(exchange->getPointerOperand());
  return false;
}

llvm::AnalysisKey WaitingLoopsAnalysis::Key;

WaitingLoops WaitingLoopsAnalysis::run(llvm::Function &function, llvm::FunctionAnalysisManager &manager) {
  WaitingLoops found;
  const auto &dominators = manager.getResult<DominatorTreeAnalysis>(function);
  for (llvm::Loop *loop : manager.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    const bool watches = llvm::any_of(loop->blocks(), [](const llvm::BasicBlock *block) {
      return llvm::any_of(*block, [](const llvm::Instruction &instruction) {
        return watchesMemory(instruction) || isa<CallBase>(instruction);
      });
    });
    if (watches && Dependences(*loop, dominators).waits()) found.loops.push_back(loop);
  }
  return found;
}

void WaitingLoops::print(llvm::raw_ostream &stream, llvm::Function &) const {
  for (const Loop *loop : loops) {
    loop->getHeader()->printAsOperand(stream, /*PrintType=*/false);
    stream << "\n";
  }
}

bool WaitingLoops::invalidate(llvm::Function &function, const llvm::PreservedAnalyses &preserved,
                              llvm::FunctionAnalysisManager::Invalidator &invalidator) {
  return isOutdated<WaitingLoopsAnalysis, LoopAnalysis>(function, preserved, invalidator);
}

} // namespace us::codegen
