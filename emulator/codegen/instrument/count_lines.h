// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

#include <vector>

namespace us::codegen {

/// count_lines — counts how often each block runs, and notes what it does in which lines of the source.
///
///   before:  loop:  %x = load float, ptr addrspace(1) %p, !dbg !12   ...
///   after:   loop:  atomicrmw add ptr addrspace(1) inttoptr (i64 <counter> to ptr addrspace(1)), i64 1 monotonic
///                   %x = load float, ptr addrspace(1) %p, !dbg !12   ...
///            !us.counted = !{!1}   !1 = !{counter, copy, line, file, operations of numbers, bytes}
///
/// What comes from the library counts for the line that calls it. Only functions with debug information are looked at.
struct CountLines : llvm::PassInfoMixin<CountLines> {
  explicit CountLines(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

/// What the pass has noted.
std::vector<abi::CountedLine> countedLines(const llvm::Module &module);

} // namespace us::codegen
