// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one function's translation, and what the families of instructions use of it.
#pragma once

#include "frontend/spirv/translation.h"

#include <llvm/Analysis/TargetFolder.h>
#include <llvm/IR/IRBuilder.h>

namespace us::frontend::spirv {

/// OpSampledImage: both are passed by themselves.
struct SampledImage {
  Value image, sampler;
};

class FunctionTranslation {
public:
  FunctionTranslation(Translation &module, llvm::Function &function)
      : module(module), function(function), builder(module.context, llvm::TargetFolder(module.layout())) {}
  ~FunctionTranslation();

  Translation &module;
  llvm::Function &function;
  llvm::IRBuilder<llvm::TargetFolder> builder;
  bool inBlock = false; ///< between OpLabel and the block's last instruction

  /// The value of an id, made at this place if it must be (what is built in, literal samplers).
  Expected<Value> value(const Instruction &instruction, uint32_t id);
  /// The value of the instruction's operand; the grammar says that there is one.
  Expected<Value> operand(const Instruction &instruction, size_t place) {
    return value(instruction, instruction.operands[place]);
  }
  /// A constant integer operand.
  Expected<uint64_t> number(const Instruction &instruction, size_t place) {
    return module.numberAt(instruction, instruction.operands[place]);
  }
  Expected<const Type *> resultType(const Instruction &instruction) const { return module.resultType(instruction); }

  /// The block of a label, also one that comes later.
  llvm::BasicBlock *block(uint32_t label);
  /// Begins a block.
  Expected<void> enter(const Instruction &label);
  void define(const Instruction &instruction, llvm::Value *value, const Type *type);

  /// A phi, whose incoming values are added when all are known.
  struct PendingPhi {
    llvm::PHINode *phi;
    const Instruction *instruction;
  };
  std::vector<PendingPhi> phis;

  std::map<uint32_t, SampledImage> sampledImages; ///< by id

  /// Checks that every label was met and fills the phis.
  Expected<void> finish();

private:
  Expected<llvm::Value *> builtInVariable(const Instruction &instruction, const BuiltInVariable &variable, uint32_t id);

  struct Block {
    llvm::BasicBlock *llvm = nullptr;
    bool met = false;
  };
  std::map<uint32_t, Block> blocks_;
  std::vector<uint32_t> defined_; ///< ids whose values end with the function
  std::map<uint32_t, llvm::Value *> builtIns_;
};

/// Translates one instruction; null if it has no value. `detail` is the row's.
using Handler = Expected<llvm::Value *> (*)(FunctionTranslation &function, const Instruction &instruction,
                                            uint32_t detail);

struct InstructionRow {
  spv::Op opcode;
  Handler handler;
  uint32_t detail = 0;
};

// The families.
std::span<const InstructionRow> arithmeticRows();
std::span<const InstructionRow> bitRows();
std::span<const InstructionRow> comparisonRows();
std::span<const InstructionRow> conversionRows();
std::span<const InstructionRow> compositeRows();
std::span<const InstructionRow> memoryRows();
std::span<const InstructionRow> atomicRows();
std::span<const InstructionRow> controlFlowRows();
std::span<const InstructionRow> groupRows();
std::span<const InstructionRow> subGroupRows();
std::span<const InstructionRow> synchronizationRows();
std::span<const InstructionRow> extendedRows();
std::span<const InstructionRow> imageRows();
std::span<const InstructionRow> pipeRows();
std::span<const InstructionRow> deviceEnqueueRows();

/// Null if kernels have no such instruction.
const InstructionRow *rowOf(spv::Op opcode);
/// Translates an instruction by its row, checks the type of its value and defines its result.
Expected<void> translateInstruction(FunctionTranslation &function, const Instruction &instruction);

} // namespace us::frontend::spirv
