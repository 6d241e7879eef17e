// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <llvm/IR/PassManager.h>

namespace us::frontend::cuda {

/// lower_launches — a launch in device code, as Clang generates it for the host, becomes calls of the device runtime.
///
///   before:  %no = call i32 @__cudaPushCallConfiguration(ptr byval(%dim3) %grid, ptr byval(%dim3) %block, i64 %shared,
///   ptr %stream)
///            br (%no != 0), end, go
///      go:   call void @kernel(ptr %a, i32 %n)
///            br end
///   after:   %buffer = call ptr @cudaGetParameterBufferV2(ptr @kernel, ptr byval(%dim3) %grid, ptr byval(%dim3)
///   %block, i32 %shared)
///            br (%buffer != null), launch, end
///   launch:  store ptr %a, ptr %buffer
///            store i32 %n, ptr %buffer + 8
///            call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr %stream)
///            br end
///
/// Needs:    Clang's code as it was generated: before any other pass.
/// Leaves:   no call of a kernel; kernels that are only declared are marked as such.
struct LowerLaunches : llvm::PassInfoMixin<LowerLaunches> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace us::frontend::cuda
