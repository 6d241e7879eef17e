// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one translation from PTX to kernel IR: what the module's names stand for.
#pragma once

#include "frontend/ptx/ast.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include <set>
#include <unordered_map>

namespace us::frontend::ptx {

/// The address spaces of kernel IR (docs/ir-conventions.md).
enum AddressSpace : unsigned { kPrivate = 0, kGlobal = 1, kConstant = 2, kShared = 3, kGeneric = 4 };

struct Memory {
  StateSpace space = StateSpace::Generic;
  llvm::Value *pointer = nullptr;
  const Variable *text = nullptr;
};

class Translation {
public:
  Translation(const ModuleText &text, llvm::Module &module)
      : text(text), context(module.getContext()), module(module), debug(module) {}

  const ModuleText &text;
  llvm::LLVMContext &context;
  llvm::Module &module;
  llvm::DIBuilder debug;
  llvm::DIFile *debugFile = nullptr; ///< the text
  /// The file that a .loc names; null: none is known.
  llvm::DIFile *fileOf(const SourceLine &source);
  /// That of the function that a place was inlined from, without its parameters; empty: it is not known.
  std::string inlinedName(const SourceLine &source) const;
  llvm::DISubprogram *debugFunction(llvm::StringRef name, llvm::DIFile *file, uint32_t line);

  std::unordered_map<std::string_view, Memory> variables; ///< outside of functions
  /// `.extern .shared` arrays without a size: all of them are the memory that a launch adds, which begins here.
  std::unordered_map<std::string_view, const Variable *> dynamicShared;

  /// ... and whether a .func uses them. Then every kernel takes them, whatever it calls.
  bool functionsUseDynamicShared = false;

  std::set<std::string_view> addressTaken; ///< functions that pointers may point to
  /// A function that is called has `exit` in it: all of them return whether the thread has ended.
  bool functionsEndThreads = false;
  /// Barriers of different numbers are different ones.
  bool numbersBarriers = false;
  /// Somewhere a .local or .const address is kept in 32 bits.
  bool hasShortLocal = false, hasShortConst = false;
  bool hasShortAddresses(StateSpace space) const {
    return (space == StateSpace::Local && hasShortLocal) || (space == StateSpace::Constant && hasShortConst);
  }
  /// Addresses in the shared memory of other blocks are made, so that all shared addresses count from where the
  /// cluster's begins.
  bool usesClusters = false;
  llvm::GlobalVariable *constAnchor = nullptr; ///< the first .const variable

  llvm::Type *llvmType(Type type) const;
  /// The type of a variable's content; an array's is one of its elements.
  llvm::Type *contentOf(const Variable &variable) const;
};

/// Bytes of a variable; 0 if it does not say.
uint64_t sizeOf(const Variable &variable);
uint64_t alignmentOf(const Variable &variable);
/// True for what is the memory that a launch adds. One with a size is the block's own, if nobody else defines it.
bool isDynamicShared(const Variable &variable);

/// Translates a whole module into kernel IR for spir64.
Expected<void> translate(Translation &translation);
/// The variables outside of functions, with their initial values.
Expected<void> addModuleVariables(Translation &translation);
/// The initial value of a variable, laid out as contentOf's type is.
Expected<llvm::Constant *> initialValue(Translation &translation, const Variable &variable);
/// Looks for .func that use dynamic shared memory.
void surveyDynamicShared(Translation &translation);
/// Looks for .local and .const addresses of 32 bits.
void surveyShortAddresses(Translation &translation);
/// Looks for addresses in other blocks.
void surveyClusters(Translation &translation);
/// One .entry as a kernel.
Expected<void> addKernel(Translation &translation, const FunctionText &function);

} // namespace us::frontend::ptx
