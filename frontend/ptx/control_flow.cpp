// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, the end of a thread, and fences.
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

/// brx.idx i, list: the i-th label. "The behavior is undefined if the index is out of range": ours is a trap.
Expected<void> branchIndexed(FunctionTranslation &f, const Operation &op) {
  US_TRY(llvm::Value * index, f.source(op, 0));
  const Operand &name = op.operand(1);
  const TargetList *targets = name.kind == OperandKind::Name ? f.findTargets(name.name) : nullptr;
  if (!targets || targets->kind != "branchtargets") return failAt(name.place, "a .branchtargets list is expected");
  auto *wild = llvm::BasicBlock::Create(f.module.context, "wild", &f.function);
  llvm::SwitchInst *choice = f.builder.CreateSwitch(index, wild, unsigned(targets->names.size()));
  for (uint32_t i = 0; i < targets->names.size(); ++i) {
    US_TRY(llvm::BasicBlock * target, f.labelled(targets->names[i]));
    choice->addCase(f.builder.getInt32(i), target);
  }
  f.builder.SetInsertPoint(wild);
  f.trap(kWildBranch);
  f.beginBlock("unreached");
  return {};
}

Expected<void> leave(FunctionTranslation &f, const Operation &op) {
  if (op.text.opcode == "exit")
    f.endThread();
  else
    f.returnToCaller();
  f.beginBlock("unreached");
  return {};
}

Expected<void> fence(FunctionTranslation &f, const Operation &op) {
  // membar orders everything: "membar.{cta,gl,sys} is a synonym for fence.sc.{cta,gpu,sys}".
  const bool isFull = op.text.opcode == "membar" || op.has("sc");
  f.builder.CreateFence(isFull ? llvm::AtomicOrdering::SequentiallyConsistent : llvm::AtomicOrdering::AcquireRelease);
  return {};
}

Expected<void> trap(FunctionTranslation &f, const Operation &) {
  f.trap(0);
  f.beginBlock("unreached");
  return {};
}

/// Hints.
Expected<void> nothing(FunctionTranslation &, const Operation &) { return {}; }

} // namespace us::frontend::ptx
