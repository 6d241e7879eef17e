// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/unraced_accesses.h"

#include "emulator/abi/bounds.h"
#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"
#include "emulator/codegen/machine_functions.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <array>
#include <optional>

namespace us::codegen {
namespace {

constexpr unsigned kDimensions = 3;
constexpr unsigned kLocal = 3; // address space

using llvm::SCEV;

/// Something that a work-item does again and again, each time so many bytes further on.
struct Repetition {
  const SCEV *step;
  const SCEV *last;    ///< number of the last time; null: not known
  unsigned bits;       ///< of the narrowest number that it is a part of
  const SCEV *largest; ///< of these numbers, where the last time is not known; null: not known
};

/// Where an access goes, counted from the beginning of its memory.
struct Place {
  const SCEV *steps[kDimensions] = {}; ///< from one work-item to the next, by dimension
  llvm::SmallVector<Repetition, 2> repetitions;
  const SCEV *rest = nullptr; ///< the same for all work-items
  unsigned bits = 64;         ///< of the narrowest number that steps are a part of
};

bool isLaunchQuery(const llvm::Value *value) {
  const MachineFunction *known = calledMachineFunction(value);
  return known && known->effects == MachineEffects::Query && known->difference == Difference::Launches &&
         known->signature.size() <= 2;
}

/// The kernel with its variables as values, and one name for each query: what scalar evolution can see through.
class Evolution {
public:
  explicit Evolution(llvm::Function &kernel) : original_(kernel), copy_(llvm::CloneFunction(&kernel, map_)) {
    promote();
    unifyQueries();
    llvm::TargetLibraryInfoImpl library(llvm::Triple(kernel.getParent()->getTargetTriple()));
    library.disableAllFunctions();
    library_.emplace(library);
    assumptions_.emplace(*copy_);
    dominators_.emplace(*copy_);
    loops_.emplace(*dominators_);
    evolution_.emplace(*copy_, *library_, *assumptions_, *dominators_, *loops_);
  }
  ~Evolution() {
    evolution_.reset();
    copy_->eraseFromParent();
  }
  Evolution(const Evolution &) = delete;
  Evolution &operator=(const Evolution &) = delete;

  llvm::ScalarEvolution &scalars() { return *evolution_; }
  /// Then places are as said only where all work-groups are of the same size.
  bool usesLocalSize() const { return usesLocalSize_; }

  /// Of the pointer of an access to what `root` points to; false: it is none of the kind.
  bool placeOf(const Access &access, llvm::Argument &root, Place &place) {
    auto *instruction = llvm::dyn_cast_or_null<llvm::Instruction>(map_.lookup(access.instruction));
    if (!instruction) return false;
    llvm::Value *pointer = llvm::getLoadStorePointerOperand(instruction);
    if (!pointer) return false;
    llvm::Value *base = copy_->getArg(root.getArgNo());
    llvm::Type *number = llvm::Type::getInt64Ty(copy_->getContext());
    place.rest = evolution_->getZero(number);
    const SCEV *one = evolution_->getOne(number);
    const SCEV *address = evolution_->getSCEV(pointer);
    if (base->getType()->isPointerTy()) {
      const SCEV *distance = evolution_->getMinusSCEV(address, evolution_->getSCEV(base));
      return !llvm::isa<llvm::SCEVCouldNotCompute>(distance) && split(distance, one, 64, place);
    }
    // A number for a pointer: what it was made from is followed as a number.
    auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(evolution_->getPointerBase(address));
    auto *made = unknown ? llvm::dyn_cast<llvm::IntToPtrInst>(withoutSteps(unknown->getValue())) : nullptr;
    if (!made) return false;
    const SCEV *sum =
        evolution_->getAddExpr(evolution_->removePointerBase(address), evolution_->getSCEV(made->getOperand(0)));
    return split(evolution_->getMinusSCEV(sum, evolution_->getSCEV(base)), one, 64, place);
  }

