// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/walk_tiles_by_rows.h"

#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

/// Shorter rows are not worth a loop of their own. Whole vectors of the linear numbers of a tile with rows of a
/// multiple of `kAligned` are in one row already.
constexpr uint64_t kShortestRow = 8, kAligned = 16;
/// Numbers of work-items and elements stay so far below the end of 32 bits that their sums do not wrap.
constexpr uint64_t kMost = uint64_t(1) << 30;

/// The access group whose accesses do not depend on each other in a loop's turns.
const llvm::Metadata *parallelGroup(const llvm::Loop &loop) {
  llvm::MDNode *parallel = llvm::findOptionMDForLoop(&loop, kParallelAccesses);
  return parallel && parallel->getNumOperands() == 2 ? parallel->getOperand(1).get() : nullptr;
}

class TileWalk {
public:
  TileWalk(llvm::Loop &items, llvm::ScalarEvolution &evolution) : items_(items), evolution_(evolution) {}

  bool find() {
    if (items_.getSubLoops().size() != 1) return false;
    walk_ = items_.getSubLoops().front();
    return walk_->isInnermost() && findLevels() && findCounter() && findEnd() && isAlone() && findRows();
  }

  /// The walk becomes the loop along a row, and gets one over the rows around it.
  void change() {
    llvm::Loop &whole = *levels_.back();
    llvm::BasicBlock *before = whole.getLoopPreheader(), *exit = whole.getUniqueExitBlock();
    llvm::BasicBlock *header = walk_->getHeader(), *latch = walk_->getLoopLatch();
    llvm::BasicBlock *outside = walk_->getLoopPreheader();
    llvm::MDNode *id = items_.getLoopID();
    llvm::Type *type = counter_->getType();
    llvm::LLVMContext &context = header->getContext();
    llvm::Function &function = *header->getParent();
    const auto constant = [&](uint64_t value) { return llvm::ConstantInt::get(type, value); };
    auto *row = llvm::BasicBlock::Create(context, "tile.row", &function, header);
    auto *rowLatch = llvm::BasicBlock::Create(context, "tile.row.latch", &function, exit);
    llvm::IRBuilder<> builder(row);
    llvm::PHINode *number = builder.CreatePHI(type, 2, "row");
    llvm::Value *begin = builder.CreateMul(number, constant(length_), "row.begin", true, true);
    builder.CreateBr(header);
    builder.SetInsertPoint(rowLatch);
    llvm::Value *next = builder.CreateAdd(number, constant(1), "", true, true);
    builder.CreateCondBr(builder.CreateICmpULT(next, constant(elements_ / length_)), row, exit);
    number->addIncoming(constant(0), before);
    number->addIncoming(next, rowLatch);

    builder.SetInsertPoint(header, header->begin());
    llvm::PHINode *column = builder.CreatePHI(type, 2, "column");
    builder.SetInsertPoint(header, header->getFirstInsertionPt());
    llvm::Value *linear = builder.CreateAdd(begin, column, "", true, true);
    divide(*number, *column);
    auto *again = llvm::cast<llvm::BranchInst>(latch->getTerminator());
    builder.SetInsertPoint(again);
    llvm::Value *further = builder.CreateAdd(column, constant(1), "", true, true);
    builder.CreateCondBr(builder.CreateICmpULT(further, constant(length_)), header, rowLatch)
        ->setMetadata(llvm::LLVMContext::MD_loop, id);
    column->addIncoming(constant(0), row);
    column->addIncoming(further, latch);
    llvm::BasicBlock *behind = again->getSuccessor(again->getSuccessor(0) == header ? 1 : 0);
    behind->removePredecessor(latch);
    again->eraseFromParent();
    counter_->replaceAllUsesWith(linear);
    counter_->eraseFromParent();
    outside->getTerminator()->replaceSuccessorWith(header, behind); // nobody comes there
    before->getTerminator()->replaceSuccessorWith(whole.getHeader(), row);
    llvm::removeUnreachableBlocks(function);
  }

private:
  /// The loops over the dimensions of the group, which do nothing themselves.
  bool findLevels() {
    const llvm::Metadata *group = parallelGroup(items_);
    if (!group) return false;
    llvm::Loop *inner = walk_;
    for (llvm::Loop *level = &items_; level && parallelGroup(*level) == group; level = level->getParentLoop()) {
      const unsigned turns = evolution_.getSmallConstantTripCount(level);
      llvm::BasicBlock *exit = level->getUniqueExitBlock();
      if (level->getSubLoops().size() != 1 || !level->isLoopSimplifyForm() || turns == 0 || !exit ||
          level->getExitingBlock() != level->getLoopLatch())
        return false;
      for (llvm::BasicBlock *block : level->blocks()) {
        if (inner->contains(block)) continue;
        auto *branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
        if (!branch || (branch->isConditional() && block != level->getLoopLatch())) return false;
        for (llvm::Instruction &instruction : *block)
          if (instruction.mayReadOrWriteMemory() || (!instruction.isTerminator() && instruction.mayHaveSideEffects()))
            return false;
      }
      count_ *= turns;
      if (count_ >= kMost) return false;
      levels_.push_back(level);
      inner = level;
    }
    return !levels_.empty() && levels_.back()->getUniqueExitBlock()->phis().empty();
  }

