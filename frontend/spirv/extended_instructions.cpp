// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpExtInst: the functions of OpenCL.std, as calls of the builtin library.
#include "frontend/spirv/builtin_calls.h"
#include "frontend/spirv/operands.h"

#include <llvm/ADT/StringRef.h>

namespace us::frontend::spirv {
namespace {

struct ExtendedRow {
  uint32_t number;
  const char *name, *function, *operands;
};
constexpr ExtendedRow kRowsByNumber[] = {
#define US_EXTENDED(number, name, function, operands) {number, #name, function, operands},
#include "frontend/spirv/extended_instructions.def"
#undef US_EXTENDED
};
constexpr uint32_t kPrintf = 184;
/// Operands of OpExtInst: the set and the number come first.
constexpr size_t kFirst = 2;

void replace(std::string &name, std::string_view mark, const std::string &text) {
  if (const size_t at = name.find(mark); at != name.npos) name.replace(at, mark.size(), text);
}

/// "printf(constant char *format, ...)".
Result printf(FunctionTranslation &f, const Instruction &in) {
  if (in.operands.size() <= kFirst) return failAt(in, "printf has no format");
  std::vector<llvm::Value *> arguments;
  for (size_t i = kFirst; i < in.operands.size(); ++i) {
    US_TRY(const Value argument, f.operand(in, i));
    const Type &type = *argument.type;
    const bool isFormat = i == kFirst;
    const bool fits = isFormat ? type.is(TypeKind::Pointer) && type.storage == spv::StorageClass::UniformConstant
                               : type.isIntegers() || type.isFloats() || type.is(TypeKind::Pointer);
    if (!fits) return failOperand(in, i, type, isFormat ? "a constant string" : "what printf can print");
    arguments.push_back(argument.llvm);
  }
  auto &b = f.builder;
  llvm::Module &module = f.module.module;
  auto *type = llvm::FunctionType::get(b.getInt32Ty(), {llvm::PointerType::get(f.module.context, 2)}, true);
  auto *callee = llvm::dyn_cast<llvm::Function>(module.getOrInsertFunction("printf", type).getCallee());
  if (!callee || callee->getFunctionType() != type)
    return failAt(in, "needs printf, whose name the module gives another");
  callee->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  llvm::CallInst *call = b.CreateCall(callee, arguments);
  call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
  return call;
}

/// One operand as the row says; literals go into the name instead.
Expected<void> pass(FunctionTranslation &f, const Instruction &in, size_t place, char how, std::string &name,
                    std::vector<BuiltinArgument> &arguments) {
  if (how == 'n') {
    replace(name, "{n}", std::to_string(in.operands[place]));
    return {};
  }
  if (how == 'r') {
    constexpr const char *kEndings[] = {"_rte", "_rtz", "_rtp", "_rtn"};
    if (in.operands[place] >= std::size(kEndings)) return failAt(in, "has an unknown rounding mode");
    replace(name, "{r}", kEndings[in.operands[place]]);
    return {};
  }
  if (how == 'z') {
    US_TRY(llvm::Value * size, integerAs(f, in, place, 64));
    arguments.push_back(argumentOf(size, "m"));
    return {};
  }
  US_TRY(const Value value, f.operand(in, place));
  if (value.type->is(TypeKind::Pointer) && value.type->element->size == 0)
    return failOperand(in, place, *value.type, "a pointer to memory");
  arguments.push_back(argumentOf(value, how == 'u' ? Sign::Unsigned : Sign::Signed, how == 'c'));
  return {};
}

Result callRow(FunctionTranslation &f, const Instruction &in, const ExtendedRow &row) {
  const std::string_view how = row.operands;
  if (in.operands.size() - kFirst != how.size())
    return failAt(in, std::string(row.name) + " has " + std::to_string(in.operands.size() - kFirst) +
                          " operands, it takes " + std::to_string(how.size()));
  std::string name = row.function;
  std::vector<BuiltinArgument> arguments;
  for (size_t i = 0; i < how.size(); ++i) US_CHECK(pass(f, in, kFirst + i, how[i], name, arguments));
  if (name.find("{n}") != name.npos) {
    const Type *data = arguments[0].mangled.type;
    if (!data || !data->is(TypeKind::Vector)) return failAt(in, std::string(row.name) + " does not store a vector");
    replace(name, "{n}", std::to_string(data->lanes()));
  }
  US_TRY(const Type *type, f.resultType(in));
  return callBuiltin(f, in, name, type->llvm, arguments);
}

Result extended(FunctionTranslation &f, const Instruction &in, uint32_t) {
  const auto set = f.module.instructionSets.find(in.operands[0]);
  if (set == f.module.instructionSets.end()) return failAt(in, "names a set of instructions that was not imported");
  const uint32_t number = in.operands[1];
  if (number == kPrintf) return printf(f, in);
  for (const ExtendedRow &row : kRowsByNumber)
    if (row.number == number) return callRow(f, in, row);
  return failAt(in, "names the unknown instruction " + std::to_string(number) + " of OpenCL.std");
}

constexpr InstructionRow kExtendedRows[] = {{spv::Op::OpExtInst, extended}};

} // namespace

std::span<const InstructionRow> extendedRows() { return kExtendedRows; }

} // namespace us::frontend::spirv
