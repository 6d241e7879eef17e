// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sourceLine: from a place in machine code to a place in the source, by the object's own line table.
#include "emulator/codegen/codegen.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

namespace us::codegen {

abi::SourceLine sourceLine(const abi::CodeData &code, uint64_t offsetFromEntry) {
  abi::SourceLine result{code.symbol, {}, 0};
  auto object = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({code.object.data(), code.object.size()}, code.symbol), /*InitContent=*/true);
  if (!object) return llvm::consumeError(object.takeError()), result;
  for (const llvm::object::SymbolRef &symbol : (*object)->symbols()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    auto section = symbol.getSection();
    if (!name || !address || !section) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(address.takeError());
      llvm::consumeError(section.takeError());
      continue;
    }
    if (*name != code.symbol) continue;
    auto debug = llvm::DWARFContext::create(**object);
    const llvm::object::SectionedAddress place{*address + offsetFromEntry, (*section)->getIndex()};
    llvm::DILineInfoSpecifier what(llvm::DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
                                   llvm::DILineInfoSpecifier::FunctionNameKind::ShortName);
    const llvm::DILineInfo line = debug->getLineInfoForAddress(place, what);
    if (line.Line) {
      result.line = line.Line;
      result.file = line.FileName;
      if (line.FunctionName != llvm::DILineInfo::BadString) result.function = line.FunctionName;
    }
    break;
  }
  return result;
}

} // namespace us::codegen
