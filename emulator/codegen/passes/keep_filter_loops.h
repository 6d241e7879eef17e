// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// keep_filter_loops — loops around reads that mix pixels are not unrolled.
///
///   before:  %low = fptosi float %x to i32                after:  br i1 %more, … !llvm.loop !{…unroll.disable}
///            … load … %low … load … (%low + 1)
///            br i1 %more, label %header, label %exit
///
/// Where each pixel's place is calculated from a coordinate, and limited to the image, work-items side by side take
/// many instructions for each turn, and turns have nothing in common. Where coordinates are settled they have, and
/// split_at_borders unrolls its copy.
struct KeepFilterLoops : llvm::PassInfoMixin<KeepFilterLoops> {
  explicit KeepFilterLoops(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
