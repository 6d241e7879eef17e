// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// transpose_components — four elements of 32 bits of each lane, which lie side by side, are loaded and stored lane by
/// lane, and transposed in registers.
///
///   before:  %v = load <32 x float>, ptr %p                  after:  %i0 = load <4 x float>, ptr %p ; and so on to %i7
///            %x = shufflevector %v, <0, 4, 8, ..>                    %r0 = shufflevector %i0, %i4   ; r1 to r3 alike
///            %y = shufflevector %v, <1, 5, 9, ..>                    %a = unpack low %r0, %r2 %b = unpack low %r1, %r3
///            %z = …                                                  %x = unpack low %a, %b ; %y = unpack high %a, %b
///
/// The same the other way for stores, and for masked loads whose mask is constant and leaves out whole components: the
/// last lane alone loads no more than was asked for, as what lies between two elements that are there is there.
///
/// LLVM takes elements out of a wide vector by shuffles for each result, and looks for better ones in each combination
/// of them: 100 instructions for 16 lanes instead of 40, in six times the time. Processors that choose among the
/// elements of two registers by an index (AVX-512) are better served by LLVM's code.
struct TransposeComponents : llvm::PassInfoMixin<TransposeComponents> {
  explicit TransposeComponents(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  const KernelRequest &request;
};

} // namespace us::codegen