  /// The same number in the kernel itself.
  llvm::Value *build(llvm::IRBuilderBase &builder, const SCEV *what) {
    using namespace llvm;
    const auto fold = [&](auto combine) {
      const auto *all = cast<SCEVNAryExpr>(what);
      Value *value = build(builder, all->getOperand(0));
      for (const SCEV *one : drop_begin(all->operands())) value = combine(value, build(builder, one));
      return value;
    };
    const auto pick = [&](Intrinsic::ID which) {
      return fold([&](Value *a, Value *b) { return builder.CreateBinaryIntrinsic(which, a, b); });
    };
    switch (what->getSCEVType()) {
    case scConstant:
      return cast<SCEVConstant>(what)->getValue();
    case scTruncate:
      return builder.CreateTrunc(build(builder, cast<SCEVCastExpr>(what)->getOperand()), what->getType());
    case scZeroExtend:
      return builder.CreateZExt(build(builder, cast<SCEVCastExpr>(what)->getOperand()), what->getType());
    case scSignExtend:
      return builder.CreateSExt(build(builder, cast<SCEVCastExpr>(what)->getOperand()), what->getType());
    case scAddExpr:
      return fold([&](Value *a, Value *b) { return builder.CreateAdd(a, b); });
    case scMulExpr:
      return fold([&](Value *a, Value *b) { return builder.CreateMul(a, b); });
    case scUMaxExpr:
      return pick(Intrinsic::umax);
    case scSMaxExpr:
      return pick(Intrinsic::smax);
    case scUMinExpr:
      return pick(Intrinsic::umin);
    case scSMinExpr:
      return pick(Intrinsic::smin);
    default:
      break;
    }
    Value *value = cast<SCEVUnknown>(what)->getValue();
    if (auto *argument = dyn_cast<Argument>(value)) return original_.getArg(argument->getArgNo());
    SmallVector<Value *, 1> operands(cast<CallInst>(value)->args());
    return createMachineCall(builder, machineName(value), value->getType(), operands);
  }

private:
  void promote() {
    llvm::DominatorTree dominators(*copy_);
    llvm::SmallVector<llvm::AllocaInst *, 32> slots;
    for (llvm::Instruction &instruction : copy_->getEntryBlock())
      if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && llvm::isAllocaPromotable(slot))
        slots.push_back(slot);
    llvm::PromoteMemToReg(slots, dominators);
  }

  /// A local id as what the global one and the work-group's leave, so that a sum of both is the global one again.
  void unifyQueries() {
    llvm::IRBuilder<> builder(&*copy_->getEntryBlock().getFirstInsertionPt());
    const auto query = [&](const char *name, unsigned dimension) {
      return createMachineCall(builder, name, builder.getInt64Ty(), {builder.getInt32(dimension)});
    };
    const char *const kNames[] = {"global_id",   "group_id", "local_size",
                                  "global_size", "local_id", "enqueued_local_size"};
    std::array<llvm::SmallVector<llvm::CallInst *, 8>, std::size(kNames)> calls;
    for (auto [name, all] : llvm::zip(kNames, calls)) all = machineCalls(*copy_, name);
    usesLocalSize_ = !machineCalls(*copy_, "local_size").empty();
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
      ids_[dimension] = query("global_id", dimension);
      llvm::Value *group = query("group_id", dimension), *size = query("enqueued_local_size", dimension);
      llvm::Value *offset = query("global_offset", dimension);
      llvm::Value *items = query("global_size", dimension);
      llvm::Value *local =
          builder.CreateSub(builder.CreateSub(ids_[dimension], offset), builder.CreateMul(group, size));
      llvm::Value *const one[] = {ids_[dimension], group, size, items, local, size};
      for (auto [all, value] : llvm::zip(calls, one))
        for (llvm::CallInst *call : all)
          if (queryDimension(*call) == dimension) call->replaceAllUsesWith(value);
    }
  }

  bool isOfLaunch(const SCEV *what) {
    return !llvm::SCEVExprContains(what, [](const SCEV *one) {
      if (auto *unknown = llvm::dyn_cast<llvm::SCEVUnknown>(one))
        return !llvm::isa<llvm::Argument>(unknown->getValue()) && !isLaunchQuery(unknown->getValue());
      return llvm::isa<llvm::SCEVAddRecExpr, llvm::SCEVUDivExpr, llvm::SCEVPtrToIntExpr, llvm::SCEVVScale,
                       llvm::SCEVSequentialUMinExpr>(one);
    });
  }

