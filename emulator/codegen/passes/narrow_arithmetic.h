// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "emulator/codegen/kernel_request.h"

#include <llvm/IR/PassManager.h>

namespace us::codegen {

/// narrow_arithmetic — numbers that fit 16 bits, and end as fewer, are calculated in 16.
///
///   before:  %x = zext i8 %a to i32; %y = zext i8 %b to i32; %d = sub i32 %x, %y; %e = llvm.abs.i32(%d); trunc %e to
///   i8 after:   %x = zext i8 %a to i16; %y = zext i8 %b to i16; %d = sub i16 %x, %y; %e = llvm.abs.i16(%d); trunc %e
///   to i8
///
/// A register holds twice as many of them. Each result is the same number: what each can be is known from the lengths
/// it begins with. A calculation is taken as a whole, so that no conversion is added.
struct NarrowArithmetic : llvm::PassInfoMixin<NarrowArithmetic> {
  explicit NarrowArithmetic(const KernelRequest &request) : request(request) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
  const KernelRequest &request;
};

} // namespace us::codegen
