// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpVariable outside of functions: constants, program-scope and local memory, and what is built in.
#include "frontend/spirv/grammar.h"
#include "frontend/spirv/names.h"
#include "frontend/spirv/translation.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

namespace us::frontend::spirv {
namespace {

Expected<void> addBuiltIn(Translation &translation, const Instruction &instruction, const Type &type) {
  const std::optional<uint32_t> builtIn = translation.decorations.number(instruction.result, spv::Decoration::BuiltIn);
  if (!builtIn) return failAt(instruction, "is an input that is not built in");
  translation.builtInVariables[instruction.result] = {spv::BuiltIn(*builtIn), &type};
  return {};
}

Expected<llvm::Constant *> initialValue(Translation &translation, const Instruction &instruction, const Type &content,
                                        unsigned space) {
  if (instruction.operands.size() < 2) {
    if (space == 3) return llvm::UndefValue::get(content.llvm);
    return llvm::Constant::getNullValue(content.llvm);
  }
  US_TRY(llvm::Constant * initial, translation.constantAt(instruction, instruction.operands[1]));
  // The translator writes an undefined one where C++ has none.
  if (space == 3 && !llvm::isa<llvm::UndefValue>(initial))
    return failAt(instruction, "gives local memory an initial value");
  if (initial->getType() != content.llvm) return failAt(instruction, "has an initial value of another type");
  return initial;
}

} // namespace

Expected<void> addModuleVariable(Translation &translation, const Instruction &instruction) {
  US_TRY(const Type *type, translation.resultType(instruction));
  if (!type->is(TypeKind::Pointer) || !type->element) return failAt(instruction, "is of a type that is no pointer");
  const auto storage = spv::StorageClass(instruction.operands[0]);
  if (storage != type->storage) return failAt(instruction, "has another storage class than its type");
  const Type &content = *type->element;
  if (content.size == 0) return failAt(instruction, "has a content of no size");
  // Old producers put what is built in among the constants.
  if (storage == spv::StorageClass::Input || translation.decorations.has(instruction.result, spv::Decoration::BuiltIn))
    return addBuiltIn(translation, instruction, *type);
  const unsigned space = type->llvm->getPointerAddressSpace();
  if (space == 0 || space == 4)
    return failAt(instruction,
                  "of storage class " + nameOfStorageClass(uint32_t(storage)) + " lies outside of functions");

  const std::optional<Linkage> linkage = linkageOf(translation.decorations, instruction.result);
  llvm::Constant *initial = nullptr;
  if (linkage && linkage->isImport) {
    if (instruction.operands.size() > 1) return failAt(instruction, "is imported and has an initial value");
  } else {
    US_TRY(initial, initialValue(translation, instruction, content, space));
  }
  const bool isConstant = space == 2 || translation.decorations.has(instruction.result, spv::Decoration::Constant);
  std::string name = translation.nameOf(instruction.result);
  if (linkage) {
    name = linkage->name;
    US_CHECK(checkOuterName(translation, instruction, name));
  }
  auto *variable = new llvm::GlobalVariable(
      translation.module, content.llvm, isConstant,
      linkage ? outerLinkage(linkage->mayRepeat) : llvm::GlobalValue::InternalLinkage, initial,
      linkage ? name : innerName(name, "variable"), nullptr, llvm::GlobalValue::NotThreadLocal, space);
  US_TRY(const llvm::MaybeAlign alignment, alignmentOf(translation, instruction));
  variable->setAlignment(alignment ? alignment : llvm::MaybeAlign(translation.layout().getABITypeAlign(content.llvm)));
  translation.define(instruction, variable, type);
  return {};
}

} // namespace us::frontend::spirv
