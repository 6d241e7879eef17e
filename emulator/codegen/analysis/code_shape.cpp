// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/analysis/code_shape.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/DataExtractor.h>

namespace us::codegen {

uint64_t frameBytes(llvm::ArrayRef<char> object) {
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef({object.data(), object.size()}, "object"), /*InitContent=*/false);
  if (!file) return llvm::consumeError(file.takeError()), 0;
  uint64_t total = 0;
  for (const llvm::object::SectionRef &section : (*file)->sections()) {
    auto name = section.getName();
    if (!name || *name != ".stack_sizes") {
      if (!name) llvm::consumeError(name.takeError());
      continue;
    }
    auto contents = section.getContents();
    if (!contents) return llvm::consumeError(contents.takeError()), 0;
    // Each entry: an address, then the size as ULEB128.
    llvm::DataExtractor data(*contents, true, 8);
    llvm::DataExtractor::Cursor cursor(0);
    while (cursor && cursor.tell() < contents->size()) {
      data.getU64(cursor);
      total += data.getULEB128(cursor) + 16;
    }
    if (!cursor) llvm::consumeError(cursor.takeError());
  }
  return total;
}

namespace {

bool mayGrow(llvm::Function &function, llvm::SmallPtrSetImpl<llvm::Function *> &active,
             llvm::SmallPtrSetImpl<llvm::Function *> &done) {
  if (function.isDeclaration() || done.contains(&function)) return false;
  if (!active.insert(&function).second) return true;
  for (llvm::Instruction &instruction : llvm::instructions(function)) {
    if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction); slot && !slot->isStaticAlloca()) return true;
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
      if (llvm::Function *callee = call->getCalledFunction(); callee && mayGrow(*callee, active, done)) return true;
  }
  active.erase(&function);
  done.insert(&function);
  return false;
}

} // namespace

bool stackIsUnbounded(llvm::Function &function) {
  llvm::SmallPtrSet<llvm::Function *, 8> active, done;
  return mayGrow(function, active, done);
}

bool runsStraightThrough(llvm::Module &module, llvm::Function &kernel) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 4> backEdges;
    llvm::FindFunctionBackedges(function, backEdges);
    if (!backEdges.empty()) return false;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction); call && call->isIndirectCall()) return false;
  }
  return !stackIsUnbounded(kernel);
}

} // namespace us::codegen
