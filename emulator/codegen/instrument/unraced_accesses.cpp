// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/unraced_accesses.h"

#include "emulator/abi/bounds.h"
#include "emulator/abi/kernel_abi.h"
#include "emulator/codegen/instrument/affine_places.h"
#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>

#include <array>
#include <optional>

namespace us::codegen {
namespace {

constexpr unsigned kLocal = 3; // address space

using llvm::SCEV;

/// The accesses of one argument's memory.
struct Memory {
  llvm::SmallVector<unsigned, 4> accesses;
  bool isWritten = false, isAtomic = true;
};

bool isWrite(const Access &access) { return llvm::StringRef(access.operation) != "read"; }

class Finder {
public:
  Finder(llvm::Function &kernel, llvm::ArrayRef<Access> accesses, const abi::Specialization &specialization,
         llvm::IRBuilderBase &builder)
      : kernel_(kernel), accesses_(accesses), specialization_(specialization), builder_(builder),
        isPtx_(kernel.hasMetadata("us_language_target")) {}

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
    if (!evolution_) evolution_.emplace(kernel_, Evolution::Of::Launch, &specialization_);
    uint64_t span = 0;
    if (const std::optional<Place> whole = placesOf(*evolution_, argument, memory, span);
        whole && !isOfWholeGroup(*whole)) {
      conditions_.push_back(isApart(*evolution_, *whole, span));
      return true;
    }
    return oneOfEachGroupHasItsOwn(argument, memory);
  }

  /// All items of a group, of several, go to the same place.
  bool isOfWholeGroup(const Place &place) const {
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
      if (place.groupSteps[dimension] && !place.steps[dimension] && specialization_.localSize[dimension] != 1)
        return true;
    return false;
  }

  bool oneOfEachGroupHasItsOwn(llvm::Argument &argument, const Memory &memory) {
    if (!groups_) groups_.emplace(kernel_, Evolution::Of::Groups, &specialization_);
    uint64_t span = 0;
    const std::optional<Place> whole = placesOf(*groups_, argument, memory, span);
    if (!whole) return false;
    llvm::SmallVector<llvm::Value *, 4> all;
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
      if (!isOfOneItem(memory, dimension))
        all.push_back(builder_.CreateICmpEQ(ask("enqueued_local_size", dimension), builder_.getInt64(1)));
    if (all.size() == kDimensions) return false; // a launch would not meet it
    all.push_back(isApart(*groups_, *whole, span));
    conditions_.push_back(this->all(all));
    return true;
  }

  /// By what is compared on the way to all of these accesses, it is always the work-item with the same local id.
  bool isOfOneItem(const Memory &memory, unsigned dimension) {
    std::optional<llvm::SmallVector<const SCEV *, 3>> ids;
    for (unsigned number : memory.accesses) {
      IdLimits limits = groups_->limitsOf(*accesses_[number].instruction, dimension);
      limits.smallest.push_back(groups_->scalars().getZero(builder_.getInt64Ty()));
      llvm::erase_if(limits.smallest, [&](const SCEV *id) { return !llvm::is_contained(limits.largest, id); });
      if (ids)
        llvm::erase_if(*ids, [&](const SCEV *id) { return !llvm::is_contained(limits.smallest, id); });
      else
        ids = std::move(limits.smallest);
    }
    return ids && !ids->empty();
  }

  /// What all accesses have in common; none where they are of different kinds.
  std::optional<Place> placesOf(Evolution &evolution, llvm::Argument &argument, const Memory &memory, uint64_t &span) {
    std::optional<Place> whole;
    llvm::ConstantRange bytes(64, /*isFullSet=*/false);
    for (unsigned number : memory.accesses) {
      const Access &access = accesses_[number];
      auto *size = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
      Place place;
      if (!size || !evolution.placeOf(access, argument, place)) return std::nullopt;
      if (!whole) whole = place;
      for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
        if (whole->steps[dimension] != place.steps[dimension] ||
            whole->groupSteps[dimension] != place.groupSteps[dimension])
          return std::nullopt;
      auto *distance = llvm::dyn_cast<llvm::SCEVConstant>(evolution.scalars().getMinusSCEV(place.rest, whole->rest));
      if (!distance) return std::nullopt;
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
    span = (bytes.getUpper() - bytes.getLower()).getZExtValue();
    return whole;
  }

  llvm::Value *ask(const char *name, unsigned dimension) {
    return createMachineCall(builder_, name, builder_.getInt64Ty(), {builder_.getInt32(dimension)});
  }

  /// Whether the parts of `span` bytes at all these places are apart: each step is longer than all that the smaller
  /// ones reach, in one of the orders that programs have.
  llvm::Value *isApart(Evolution &evolution, const Place &place, uint64_t span) {
    if (place.usesGroups()) return isApartByGroups(evolution, place, span);
    llvm::Value *ascending = isApart(evolution, place, span, {0, 1, 2});
    const bool isLine = !place.steps[1] && !place.steps[2];
    return isLine ? ascending : builder_.CreateOr(ascending, isApart(evolution, place, span, {2, 1, 0}));
  }

  llvm::Value *isApart(Evolution &evolution, const Place &place, uint64_t span,
                       std::array<unsigned, kDimensions> order) {
    llvm::Value *const kMost = builder_.getInt64(uint64_t(1) << 31);
    llvm::SmallVector<llvm::Value *, 16> all;
    llvm::Value *reach = builder_.getInt64(span);
    const auto further = [&](const SCEV *by, llvm::Value *last) {
      llvm::Value *step =
          builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, evolution.build(builder_, by), builder_.getFalse());
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
        llvm::Value *last = evolution.build(builder_, one.last);
        llvm::Value *width = builder_.getInt(step->getAPInt().abs());
        all.append({builder_.CreateICmpULE(last, kMost), builder_.CreateICmpULE(width, kMost)});
        reach = builder_.CreateAdd(reach, builder_.CreateMul(width, last));
      } else {
        larger.push_back(one);
      }
    }
    for (unsigned dimension : order) {
      llvm::Value *items = ask(&evolution == &*evolution_ ? "global_size" : "num_groups", dimension);
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
        all.push_back(builder_.CreateICmpULT(evolution.build(builder_, one.largest),
                                             builder_.getInt64(uint64_t(1) << (one.bits - 2))));
      further(one.step, one.last ? evolution.build(builder_, one.last) : nullptr);
      if (one.last) endsBefore(one.bits);
    }
    if (evolution.usesLocalSize())
      for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
        all.push_back(builder_.CreateIsNull(
            builder_.CreateURem(ask("global_size", dimension), ask("enqueued_local_size", dimension))));
    return this->all(all);
  }

