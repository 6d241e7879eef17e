// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/spirv/debug_lines.h"

#include <llvm/BinaryFormat/Dwarf.h>

namespace us::frontend::spirv {
namespace {

llvm::DIFile *fileOf(Translation &translation, uint32_t id) {
  llvm::DIFile *&file = translation.debugFiles[id];
  if (file) return file;
  const auto name = translation.strings.find(id);
  file = translation.debug.createFile(name == translation.strings.end() ? "<il>" : name->second, "");
  return file;
}

const Instruction *firstLine(const FunctionDeclaration &function) {
  for (const Instruction *instruction : function.body)
    if (instruction->opcode == spv::Op::OpLine) return instruction;
  return nullptr;
}

} // namespace

void beginDebugLines(Translation &translation) {
  for (const uint32_t id : translation.functionOrder) {
    const Instruction *line = firstLine(translation.functions[id]);
    if (!line) continue;
    translation.module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
    translation.module.addModuleFlag(llvm::Module::Max, "Dwarf Version", 4);
    translation.debugUnit =
        translation.debug.createCompileUnit(llvm::dwarf::DW_LANG_OpenCL, fileOf(translation, line->operands[0]),
                                            "SPIR-V", false, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
    return;
  }
}

void endDebugLines(Translation &translation) { translation.debug.finalize(); }

llvm::DISubprogram *debugScope(Translation &translation, const FunctionDeclaration &function) {
  const Instruction *line = firstLine(function);
  if (!line || !translation.debugUnit) return nullptr;
  llvm::DIFile *file = fileOf(translation, line->operands[0]);
  return translation.debug.createFunction(
      translation.debugUnit, function.llvm->getName(), "", file, line->operands[1],
      translation.debug.createSubroutineType(translation.debug.getOrCreateTypeArray({})), line->operands[1],
      llvm::DINode::FlagPrototyped, llvm::DISubprogram::SPFlagDefinition);
}

llvm::DILocation *debugLocation(Translation &translation, const Instruction &line, llvm::DISubprogram *scope) {
  llvm::DILocalScope *inFile = scope;
  llvm::DIFile *file = fileOf(translation, line.operands[0]);
  if (file != scope->getFile()) inFile = translation.debug.createLexicalBlockFile(scope, file);
  return llvm::DILocation::get(translation.context, line.operands[1], uint16_t(line.operands[2]), inFile);
}

} // namespace us::frontend::spirv
