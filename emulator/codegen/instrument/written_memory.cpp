// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/written_memory.h"

#include "emulator/abi/launch_checks.h"
#include "emulator/codegen/instrument/accesses.h"
#include "emulator/codegen/instrument/local_ranges.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

#include <optional>

namespace us::codegen {
namespace {

constexpr unsigned kLocalMemory = 3; // address space

/// What a kernel does with one memory.
struct UsedMemory {
  bool isLocal = false;
  uint64_t size = 0; ///< 0: an argument's
  llvm::SmallVector<Access, 8> reads, writes;
  llvm::SmallVector<llvm::MemSetInst *, 1> fills;
  llvm::SmallVector<const llvm::Instruction *, 2> begins; ///< of its life
};

/// Bytes that are written, and when they are.
struct Filled {
  uint64_t begin, end;
  const llvm::Instruction *done; ///< of the copy; who comes there has written them
};

class WrittenMemoryFinder {
public:
  WrittenMemoryFinder(llvm::Function &kernel, const abi::Specialization &specialization,
                      llvm::function_ref<bool(llvm::Value *)> isFollowed,
                      llvm::function_ref<bool(llvm::AllocaInst &)> hasShadow)
      : kernel_(kernel), specialization_(specialization), isFollowed_(isFollowed), hasShadow_(hasShadow) {}

  WrittenMemory run() {
    WrittenMemory found;
    collect();
    if (memories_.empty()) return found;
    evolution_.emplace(kernel_, Evolution::Of::Group, &specialization_);
    ranges_.emplace(kernel_, specialization_);
    for (llvm::Instruction &instruction : llvm::instructions(evolution_->copy()))
      if (orders(instruction)) barriers_.push_back(&instruction);
    for (auto &[root, memory] : memories_)
      if (isFilledBeforeRead(*root, memory)) found.insert(root);
    // What is stored there has to have been written, too; of what is read there it is taken for granted.
    for (bool again = true; again;) {
      again = false;
      for (auto &[root, memory] : memories_)
        if (found.contains(root) && !keepsWritten(memory, found)) again = found.erase(root);
    }
    return found;
  }

private:
  static bool orders(const llvm::Instruction &instruction) {
    if (machineName(&instruction) != "barrier") return false;
    auto *fences = llvm::dyn_cast<llvm::ConstantInt>(llvm::cast<llvm::CallInst>(instruction).getArgOperand(0));
    return fences && (fences->getZExtValue() & abi::kLocalFence);
  }

