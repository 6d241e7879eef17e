// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/local_intervals.h"

#include "emulator/abi/launch_checks.h"
#include "emulator/codegen/instrument/apart_places.h"
#include "emulator/codegen/instrument/steps_together.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/InstIterator.h>

#include <optional>

namespace us::codegen {
namespace {

/// All work-items wait there, and what they did to local memory is done.
bool separates(const llvm::Instruction &instruction) {
  if (machineName(&instruction) != "barrier") return false;
  auto *fences = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(instruction).getArgOperand(0));
  return fences && (fences->getZExtValue() & abi::kLocalFence);
}

class Intervals {
public:
  Intervals(llvm::Function &kernel, llvm::ArrayRef<Access> accesses, const abi::Specialization &specialization)
      : kernel_(kernel), accesses_(accesses), specialization_(specialization), mayRace_(unsigned(accesses.size())) {}

  llvm::SmallBitVector run() {
    llvm::SmallBitVector unraced(unsigned(accesses_.size()));
    if (!sort()) return unraced;
    evolution_.emplace(kernel_, Evolution::Of::Group, &specialization_);
    steps_.emplace(evolution_->copy(), evolution_->dominators(), separates);
    // Threads of PTX may wait at one barrier while others wait at another one, so that intervals meet. In OpenCL none
    // may.
    if (kernel_.hasMetadata("us_language_target") && !steps_->atBarriers()) return unraced;
    for (const auto &[number, access] : llvm::enumerate(accesses_))
      if (llvm::Instruction *there = roots_[number] ? evolution_->copyOf(*access.instruction) : nullptr)
        numbers_[there].push_back(unsigned(number));
    look(*evolution_->copy().getEntryBlock().begin());
    for (llvm::Instruction &instruction : llvm::instructions(evolution_->copy()))
      if (separates(instruction)) look(*instruction.getNextNode());
    for (const auto &[number, root] : llvm::enumerate(roots_))
      if (root && !mayRace_[unsigned(number)]) unraced.set(unsigned(number));
    return unraced;
  }

private:
  /// What several accesses do that are alike.
  struct Alike {
    std::optional<PlaceOfItems> items; ///< none: they may go anywhere
    bool isWrite = false, isAtomic = false;
    llvm::SmallVector<unsigned, 4> numbers;
  };

  /// False where some access may be one to any local memory.
  bool sort() {
    for (uint32_t size : specialization_.localSize)
      if (size == 0) return false;
    bool any = false;
    for (const Access &access : accesses_) {
      llvm::Value *root = localRootOf(access.pointer), *origin = root ? root : rootOf(access.pointer);
      if (!origin || !origin->getType()->isPointerTy()) origin = withoutSteps(access.pointer);
      const unsigned space = origin->getType()->isPointerTy() ? origin->getType()->getPointerAddressSpace() : 0;
      if (!root && space != 1) return false;
      roots_.push_back(root);
      any |= root != nullptr;
    }
    return any;
  }

  /// The interval that begins with an instruction.
  void look(llvm::Instruction &first) {
    Interval interval(*steps_, first);
    llvm::MapVector<llvm::Value *, llvm::SmallVector<unsigned, 8>> touched; // by what they go to
    interval.visit([&](llvm::Instruction &one) {
      for (unsigned number : numbers_.lookup(&one)) {
        llvm::SmallVector<unsigned, 8> &its = touched[roots_[number]];
        if (!llvm::is_contained(its, number)) its.push_back(number); // a block that it began in may come again
      }
    });
    for (auto &[root, numbers] : touched)
      if (llvm::any_of(numbers, [&](unsigned number) { return isWrite(accesses_[number]); }))
        compare(*root, numbers, interval);
  }

  static bool isWrite(const Access &access) { return llvm::StringRef(access.operation) != "read"; }

  /// Each access with each other one, and with itself.
  void compare(llvm::Value &root, llvm::ArrayRef<unsigned> numbers, Interval &interval) {
    llvm::SmallVector<Alike, 8> alike;
    for (unsigned number : numbers) add(number, root, interval, alike);
    constexpr size_t kMost = 64; // kinds of accesses: beyond that it takes too long
    ApartPlaces places(*evolution_, specialization_);
    for (size_t i = 0; i < alike.size(); ++i)
      for (size_t j = i; j < alike.size(); ++j) {
        const Alike &one = alike[i], &other = alike[j];
        if ((!one.isWrite && !other.isWrite) || (one.isAtomic && other.isAtomic)) continue;
        const bool areApart =
            alike.size() <= kMost && one.items && other.items && places.areApart(*one.items, *other.items);
        if (areApart || (i != j && areExcluded(one, other, interval))) continue;
        for (const Alike *its : {&one, &other})
          for (unsigned number : its->numbers) mayRace_.set(number);
      }
  }

  void add(unsigned number, llvm::Value &root, Interval &interval, llvm::SmallVectorImpl<Alike> &alike) {
    const Access &access = accesses_[number];
    Alike one;
    one.isWrite = isWrite(access);
    one.isAtomic = access.instruction->isAtomic();
    one.numbers.push_back(number);
    llvm::Instruction &there = *evolution_->copyOf(*access.instruction);
    evolution_->setSame([&](llvm::Instruction *value, llvm::BasicBlock &block) {
      if (value ? !steps_->haveSame(*value) : !steps_->at(block)) return false;
      return interval.isDoneOnceBefore(value ? *value : block.front(), there);
    });
    one.items = placeOfItems(*evolution_, access, root);
    evolution_->setSame({});
    // Where each work-item does both.
    for (Alike &other : alike) {
      const Access &its = accesses_[other.numbers.front()];
      const bool isSame =
          other.items && one.items && other.items->place.repetitions.empty() && one.items->place.repetitions.empty() &&
          other.isWrite == one.isWrite && other.isAtomic == one.isAtomic && other.items->bytes == one.items->bytes &&
          its.instruction->getParent() == access.instruction->getParent() &&
          other.items->place.rest == one.items->place.rest && other.items->place.modulus == one.items->place.modulus &&
          other.items->place.bits == one.items->place.bits &&
          std::equal(one.items->place.steps, one.items->place.steps + kDimensions, other.items->place.steps);
      if (!isSame) continue;
      other.numbers.push_back(number);
      return;
    }
    alike.push_back(std::move(one));
  }

  /// No work-item does the one between two barriers where any does the other.
  bool areExcluded(const Alike &one, const Alike &other, Interval &interval) const {
    return llvm::all_of(one.numbers, [&](unsigned number) {
      llvm::Instruction &its = *evolution_->copyOf(*accesses_[number].instruction);
      return llvm::all_of(other.numbers, [&](unsigned another) {
        return interval.excludes(its, *evolution_->copyOf(*accesses_[another].instruction));
      });
    });
  }

  llvm::Function &kernel_;
  const llvm::ArrayRef<Access> accesses_;
  const abi::Specialization &specialization_;
  llvm::SmallVector<llvm::Value *, 32> roots_;                                        ///< by access; null: other memory
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<unsigned, 2>> numbers_; ///< of what is in the copy
  llvm::SmallBitVector mayRace_;
  std::optional<Evolution> evolution_;
  std::optional<StepsTogether> steps_; ///< of its copy
};

} // namespace

llvm::SmallBitVector findUnracedLocal(llvm::Function &kernel, llvm::ArrayRef<Access> accesses,
                                      const abi::Specialization &specialization) {
  return Intervals(kernel, accesses, specialization).run();
}

} // namespace us::codegen
