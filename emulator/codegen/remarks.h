// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What our passes tell a user who asks for remarks (UNDERSTUDY_REMARKS).
#pragma once

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/LLVMContext.h>

#include <string>

namespace us::codegen {

/// The name under which our remarks go through LLVM's diagnostics.
inline constexpr const char *kRemarks = "understudy";

/// "<file:line:column>: <text>" of a block, or of a loop by its header. The text is made only if somebody wants it.
inline void remark(const llvm::BasicBlock &at, const llvm::DebugLoc &place, auto makeText) {
  llvm::LLVMContext &context = at.getContext();
  const llvm::DiagnosticHandler *handler = context.getDiagHandlerPtr();
  if (!handler || !handler->isAnyRemarkEnabled()) return;
  llvm::OptimizationRemarkMissed said(kRemarks, "Loop", place, &at);
  said << std::string(makeText());
  context.diagnose(said);
}

} // namespace us::codegen
