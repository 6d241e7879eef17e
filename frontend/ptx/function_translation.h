// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one function's translation, and what handlers use of it.
#pragma once

#include "frontend/ptx/grammar.h"
#include "frontend/ptx/translation.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/NoFolder.h>

#include <optional>

namespace us::frontend::ptx {

/// A virtual register is a place in private memory until the optimiser makes values of it.
struct Register {
  Type type = nullptr;
  llvm::Value *slot = nullptr;
  uint32_t lanes = 1; ///< of a vector register
};

/// Codes of us.trap (docs/ir-conventions.md) that translated code has, beside PTX's own trap, which is 0.
enum TrapCode : uint32_t { kWildCall = 1, kWildBranch = 2, kNoTensorMap = 3 };

class FunctionTranslation {
public:
  FunctionTranslation(Translation &module, llvm::Function &function, const FunctionText &text)
      : module(module), function(function), text(text), builder(module.context) {}

  Translation &module;
  llvm::Function &function;
  const FunctionText &text;
  /// Folds nothing: what PTX defines for a constant division by zero, LLVM would fold to poison.
  llvm::IRBuilder<llvm::NoFolder> builder;

  // --- Operands, checked against the form ---

  /// The value of a source, of its type.
  Expected<llvm::Value *> source(const Operation &operation, size_t place);
  /// The elements of a source that may be a vector.
  Expected<std::vector<llvm::Value *>> sources(const Operation &operation, size_t place, uint32_t lanes);
  /// Stores a result; a wider register gets it extended as its type says.
  Expected<void> define(const Operation &operation, size_t place, llvm::Value *value);
  Expected<void> defineAll(const Operation &operation, size_t place, const std::vector<llvm::Value *> &values);
  /// A predicate pair: p, and q if there is one.
  Expected<void> definePair(const Operation &operation, size_t place, llvm::Value *p, llvm::Value *q);
  /// d|p: a number of 32 bits as the first operand, and a predicate where one is asked for.
  Expected<void> defineBoth(const Operation &operation, llvm::Value *number, llvm::Value *predicate);
  /// The pointer of an address operand, in the state space that the instruction names.
  Expected<llvm::Value *> address(const Operation &operation, size_t place, StateSpace space);
  /// Of one with several parts, the first one's.
  Expected<llvm::Value *> addressOf(const Operand &operand, StateSpace space);
  /// "By indexing into the array using square-bracket notation": the pointer to the element.
  Expected<llvm::Value *> elementPointer(const Operand &operand);
  /// The same for an access of so many bytes: "the address must be naturally aligned to a multiple of the access size".
  Expected<llvm::Value *> alignedAddress(const Operation &operation, size_t place, StateSpace space, uint64_t bytes);

  /// A register or constant as a value of `type`.
  Expected<llvm::Value *> valueOf(const Operand &operand, Type type, bool relaxed);
  Expected<void> assign(const Operand &operand, Type type, bool relaxed, llvm::Value *value);

  // --- Names ---

  std::optional<Register> findRegister(std::string_view name);
  /// The register, or the element of a vector register (%v.x), that the operand names.
  std::optional<Register> findRegister(const Operand &operand);
  const Memory *findMemory(std::string_view name);
  Expected<llvm::BasicBlock *> labelled(const Operand &operand);
  const TargetList *findTargets(std::string_view name);

  // --- What instructions are made of ---

  llvm::Type *llvmType(Type type) const { return module.llvmType(type); }
  llvm::CallInst *callMachine(const char *name, llvm::Type *result, llvm::ArrayRef<llvm::Value *> arguments);
  llvm::Value *callIntrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Type *> types,
                             llvm::ArrayRef<llvm::Value *> arguments) {
    return builder.CreateIntrinsic(id, types, arguments);
  }
  /// The memory, of the work-group or of its cluster, from where 32-bit shared addresses count.
  llvm::Value *sharedBase();
  /// What the launch has added to it, which is its end.
  llvm::Value *dynamicSharedOfLaunch();
  /// The pointer that a .local or .const address of 64 bits stands for, of which only the lower 32 are looked at.
  llvm::Value *shortPointer(StateSpace space, llvm::Value *address);
  /// The carry flag, one bit.
  llvm::Value *loadCarry();
  void storeCarry(llvm::Value *carry);
  /// Where the memory that a launch adds begins; null if the kernel has none.
  llvm::Value *dynamicShared = nullptr;
  /// Where shared memory was last read by a volatile load.
  llvm::BasicBlock *volatileSharedLoad = nullptr;
  /// ... and where a volatile store to it was that no thread of the warp has waited for.
  llvm::BasicBlock *volatileSharedStore = nullptr;
  /// Memory of the function's own, zero at first.
  llvm::AllocaInst *temporary(llvm::Type *type) { return slot(type, "temporary"); }
  /// Ends the current block: back to the caller, whom results in registers are given; the end of the thread; an error.
  void returnToCaller();
  void endThread();
  void trap(uint32_t code);
  /// The rest of the block is not reached; what follows goes into a new one.
  void beginBlock(const char *name);

  Expected<void> translateBody(const Block &block);

private:
  struct Scope {
    std::unordered_map<std::string_view, Register> registers;
    std::unordered_map<std::string_view, const Variable *> families; ///< %r<10>
    std::unordered_map<std::string_view, Memory> memory;
    std::unordered_map<std::string_view, llvm::BasicBlock *> labels;
    std::unordered_map<std::string_view, const TargetList *> targets;
  };

  Expected<void> translateBlock(const Block &block);
  static const Variable *familyOf(const Scope &scope, std::string_view name);
  Expected<void> declare(Scope &scope, const Variable &variable);
  Memory makeRoom(const Variable &variable, std::string_view name);
  llvm::DILocation *locationOf(const Instruction &instruction);
  Expected<void> translateInstruction(const Instruction &instruction);
  Expected<void> translateOperation(const Instruction &instruction);
  void spreadVectors(std::vector<Operand> &operands);
  llvm::AllocaInst *slot(llvm::Type *type, std::string_view name);
  Register makeRegister(Type type, uint32_t lanes, std::string_view name);
  Expected<llvm::Value *> constant(const Operand &operand, Type type);
  Expected<llvm::Value *> specialRegister(const Operand &operand, Type type, bool relaxed);
  llvm::Value *fitted(llvm::Value *value, Type from, Type to);

  std::vector<Scope> scopes_;
  llvm::DILocation *callerAt(uint32_t number);
  llvm::DISubprogram *inlinedFunction(const SourceLine &source, llvm::DIFile *file);

  /// What stands for functions that were inlined: those of known names, and of others one for each file.
  std::map<std::pair<std::string, llvm::DIFile *>, llvm::DISubprogram *> inlinedFrom_;
  std::map<uint32_t, llvm::DILocation *> callers_; ///< by SourceLine::inlinedAt
  llvm::DILocation *lastOwn_ = nullptr;            ///< of the function's own file
  llvm::AllocaInst *carry_ = nullptr;              ///< made when first used
  llvm::Value *anchor_ = nullptr;                  ///< a place in private memory; made when first used
  bool hasVectors_ = false;                        ///< vector registers

  friend Expected<void> addKernel(Translation &translation, const FunctionText &function);
};

/// The value of %tid.x and its like; null if there is no such register. `type` receives its type.
Expected<llvm::Value *> readSpecialRegister(FunctionTranslation &function, const Operand &operand, Type &type);

} // namespace us::frontend::ptx
