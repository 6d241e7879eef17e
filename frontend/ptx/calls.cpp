// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls. What a pointer may call is known when a module is translated, so that a call through one is a choice among
// direct calls, which optimisers and barriers can deal with.
#include "frontend/ptx/calls.h"

#include "frontend/ptx/device_functions.h"
#include "frontend/ptx/handlers.h"
#include "runtime/device/device_functions.h"

#include <functional>

namespace us::frontend::ptx {
namespace {

std::string quoted(std::string_view name) { return "'" + std::string(name) + "'"; }

llvm::FunctionType *functionType(Translation &translation, size_t results, std::vector<llvm::Type *> types) {
  types.insert(types.begin(), results, llvm::PointerType::get(translation.context, kPrivate));
  llvm::Type *result = translation.functionsEndThreads ? llvm::Type::getInt1Ty(translation.context)
                                                       : llvm::Type::getVoidTy(translation.context);
  return llvm::FunctionType::get(result, types, false);
}

/// A call's operands by what they are.
struct CallOperands {
  std::vector<const Operand *> results, parameters;
  const Operand *callee = nullptr, *targets = nullptr;
};

Expected<CallOperands> operandsOf(const Operation &op) {
  CallOperands found;
  size_t at = 0;
  if (op.operand(0).kind == OperandKind::List)
    for (const Operand &element : op.operand(at++).elements) found.results.push_back(&element);
  if (at == op.count() || op.operand(at).kind != OperandKind::Name)
    return failAt(op.text.place, "the name of a function is expected");
  found.callee = &op.operand(at++);
  if (at < op.count() && op.operand(at).kind == OperandKind::List)
    for (const Operand &element : op.operand(at++).elements) found.parameters.push_back(&element);
  if (at < op.count()) found.targets = &op.operand(at++);
  if (at < op.count()) return failAt(op.operand(at).place, "a call has no operand here");
  return found;
}

/// The .param variable that an operand names; null if it is a register.
Expected<const Memory *> parameterMemory(FunctionTranslation &f, const Operand &operand) {
  const Memory *memory = operand.kind == OperandKind::Name ? f.findMemory(operand.name) : nullptr;
  if (memory && memory->space == StateSpace::Parameter) return memory;
  if (operand.kind == OperandKind::Name && f.findRegister(operand.name)) return nullptr;
  return failAt(operand.place, "a .param variable or a register is expected");
}

/// The arguments of one call, and what is to be done with its results.
struct Arguments {
  struct Result {
    const Operand *reg;
    Type type;
    llvm::AllocaInst *room;
  };
  std::vector<llvm::Value *> values;
  std::vector<Result> results; ///< those that go to registers
};

Expected<Arguments> argumentsFor(FunctionTranslation &f, const CallOperands &operands, const Signature &signature) {
  Arguments made;
  if (operands.results.size() != signature.results.size() || operands.parameters.size() != signature.parameters.size())
    return failAt(operands.callee->place, quoted(operands.callee->name) + " has " +
                                              std::to_string(signature.results.size()) + " results and " +
                                              std::to_string(signature.parameters.size()) + " parameters");
  for (size_t i = 0; i < operands.results.size(); ++i) {
    US_TRY(const Memory *memory, parameterMemory(f, *operands.results[i]));
    if (memory) {
      if (sizeOf(*memory->text) < sizeOf(signature.results[i]))
        return failAt(operands.results[i]->place, "the result does not fit into this .param variable");
      made.values.push_back(memory->pointer);
      continue;
    }
    llvm::AllocaInst *room = f.temporary(f.llvmType(signature.results[i].type));
    made.results.push_back({operands.results[i], signature.results[i].type, room});
    made.values.push_back(room);
  }
  for (size_t i = 0; i < operands.parameters.size(); ++i) {
    const Operand &given = *operands.parameters[i];
    const Variable &wanted = signature.parameters[i];
    const bool isConstant = given.kind == OperandKind::Integer || given.kind == OperandKind::Float;
    const Memory *memory = nullptr;
    if (!isConstant) {
      US_TRY(memory, parameterMemory(f, given));
    }
    if (!memory) {
      if (isBlob(wanted)) return failAt(given.place, "an array is passed in a .param variable");
      US_TRY(llvm::Value * value, f.valueOf(given, wanted.type, false));
      made.values.push_back(value);
      continue;
    }
    if (sizeOf(*memory->text) < sizeOf(wanted))
      return failAt(given.place, quoted(given.name) + " is smaller than the parameter");
    made.values.push_back(isBlob(wanted) ? memory->pointer
                                         : f.builder.CreateLoad(f.llvmType(wanted.type), memory->pointer));
  }
  return made;
}

Expected<void> takeResults(FunctionTranslation &f, const Arguments &arguments) {
  for (const Arguments::Result &result : arguments.results)
    US_CHECK(f.assign(*result.reg, result.type, false, f.builder.CreateLoad(f.llvmType(result.type), result.room)));
  return {};
}

/// One direct call; a thread that ended in it ends here too.
void callDirectly(FunctionTranslation &f, llvm::Function *callee, llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::CallInst *call = f.builder.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  call->setDoesNotThrow();
  call->setConvergent();
  if (!f.module.functionsEndThreads) return;
  auto *ended = llvm::BasicBlock::Create(f.module.context, "ended", &f.function);
  auto *goesOn = llvm::BasicBlock::Create(f.module.context, "goes.on", &f.function);
  f.builder.CreateCondBr(call, ended, goesOn);
  f.builder.SetInsertPoint(ended);
  f.endThread();
  f.builder.SetInsertPoint(goesOn);
}

/// What the pointer of an indirect call may point to.
Expected<std::vector<const FunctionText *>> candidatesOf(FunctionTranslation &f, const TargetList &targets,
                                                         llvm::FunctionType *type) {
  std::vector<const FunctionText *> found;
  const auto fits = [&](const FunctionText &text) -> Expected<bool> {
    US_TRY(std::vector<llvm::Type *> types, parameterTypes(f.module, text.parameters));
    return functionType(f.module, text.results.size(), std::move(types)) == type;
  };
  if (targets.kind == "calltargets") {
    for (const Operand &name : targets.names) {
      const FunctionText *text = findFunction(f.module, name.name);
      if (!text || !text->body) return failAt(name.place, "there is no function " + quoted(name.name));
      US_TRY(const bool isRight, fits(*text));
      if (!isRight) return failAt(name.place, quoted(name.name) + " has other parameters than the call");
      found.push_back(text);
    }
    return found;
  }
  for (const FunctionText &text : f.module.text.functions) {
    if (text.isEntry || !text.body || !f.module.addressTaken.contains(text.name)) continue;
    US_TRY(const bool isRight, fits(text));
    if (isRight) found.push_back(&text);
  }
  return found;
}

/// A choice among the functions that the pointer may hold; any other value is a trap.
Expected<void> callThroughPointer(FunctionTranslation &f, const CallOperands &operands) {
  if (!operands.targets)
    return failAt(operands.callee->place, "a call through a register needs a list of targets or a prototype");
  const TargetList *targets = f.findTargets(operands.targets->name);
  if (!targets || targets->kind == "branchtargets")
    return failAt(operands.targets->place,
                  quoted(operands.targets->name) + " is no .calltargets and no .callprototype");
  const FunctionText *first = nullptr;
  if (targets->kind == "calltargets") {
    first = findFunction(f.module, targets->names.front().name);
    if (!first)
      return failAt(targets->names.front().place, "there is no function " + quoted(targets->names.front().name));
  }
  const Signature signature =
      first ? Signature{first->results, first->parameters} : Signature{targets->results, targets->parameters};
  US_TRY(llvm::Value * pointer, f.valueOf(*operands.callee, typeNamed("b64"), false));
  US_TRY(const Arguments arguments, argumentsFor(f, operands, signature));
  US_TRY(std::vector<llvm::Type *> types, parameterTypes(f.module, signature.parameters));
  US_TRY(const std::vector<const FunctionText *> candidates,
         candidatesOf(f, *targets, functionType(f.module, signature.results.size(), std::move(types))));

  auto *wild = llvm::BasicBlock::Create(f.module.context, "wild", &f.function);
  auto *done = llvm::BasicBlock::Create(f.module.context, "called", &f.function);
  llvm::SwitchInst *choice = f.builder.CreateSwitch(pointer, wild, unsigned(candidates.size()));
  for (const FunctionText *text : candidates) {
    US_TRY(llvm::Function * callee, functionFor(f.module, *text));
    auto *block = llvm::BasicBlock::Create(f.module.context, "candidate", &f.function);
    llvm::ConstantInt *address = f.builder.getInt64(addressOfDeviceFunction(text->name));
    if (choice->findCaseValue(address) != choice->case_default()) continue; // listed twice
    choice->addCase(address, block);
    f.builder.SetInsertPoint(block);
    callDirectly(f, callee, arguments.values);
    f.builder.CreateBr(done);
  }
  f.builder.SetInsertPoint(wild);
  f.trap(kWildCall);
  f.builder.SetInsertPoint(done);
  return takeResults(f, arguments);
}

template <class Visit> void visitInstructions(const Block &block, const Visit &visit) {
  for (const Statement &statement : block.statements) {
    if (const auto *inner = std::get_if<std::unique_ptr<Block>>(&statement))
      visitInstructions(**inner, visit);
    else if (const auto *instruction = std::get_if<Instruction>(&statement))
      visit(*instruction);
  }
}

void visitNames(const Initializer &initializer, const std::function<void(std::string_view)> &visit) {
  for (const Initializer &element : initializer.elements) visitNames(element, visit);
  if (!initializer.value.name.empty()) visit(initializer.value.name);
}

} // namespace

bool isBlob(const Variable &parameter) { return parameter.isArray || parameter.lanes > 1; }

const FunctionText *findFunction(const Translation &translation, std::string_view name) {
  for (const AliasText &alias : translation.text.aliases)
    if (alias.name == name) name = alias.of;
  const FunctionText *found = nullptr;
  for (const FunctionText &function : translation.text.functions)
    if (!function.isEntry && function.name == name && (!found || function.body)) found = &function;
  return found;
}

std::optional<uint64_t> addressOfFunction(const Translation &translation, std::string_view name) {
  if (const FunctionText *function = findFunction(translation, name)) return addressOfDeviceFunction(function->name);
  for (const FunctionText &function : translation.text.functions)
    if (function.isEntry && function.name == name) return addressOfDeviceFunction(name);
  return std::nullopt;
}

void surveyFunctions(Translation &translation) {
  const auto note = [&](std::string_view name) {
    if (const FunctionText *function = findFunction(translation, name)) translation.addressTaken.insert(function->name);
  };
  for (const Variable &variable : translation.text.variables)
    if (variable.initializer) visitNames(*variable.initializer, note);
  for (const FunctionText &function : translation.text.functions) {
    if (!function.body) continue;
    visitInstructions(*function.body, [&](const Instruction &instruction) {
      if (instruction.opcode == "exit" && !function.isEntry) translation.functionsEndThreads = true;
      translation.numbersBarriers |= isNamedBarrier(instruction);
      if (instruction.opcode == "call") return;
      for (const Operand &operand : instruction.operands)
        if (operand.kind == OperandKind::Name) note(operand.name);
    });
  }
}

Expected<std::vector<llvm::Type *>> parameterTypes(Translation &translation, const std::vector<Variable> &parameters) {
  std::vector<llvm::Type *> types;
  for (const Variable &parameter : parameters) {
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
  auto *function = llvm::Function::Create(functionType(translation, text.results.size(), std::move(types)),
                                          llvm::GlobalValue::InternalLinkage, name, translation.module);
  function->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  function->setDoesNotThrow();
  function->addFnAttr(llvm::Attribute::Convergent); // it may wait for others
  return function;
}

/// call (results), name, (parameters), targets; each list may be missing.
Expected<void> callFunction(FunctionTranslation &f, const Operation &op) {
  US_TRY(const CallOperands operands, operandsOf(op));
  const Operand &name = *operands.callee;
  if (f.findRegister(name.name)) return callThroughPointer(f, operands);
  const FunctionText *text = findFunction(f.module, name.name);
  if (!text) return failAt(name.place, "there is no function " + quoted(name.name));
  US_TRY(const Arguments arguments, argumentsFor(f, operands, {text->results, text->parameters}));
  if (!text->body) {
    US_CHECK(callDeviceFunction(f, *text, name.place, arguments.values));
    return takeResults(f, arguments);
  }
  US_TRY(llvm::Function * callee, functionFor(f.module, *text));
  callDirectly(f, callee, arguments.values);
  return takeResults(f, arguments);
}

} // namespace us::frontend::ptx
