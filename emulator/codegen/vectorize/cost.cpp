// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/cost.h"

#include "emulator/codegen/host_target.h"
#include "emulator/codegen/passes/weaken_local_atomics.h"
#include "emulator/codegen/vectorize/access_groups.h"
#include "emulator/codegen/vectorize/permuted_access.h"
#include "emulator/codegen/vectorize/small_tables.h"
#include "emulator/codegen/vectorize/widen.h"

#include <llvm/IR/IntrinsicInst.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/Target/TargetMachine.h>

#include <cmath>
#include <optional>

namespace us::codegen {
namespace {

/// A loop's turns are not known; one more loop counts as so many.
constexpr float kTurns = 8;

float turns(const llvm::Loop *inner, unsigned outerDepth) {
  return inner ? std::pow(kTurns, float(inner->getLoopDepth() - outerDepth)) : 1;
}

bool isFree(const llvm::Instruction &instruction) {
  if (instruction.isTerminator() ||
      llvm::isa<llvm::PHINode, llvm::GetElementPtrInst, llvm::BitCastInst, llvm::AddrSpaceCastInst, llvm::FreezeInst>(
          instruction))
    return true;
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->isAssumeLikeIntrinsic();
}

/// Part of another instruction in scalar code: of an address, of a load, or of nothing as registers have 64 bits.
bool isFolded(const llvm::Instruction &instruction) {
  if (llvm::isa<llvm::TruncInst>(instruction)) return true;
  const llvm::Value *from = instruction.getNumOperands() ? instruction.getOperand(0) : nullptr;
  if (llvm::isa<llvm::ZExtInst>(instruction))
    return from->getType()->isIntegerTy(32) || llvm::isa<llvm::LoadInst>(from);
  if (llvm::isa<llvm::SExtInst>(instruction)) return llvm::isa<llvm::LoadInst>(from) && from->hasOneUse();
  const bool isOffset =
      instruction.getOpcode() == llvm::Instruction::Add || instruction.getOpcode() == llvm::Instruction::Or;
  return isOffset && llvm::isa<llvm::ConstantInt>(instruction.getOperand(1)) &&
         llvm::all_of(instruction.users(),
                      [](const llvm::User *user) { return llvm::isa<llvm::GetElementPtrInst>(user); });
}

/// To ask the lanes whether something is as it is likely to be, and to go where that leads.
constexpr float kAsk = 2;
/// Whether all of short elements that some lanes load may be loaded (load_whole_under_masks).
constexpr float kAskWhole = 6;

/// A value for each bit of a lane's number in the one order or the other; or an instruction, and the mask's three.
constexpr float kPermuted = 8, kPermutedWords = 2, kPermutedMask = 3;

/// A function of the host's library.
constexpr float kCall = 20;

bool isCall(const llvm::Instruction &instruction, const VectorCosts &costs) {
  auto *intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::fma && !costs.hasFma;
}

/// An atomic operation that others may do in the same place: it waits for what was stored before, and for the memory.
constexpr float kLocked = 20;

float lockCost(const llvm::Instruction &instruction) {
  const llvm::Value *pointer = nullptr;
  if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) pointer = update->getPointerOperand();
  if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) pointer = exchange->getPointerOperand();
  return pointer && !becomesPlain(instruction, *pointer) ? kLocked : 0;
}

/// By a constant: a product's upper half, and shifts.
constexpr float kQuotient = 3, kDivision = 6;

float scalarCost(const llvm::Instruction &instruction, const VectorCosts &costs) {
  if (isCall(instruction, costs)) return kCall;
  if (!isDivision(instruction)) return 1 + lockCost(instruction);
  return llvm::isa<llvm::Constant>(instruction.getOperand(1)) ? kQuotient : kDivision;
}

float divisionCost(const llvm::Instruction &division, const Shapes &shapes, unsigned width, float registers,
                   const VectorCosts &costs) {
  if (division.getType()->getScalarSizeInBits() > 32) return costs.division * float(width);
  const llvm::Value &divisor = *division.getOperand(1);
  if (llvm::isa<llvm::Constant>(divisor)) return costs.quotient * registers;
  return (shapes.of(divisor).isUniform() ? costs.product : costs.realDivision) * registers;
}

