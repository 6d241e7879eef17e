// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// expand_masks — masks that are chosen or made of one number, as a calculation with a lane for each bit. LLVM 19's
/// instruction selection does not end for processors with mask registers where two masks that are numbers are joined by
/// "or" or "xor" and both are used besides: it makes the numbers' of the masks', and the masks' of the numbers'.
///
///   before:  %m = select i1 %c, <8 x i1> %a, <8 x i1> %b     after:  %m = select <8 x i1> (splat %c), %a, %b
///            %n = bitcast i8 %bits to <8 x i1>                       %n = icmp ne (and (splat %bits), <1, 2, 4, …>), 0
struct ExpandMasks : llvm::PassInfoMixin<ExpandMasks> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::codegen
