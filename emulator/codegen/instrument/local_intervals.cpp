// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/local_intervals.h"

#include "emulator/abi/launch_checks.h"
#include "emulator/codegen/instrument/affine_places.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

#include <optional>

namespace us::codegen {
namespace {

constexpr unsigned kLocal = 3; // address space

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
    if (!sort()) return llvm::SmallBitVector(unsigned(accesses_.size()));
    look(*kernel_.getEntryBlock().begin());
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (separates(instruction)) look(*instruction.getNextNode());
    llvm::SmallBitVector unraced(unsigned(accesses_.size()));
    for (const auto &[number, root] : llvm::enumerate(roots_))
      if (root && !mayRace_[unsigned(number)]) unraced.set(unsigned(number));
    return unraced;
  }

private:
  /// False where some access may be one to any local memory.
  bool sort() {
    for (uint32_t size : specialization_.localSize)
      if (size == 0) return false;
    bool any = false;
    for (const auto &[number, access] : llvm::enumerate(accesses_)) {
      llvm::GEPOperator *const step = stepFromArena(access.pointer);
      llvm::Value *root = step ? variableOfNumber(step->idx_begin()->get()) : rootOf(access.pointer);
      llvm::Value *origin = root && root->getType()->isPointerTy() ? root : withoutSteps(access.pointer);
      const unsigned space = origin->getType()->isPointerTy() ? origin->getType()->getPointerAddressSpace() : 0;
      if (space != kLocal && space != 1) return false;
      if (space == kLocal && !llvm::isa_and_nonnull<llvm::Argument, llvm::GlobalVariable>(root)) return false;
      roots_.push_back(space == kLocal ? root : nullptr);
      if (space == kLocal) numbers_[access.instruction].push_back(unsigned(number));
      any |= space == kLocal;
    }
    return any;
  }

  /// The interval that begins with an instruction: what work-items may do before they wait again.
  void look(llvm::Instruction &first) {
    llvm::MapVector<llvm::Value *, llvm::SmallVector<unsigned, 8>> touched; // by what they go to
    llvm::SmallPtrSet<llvm::BasicBlock *, 16> seen;
    llvm::SmallVector<llvm::Instruction *, 16> open{&first};
    while (!open.empty()) {
      llvm::Instruction *one = open.pop_back_val();
      llvm::BasicBlock *block = one->getParent();
      for (; one && !separates(*one); one = one->getNextNode())
        for (unsigned number : numbers_.lookup(one)) touched[roots_[number]].push_back(number);
      if (one) continue;
      for (llvm::BasicBlock *next : llvm::successors(block))
        if (seen.insert(next).second) open.push_back(&next->front());
    }
    for (auto &[root, numbers] : touched)
      if (!isUnraced(*root, numbers))
        for (unsigned number : numbers) mayRace_.set(number);
  }

  bool isUnraced(llvm::Value &root, llvm::ArrayRef<unsigned> numbers) {
    bool isWritten = false, isAtomic = true;
    for (unsigned number : numbers) {
      isWritten |= llvm::StringRef(accesses_[number].operation) != "read";
      isAtomic &= accesses_[number].instruction->isAtomic();
    }
    return !isWritten || isAtomic || eachHasItsOwn(root, numbers);
  }

  bool eachHasItsOwn(llvm::Value &root, llvm::ArrayRef<unsigned> numbers) {
    if (!evolution_) evolution_.emplace(kernel_, Evolution::Of::Group);
    std::optional<Place> whole;
    llvm::ConstantRange bytes(64, /*isFullSet=*/false);
    for (unsigned number : numbers) {
      const Access &access = accesses_[number];
      auto *size = llvm::dyn_cast<llvm::ConstantInt>(access.bytes);
      Place place;
      if (!size || !evolution_->placeOf(access, root, place) || !place.repetitions.empty()) return false;
      if (!whole) whole = place;
      for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
        if (whole->steps[dimension] != place.steps[dimension]) return false;
      auto *distance = llvm::dyn_cast<llvm::SCEVConstant>(evolution_->scalars().getMinusSCEV(place.rest, whole->rest));
      if (!distance) return false;
      const llvm::APInt from = distance->getAPInt();
      bytes = bytes.unionWith(llvm::ConstantRange(from, from + size->getValue()), llvm::ConstantRange::Signed);
      whole->bits = std::min(whole->bits, place.bits);
    }
    return isApart(*whole, (bytes.getUpper() - bytes.getLower()).getZExtValue());
  }

  /// Whether parts of `span` bytes are apart: each step is longer than all that the smaller ones reach.
  bool isApart(const Place &place, uint64_t span) const {
    llvm::SmallVector<std::pair<uint64_t, uint64_t>, kDimensions> steps; // and how often
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension) {
      if (specialization_.localSize[dimension] == 1) continue;
      auto *step = llvm::dyn_cast_or_null<llvm::SCEVConstant>(place.steps[dimension]);
      if (!step) return false;
      steps.emplace_back(step->getAPInt().abs().getLimitedValue(), specialization_.localSize[dimension] - 1);
    }
    llvm::sort(steps);
    uint64_t reach = span;
    for (const auto &[step, last] : steps) {
      if (step < reach || step > UINT32_MAX) return false;
      reach += step * last;
    }
    return reach < uint64_t(1) << (std::min(place.bits, 32u) - 2);
  }

  llvm::Function &kernel_;
  const llvm::ArrayRef<Access> accesses_;
  const abi::Specialization &specialization_;
  llvm::SmallVector<llvm::Value *, 32> roots_; ///< by access; null: other memory
  llvm::DenseMap<const llvm::Instruction *, llvm::SmallVector<unsigned, 2>> numbers_;
  llvm::SmallBitVector mayRace_;
  std::optional<Evolution> evolution_;
};

} // namespace

llvm::SmallBitVector findUnracedLocal(llvm::Function &kernel, llvm::ArrayRef<Access> accesses,
                                      const abi::Specialization &specialization) {
  return Intervals(kernel, accesses, specialization).run();
}

} // namespace us::codegen