  const SCEV *times(const SCEV *factor, const SCEV *one) {
    return evolution_->getMulExpr(factor, evolution_->getNoopOrSignExtend(one, factor->getType()));
  }

  /// The largest number of a loop that goes on while it is below a limit; null: it is another loop.
  const SCEV *largestOf(const llvm::SCEVAddRecExpr &number) {
    using namespace llvm;
    SmallVector<BasicBlock *, 4> exits;
    number.getLoop()->getExitingBlocks(exits);
    for (BasicBlock *block : exits) {
      auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      auto *test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
      if (!test || evolution_->getSCEV(test->getOperand(0)) != &number) continue;
      const bool stays = number.getLoop()->contains(branch->getSuccessor(0));
      const CmpInst::Predicate predicate = stays ? test->getPredicate() : test->getInversePredicate();
      const SCEV *limit = evolution_->getSCEV(test->getOperand(1));
      if ((predicate != CmpInst::ICMP_SLT && predicate != CmpInst::ICMP_ULT) || !isOfLaunch(limit)) continue;
      Type *wide = Type::getInt64Ty(copy_->getContext());
      return evolution_->getAddExpr(evolution_->getNoopOrSignExtend(limit, wide),
                                    evolution_->getNoopOrSignExtend(number.getStepRecurrence(*evolution_), wide));
    }
    return nullptr;
  }

  /// Adds `factor` times `what` to the place; it is a part of a number of so many bits.
  bool split(const SCEV *what, const SCEV *factor, unsigned bits, Place &place) {
    using namespace llvm;
    ScalarEvolution &all = *evolution_;
    if (what->getType()->isPointerTy() || all.getTypeSizeInBits(what->getType()) > 64) return false;
    if (isOfLaunch(what)) {
      place.rest = all.getAddExpr(place.rest, times(factor, what));
      return true;
    }
    if (auto *sum = dyn_cast<SCEVAddExpr>(what))
      return all_of(sum->operands(), [&](const SCEV *one) { return split(one, factor, bits, place); });
    if (auto *product = dyn_cast<SCEVMulExpr>(what)) {
      const SCEV *varying = nullptr;
      for (const SCEV *one : product->operands()) {
        if (isOfLaunch(one))
          factor = times(factor, one);
        else if (varying)
          return false;
        else
          varying = one;
      }
      return split(varying, factor, bits, place);
    }
    if (isa<SCEVTruncateExpr, SCEVSignExtendExpr, SCEVZeroExtendExpr>(what)) {
      const SCEV *from = cast<SCEVCastExpr>(what)->getOperand();
      for (const SCEV *one : {what, from}) bits = std::min(bits, unsigned(all.getTypeSizeInBits(one->getType())));
      return split(from, factor, bits, place);
    }
    if (auto *loop = dyn_cast<SCEVAddRecExpr>(what)) {
      if (!loop->isAffine() || !isOfLaunch(loop->getStepRecurrence(all))) return false;
      const SCEV *last = all.getBackedgeTakenCount(loop->getLoop());
      const bool isKnown =
          !isa<SCEVCouldNotCompute>(last) && isOfLaunch(last) && all.getTypeSizeInBits(last->getType()) <= 64;
      if (isKnown) last = all.getNoopOrZeroExtend(last, factor->getType());
      place.repetitions.push_back({times(factor, loop->getStepRecurrence(all)), isKnown ? last : nullptr, bits,
                                   isKnown ? nullptr : largestOf(*loop)});
      return split(loop->getStart(), factor, bits, place);
    }
    auto *unknown = dyn_cast<SCEVUnknown>(what);
    for (unsigned dimension = 0; unknown && dimension < kDimensions; ++dimension)
      if (unknown->getValue() == ids_[dimension]) {
        const SCEV *&step = place.steps[dimension];
        step = step ? all.getAddExpr(step, factor) : factor;
        place.bits = std::min(place.bits, bits);
        return true;
      }
    return false;
  }

  llvm::Function &original_;
  llvm::ValueToValueMapTy map_;
  llvm::Function *const copy_;
  bool usesLocalSize_ = false;
  llvm::Value *ids_[kDimensions] = {};
  std::optional<llvm::TargetLibraryInfo> library_;
  std::optional<llvm::AssumptionCache> assumptions_;
  std::optional<llvm::DominatorTree> dominators_;
  std::optional<llvm::LoopInfo> loops_;
  std::optional<llvm::ScalarEvolution> evolution_;
};

