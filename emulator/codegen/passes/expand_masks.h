// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// expand_masks — masks that are chosen, made of one number or added, as a calculation with a lane for each bit. LLVM
/// 19's instruction selection does not end for processors with mask registers
/// - where two masks that are numbers are joined by "or" or "xor" and both are used besides: it makes the numbers' of
/// the
///   masks', and the masks' of the numbers';
/// - where a mask whose lanes are false, as it knows while no constant stands there yet, is added as 0 and -1: it
///   subtracts the mask as 0 and 1, and of that makes the sum again.
/// And it takes the wrong bits where a mask chooses between a number and the same one with bits of another, one of
/// which is in memory: two of its ways to write VPTERNLOG under a mask have each other's table (LLVM's issue 157929).
///
///   before:  %m = select i1 %c, <8 x i1> %a, <8 x i1> %b     after:  %m = select <8 x i1> (splat %c), %a, %b
///            %n = bitcast i8 %bits to <8 x i1>                       %n = icmp ne (and (splat %bits), <1, 2, 4, …>), 0
///            %s = add %x, (sext <8 x i1> %a to <8 x i32>)            %s = select %a, (add %x, -1), %x
///            %t = select %a, (or (and %x, 3), (and %y, ~3)), %y      %t = or (and (select %a, %x, %y), 3), (and %y,
///            ~3)
///
/// The last two stay as they are for processors without mask registers: others have no addition under a mask.
struct ExpandMasks : llvm::PassInfoMixin<ExpandMasks> {
  explicit ExpandMasks(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
