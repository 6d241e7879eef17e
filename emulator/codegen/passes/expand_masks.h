// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// expand_masks — masks that are chosen, made of one number or added, and bits that a mask chooses, as a calculation
/// with a lane for each bit.
///
///   before:  %m = select i1 %c, <8 x i1> %a, %b              after:  %m = select <8 x i1> (splat %c), %a, %b
///            %n = bitcast i8 %bits to <8 x i1>                       %n = icmp ne (and (splat %bits), <1, 2, ..>), 0
///            %s = add %x, (sext <8 x i1> %a to <8 x i32>)            %s = select %a, (add %x, -1), %x
///            %t = select %a, (or (and %x, 3), (and %y, -4)), %y      %f = select %a, %x, %y
///                                                                    %t = or (and %f, 3), (and %y, -4)
///
/// For processors with mask registers, LLVM 19's instruction selection does not end at %m and %n where two masks that
/// are numbers are joined by "or" or "xor" and both are used besides: it makes the numbers' of the masks', and the
/// masks' of the numbers'. Nor does it at %s where it knows that lanes are false for which no constant stands there
/// yet: it subtracts them as 0 and 1, and of that makes the sum again. Of %t it takes the wrong bits where %x or %y is
/// in memory: two of its ways to write VPTERNLOG under a mask have each other's table (LLVM's issue 157929).
///
/// %s and %t stay as they are for other processors, which have no addition under a mask.
///
/// Two constants that a mask chooses from have a number in each lane in which either has one. LLVM 19 looks at the
/// lanes alone in which both do: if the one is the other and 1 there, it adds the mask to one of them, in all lanes.
struct ExpandMasks : llvm::PassInfoMixin<ExpandMasks> {
  explicit ExpandMasks(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
