// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/passes/run_through_steps.h"

#include "emulator/codegen/address_spaces.h"
#include "emulator/codegen/analysis/analysis_table.h"
#include "emulator/codegen/group_loop.h"
#include "emulator/codegen/instrument/check_races.h"
#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/Sequence.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include <optional>

namespace us::codegen {
namespace {

/// Turns of both loops that are tried.
constexpr int64_t kMostTried = 1 << 11;
/// Turns of a work-item, on average, that are worth it.
constexpr int64_t kFewStepsEach = 4;
/// Operations from a counter to what is calculated of it.
constexpr unsigned kDeepestStep = 24;

/// A counter: `start` + `step` * turn.
struct StepCounter {
  llvm::PHINode *phi = nullptr;
  llvm::ConstantInt *start = nullptr;
  llvm::APInt step;
};

/// A loop that goes round a constant number of times.
struct CountedLoop {
  llvm::Loop *loop = nullptr;
  int64_t turns = 0;
  llvm::SmallVector<StepCounter, 2> counters;
};

/// What comes back along the backedge, where the loop has not ended: of what ends it nothing else is chosen there.
llvm::Value *backAgain(llvm::PHINode &phi, llvm::BranchInst &branch, llvm::BasicBlock &latch) {
  llvm::Value *value = phi.getIncomingValueForBlock(&latch);
  auto *choice = llvm::dyn_cast<llvm::SelectInst>(value);
  if (!choice || choice->getCondition() != branch.getCondition()) return value;
  return branch.getSuccessor(0) == phi.getParent() ? choice->getTrueValue() : choice->getFalseValue();
}

std::optional<CountedLoop> countedLoop(llvm::Loop &loop) {
  llvm::BasicBlock *header = loop.getHeader(), *latch = loop.getLoopLatch(), *exit = loop.getUniqueExitBlock();
  if (!loop.isLoopSimplifyForm() || loop.getExitingBlock() != latch || !exit || !exit->phis().empty())
    return std::nullopt;
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  auto *compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  auto *end = compare ? llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1)) : nullptr;
  if (!end) return std::nullopt;
  CountedLoop counted{&loop, 0, {}};
  for (llvm::PHINode &phi : header->phis()) {
    auto *start = llvm::dyn_cast<llvm::ConstantInt>(phi.getIncomingValueForBlock(loop.getLoopPreheader()));
    auto *next = llvm::dyn_cast<llvm::BinaryOperator>(backAgain(phi, *branch, *latch));
    auto *step = next ? llvm::dyn_cast<llvm::ConstantInt>(next->getOperand(1)) : nullptr;
    if (!start || !step || next->getOpcode() != llvm::Instruction::Add || next->getOperand(0) != &phi)
      return std::nullopt;
    counted.counters.push_back({&phi, start, step->getValue()});
    const bool isNext = compare->getOperand(0) == next;
    if (!isNext && compare->getOperand(0) != &phi) continue;
    const bool goesOn = branch->getSuccessor(0) == header;
    llvm::APInt number = start->getValue();
    for (int64_t turn = 1; turn <= kMostTried && counted.turns == 0; ++turn) {
      const llvm::APInt asked = isNext ? number + step->getValue() : number;
      if (llvm::ICmpInst::compare(asked, end->getValue(), compare->getPredicate()) != goesOn) counted.turns = turn;
      number += step->getValue();
    }
  }
  return counted.turns ? std::optional(counted) : std::nullopt;
}

/// Values for one turn of both loops, which nothing else goes into.
class TurnValues {
public:
  void set(const CountedLoop &loop, int64_t turn) {
    for (const StepCounter &counter : loop.counters)
      known_[counter.phi] = counter.start->getValue() + counter.step * llvm::APInt(counter.step.getBitWidth(), turn);
  }

