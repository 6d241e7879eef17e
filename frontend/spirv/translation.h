// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of one translation from SPIR-V to kernel IR: what each id stands for. The files beside it add to it, one
// kind of instruction each.
#pragma once

#include "frontend/spirv/decorations.h"
#include "frontend/spirv/module_reader.h"
#include "frontend/spirv/types.h"
#include "runtime/device/compile_request.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include <map>

namespace us::frontend::spirv {

/// What an id stands for in an expression.
struct Value {
  llvm::Value *llvm = nullptr;
  const Type *type = nullptr;
};

struct EntryPoint {
  uint32_t function = 0;
  std::string name;
};

struct ExecutionMode {
  uint32_t function = 0;
  spv::ExecutionMode mode{};
  std::span<const uint32_t> operands;
  bool operandsAreIds = false; ///< OpExecutionModeId
};

/// OpVariable of storage class Input: not memory, but what the work-item asks for.
struct BuiltInVariable {
  spv::BuiltIn builtIn{};
  const Type *pointerType = nullptr; ///< points to the value's type
};

enum class InstructionSet : uint8_t { None, OpenCl, Ignored };

struct FunctionDeclaration {
  llvm::Function *llvm = nullptr;
  const Type *type = nullptr;
  const Instruction *begin = nullptr;
  std::vector<const Instruction *> parameters;
  std::vector<const Instruction *> body; ///< empty: declared only
};

class Translation {
public:
  Translation(const ModuleText &text, const CompileRequest &request, const LanguageFacts &facts, llvm::Module &module)
      : text(text), request(request), facts(facts), context(module.getContext()), module(module), types(text.bound),
        values(text.bound), debug(module) {}

  const ModuleText &text;
  const CompileRequest &request;
  const LanguageFacts &facts;
  llvm::LLVMContext &context;
  llvm::Module &module;

  Decorations decorations;
  std::vector<std::unique_ptr<Type>> allTypes;
  std::vector<Type *> types; ///< by id
  std::vector<Value> values; ///< by id: constants, variables, functions' own values while they are translated
  std::map<uint32_t, std::string> names, strings;
  std::map<uint32_t, InstructionSet> instructionSets;
  std::vector<EntryPoint> entryPoints;
  std::vector<ExecutionMode> executionModes;
  std::map<uint32_t, BuiltInVariable> builtInVariables;
  std::map<uint32_t, uint32_t> samplers; ///< OpConstantSampler: the bits of OpenCL C's literal
  std::map<uint32_t, FunctionDeclaration> functions;
  std::vector<uint32_t> functionOrder;

  llvm::DIBuilder debug;
  llvm::DICompileUnit *debugUnit = nullptr;
  std::map<uint32_t, llvm::DIFile *> debugFiles; ///< by the id of their OpString

  const llvm::DataLayout &layout() const { return module.getDataLayout(); }
  std::string nameOf(uint32_t id) const {
    const auto found = names.find(id);
    return found == names.end() ? std::string() : found->second;
  }

  /// The type an id names.
  Expected<const Type *> typeAt(const Instruction &instruction, uint32_t id) const;
  /// The type of the instruction's result.
  Expected<const Type *> resultType(const Instruction &instruction) const {
    return typeAt(instruction, instruction.type);
  }
  /// The value an id names.
  Expected<Value> valueAt(const Instruction &instruction, uint32_t id) const;
  /// The same, which must be a constant.
  Expected<llvm::Constant *> constantAt(const Instruction &instruction, uint32_t id) const;
  /// The same, which must be a constant integer.
  Expected<uint64_t> numberAt(const Instruction &instruction, uint32_t id) const;
  /// A vector type that the module need not have declared.
  Type *vectorOf(const Type &element, unsigned count);
  void define(const Instruction &instruction, llvm::Value *value, const Type *type) {
    values[instruction.result] = {value, type};
  }
};

/// Translates a whole module. Its functions are kernel IR for spir64, as Clang makes them.
Expected<void> translate(Translation &translation);

/// The parts of it, in order.
/// Capabilities, memory model, entry points, execution modes, names, strings. False: another kind of instruction.
Expected<bool> noteModuleFact(Translation &translation, const Instruction &instruction);
/// Constants and OpUndef outside of functions. False: another kind of instruction.
Expected<bool> addConstant(Translation &translation, const Instruction &instruction);
/// The value of OpSpecConstantOp.
Expected<llvm::Constant *> specializedOperation(Translation &translation, const Instruction &instruction);
/// OpVariable outside of functions.
Expected<void> addModuleVariable(Translation &translation, const Instruction &instruction);
/// Declares every function, kernels with their metadata.
Expected<void> declareFunctions(Translation &translation);
Expected<void> addKernelMetadata(Translation &translation, const FunctionDeclaration &function, llvm::Function &kernel,
                                 const EntryPoint &entry);
/// Fills one function.
Expected<void> translateBody(Translation &translation, const FunctionDeclaration &function);

} // namespace us::frontend::spirv