  /// It begins at the work-item's linear number and moves by as many as there are.
  bool findCounter() {
    llvm::BasicBlock *header = walk_->getHeader();
    if (!walk_->isLoopSimplifyForm() || walk_->getExitingBlock() != walk_->getLoopLatch()) return false;
    counter_ = llvm::dyn_cast<llvm::PHINode>(&header->front());
    if (!counter_ || header->getFirstNonPHI() != counter_->getNextNode() || !counter_->getType()->isIntegerTy() ||
        counter_->getType()->getIntegerBitWidth() < 32)
      return false;
    auto *moves = llvm::dyn_cast<llvm::SCEVAddRecExpr>(evolution_.getSCEV(counter_));
    if (!moves || moves->getLoop() != walk_ || !moves->isAffine() || !is(moves->getOperand(1), count_)) return false;
    const llvm::SCEV *start = moves->getStart();
    uint64_t step = 1;
    for (llvm::Loop *level : levels_) {
      auto *number = llvm::dyn_cast<llvm::SCEVAddRecExpr>(start);
      if (!number || number->getLoop() != level || !number->isAffine() || !is(number->getOperand(1), step))
        return false;
      start = number->getStart();
      step *= evolution_.getSmallConstantTripCount(level);
    }
    return is(start, 0);
  }

  static bool is(const llvm::SCEV *what, uint64_t value) {
    auto *constant = llvm::dyn_cast<llvm::SCEVConstant>(what);
    return constant && constant->getAPInt() == value;
  }

  /// It goes on while its number, or the next, is below a constant.
  bool findEnd() {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(walk_->getLoopLatch()->getTerminator());
    auto *compare =
        branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
    auto *bound = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
    if (!bound || bound->getValue().uge(kMost)) return false;
    uint64_t limit = bound->getZExtValue();
    const bool goesOn = branch->getSuccessor(0) == walk_->getHeader();
    const auto predicate = goesOn ? compare->getPredicate() : compare->getInversePredicate();
    if (predicate == llvm::CmpInst::ICMP_ULE || predicate == llvm::CmpInst::ICMP_SLE)
      ++limit;
    else if (predicate != llvm::CmpInst::ICMP_ULT && predicate != llvm::CmpInst::ICMP_SLT)
      return false;
    if (compare->getOperand(0) == counter_)
      elements_ = count_ + limit;
    else if (compare->getOperand(0) == counter_->getIncomingValueForBlock(walk_->getLoopLatch()))
      elements_ = std::max(count_, limit);
    return elements_ > count_;
  }

  /// What it does depends on nothing of the work-item but that number, touches memory by simple loads and stores, none
  /// of it the work-item's own, and leaves no value.
  bool isAlone() {
    for (llvm::BasicBlock *block : walk_->blocks())
      for (llvm::Instruction &instruction : *block) {
        if (llvm::any_of(instruction.users(),
                         [&](llvm::User *user) { return !walk_->contains(llvm::cast<llvm::Instruction>(user)); }))
          return false;
        for (llvm::Value *operand : instruction.operands()) {
          auto *made = llvm::dyn_cast<llvm::Instruction>(operand);
          if (!made || walk_->contains(made) || &instruction == counter_) continue;
          if (levels_.back()->contains(made)) return false;
        }
        if (llvm::Value *place = llvm::getLoadStorePointerOperand(&instruction)) {
          auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
          if (load ? !load->isSimple() : !llvm::cast<llvm::StoreInst>(instruction).isSimple()) return false;
          if (place->getType()->getPointerAddressSpace() == 0 &&
              !llvm::isa<llvm::Argument>(llvm::getUnderlyingObject(place, 0)))
            return false;
        } else if (instruction.mayReadOrWriteMemory() ||
                   (!instruction.isTerminator() && instruction.mayHaveSideEffects()))
          return false;
      }
    return true;
  }