  std::optional<llvm::APInt> of(const llvm::Value *value, unsigned depth = 0) const {
    if (auto *constant = llvm::dyn_cast<llvm::ConstantInt>(value)) return constant->getValue();
    if (auto found = known_.find(value); found != known_.end()) return found->second;
    auto *made = llvm::dyn_cast<llvm::Instruction>(value);
    if (!made || depth > kDeepestStep || !value->getType()->isIntegerTy()) return std::nullopt;
    llvm::SmallVector<llvm::APInt, 3> of;
    const bool isCall = llvm::isa<llvm::IntrinsicInst>(made);
    if (llvm::isa<llvm::CallBase>(made) && !isCall) return std::nullopt;
    if (isCall && !llvm::isa<llvm::MinMaxIntrinsic>(made)) return std::nullopt;
    if (!isCall && !llvm::isa<llvm::BinaryOperator, llvm::CastInst, llvm::ICmpInst, llvm::SelectInst>(made))
      return std::nullopt;
    for (unsigned i = 0; i < (isCall ? 2 : made->getNumOperands()); ++i) {
      const auto operand = this->of(made->getOperand(i), depth + 1);
      if (!operand) return std::nullopt;
      of.push_back(*operand);
    }
    return calculate(*made, of);
  }

private:
  static std::optional<llvm::APInt> calculate(const llvm::Instruction &made, llvm::ArrayRef<llvm::APInt> of) {
    const unsigned bits = made.getType()->getIntegerBitWidth();
    if (auto *compare = llvm::dyn_cast<llvm::ICmpInst>(&made))
      return llvm::APInt(1, llvm::ICmpInst::compare(of[0], of[1], compare->getPredicate()));
    if (auto *most = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&made))
      return llvm::ICmpInst::compare(of[0], of[1], most->getPredicate()) ? of[0] : of[1];
    switch (made.getOpcode()) {
    case llvm::Instruction::Add:
      return of[0] + of[1];
    case llvm::Instruction::Sub:
      return of[0] - of[1];
    case llvm::Instruction::Mul:
      return of[0] * of[1];
    case llvm::Instruction::And:
      return of[0] & of[1];
    case llvm::Instruction::Or:
      return of[0] | of[1];
    case llvm::Instruction::Xor:
      return of[0] ^ of[1];
    case llvm::Instruction::Shl:
      return of[1].ult(bits) ? std::optional(of[0].shl(of[1])) : std::nullopt;
    case llvm::Instruction::ZExt:
      return of[0].zext(bits);
    case llvm::Instruction::SExt:
      return of[0].sext(bits);
    case llvm::Instruction::Trunc:
      return of[0].trunc(bits);
    case llvm::Instruction::Select:
      return of[0].isOne() ? of[1] : of[2];
    default:
      return std::nullopt;
    }
  }

  llvm::DenseMap<const llvm::Value *, llvm::APInt> known_;
};

/// A load or store of local memory, and its places, in bytes from `base`, in each turn of an item and a step.
struct LocalAccess {
  llvm::Instruction *instruction;
  llvm::Value *place;
  bool isStore;
  int64_t constant = 0;
  llvm::SmallVector<std::pair<llvm::Value *, int64_t>, 4> variables = {}; ///< each times a number of bytes
  std::vector<int64_t> places = {};
};

/// Steps of a work-item: [first, last).
struct StepsOfItem {
  int64_t first = 0, last = 0;
  bool any() const { return first < last; }
};

/// a + b * item.
struct ByItem {
  int64_t constant = 0, slope = 0;
  int64_t of(int64_t item) const { return constant + slope * item; }
};

/// A value that is kept from one step of a work-item to its next.
struct KeptValue {
  llvm::LoadInst *load;
  llvm::Value *from; ///< of the step before: what was stored, or loaded
};

class StepsByItem {
public:
  StepsByItem(llvm::Loop &steps, const llvm::DataLayout &layout) : loop_(steps), layout_(layout) {}

  bool find() {
    if (loop_.getSubLoops().size() != 1) return false;
    llvm::Loop &inner = *loop_.getSubLoops().front();
    if (!llvm::findOptionMDForLoop(&inner, kWorkItemLoop) || !inner.isInnermost() || waitsForSubGroup(inner) ||
        llvm::getBooleanLoopAttribute(&inner, "llvm.loop.isvectorized"))
      return false;
    const auto steps = countedLoop(loop_), items = countedLoop(inner);
    if (!steps || !items || steps->turns * items->turns > kMostTried) return false;
    steps_ = *steps, items_ = *items;
    return findBody() && findAccesses() && tryAll() && !storesSideBySide() && findKept();
  }

