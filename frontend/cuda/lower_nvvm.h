// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/Module.h>

namespace us::frontend::cuda {

/// lower_nvvm_intrinsics — functions of the NVVM IR specification that LLVM has in another form, or not.
///
///   before:  %r = call { i32, i1 } @llvm.nvvm.shfl.sync.i32(i32 %mask, i32 1, i32 %value, i32 %delta, i32 0)
///   after:   %r = call { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32 %mask, i32 %value, i32 %delta, i32 0)
///
/// Also vote.sync, match.any.sync and match.all.sync, and activemask. Returns the name of a function of NVVM's that is
/// called and that neither LLVM nor this has, or that is called with a mode that is none; empty: all is well.
std::string lowerNvvmIntrinsics(llvm::Module &module);

} // namespace us::frontend::cuda
