// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/builtin_calls.h"

#include "frontend/spirv/grammar.h"

namespace us::frontend::spirv {
namespace {

struct BuiltInRow {
  spv::BuiltIn variable;
  const char *function;
  bool isVector;
};
constexpr BuiltInRow kBuiltIns[] = {
#define US_BUILT_IN_VECTOR(variable, function) {spv::BuiltIn::variable, function, true},
#define US_BUILT_IN_VALUE(variable, function) {spv::BuiltIn::variable, function, false},
#include "frontend/spirv/builtin_variables.def"
#undef US_BUILT_IN_VECTOR
#undef US_BUILT_IN_VALUE
};

/// What the functions of the row return.
llvm::Type *resultOf(FunctionTranslation &function, const BuiltInRow &row) {
  llvm::IRBuilderBase &builder = function.builder;
  const bool isSize = row.isVector || row.variable == spv::BuiltIn::LocalInvocationIndex ||
                      row.variable == spv::BuiltIn::GlobalLinearId;
  if (isSize) return builder.getInt64Ty();
  if (std::string_view(row.function).ends_with("_mask")) return llvm::FixedVectorType::get(builder.getInt32Ty(), 4);
  return builder.getInt32Ty();
}

} // namespace

Expected<llvm::Value *> callSymbol(FunctionTranslation &function, const Instruction &instruction,
                                   std::string_view symbol, llvm::Type *result,
                                   llvm::ArrayRef<llvm::Value *> arguments) {
  std::vector<llvm::Type *> types;
  for (llvm::Value *argument : arguments) types.push_back(argument->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  llvm::Module &module = function.module.module;
  if (llvm::GlobalValue *present = module.getNamedValue(symbol)) {
    auto *same = llvm::dyn_cast<llvm::Function>(present);
    if (!same || same->getFunctionType() != type)
      return failAt(instruction, "needs the function " + std::string(symbol) + ", whose name the module gives another");
  }
  auto *callee = llvm::cast<llvm::Function>(module.getOrInsertFunction(symbol, type).getCallee());
  callee->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  callee->addFnAttr(llvm::Attribute::Convergent);
  callee->setDoesNotThrow();
  llvm::CallInst *call = function.builder.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->addFnAttr(llvm::Attribute::Convergent);
  call->setDoesNotThrow();
  return call;
}

Expected<llvm::Value *> callBuiltin(FunctionTranslation &function, const Instruction &instruction,
                                    std::string_view name, llvm::Type *result,
                                    std::span<const BuiltinArgument> arguments) {
  std::vector<MangledArgument> mangled;
  std::vector<llvm::Value *> values;
  for (const BuiltinArgument &argument : arguments) {
    const Type *type = argument.mangled.type;
    if (type && (type->size == 0 || type->is(TypeKind::Array)))
      return failAt(instruction, "has an operand of a type that no function takes");
    mangled.push_back(argument.mangled);
    values.push_back(argument.value);
  }
  return callSymbol(function, instruction, mangledName(name, mangled), result, values);
}

Expected<llvm::Value *> builtInValue(FunctionTranslation &function, const Instruction &instruction,
                                     const BuiltInVariable &variable) {
  const Type &type = *variable.pointerType->element;
  llvm::IRBuilderBase &builder = function.builder;
  for (const BuiltInRow &row : kBuiltIns) {
    if (row.variable != variable.builtIn) continue;
    llvm::Type *result = resultOf(function, row);
    const bool fits = type.isIntegers() && type.lanes() == (row.isVector ? 3u : result->isVectorTy() ? 4u : 1u);
    if (!fits) return failAt(instruction, "uses " + nameOfBuiltIn(uint32_t(row.variable)) + " of the wrong type");
    if (!row.isVector) {
      US_TRY(llvm::Value * value, callBuiltin(function, instruction, row.function, result, {}));
      return builder.CreateZExtOrTrunc(value, type.llvm);
    }
    llvm::Value *vector = llvm::PoisonValue::get(type.llvm);
    for (uint32_t i = 0; i < 3; ++i) {
      const BuiltinArgument dimension = argumentOf(builder.getInt32(i), "j");
      US_TRY(llvm::Value * value, callBuiltin(function, instruction, row.function, result, {&dimension, 1}));
      vector = builder.CreateInsertElement(vector, builder.CreateZExtOrTrunc(value, type.element->llvm), i);
    }
    return vector;
  }
  return failAt(instruction, "uses " + nameOfBuiltIn(uint32_t(variable.builtIn)) + ", which kernels do not have");
}

Expected<llvm::Value *> samplerFromLiteral(FunctionTranslation &function, const Instruction &instruction,
                                           uint32_t literal, llvm::Type *type) {
  return callSymbol(function, instruction, "__translate_sampler_initializer", type,
                    {function.builder.getInt32(literal)});
}

} // namespace us::frontend::spirv