/// The accesses of one argument's memory.
struct Memory {
  llvm::SmallVector<unsigned, 4> accesses;
  bool isWritten = false, isAtomic = true;
};

bool isWrite(const Access &access) { return llvm::StringRef(access.operation) != "read"; }

/// The image argument whose descriptor a pointer comes from, if it does.
llvm::Argument *imageOf(const llvm::LoadInst &load) {
  auto *argument = llvm::dyn_cast<llvm::Argument>(withoutSteps(const_cast<llvm::Value *>(load.getPointerOperand())));
  return argument && argumentKind(*argument) == ArgumentKind::Image ? argument : nullptr;
}

/// What all these pointers were made from; null where it is not one thing.
llvm::Value *rootOf(llvm::Value *pointer) {
  llvm::Value *root = nullptr;
  llvm::SmallPtrSet<llvm::Value *, 8> seen;
  llvm::SmallVector<llvm::Value *, 8> open{pointer};
  while (!open.empty()) {
    llvm::Value *one = withoutSteps(open.pop_back_val());
    if (!seen.insert(one).second) continue;
    if (auto *merged = llvm::dyn_cast<llvm::PHINode>(one)) {
      open.append(merged->value_op_begin(), merged->value_op_end());
      continue;
    }
    if (auto *choice = llvm::dyn_cast<llvm::SelectInst>(one)) {
      open.append({choice->getTrueValue(), choice->getFalseValue()});
      continue;
    }
    if (auto *made = llvm::dyn_cast<llvm::IntToPtrInst>(one)) one = baseOfNumber(made->getOperand(0));
    if (auto *loaded = llvm::dyn_cast_or_null<llvm::LoadInst>(one)) one = imageOf(*loaded);
    if (!one || (root && root != one)) return nullptr;
    root = one;
  }
  return root;
}

class Finder {
public:
  Finder(llvm::Function &kernel, llvm::ArrayRef<Access> accesses, llvm::IRBuilderBase &builder)
      : kernel_(kernel), accesses_(accesses), builder_(builder), isPtx_(kernel.hasMetadata("us_language_target")) {}

  UnracedAccesses run() {
    UnracedAccesses result{llvm::SmallBitVector(unsigned(accesses_.size())), builder_.getTrue()};
    if (!sort()) return result;
    llvm::SmallVector<llvm::Argument *, 8> found;
    bool everything = !others_ && !othersAreTold_; // that is not atomic
    for (auto &[argument, memory] : memories_) {
      // Without a kernel that writes through something else, each argument's memory is what its pointer says.
      const bool isUnraced = !memory.isWritten ? !writesOthers_ : !others_ && eachHasItsOwn(*argument, memory);
      if (isUnraced) found.push_back(argument);
      everything &= isUnraced || memory.isAtomic;
    }
    for (auto &[argument, memory] : memories_) {
      const bool isUnraced = llvm::is_contained(found, argument) || (everything && memory.isAtomic);
      if (!isUnraced) continue;
      keepApart(*argument, memory);
      for (unsigned number : memory.accesses) result.isUnraced.set(number);
    }
    result.condition = all(conditions_);
    return result;
  }

private:
  /// By what they go to; false where nothing can be said of any.
  bool sort() {
    for (const auto &[number, access] : llvm::enumerate(accesses_)) {
      llvm::Value *root = rootOf(access.pointer);
      auto *argument = llvm::dyn_cast_or_null<llvm::Argument>(root);
      llvm::Type *type = root ? root->getType() : access.pointer->getType();
      const bool isLocal = type->isPointerTy() && type->getPointerAddressSpace() == kLocal;
      // In OpenCL no argument points to a variable of the program.
      if (isLocal || (!isPtx_ && llvm::isa_and_nonnull<llvm::GlobalVariable>(root))) {
        othersAreTold_ = true;
        continue;
      }
      if (!argument) {
        others_ = true;
        writesOthers_ |= isWrite(access);
        continue;
      }
      Memory &memory = memories_[argument];
      memory.accesses.push_back(unsigned(number));
      memory.isWritten |= isWrite(access);
      memory.isAtomic &= access.instruction->isAtomic();
    }
    return !memories_.empty();
  }

