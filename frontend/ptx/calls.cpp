// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/calls.h"

#include "frontend/ptx/function_translation.h"

namespace us::frontend::ptx {
namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

/// The function of that name: one with a body, if there are several declarations.
const FunctionText *findFunction(const Translation &translation, std::string_view name) {
  const FunctionText *found = nullptr;
  for (const FunctionText &function : translation.text.functions)
    if (!function.isEntry && function.name == name && (!found || function.body)) found = &function;
  return found;
}

/// The .param variable that an operand names.
Expected<llvm::Value *> parameterMemory(FunctionTranslation &f, const Operand &operand) {
  const Memory *memory = operand.kind == OperandKind::Name ? f.findMemory(operand.name) : nullptr;
  if (!memory || memory->space != "param") return failAt(operand.place, "a .param variable is expected");
  return memory->pointer;
}

} // namespace

bool isBlob(const Variable &parameter) { return parameter.isArray || parameter.lanes > 1; }

Expected<std::vector<llvm::Type *>> parameterTypes(Translation &translation, const std::vector<Variable> &parameters) {
  std::vector<llvm::Type *> types;
  for (const Variable &parameter : parameters) {
    if (parameter.space != "param")
      return failAt(parameter.place, "parameters in registers are not supported on this device");
    if (sizeOf(parameter) == 0) return failAt(parameter.place, "a parameter has no size");
    types.push_back(isBlob(parameter) ? llvm::PointerType::get(translation.context, kPrivate)
                                      : translation.llvmType(parameter.type));
  }
  return types;
}

Expected<llvm::Function *> functionFor(Translation &translation, const FunctionText &text) {
  const std::string name = "ptx." + std::string(text.name);
  if (llvm::Function *present = translation.module.getFunction(name)) return present;
  US_TRY(std::vector<llvm::Type *> types, parameterTypes(translation, text.parameters));
  for (const Variable &result : text.results)
    if (result.space != "param") return failAt(result.place, "results in registers are not supported on this device");
  types.insert(types.begin(), text.results.size(), llvm::PointerType::get(translation.context, kPrivate));
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(translation.context), types, false),
                             llvm::GlobalValue::InternalLinkage, name, translation.module);
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::Convergent); // it may wait for others
  return function;
}

/// call (results), name, (parameters); each list may be missing.
Expected<void> callFunction(FunctionTranslation &f, const Operation &op) {
  std::vector<const Operand *> results, parameters;
  size_t at = 0;
  if (op.operand(0).kind == OperandKind::List)
    for (const Operand &element : op.operand(at++).elements) results.push_back(&element);
  if (at == op.count() || op.operand(at).kind != OperandKind::Name)
    return failAt(op.text.place, "the name of a function is expected");
  const Operand &name = op.operand(at++);
  if (at < op.count() && op.operand(at).kind == OperandKind::List)
    for (const Operand &element : op.operand(at++).elements) parameters.push_back(&element);
  if (f.findRegister(name.name) || at < op.count())
    return failAt(name.place, "calls through registers are not supported on this device");
  const FunctionText *text = findFunction(f.module, name.name);
  if (!text) return failAt(name.place, "there is no function " + quoted(name.name));
  if (!text->body)
    return failAt(name.place, quoted(name.name) + " is defined nowhere, and is no function that this device has");
  if (results.size() != text->results.size() || parameters.size() != text->parameters.size())
    return failAt(name.place, quoted(name.name) + " has " + std::to_string(text->results.size()) + " results and " +
                                  std::to_string(text->parameters.size()) + " parameters");
  US_TRY(llvm::Function * callee, functionFor(f.module, *text));
  std::vector<llvm::Value *> arguments;
  for (const Operand *result : results) {
    US_TRY(llvm::Value * memory, parameterMemory(f, *result));
    arguments.push_back(memory);
  }
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Variable &wanted = text->parameters[i];
    if (parameters[i]->kind == OperandKind::Integer || parameters[i]->kind == OperandKind::Float) {
      US_TRY(llvm::Value * constant, f.valueOf(*parameters[i], wanted.type, false));
      arguments.push_back(constant);
      continue;
    }
    US_TRY(llvm::Value * memory, parameterMemory(f, *parameters[i]));
    arguments.push_back(isBlob(wanted) ? memory : f.builder.CreateLoad(f.llvmType(wanted.type), memory));
  }
  llvm::CallInst *call = f.builder.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setDoesNotThrow();
  call->setConvergent();
  return {};
}

} // namespace us::frontend::ptx