/// A loop whose counter goes further in a turn than it differs between the first work-item and the last: they leave it
/// in the same turn, or in two that follow each other.
bool leaveWithinOneTurn(const llvm::Loop &loop, llvm::BasicBlock &exiting, const Shapes &shapes, unsigned width) {
  auto *branch = llvm::dyn_cast<llvm::BranchInst>(exiting.getTerminator());
  auto *compare = branch && branch->isConditional() ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition()) : nullptr;
  if (!compare) return false;
  const bool isFirst = shapes.of(*compare->getOperand(1)).isUniform();
  llvm::Value *counter = compare->getOperand(isFirst ? 0 : 1);
  const Shape shape = shapes.of(*counter);
  if (!shape.isAffine() || (!isFirst && !shapes.of(*compare->getOperand(0)).isUniform())) return false;
  for (llvm::PHINode &phi : loop.getHeader()->phis()) {
    auto *next = llvm::dyn_cast<llvm::BinaryOperator>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
    llvm::Value *by = next && next->getOpcode() == llvm::Instruction::Add && next->getOperand(0) == &phi
                          ? next->getOperand(1)
                          : nullptr;
    if (!by || (counter != &phi && counter != next)) continue;
    auto *step = llvm::dyn_cast<llvm::ConstantInt>(by);
    if (!step) return shapes.of(*by).isUniform(); // a size of groups, most likely
    return step->getValue().abs().uge(uint64_t(std::abs(shape.stride)) * (width - 1));
  }
  return false;
}

float bits(const llvm::Instruction &instruction) {
  const llvm::Type *type = instruction.getType();
  if ((type->isVoidTy() || type->isIntegerTy(1)) && instruction.getNumOperands())
    type = instruction.getOperand(0)->getType();
  return type->isPointerTy() ? 64 : std::max(8u, unsigned(type->getScalarSizeInBits()));
}

/// Of one work-item's value.
float elements(const llvm::Instruction &instruction) {
  const llvm::Type *type = instruction.getType();
  if (type->isVoidTy() && instruction.getNumOperands()) type = instruction.getOperand(0)->getType();
  auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return vector ? vector->getNumElements() : 1;
}

float operations(const llvm::BasicBlock &block, const VectorCosts &costs) {
  float total = 0;
  for (const llvm::Instruction &instruction : block)
    if (!isFree(instruction) && !isFolded(instruction)) total += scalarCost(instruction, costs);
  return total;
}

} // namespace

const VectorCosts *vectorCosts(abi::Target target) {
  struct Row {
    const char *features; ///< that a processor has of which it is true
    VectorCosts costs;
  };
  constexpr unsigned kNone = 128;
  static constexpr Row kRows[] = {
      {"+avx512vl,+avx512dq,+prefer-no-gather", {256, 3, 4, 1, false, 8, 0, 6, true, 6, 6, 8, 24, 2, 512, 256}},
      {"+avx512vl,+avx512dq",
       {256, 2, 4, 1.5, true, 8, 0, 6, true, 6, 6, 8, 24, 2, 512, 256}}, // masks in registers of their own
      {"+avx2,+fast-gather", {256, 2, 6, 1.5, true, 32, 1, 6, true, 6, 6, 14, 30, 2, 256, 32}},
      {"+avx2",
       {256, 3, 6, 1, false, 32, 12, 6, true, 6, 6, 14, 30, 2, 256, 32}}, // AMD's have such stores in microcode
      {"+sse4.2", {128, 3, 6, 1, false, kNone, 0, 6, false, 6, 6, 14, 30, 2, 128, 0}},
  };
  // Each answer goes through all features of the processor, and many passes ask.
  thread_local std::optional<const VectorCosts *> known[std::size(abi::kTargets)];
  std::optional<const VectorCosts *> &costs = known[size_t(target)];
  if (!costs) {
    const llvm::MCSubtargetInfo *processor = targetMachine(target).getMCSubtargetInfo();
    const auto *row = llvm::find_if(kRows, [&](const Row &one) { return processor->checkFeatures(one.features); });
    costs = row != std::end(kRows) ? &row->costs : nullptr;
  }
  return *costs;
}

float scalarCost(const llvm::Loop &loop, const llvm::LoopInfo &loops, const VectorCosts &costs) {
  float total = 0;
  for (llvm::BasicBlock *block : loop.blocks())
    total += operations(*block, costs) * turns(loops.getLoopFor(block), loop.getLoopDepth());
  return total;
}