  /// Each work-item has a part of this memory that it alone touches.
  bool eachHasItsOwn(llvm::Argument &argument, const Memory &memory) {
    if (memory.isAtomic) return false;
    if (!evolution_) evolution_.emplace(kernel_);
    llvm::ScalarEvolution &scalars = evolution_->scalars();
    std::optional<Place> whole;
    llvm::ConstantRange bytes(64, /*isFullSet=*/false);
    for (unsigned number : memory.accesses) {
      const Access &access = accesses_[number];
      auto *size = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
      Place place;
      if (!size || !evolution_->placeOf(access, argument, place)) return false;
      if (!whole) whole = place;
      for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
        if (whole->steps[dimension] != place.steps[dimension]) return false;
      auto *distance = llvm::dyn_cast<llvm::SCEVConstant>(scalars.getMinusSCEV(place.rest, whole->rest));
      if (!distance) return false;
      const llvm::APInt from = distance->getAPInt();
      bytes = bytes.unionWith(llvm::ConstantRange(from, from + size->getValue()), llvm::ConstantRange::Signed);
      whole->bits = std::min(whole->bits, place.bits);
      for (const Repetition &one : place.repetitions) {
        auto *known = llvm::find_if(whole->repetitions, [&](const Repetition &other) {
          return other.step == one.step && other.last == one.last && other.largest == one.largest;
        });
        if (known == whole->repetitions.end())
          whole->repetitions.push_back(one);
        else
          known->bits = std::min(known->bits, one.bits);
      }
    }
    const uint64_t span = (bytes.getUpper() - bytes.getLower()).getZExtValue();
    conditions_.push_back(isApart(*whole, span));
    return true;
  }

  /// Whether the parts of `span` bytes at all these places are apart: each step is longer than all that the smaller
  /// ones reach, in one of the orders that programs have.
  llvm::Value *isApart(const Place &place, uint64_t span) {
    llvm::Value *ascending = isApart(place, span, {0, 1, 2});
    const bool isLine = !place.steps[1] && !place.steps[2];
    return isLine ? ascending : builder_.CreateOr(ascending, isApart(place, span, {2, 1, 0}));
  }

