// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/ptx/translation.h"

#include "frontend/ptx/calls.h"

#include <llvm/Demangle/Demangle.h>

#include <cstdlib>
#include <memory>

namespace us::frontend::ptx {
namespace {

constexpr const char *kTriple = "spir64";
constexpr const char *kDataLayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-"
                                    "v1024:1024-G1";

void beginDebugInformation(Translation &translation) {
  translation.debugFile = translation.debug.createFile("<ptx>", ".");
  translation.debug.createCompileUnit(llvm::dwarf::DW_LANG_C99, translation.debugFile, "understudy", true, "", 0);
  translation.module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  translation.module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
}

} // namespace

llvm::DIFile *Translation::fileOf(const SourceLine &source) {
  const auto name = text.files.find(source.file);
  return name == text.files.end() ? nullptr : debug.createFile(llvm::StringRef(name->second), ".");
}

std::string Translation::inlinedName(const SourceLine &source) const {
  const auto label = text.debugLabels.find(source.function);
  if (label == text.debugLabels.end() || source.functionOffset >= text.debugStrings.size() - label->second) return {};
  const std::string name = text.debugStrings.c_str() + label->second + source.functionOffset;
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str())) return name; // of C
  const std::unique_ptr<char, void (*)(void *)> base(demangler.getFunctionBaseName(nullptr, nullptr), std::free);
  return base ? base.get() : name;
}

llvm::DISubprogram *Translation::debugFunction(llvm::StringRef name, llvm::DIFile *file, uint32_t line) {
  return debug.createFunction(file, name, name, file, line, debug.createSubroutineType(debug.getOrCreateTypeArray({})),
                              line, llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
}

llvm::Type *Translation::llvmType(Type type) const {
  if (type->kind == TypeClass::Float)
    return type->bits == 16   ? llvm::Type::getHalfTy(context)
           : type->bits == 32 ? llvm::Type::getFloatTy(context)
                              : llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, type->bits);
}

llvm::Type *Translation::contentOf(const Variable &variable) const {
  llvm::Type *type = llvmType(variable.type);
  if (variable.lanes > 1) type = llvm::ArrayType::get(type, variable.lanes);
  for (size_t i = variable.dimensions.size(); i-- > 0;) type = llvm::ArrayType::get(type, variable.dimensions[i]);
  return type;
}

Expected<void> translate(Translation &translation) {
  translation.module.setTargetTriple(kTriple);
  translation.module.setDataLayout(kDataLayout);
  beginDebugInformation(translation);
  surveyFunctions(translation);
  surveyShortAddresses(translation);
  surveyClusters(translation);
  for (const AliasText &alias : translation.text.aliases)
    if (!findFunction(translation, alias.name))
      return failAt(alias.place, "there is no function '" + std::string(alias.of) + "'");
  US_CHECK(addModuleVariables(translation));
  surveyDynamicShared(translation);
  for (const FunctionText &function : translation.text.functions) US_CHECK(addKernel(translation, function));
  translation.debug.finalize();
  return {};
}

} // namespace us::frontend::ptx