float scalarCost(LaneFunction &lanes, const VectorCosts &costs) {
  float total = 0;
  for (llvm::BasicBlock &block : lanes.function())
    total += operations(block, costs) * turns(lanes.loops().getLoopFor(&block), 0);
  return total;
}

float vectorCost(LaneFunction &lanes, const Shapes &shapes, unsigned width, const VectorCosts &costs) {
  float total = 0;
  const auto divergent = lanes.divergentBlocks();
  const AccessGroups groups(lanes, shapes);
  for (llvm::BasicBlock &block : lanes.function()) {
    float here = 0;
    for (llvm::Instruction &instruction : block) {
      if (isFree(instruction)) continue;
      const Shape shape = shapes.of(instruction);
      const float registers =
          std::ceil(bits(instruction) * elements(instruction) * float(width) / float(costs.registerBits));
      llvm::Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (isCall(instruction, costs)) {
        here += (kCall + costs.serial) * float(shape.isVarying() ? width : 1);
      } else if (isCombined(instruction, shapes)) {
        const bool isOne = shapes.of(*instruction.getOperand(1)).isUniform();
        const float steps = isOne ? 1 : registers * std::log2(float(width));
        here += 1 + lockCost(instruction) + steps * (instruction.use_empty() ? 1 : 2);
      } else if (isSerial(instruction)) {
        here += (costs.serial + lockCost(instruction)) * float(width);
      } else if (pointer) {
        const Shape place = shapes.of(*pointer);
        const bool isStore = llvm::isa<llvm::StoreInst>(instruction);
        const auto bytes =
            int64_t(lanes.function().getDataLayout().getTypeStoreSize(llvm::getLoadStoreType(&instruction)));
        const bool isPrivate = lanes.privateMemory(pointer);
        const bool isOneByOne = !isPrivate && bits(instruction) < costs.maskedBits && divergent.contains(&block);
        const AccessGroup *group = isOneByOne ? nullptr : groups.of(instruction);
        if (group && group->guess && group->place == &instruction) here += kAsk * registers;
        const bool isMasked = divergent.contains(&block);
        const bool isPermuted = !group && permutedPlace(*pointer, *llvm::getLoadStoreType(&instruction),
                                                        !isMasked || costs.permutesWords(), shapes, width);
        if (isStore && isMasked && ((group && !group->isApart) || isPermuted)) here += registers * costs.maskedStore;
        if (isPrivate && place.isUniform())
          here += registers;
        else if (group && group->isApart)
          here += (isStore ? costs.scatter : costs.gather) * float(width) / 2 + registers;
        else if (group) // a part of all that is accessed, and shuffles of all members
          here += registers * (float(group->members) / float(group->count()) + float(group->members - 1));
        else if (place.isUniform())
          here += 1;
        else if (isPermuted)
          here += registers * (costs.permutesWords() ? kPermutedWords + (isMasked ? kPermutedMask : 0) : kPermuted);
        else if (isOneByOne && !isStore && place.isAffine() && place.stride == bytes && elements(instruction) == 1)
          here += registers + kAskWhole;
        else if (const auto table =
                     isStore ? std::nullopt : smallTable(llvm::cast<llvm::LoadInst>(instruction), shapes, costs))
          here += registers * float(table->steps(costs.registerBits / 32, costs.hasMaskRegisters()));
        else
          here += (isStore ? costs.scatter : costs.gather) * float(width) * (bytes < 4 ? costs.narrow : 1);
      } else if (!shape.isVarying()) {
        here += instruction.getType()->isVoidTy() ? 0 : 1;
      } else if (isDivision(instruction)) {
        here += divisionCost(instruction, shapes, width, registers, costs);
      } else {
        here += registers;
      }
    }
    here *= turns(lanes.loops().getLoopFor(&block), 0);
    for (llvm::Loop *loop = lanes.loops().getLoopFor(&block); loop; loop = loop->getParentLoop()) {
      llvm::SmallVector<llvm::BasicBlock *, 4> exiting;
      loop->getExitingBlocks(exiting);
      const bool isApart = llvm::any_of(exiting, [&](llvm::BasicBlock *one) {
        return lanes.hasDivergentBranch(*one) && !leaveWithinOneTurn(*loop, *one, shapes, width);
      });
      if (isApart) here *= costs.divergentLoop;
    }
    total += here;
  }
  return total;
}

} // namespace us::codegen