  llvm::Value *isApart(const Place &place, uint64_t span, std::array<unsigned, kDimensions> order) {
    llvm::Value *const kMost = builder_.getInt64(uint64_t(1) << 31);
    llvm::SmallVector<llvm::Value *, 16> all;
    llvm::Value *reach = builder_.getInt64(span);
    const auto further = [&](const SCEV *by, llvm::Value *last) {
      llvm::Value *step =
          builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, evolution_->build(builder_, by), builder_.getFalse());
      llvm::Value *isLonger = builder_.CreateICmpUGE(step, reach);
      if (!last) {
        all.push_back(isLonger);
        reach = nullptr;
        return;
      }
      isLonger = builder_.CreateOr(isLonger, builder_.CreateIsNull(last));
      all.append({isLonger, builder_.CreateICmpULE(step, kMost), builder_.CreateICmpULE(last, kMost)});
      reach = builder_.CreateAdd(reach, builder_.CreateMul(step, last));
    };
    llvm::SmallVector<Repetition, 2> larger;
    for (const Repetition &one : place.repetitions) {
      // What a work-item does in a row lies between it and the next one, if it can at all.
      auto *step = llvm::dyn_cast<llvm::SCEVConstant>(one.step);
      auto *apart = llvm::dyn_cast_or_null<llvm::SCEVConstant>(place.steps[order[0]]);
      const bool isSmall = step && one.last && !(apart && apart->getAPInt().abs().ule(step->getAPInt().abs()));
      if (isSmall) {
        llvm::Value *last = evolution_->build(builder_, one.last);
        llvm::Value *width = builder_.getInt(step->getAPInt().abs());
        all.append({builder_.CreateICmpULE(last, kMost), builder_.CreateICmpULE(width, kMost)});
        reach = builder_.CreateAdd(reach, builder_.CreateMul(width, last));
      } else {
        larger.push_back(one);
      }
    }
    for (unsigned dimension : order) {
      llvm::Value *items =
          createMachineCall(builder_, "global_size", builder_.getInt64Ty(), {builder_.getInt32(dimension)});
      llvm::Value *last = builder_.CreateSub(items, builder_.getInt64(1));
      if (place.steps[dimension])
        further(place.steps[dimension], last);
      else
        all.push_back(builder_.CreateIsNull(last));
    }
    // Numbers do not wrap: first what is a part of narrow ones, which has to have an end.
    llvm::stable_sort(larger, [](const Repetition &a, const Repetition &b) { return a.bits < b.bits; });
    const auto endsBefore = [&](unsigned bits) {
      all.push_back(builder_.CreateICmpULT(reach, builder_.getInt64(uint64_t(1) << (bits - 2))));
    };
    endsBefore(place.bits);
    for (const Repetition &one : larger) {
      if (!reach || (!one.last && !one.largest && one.bits < 64)) return builder_.getFalse();
      if (one.largest)
        all.push_back(builder_.CreateICmpULT(evolution_->build(builder_, one.largest),
                                             builder_.getInt64(uint64_t(1) << (one.bits - 2))));
      further(one.step, one.last ? evolution_->build(builder_, one.last) : nullptr);
      if (one.last) endsBefore(one.bits);
    }
    if (evolution_->usesLocalSize())
      for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
        const auto ask = [&](const char *name) {
          return createMachineCall(builder_, name, builder_.getInt64Ty(), {builder_.getInt32(dimension)});
        };
        all.push_back(builder_.CreateIsNull(builder_.CreateURem(ask("global_size"), ask("enqueued_local_size"))));
      }
    return this->all(all);
  }

  /// No other argument leads to the same bytes, as far as it matters.
  void keepApart(llvm::Argument &argument, const Memory &memory) {
    for (auto &[other, its] : memories_) {
      if (other == &argument || !(memory.isWritten || its.isWritten)) continue;
      const auto [begin, size] = boundsOf(argument);
      const auto [otherBegin, otherSize] = boundsOf(*other);
      conditions_.push_back(
          builder_.CreateOr(builder_.CreateICmpULE(builder_.CreateAdd(begin, size), otherBegin),
                            builder_.CreateICmpULE(builder_.CreateAdd(otherBegin, otherSize), begin)));
    }
  }

  std::pair<llvm::Value *, llvm::Value *> boundsOf(llvm::Argument &argument) {
    auto &[begin, size] = bounds_[&argument];
    if (!begin) {
      llvm::Type *number = builder_.getInt64Ty();
      llvm::Value *list = loadLaunchField(builder_, builder_.getPtrTy(), offsetof(abi::LaunchContext, argumentBounds));
      const uint64_t at = sizeof(abi::Bounds) * argument.getArgNo();
      begin = loadInvariant(builder_, number, list, at + offsetof(abi::Bounds, begin));
      size = loadInvariant(builder_, number, list, at + offsetof(abi::Bounds, size));
    }
    return {begin, size};
  }

  llvm::Value *all(llvm::ArrayRef<llvm::Value *> conditions) {
    llvm::Value *result = builder_.getTrue();
    for (llvm::Value *one : conditions) result = builder_.CreateAnd(result, one);
    return result;
  }

  llvm::Function &kernel_;
  const llvm::ArrayRef<Access> accesses_;
  llvm::IRBuilderBase &builder_;
  const bool isPtx_;
  llvm::MapVector<llvm::Argument *, Memory> memories_;
  bool others_ = false;        ///< accesses by pointers of which it is not known where they go
  bool writesOthers_ = false;  ///< some of these write
  bool othersAreTold_ = false; ///< accesses of other memory
  llvm::DenseMap<llvm::Argument *, std::pair<llvm::Value *, llvm::Value *>> bounds_;
  llvm::SmallVector<llvm::Value *, 16> conditions_;
  std::optional<Evolution> evolution_;
};

} // namespace

UnracedAccesses findUnraced(llvm::Function &kernel, llvm::ArrayRef<Access> accesses, llvm::IRBuilderBase &builder) {
  return Finder(kernel, accesses, builder).run();
}

} // namespace us::codegen
