// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/vectorize/interleave.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

namespace us::codegen {
namespace {

/// Instructions that a processor begins in a cycle, and those among which it looks for some that need not wait.
constexpr unsigned kPerCycle = 4, kAhead = 128;
/// Registers hold the values of so many scalar work-items. A power of two: the loop vectorizer takes no other number.
constexpr unsigned kMost = 4;

/// Cycles until others may use what it makes.
unsigned latency(const llvm::Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::Load:
    return 5;
  case llvm::Instruction::Mul:
    return 3;
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
    return 4;
  case llvm::Instruction::GetElementPtr:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::Trunc:
  case llvm::Instruction::BitCast:
  case llvm::Instruction::AddrSpaceCast:
    return 0; // of another instruction
  default:
    return 1;
  }
}

} // namespace

unsigned turnsTogether(const llvm::Loop &loop) {
  if (loop.getNumBlocks() != 1) return 1;
  llvm::DenseMap<const llvm::Value *, unsigned> ready;
  unsigned longest = 0, operations = 0;
  for (const llvm::Instruction &instruction : *loop.getHeader()) {
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isTerminator() || instruction.isDebugOrPseudoInst())
      continue;
    const unsigned own = latency(instruction);
    unsigned begun = 0;
    for (const llvm::Value *operand : instruction.operands()) begun = std::max(begun, ready.lookup(operand));
    ready[&instruction] = begun + own;
    longest = std::max(longest, begun + own);
    operations += own != 0;
  }
  if (operations < kAhead || longest * kPerCycle < operations * 3 / 2) return 1;
  return std::clamp(llvm::bit_ceil((longest * kPerCycle + operations - 1) / operations), 1u, kMost);
}

void interleave(llvm::Loop &loop, unsigned turns) {
  llvm::addStringMetadataToLoop(&loop, "llvm.loop.vectorize.width", 1);
  llvm::addStringMetadataToLoop(&loop, "llvm.loop.interleave.count", turns);
}

} // namespace us::codegen