  /// Whether it is the counter by a constant, and which.
  bool isDivision(llvm::Instruction &instruction, uint64_t &divisor) const {
    switch (instruction.getOpcode()) {
    case llvm::Instruction::UDiv:
    case llvm::Instruction::URem:
    case llvm::Instruction::SDiv:
    case llvm::Instruction::SRem:
      break;
    default:
      return false;
    }
    if (!instruction.getType()->isIntegerTy()) return false;
    llvm::Value *of = instruction.getOperand(0);
    if (llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(of) && of->getType()->getIntegerBitWidth() >= 32)
      of = llvm::cast<llvm::CastInst>(of)->getOperand(0);
    auto *by = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    if (of != counter_ || !by || by->isZero() || by->getValue().uge(kMost)) return false;
    divisor = by->getZExtValue();
    return true;
  }

  /// Rows are as long as the shortest that it is divided by, which all others are multiples of.
  bool findRows() {
    for (llvm::BasicBlock *block : walk_->blocks())
      for (llvm::Instruction &instruction : *block) {
        uint64_t divisor = 0;
        if (!isDivision(instruction, divisor)) continue;
        if (length_ == 0 || divisor < length_) length_ = divisor;
        divisions_.push_back({&instruction, divisor});
      }
    if (length_ < kShortestRow || length_ > count_ || length_ % kAligned == 0 || elements_ % length_ != 0) return false;
    return llvm::all_of(divisions_, [&](const Division &one) { return one.divisor % length_ == 0; });
  }

  /// Of row * length + column, by a multiple of the length.
  void divide(llvm::Value &row, llvm::Value &column) {
    for (const auto &[instruction, divisor] : divisions_) {
      llvm::IRBuilder<> builder(instruction);
      llvm::Type *type = instruction->getType();
      llvm::Value *rows = builder.CreateZExtOrTrunc(&row, type), *within = builder.CreateZExtOrTrunc(&column, type);
      llvm::Constant *several = llvm::ConstantInt::get(type, divisor / length_);
      const bool isQuotient =
          instruction->getOpcode() == llvm::Instruction::UDiv || instruction->getOpcode() == llvm::Instruction::SDiv;
      llvm::Value *made = nullptr;
      if (isQuotient) {
        made = divisor == length_ ? rows : builder.CreateUDiv(rows, several);
      } else if (divisor == length_) {
        made = within;
      } else {
        llvm::Value *above = builder.CreateURem(rows, several);
        above = builder.CreateMul(above, llvm::ConstantInt::get(type, length_), "", true, true);
        made = builder.CreateAdd(above, within, "", true, true);
      }
      instruction->replaceAllUsesWith(made);
      instruction->eraseFromParent();
    }
  }

  struct Division {
    llvm::Instruction *instruction;
    uint64_t divisor;
  };

  llvm::Loop &items_;
  llvm::ScalarEvolution &evolution_;
  llvm::Loop *walk_ = nullptr;
  llvm::SmallVector<llvm::Loop *, 3> levels_; ///< innermost first
  llvm::PHINode *counter_ = nullptr;
  llvm::SmallVector<Division, 4> divisions_;
  uint64_t count_ = 1;    ///< of work-items
  uint64_t elements_ = 0; ///< of the tile
  uint64_t length_ = 0;   ///< of a row
};

} // namespace

llvm::PreservedAnalyses WalkTilesByRows::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (needsOrder(kernel)) return llvm::PreservedAnalyses::all();
  llvm::FunctionAnalysisManager &analyses = functionAnalyses(module, manager);
  const bool changed = changeLoops(kernel, analyses, [&](llvm::Loop &loop) {
    if (!llvm::findOptionMDForLoop(&loop, kWorkItemLoop) || waitsForSubGroup(loop)) return false;
    TileWalk walk(loop, analyses.getResult<llvm::ScalarEvolutionAnalysis>(kernel));
    if (!walk.find()) return false;
    walk.change();
    return true;
  });
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
