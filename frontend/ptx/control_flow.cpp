// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, the end of a thread, barriers and fences.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {

Expected<void> branch(FunctionTranslation &f, const Operation &op) {
  const Operand &label = op.operand(0);
  if (label.kind != OperandKind::Name) return failAt(label.place, "a label is expected");
  US_TRY(llvm::BasicBlock * target, f.labelled(label));
  f.builder.CreateBr(target);
  f.beginBlock("unreached");
  return {};
}

Expected<void> leave(FunctionTranslation &f, const Operation &op) {
  if (op.text.opcode == "exit" && f.function.getCallingConv() != llvm::CallingConv::SPIR_KERNEL)
    return failAt(op.text.place, "exit inside of a function that is called is not supported on this device");
  f.builder.CreateRetVoid();
  f.beginBlock("unreached");
  return {};
}

/// bar.sync 0: all threads of the block. Others of the 16 barriers are the same while only whole blocks wait.
Expected<void> barrier(FunctionTranslation &f, const Operation &op) {
  const Operand &number = op.operand(0);
  if (number.kind != OperandKind::Integer || number.bits > 15)
    return failAt(number.place,
                  "a barrier whose number is not a constant from 0 to 15 is not supported on this device");
  // Local and global memory, for the work-group (docs/ir-conventions.md).
  llvm::CallInst *call =
      f.callMachine("us.barrier", f.builder.getVoidTy(), {f.builder.getInt32(3), f.builder.getInt32(1)});
  call->getCalledFunction()->addFnAttr(llvm::Attribute::Convergent);
  call->setConvergent();
  return {};
}

Expected<void> fence(FunctionTranslation &f, const Operation &op) {
  // membar orders everything: "membar.{cta,gl,sys} is a synonym for fence.sc.{cta,gpu,sys}".
  const bool isFull = op.text.opcode == "membar" || op.has("sc");
  f.builder.CreateFence(isFull ? llvm::AtomicOrdering::SequentiallyConsistent : llvm::AtomicOrdering::AcquireRelease);
  return {};
}

Expected<void> trap(FunctionTranslation &f, const Operation &) {
  llvm::CallInst *call = f.callMachine("us.trap", f.builder.getVoidTy(), {f.builder.getInt32(0)});
  call->getCalledFunction()->setDoesNotReturn();
  f.builder.CreateUnreachable();
  f.beginBlock("unreached");
  return {};
}

/// Hints.
Expected<void> nothing(FunctionTranslation &, const Operation &) { return {}; }

} // namespace us::frontend::ptx
