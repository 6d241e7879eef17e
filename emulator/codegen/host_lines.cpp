// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hostLines: from a place in a file of machine code to places in its sources, by the file's own debug information.
#include "emulator/codegen/codegen.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>

#include <chrono>
#include <mutex>

namespace us::codegen {

std::vector<abi::SourceLine> hostLines(const std::string &file, uint64_t address) {
  // One for all: it keeps the files open that it has read. No file is looked for elsewhere than on this machine.
  static std::timed_mutex &mutex = *new std::timed_mutex;
  static llvm::symbolize::LLVMSymbolizer &symbolizer = *new llvm::symbolize::LLVMSymbolizer([] {
    llvm::symbolize::LLVMSymbolizer::Options options;
    options.PrintFunctions = llvm::DILineInfoSpecifier::FunctionNameKind::ShortName;
    return options;
  }());
  // Who crashes while it looks keeps this for ever.
  const std::unique_lock lock(mutex, std::chrono::seconds(10));
  if (!lock) return {};
  std::vector<abi::SourceLine> lines;
  auto found = symbolizer.symbolizeInlinedCode(file, {address, llvm::object::SectionedAddress::UndefSection});
  if (!found) return llvm::consumeError(found.takeError()), lines;
  for (uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo &frame = found->getFrame(i);
    if (frame.Line == 0 || frame.FileName == llvm::DILineInfo::BadString) continue;
    const bool isNamed = frame.FunctionName != llvm::DILineInfo::BadString;
    lines.push_back({isNamed ? frame.FunctionName : "", frame.FileName, frame.Line});
  }
  return lines;
}

} // namespace us::codegen