  /// The same where places are made of groups' ids and local ones: the launch puts its steps in order.
  llvm::Value *isApartByGroups(Evolution &evolution, const Place &place, uint64_t span) {
    struct Step {
      llvm::Value *bytes, *last;
    };
    llvm::Value *const kMost = builder_.getInt64(uint64_t(1) << 31), *const zero = builder_.getInt64(0);
    llvm::SmallVector<llvm::Value *, 32> all;
    llvm::SmallVector<Step, 10> steps;
    const auto add = [&](llvm::Value *bytes, llvm::Value *last) {
      bytes = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::abs, bytes, builder_.getFalse());
      all.append({builder_.CreateICmpULE(bytes, kMost), builder_.CreateICmpULE(last, kMost)});
      // One that is done once goes nowhere.
      steps.push_back({builder_.CreateSelect(builder_.CreateIsNull(last), zero, bytes), last});
    };
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
      const llvm::SCEV *ofItems = place.steps[dimension], *ofGroups = place.groupSteps[dimension];
      llvm::Value *size = ask("enqueued_local_size", dimension);
      llvm::Value *last = builder_.CreateSub(ask("num_groups", dimension), builder_.getInt64(1));
      if (!ofItems && !ofGroups) {
        all.push_back(builder_.CreateIsNull(builder_.CreateSub(ask("global_size", dimension), builder_.getInt64(1))));
        continue;
      }
      all.push_back(builder_.CreateIsNull(builder_.CreateURem(ask("global_size", dimension), size)));
      llvm::Value *item = ofItems ? evolution.build(builder_, ofItems) : zero;
      llvm::Value *group = builder_.CreateMul(item, size);
      if (ofGroups) group = builder_.CreateAdd(group, evolution.build(builder_, ofGroups));
      add(item, builder_.CreateSub(size, builder_.getInt64(1)));
      add(group, last);
    }
    unsigned bits = place.bits;
    for (const Repetition &one : place.repetitions) {
      constexpr size_t kMostSteps = 10;
      if (!one.last || steps.size() == kMostSteps) return builder_.getFalse();
      add(evolution.build(builder_, one.step), evolution.build(builder_, one.last));
      bits = std::min(bits, one.bits);
    }
    for (size_t end = steps.size(); end > 1; --end)
      for (size_t i = 1; i < end; ++i) {
        Step &low = steps[i - 1], &high = steps[i];
        llvm::Value *isWrong = builder_.CreateICmpUGT(low.bytes, high.bytes);
        const Step lower = low;
        low = {builder_.CreateSelect(isWrong, high.bytes, low.bytes),
               builder_.CreateSelect(isWrong, high.last, low.last)};
        high = {builder_.CreateSelect(isWrong, lower.bytes, high.bytes),
                builder_.CreateSelect(isWrong, lower.last, high.last)};
      }
    llvm::Value *reach = builder_.getInt64(span), *const end = builder_.getInt64(uint64_t(1) << (bits - 2));
    for (const Step &step : steps) {
      all.push_back(builder_.CreateOr(builder_.CreateICmpUGE(step.bytes, reach), builder_.CreateIsNull(step.last)));
      reach = builder_.CreateAdd(reach, builder_.CreateMul(step.bytes, step.last));
      all.push_back(builder_.CreateICmpULT(reach, end)); // numbers do not wrap
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
      const uint64_t at = sizeof(abi::ArgumentBounds) * argument.getArgNo();
      begin = loadInvariant(builder_, number, list, at + offsetof(abi::ArgumentBounds, begin));
      size = loadInvariant(builder_, number, list, at + offsetof(abi::ArgumentBounds, size));
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
  const abi::Specialization &specialization_;
  llvm::IRBuilderBase &builder_;
  const bool isPtx_;
  llvm::MapVector<llvm::Argument *, Memory> memories_;
  bool others_ = false;        ///< accesses by pointers of which it is not known where they go
  bool writesOthers_ = false;  ///< some of these write
  bool othersAreTold_ = false; ///< accesses of other memory
  llvm::DenseMap<llvm::Argument *, std::pair<llvm::Value *, llvm::Value *>> bounds_;
  llvm::SmallVector<llvm::Value *, 16> conditions_;
  std::optional<Evolution> evolution_, groups_;
};

} // namespace

UnracedAccesses findUnraced(llvm::Function &kernel, llvm::ArrayRef<Access> accesses,
                            const abi::Specialization &specialization, llvm::IRBuilderBase &builder) {
  return Finder(kernel, accesses, specialization, builder).run();
}

} // namespace us::codegen
