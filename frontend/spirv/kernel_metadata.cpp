// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang's metadata says of a kernel, from a module's types, decorations and execution modes.
#include "frontend/spirv/grammar.h"
#include "frontend/spirv/translation.h"
#include "frontend/spirv/type_names.h"
#include "runtime/base/list_text.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Metadata.h>

namespace us::frontend::spirv {
namespace {

llvm::Metadata *text(Translation &translation, llvm::StringRef value) {
  return llvm::MDString::get(translation.context, value);
}

llvm::Metadata *number(Translation &translation, uint64_t value) {
  return llvm::ConstantAsMetadata::get(
      llvm::ConstantInt::get(llvm::Type::getInt32Ty(translation.context), uint32_t(value)));
}

/// OpString "kernel_arg_type.KERNEL.int*,float4," is how producers keep what types were called. Splits at commas.
std::vector<std::string> typeNamesFromStrings(const Translation &translation, const std::string &kernel) {
  const std::string begin = "kernel_arg_type." + kernel + ".";
  for (const auto &[id, string] : translation.strings) {
    if (!string.starts_with(begin)) continue;
    std::vector<std::string> names;
    for (std::string_view rest = std::string_view(string).substr(begin.size()); !rest.empty();)
      names.emplace_back(takeItem(rest, ","));
    return names;
  }
  return {};
}

bool hasAttribute(const Translation &translation, uint32_t id, spv::FunctionParameterAttribute wanted) {
  for (const Decoration &decoration : translation.decorations.of(id))
    if (decoration.kind == spv::Decoration::FuncParamAttr &&
        spv::FunctionParameterAttribute(decoration.operands[0]) == wanted)
      return true;
  return false;
}

std::string qualifiersOf(const Translation &translation, const Instruction &parameter, const Type &type) {
  if (type.is(TypeKind::Pipe)) return "pipe";
  std::vector<std::string> qualifiers;
  if (hasAttribute(translation, parameter.result, spv::FunctionParameterAttribute::ByVal)) return "";
  const bool isConstant = type.is(TypeKind::Pointer) && type.storage == spv::StorageClass::UniformConstant;
  if (isConstant || hasAttribute(translation, parameter.result, spv::FunctionParameterAttribute::NoWrite))
    qualifiers.push_back("const");
  if (translation.decorations.has(parameter.result, spv::Decoration::Volatile)) qualifiers.push_back("volatile");
  if (hasAttribute(translation, parameter.result, spv::FunctionParameterAttribute::NoAlias) ||
      translation.decorations.has(parameter.result, spv::Decoration::Restrict))
    qualifiers.push_back("restrict");
  return llvm::join(qualifiers, " ");
}

const char *accessOf(const Type &type) {
  constexpr const char *kNames[] = {"read_only", "write_only", "read_write"};
  if (type.is(TypeKind::Pipe)) return kNames[type.pipeAccess];
  if (!type.is(TypeKind::Image)) return "none";
  return type.image.access < std::size(kNames) ? kNames[type.image.access] : "none";
}

void addArguments(Translation &translation, const FunctionDeclaration &function, llvm::Function &kernel,
                  const EntryPoint &entry) {
  const std::vector<std::string> given = typeNamesFromStrings(translation, entry.name);
  std::vector<llvm::Metadata *> spaces, accesses, types, baseTypes, qualifiers, names;
  bool allNamed = !function.parameters.empty();
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    const Instruction &parameter = *function.parameters[i];
    const Type *type = function.type->members[i];
    const bool byValue = hasAttribute(translation, parameter.result, spv::FunctionParameterAttribute::ByVal) &&
                         type->is(TypeKind::Pointer) && type->element;
    if (byValue) type = type->element;
    const bool isPointer = type->is(TypeKind::Pointer);
    spaces.push_back(number(translation, isPointer ? type->llvm->getPointerAddressSpace() : 0));
    accesses.push_back(text(translation, accessOf(*type)));
    types.push_back(text(translation, given.size() == function.parameters.size() ? given[i] : typeName(*type)));
    baseTypes.push_back(text(translation, baseTypeName(*type)));
    qualifiers.push_back(text(translation, qualifiersOf(translation, parameter, *type)));
    const std::string name = translation.nameOf(parameter.result);
    allNamed &= !name.empty();
    names.push_back(text(translation, name));
  }
  const auto add = [&](const char *kind, const std::vector<llvm::Metadata *> &values) {
    kernel.setMetadata(kind, llvm::MDNode::get(translation.context, values));
  };
  add("kernel_arg_addr_space", spaces);
  add("kernel_arg_access_qual", accesses);
  add("kernel_arg_type", types);
  add("kernel_arg_base_type", baseTypes);
  add("kernel_arg_type_qual", qualifiers);
  if (allNamed) add("kernel_arg_name", names);
}

Expected<void> addVectorTypeHint(Translation &translation, llvm::Function &kernel, uint32_t hint) {
  // "The low-order 16 bits are the data type: 0 8-bit integer, 1 16-bit, 2 32-bit, 3 64-bit, 4 half, 5 float, 6 double;
  // the high-order 16 bits the number of components."
  llvm::Type *const elements[] = {
      llvm::Type::getInt8Ty(translation.context),  llvm::Type::getInt16Ty(translation.context),
      llvm::Type::getInt32Ty(translation.context), llvm::Type::getInt64Ty(translation.context),
      llvm::Type::getHalfTy(translation.context),  llvm::Type::getFloatTy(translation.context),
      llvm::Type::getDoubleTy(translation.context)};
  const uint32_t element = hint & 0xFFFF, count = hint >> 16;
  if (element >= std::size(elements) || count > 16) return {}; // a hint: never wrong
  llvm::Type *type = count > 1 ? llvm::FixedVectorType::get(elements[element], count) : elements[element];
  kernel.setMetadata("vec_type_hint",
                     llvm::MDNode::get(translation.context, {llvm::ConstantAsMetadata::get(llvm::UndefValue::get(type)),
                                                             number(translation, element <= 3 ? 1 : 0)}));
  return {};
}

Expected<void> addExecutionMode(Translation &translation, llvm::Function &kernel, const ExecutionMode &mode) {
  std::vector<uint64_t> values(mode.operands.begin(), mode.operands.end());
  if (mode.operandsAreIds)
    for (uint64_t &value : values) {
      const Instruction here{spv::Op::OpExecutionModeId, 0, 0, 0, {}};
      US_TRY(value, translation.numberAt(here, uint32_t(value)));
    }
  const auto sizes = [&](const char *kind) {
    std::vector<llvm::Metadata *> numbers;
    numbers.reserve(std::size(values));
    for (const uint64_t value : values) numbers.push_back(number(translation, value));
    kernel.setMetadata(kind, llvm::MDNode::get(translation.context, numbers));
  };
  switch (mode.mode) {
  case spv::ExecutionMode::LocalSize:
  case spv::ExecutionMode::LocalSizeId:
    sizes("reqd_work_group_size");
    return {};
  case spv::ExecutionMode::LocalSizeHint:
  case spv::ExecutionMode::LocalSizeHintId:
    sizes("work_group_size_hint");
    return {};
  case spv::ExecutionMode::SubgroupSize:
    sizes("intel_reqd_sub_group_size");
    return {};
  case spv::ExecutionMode::VecTypeHint:
    return addVectorTypeHint(translation, kernel, uint32_t(values[0]));
  case spv::ExecutionMode::ContractionOff: // nothing is ever contracted
    return {};
  default:
    return fail(ErrorCode::BuildProgramFailure, "kernel \"" + kernel.getName().str() + "\" has the execution mode " +
                                                    nameOfExecutionMode(uint32_t(mode.mode)) +
                                                    ", which the device does not have");
  }
}

} // namespace

Expected<void> addKernelMetadata(Translation &translation, const FunctionDeclaration &function, llvm::Function &kernel,
                                 const EntryPoint &entry) {
  addArguments(translation, function, kernel, entry);
  for (const ExecutionMode &mode : translation.executionModes)
    if (mode.function == entry.function) US_CHECK(addExecutionMode(translation, kernel, mode));
  return {};
}

} // namespace us::frontend::spirv