  void change() {
    llvm::BasicBlock *before = loop_.getLoopPreheader(), *exit = loop_.getUniqueExitBlock();
    llvm::Function &function = *before->getParent();
    llvm::LLVMContext &context = function.getContext();
    const auto make = [&](const char *name) {
      return llvm::BasicBlock::Create(context, name, &function, loop_.getHeader());
    };
    llvm::BasicBlock *outer = make("steps.item"), *begin = make("steps.begin"), *step = make("steps.step");
    llvm::BasicBlock *latch = make("steps.latch");
    llvm::IRBuilder<> builder(outer);
    llvm::Type *type = builder.getInt64Ty();
    llvm::PHINode *item = builder.CreatePHI(type, 2, "item");
    item->addIncoming(builder.getInt64(uint64_t(firstItem_)), before);
    const auto byItem = [&](const ByItem &what) {
      return builder.CreateAdd(builder.CreateMul(item, builder.getInt64(what.slope)), builder.getInt64(what.constant));
    };
    llvm::Value *from = byItem(first_);
    llvm::Value *count = byItem({last_.constant - first_.constant, last_.slope - first_.slope});
    const bool someRest =
        llvm::any_of(llvm::seq(firstItem_, lastItem_), [&](int64_t number) { return !ofItem_[size_t(number)].any(); });
    if (someRest)
      builder.CreateCondBr(builder.CreateICmpSGT(count, builder.getInt64(0)), begin, latch);
    else
      builder.CreateBr(begin);

    // The first step's, where nothing was kept.
    llvm::IRBuilder<> first(llvm::BranchInst::Create(step, begin));
    llvm::ValueToValueMapTy firstValues;
    setCounters(first, firstValues, *from, *item);
    llvm::IRBuilder<> turn(step);
    llvm::PHINode *number = turn.CreatePHI(type, 2, "step");
    number->addIncoming(turn.getInt64(0), begin);
    llvm::ValueToValueMapTy values;
    llvm::SmallVector<llvm::PHINode *, 4> phis;
    for (const KeptValue &kept : kept_) {
      phis.push_back(turn.CreatePHI(kept.load->getType(), 2, "kept"));
      llvm::Instruction *load = kept.load->clone();
      load->setOperand(0, made(first, firstValues, *kept.load->getPointerOperand()));
      first.Insert(load);
      phis.back()->addIncoming(load, begin);
      values[kept.load] = phis.back();
    }
    setCounters(turn, values, *turn.CreateAdd(from, number), *item);
    for (llvm::Instruction &instruction : *body_) {
      if (instruction.isTerminator()) break;
      made(turn, values, instruction);
    }
    for (auto [kept, phi] : llvm::zip(kept_, phis)) phi->addIncoming(made(turn, values, *kept.from), step);
    llvm::Value *next = turn.CreateAdd(number, turn.getInt64(1), "", true, true);
    number->addIncoming(next, step);
    turn.CreateCondBr(turn.CreateICmpULT(next, count), step, latch);

    llvm::IRBuilder<> last(latch);
    llvm::Value *more = last.CreateAdd(item, last.getInt64(1), "", true, true);
    item->addIncoming(more, latch);
    last.CreateCondBr(last.CreateICmpULT(more, last.getInt64(uint64_t(lastItem_))), outer, exit);
    before->getTerminator()->replaceSuccessorWith(loop_.getHeader(), outer);
    llvm::removeUnreachableBlocks(function);
  }

private:
  /// The items' loop is a guard, a block, and an end; all else is calculated of counters and what does not change.
  bool findBody() {
    llvm::Loop &inner = *items_.loop;
    llvm::BasicBlock *header = inner.getHeader(), *latch = inner.getLoopLatch();
    guard_ = llvm::dyn_cast<llvm::BranchInst>(header->getTerminator());
    if (inner.getNumBlocks() != 3 || !guard_ || !guard_->isConditional()) return false;
    body_ = guard_->getSuccessor(guard_->getSuccessor(0) == latch ? 1 : 0);
    if (body_ == latch || body_->getSingleSuccessor() != latch || !body_->phis().empty() || !latch->phis().empty())
      return false;
    for (llvm::BasicBlock *block : loop_.blocks()) {
      if (!inner.contains(block) && block != loop_.getLoopLatch() && !block->getSingleSuccessor() &&
          !isStepsGuard(*block, inner))
        return false;
      for (llvm::Instruction &instruction : *block) {
        if (block != body_ &&
            (instruction.mayReadOrWriteMemory() || (!instruction.isTerminator() && instruction.mayHaveSideEffects())))
          return false;
        if (llvm::isa<llvm::PHINode>(instruction) && block != header && block != loop_.getHeader()) return false;
        for (llvm::User *user : instruction.users())
          if (!loop_.contains(llvm::cast<llvm::Instruction>(user))) return false;
      }
    }
    return true;
  }