  void collect() {
    const bool hasSize = !llvm::is_contained(specialization_.localSize, 0u) && !specialization_.ragged;
    const auto consider = [&](llvm::Value &root, bool isLocal, uint64_t size) {
      UsedMemory memory;
      memory.isLocal = isLocal;
      memory.size = size;
      if (follow(root, memory) && !memory.reads.empty()) memories_[&root] = std::move(memory);
    };
    for (llvm::Instruction &instruction : kernel_.getEntryBlock())
      if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction); variable && hasShadow_(*variable))
        if (const std::optional<llvm::TypeSize> size = variable->getAllocationSize(kernel_.getDataLayout()))
          consider(*variable, /*isLocal=*/false, size->getFixedValue());
    if (!hasSize) return;
    llvm::SmallSetVector<llvm::Value *, 8> locals;
    for (llvm::Instruction &instruction : llvm::instructions(kernel_))
      if (llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction)) {
        llvm::Value *root = withoutSteps(pointer);
        const bool isNamed = llvm::isa<llvm::GlobalVariable, llvm::Argument>(root);
        if (isNamed && root->getType()->getPointerAddressSpace() == kLocalMemory) locals.insert(root);
      }
    for (llvm::Value *root : locals) {
      auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(root);
      const uint64_t size = variable ? kernel_.getDataLayout().getTypeAllocSize(variable->getValueType()) : 0;
      consider(*root, /*isLocal=*/true, size);
    }
  }

  /// An address as a number is what check_memory tells.
  static bool isOnlyTold(const llvm::Value &number) {
    return llvm::isa<llvm::PtrToIntOperator>(number) &&
           llvm::all_of(number.users(), [](const llvm::User *user) { return machineName(user) == "check_failed"; });
  }

  /// Nothing but loads, stores and fills has its address.
  bool follow(llvm::Value &pointer, UsedMemory &memory) {
    return llvm::all_of(pointer.uses(), [&](llvm::Use &use) {
      llvm::User *user = use.getUser();
      if (auto *expression = llvm::dyn_cast<llvm::ConstantExpr>(user)) {
        const bool isStep = llvm::isa<llvm::GEPOperator, llvm::AddrSpaceCastOperator>(expression);
        return isStep ? follow(*expression, memory) : isOnlyTold(*expression);
      }
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (!instruction || instruction->getFunction() != &kernel_) return false;
      if (llvm::isa<llvm::GetElementPtrInst, llvm::AddrSpaceCastInst>(instruction)) return follow(*instruction, memory);
      if (llvm::isa<llvm::PtrToIntInst>(instruction)) return isOnlyTold(*instruction);
      if (llvm::isa<llvm::LifetimeIntrinsic>(instruction)) {
        if (llvm::cast<llvm::LifetimeIntrinsic>(instruction)->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
          memory.begins.push_back(instruction);
        return true;
      }
      if (auto *fill = llvm::dyn_cast<llvm::MemSetInst>(instruction)) {
        memory.fills.push_back(fill);
        return !memory.isLocal && use.getOperandNo() == 0;
      }
      const bool isRead = llvm::isa<llvm::LoadInst, llvm::AtomicRMWInst>(instruction);
      auto *store = llvm::dyn_cast<llvm::StoreInst>(instruction);
      if (!isRead && !(store && store->getPointerOperand() == use.get())) return false;
      auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(instruction);
      if (update && update->getPointerOperand() != use.get()) return false;
      for (Access &access : accessesOf(*instruction))
        (isRead ? memory.reads : memory.writes).push_back(std::move(access));
      return true;
    });
  }

  bool dominates(const llvm::Instruction *one, const llvm::Instruction *other) {
    return one && other && evolution_->dominators().dominates(one, other);
  }

  bool isFilledBeforeRead(llvm::Value &root, UsedMemory &memory) {
    llvm::SmallVector<Filled, 4> filled;
    for (const Access &write : memory.writes)
      if (const std::optional<Filled> one = filledBy(write, root, memory)) filled.push_back(*one);
    for (llvm::MemSetInst *fill : memory.fills)
      if (const std::optional<Filled> one = filledBy(*fill, root)) filled.push_back(*one);
    if (filled.empty()) return false;
    llvm::sort(filled, [](const Filled &a, const Filled &b) { return a.begin < b.begin; });
    for (const llvm::Instruction *begin : memory.begins)
      for (const Filled &one : filled)
        if (!dominates(evolution_->copyOf(*begin), one.done)) return false;
    return llvm::all_of(memory.reads, [&](const Access &read) { return isBehind(read, root, memory, filled); });
  }

  /// All that it may read is filled when somebody comes there.
  bool isBehind(const Access &read, llvm::Value &root, const UsedMemory &memory, llvm::ArrayRef<Filled> filled) {
    const llvm::Instruction *there = evolution_->copyOf(*read.instruction);
    if (!there) return false;
    uint64_t upTo = 0;
    for (const Filled &one : filled) {
      const auto isBetween = [&](const llvm::Instruction *barrier) {
        return dominates(one.done, barrier) && dominates(barrier, there);
      };
      const bool isDone = memory.isLocal ? llvm::any_of(barriers_, isBetween) : dominates(one.done, there);
      if (isDone && one.begin <= upTo) upTo = std::max(upTo, one.end);
    }
    if (upTo == 0) return false;
    if (memory.size && upTo >= memory.size) return true;
    const std::optional<uint64_t> bytes = ranges_->bytesFor(read, root);
    return bytes && *bytes <= upTo;
  }

  std::optional<Filled> filledBy(const llvm::MemSetInst &fill, llvm::Value &root) {
    auto *bytes = llvm::dyn_cast<llvm::ConstantInt>(fill.getLength());
    const llvm::Instruction *there = evolution_->copyOf(fill);
    if (!bytes || !there || withoutSteps(fill.getDest()) != &root || fill.getDest()->stripPointerCasts() != &root)
      return std::nullopt;
    return Filled{0, bytes->getZExtValue(), there};
  }

  /// What all work-items that come behind it have written, side by side and without holes.
  std::optional<Filled> filledBy(const Access &write, llvm::Value &root, const UsedMemory &memory) {
    const std::optional<PlaceOfItems> items = placeOfItems(*evolution_, write, root);
    if (!items || items->place.modulus < 64) return std::nullopt;
    const Place &place = items->place;
    auto *begin = llvm::dyn_cast<llvm::SCEVConstant>(place.rest);
    if (!begin || begin->getAPInt().isNegative()) return std::nullopt;
    llvm::SmallVector<std::pair<uint64_t, uint64_t>, 4> steps; // and the last time
    const auto add = [&](const llvm::SCEV *step, uint64_t last) {
      auto *bytes = llvm::dyn_cast<llvm::SCEVConstant>(step);
      if (!bytes || !bytes->getAPInt().isStrictlyPositive() || bytes->getAPInt().ugt(UINT32_MAX)) return false;
      steps.emplace_back(bytes->getAPInt().getZExtValue(), last);
      return true;
    };
    for (unsigned dimension = 0; dimension < kDimensions; ++dimension)
      if (place.steps[dimension] &&
          (!memory.isLocal || !add(place.steps[dimension], specialization_.localSize[dimension] - 1)))
        return std::nullopt;
    for (const Repetition &one : place.repetitions) {
      auto *last = llvm::dyn_cast_or_null<llvm::SCEVConstant>(one.last);
      if (!last || last->getAPInt().ugt(UINT32_MAX) || !add(one.step, last->getAPInt().getZExtValue()))
        return std::nullopt;
    }
    llvm::sort(steps);
    uint64_t reach = items->bytes;
    for (const auto &[step, last] : steps) {
      if (step > reach) return std::nullopt;
      reach += step * last;
    }
    const llvm::Instruction *done = doneBehind(*items->at, place);
    if (!done) return std::nullopt;
    const uint64_t from = begin->getAPInt().getZExtValue();
    return Filled{from, from + reach, done};
  }

  /// Behind all loops that a place counts in, each of which does it in every turn; null: they may not.
  const llvm::Instruction *doneBehind(const llvm::Instruction &write, const Place &place) {
    const llvm::Instruction *done = &write;
    llvm::SmallPtrSet<const llvm::Loop *, 4> left;
    for (const Repetition &one : place.repetitions) left.insert(one.loop);
    while (!left.empty()) {
      const llvm::Loop *loop = evolution_->loops().getLoopFor(done->getParent());
      if (!loop || !left.erase(loop)) return nullptr;
      llvm::SmallVector<llvm::BasicBlock *, 2> latches;
      loop->getLoopLatches(latches);
      for (const llvm::BasicBlock *latch : latches)
        if (!evolution_->dominators().dominates(done->getParent(), latch)) return nullptr;
      const llvm::BasicBlock *exit = loop->getExitBlock();
      if (!exit || !loop->getExitingBlock() || exit->getSinglePredecessor() != loop->getExitingBlock()) return nullptr;
      done = &exit->front();
    }
    return done;
  }

  bool keepsWritten(const UsedMemory &memory, const WrittenMemory &found) {
    for (const Access &write : memory.writes)
      if (!isWritten(*llvm::cast<llvm::StoreInst>(write.instruction)->getValueOperand(), found)) return false;
    for (const llvm::MemSetInst *fill : memory.fills)
      if (!isWritten(*fill->getValue(), found)) return false;
    for (const Access &read : memory.reads)
      if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(read.instruction);
          update && !isWritten(*update->getValOperand(), found))
        return false;
    return true;
  }

  /// Whatever a value is made of was written.
  bool isWritten(llvm::Value &value, const WrittenMemory &found) {
    constexpr size_t kMost = 2000; // beyond that it takes too long
    llvm::SmallSetVector<llvm::Value *, 16> open;
    open.insert(&value);
    for (size_t i = 0; i < open.size(); ++i) {
      if (i == kMost) return false;
      llvm::Value *one = open[i];
      if (auto *constant = llvm::dyn_cast<llvm::Constant>(one)) {
        if (llvm::isa<llvm::UndefValue>(constant) || constant->containsUndefOrPoisonElement()) return false;
        continue;
      }
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(one);
      if (!instruction) continue; // an argument
      if (instruction->mayReadFromMemory() && !llvm::isa<llvm::CallBase>(instruction)) {
        llvm::Value *pointer = llvm::getLoadStorePointerOperand(instruction);
        if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(instruction)) pointer = update->getPointerOperand();
        if (!pointer || !isOfWritten(*withoutSteps(pointer), found)) return false;
        continue;
      }
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(instruction)) {
        // What stays a function says nothing of what it returns.
        if (llvm::isa<llvm::IntrinsicInst>(call))
          for (llvm::Value *argument : call->args())
            if (!argument->getType()->isMetadataTy()) open.insert(argument);
        continue;
      }
      if (auto *shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(instruction))
        if (llvm::is_contained(shuffle->getShuffleMask(), llvm::PoisonMaskElem)) return false;
      if (llvm::isa<llvm::AllocaInst, llvm::FreezeInst>(instruction)) continue;
      for (llvm::Value *operand : instruction->operands())
        if (!llvm::isa<llvm::BasicBlock>(operand)) open.insert(operand);
    }
    return true;
  }

  bool isOfWritten(llvm::Value &root, const WrittenMemory &found) {
    if (found.contains(&root)) return true;
    if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&root)) return !hasShadow_(*variable);
    if (machineName(&root) == "exchange") return true;
    const unsigned space = root.getType()->getPointerAddressSpace();
    const bool isGlobal = space == 1 || space == 2 || llvm::isa<llvm::GlobalVariable>(root);
    return isGlobal && space != kLocalMemory && !isFollowed_(&root);
  }

  llvm::Function &kernel_;
  const abi::Specialization &specialization_;
  const llvm::function_ref<bool(llvm::Value *)> isFollowed_;
  const llvm::function_ref<bool(llvm::AllocaInst &)> hasShadow_;
  llvm::MapVector<llvm::Value *, UsedMemory> memories_;
  std::optional<Evolution> evolution_;
  std::optional<LocalRanges> ranges_;
  llvm::SmallVector<const llvm::Instruction *, 8> barriers_; ///< of the copy
};

} // namespace

WrittenMemory findWrittenMemory(llvm::Function &kernel, const abi::Specialization &specialization,
                                llvm::function_ref<bool(llvm::Value *)> isFollowed,
                                llvm::function_ref<bool(llvm::AllocaInst &)> hasShadow) {
  return WrittenMemoryFinder(kernel, specialization, isFollowed, hasShadow).run();
}

} // namespace us::codegen