  /// A step's first block may go to its end without asking the work-items.
  bool isStepsGuard(llvm::BasicBlock &block, const llvm::Loop &inner) {
    auto *branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (!branch || &block != loop_.getHeader()) return false;
    const auto leadsTo = [&](llvm::BasicBlock *from) {
      while (from != inner.getHeader() && from != loop_.getLoopLatch() && from->getSingleSuccessor())
        from = from->getSingleSuccessor();
      return from;
    };
    for (const unsigned side : {0u, 1u})
      if (leadsTo(branch->getSuccessor(side)) == inner.getHeader() &&
          leadsTo(branch->getSuccessor(1 - side)) == loop_.getLoopLatch()) {
        stepsGuard_ = branch;
        stepsRunIf_ = side == 0;
        return true;
      }
    return false;
  }

  /// One store, to local memory; loads of it at places that are known, or of what cannot be local memory.
  bool findAccesses() {
    for (llvm::Instruction &instruction : *body_) {
      if (!instruction.mayReadOrWriteMemory()) {
        if (!instruction.isTerminator() && instruction.mayHaveSideEffects()) return false;
        continue;
      }
      auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if ((!load && !store) || (load ? !load->isSimple() : !store->isSimple())) return false;
      llvm::Value *place = llvm::getLoadStorePointerOperand(&instruction);
      const unsigned space = place->getType()->getPointerAddressSpace();
      if (space != kLocalSpace) {
        if (store || (space == 0 && !llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(place, 0)))) return false;
        continue;
      }
      if (store && store_) return false;
      if (store) store_ = store;
      const uint64_t size = layout_.getTypeStoreSize(llvm::getLoadStoreType(&instruction));
      if (size_ == 0) size_ = int64_t(size);
      if (int64_t(size) != size_) return false;
      accesses_.push_back({&instruction, place, store != nullptr});
    }
    return store_;
  }

  /// Takes an access's place apart: bytes from a base that is the same for all, by numbers that are known in each turn.
  bool findPlace(LocalAccess &access, const TurnValues &values) {
    llvm::Value *place = access.place;
    while (auto *address = llvm::dyn_cast<llvm::GEPOperator>(place)) {
      llvm::MapVector<llvm::Value *, llvm::APInt> variables;
      llvm::APInt constant(64, 0);
      if (!address->collectOffset(layout_, 64, variables, constant)) return false;
      if (llvm::any_of(variables, [&](const auto &one) { return !values.of(one.first); })) break;
      access.constant += constant.getSExtValue();
      for (auto &[index, scale] : variables) access.variables.push_back({index, scale.getSExtValue()});
      place = address->getPointerOperand();
    }
    if (auto *made = llvm::dyn_cast<llvm::Instruction>(place); made && loop_.contains(made)) return false;
    if (!base_) base_ = place;
    return base_ == place;
  }

  static std::optional<int64_t> placeOf(const LocalAccess &access, const TurnValues &values) {
    int64_t sum = access.constant;
    for (auto [index, scale] : access.variables) {
      const auto value = values.of(index);
      if (!value || value->getSignificantBits() > 32) return std::nullopt;
      sum += value->getSExtValue() * scale;
    }
    return sum;
  }

  size_t at(int64_t item, int64_t step) const { return size_t(item * steps_.turns + step); }

  /// Goes through all turns as they are, and looks whether one finds what a work-item behind it has done in an earlier
  /// step.
  bool tryAll() {
    struct Seen {
      int64_t read = -1, written = -1; ///< the last work-item that did, in steps before
    };
    llvm::DenseMap<int64_t, Seen> seen;
    ofItem_.assign(size_t(items_.turns), {});
    for (LocalAccess &access : accesses_) access.places.assign(size_t(steps_.turns * items_.turns), 0);
    TurnValues values;
    int64_t active = 0;
    const bool runsIf = guard_->getSuccessor(0) == body_;
    llvm::SmallVector<int64_t, 16> now;
    for (int64_t step = 0; step < steps_.turns; ++step) {
      now.clear();
      values.set(steps_, step);
      const std::optional<llvm::APInt> asks =
          stepsGuard_ ? values.of(stepsGuard_->getCondition()) : llvm::APInt(1, stepsRunIf_);
      if (!asks) return false;
      if (asks->isOne() != stepsRunIf_) continue;
      for (int64_t item = 0; item < items_.turns; ++item) {
        values.set(items_, item);
        const auto condition = values.of(guard_->getCondition());
        if (!condition) return false;
        if (condition->isOne() != runsIf) continue;
        StepsOfItem &steps = ofItem_[size_t(item)];
        if (!steps.any()) steps.first = step;
        if (steps.any() && steps.last != step) return false;
        steps.last = step + 1;
        ++active;
        now.push_back(item);
        for (LocalAccess &access : accesses_) {
          if (active == 1 && !findPlace(access, values)) return false;
          const auto place = placeOf(access, values);
          if (!place || *place % size_ != 0) return false;
          access.places[at(item, step)] = *place;
          const auto known = seen.find(*place);
          if (known == seen.end()) continue;
          if (known->second.written > item || (access.isStore && known->second.read > item)) return false;
        }
      }
      for (int64_t item : now)
        for (LocalAccess &access : accesses_) {
          Seen &one = seen[access.places[at(item, step)]];
          int64_t &last = access.isStore ? one.written : one.read;
          last = std::max(last, item);
        }
    }
    if (active < kFewStepsEach * items_.turns) return false;
    const auto isAny = [](const StepsOfItem &one) { return one.any(); };
    firstItem_ = std::distance(ofItem_.begin(), llvm::find_if(ofItem_, isAny));
    lastItem_ = std::distance(llvm::find_if(llvm::reverse(ofItem_), isAny), ofItem_.rend());
    return findByItem(first_, &StepsOfItem::first) && findByItem(last_, &StepsOfItem::last) &&
           llvm::all_of(llvm::seq(firstItem_, lastItem_),
                        [&](int64_t item) { return ofItem_[size_t(item)].any() || first_.of(item) >= last_.of(item); });
  }

  /// The numbers of all work-items that have steps lie on a line.
  bool findByItem(ByItem &line, int64_t StepsOfItem::*end) {
    int64_t known = -1, items = 0;
    for (int64_t item = 0; item < items_.turns; ++item) {
      const StepsOfItem &steps = ofItem_[size_t(item)];
      if (!steps.any()) continue;
      if (items == 1) {
        const int64_t distance = item - known, change = steps.*end - line.constant;
        if (change % distance != 0) return false;
        line.slope = change / distance;
        line.constant -= line.slope * known;
      } else if (items == 0) {
        line.constant = steps.*end;
        known = item;
      } else if (line.of(item) != steps.*end) {
        return false;
      }
      ++items;
    }
    return items > 1;
  }

  const LocalAccess &storeAccess() const {
    return *llvm::find_if(accesses_, [](const LocalAccess &one) { return one.isStore; });
  }

  /// Whether all that work-items store in a step is one piece, as vectors have it.
  bool storesSideBySide() const {
    const LocalAccess &store = storeAccess();
    const auto stores = [&](int64_t item, int64_t step) {
      const StepsOfItem &steps = ofItem_[size_t(item)];
      return steps.first <= step && step < steps.last;
    };
    for (int64_t item = 1; item < items_.turns; ++item)
      for (int64_t step = 0; step < steps_.turns; ++step)
        if (stores(item, step) && stores(item - 1, step) &&
            store.places[at(item, step)] != store.places[at(item - 1, step)] + size_)
          return false;
    return true;
  }

  /// Whether in all steps but its first ones a work-item's access is of the place that `other` had in the step before;
  /// or in none.
  enum class Meets : uint8_t { Always, Never, Sometimes };
  Meets meets(const LocalAccess &access, const LocalAccess &other) const {
    bool always = true, never = true;
    for (int64_t item = 0; item < items_.turns; ++item)
      for (int64_t step = ofItem_[size_t(item)].first + 1; step < ofItem_[size_t(item)].last; ++step) {
        const bool isSame = access.places[at(item, step)] == other.places[at(item, step - 1)];
        always &= isSame;
        never &= !isSame;
      }
    return always ? Meets::Always : never ? Meets::Never : Meets::Sometimes;
  }

  bool findKept() {
    const LocalAccess &store = storeAccess();
    for (const LocalAccess &access : accesses_) {
      auto *load = llvm::dyn_cast<llvm::LoadInst>(access.instruction);
      if (!load || !load->comesBefore(store_)) continue;
      const Meets written = meets(access, store);
      if (written == Meets::Always && store_->getValueOperand()->getType() == load->getType())
        kept_.push_back({load, store_->getValueOperand()});
      if (written != Meets::Never) continue;
      for (const LocalAccess &other : accesses_)
        if (!other.isStore && &other != &access && other.instruction->comesBefore(store_) &&
            other.instruction->getType() == load->getType() && meets(access, other) == Meets::Always) {
          kept_.push_back({load, other.instruction});
          break;
        }
    }
    return !kept_.empty();
  }

  void setCounters(llvm::IRBuilder<> &builder, llvm::ValueToValueMapTy &values, llvm::Value &step, llvm::Value &item) {
    const auto set = [&](const CountedLoop &loop, llvm::Value &turn) {
      for (const StepCounter &counter : loop.counters) {
        llvm::Type *type = counter.phi->getType();
        llvm::Value *moved = builder.CreateZExtOrTrunc(&turn, type);
        moved = builder.CreateMul(moved, llvm::ConstantInt::get(type, counter.step));
        values[counter.phi] = builder.CreateAdd(moved, counter.start);
      }
    };
    set(steps_, step);
    set(items_, item);
  }

  /// The same for the values of the map, made where the builder is if there is none yet.
  llvm::Value *made(llvm::IRBuilder<> &builder, llvm::ValueToValueMapTy &values, llvm::Value &value) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    if (!instruction || !loop_.contains(instruction)) return &value;
    if (llvm::Value *known = values.lookup(instruction)) return known;
    llvm::SmallVector<llvm::Value *, 4> operands;
    for (llvm::Value *operand : instruction->operands()) operands.push_back(made(builder, values, *operand));
    llvm::Instruction *copy = instruction->clone();
    for (auto [number, operand] : llvm::enumerate(operands)) copy->setOperand(unsigned(number), operand);
    copy->setMetadata(llvm::LLVMContext::MD_access_group, nullptr);
    builder.Insert(copy);
    values[instruction] = copy;
    return copy;
  }

  llvm::Loop &loop_;
  const llvm::DataLayout &layout_;
  CountedLoop steps_, items_;
  llvm::BranchInst *guard_ = nullptr;      ///< of a work-item, in a step
  llvm::BranchInst *stepsGuard_ = nullptr; ///< of all of them; null: there is none
  bool stepsRunIf_ = true;
  llvm::BasicBlock *body_ = nullptr;
  llvm::StoreInst *store_ = nullptr;
  llvm::Value *base_ = nullptr;
  int64_t size_ = 0; ///< of an access, in bytes
  llvm::SmallVector<LocalAccess, 8> accesses_;
  std::vector<StepsOfItem> ofItem_;
  int64_t firstItem_ = 0, lastItem_ = 0; ///< those between have steps, but for some that ByItem knows
  ByItem first_, last_;
  llvm::SmallVector<KeptValue, 4> kept_;
};

} // namespace

llvm::PreservedAnalyses RunThroughSteps::run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
  llvm::Function &kernel = *module.getFunction(request.kernel);
  if (needsOrder(kernel)) return llvm::PreservedAnalyses::all();
  const bool changed = changeLoops(kernel, functionAnalyses(module, manager), [&](llvm::Loop &loop) {
    StepsByItem steps(loop, kernel.getDataLayout());
    if (!steps.find()) return false;
    steps.change();
    return true;
  });
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
