// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bar and barrier. Where all of a module's barriers are for whole blocks, the number makes no difference: the threads
// of a block come to the same ones in the same order. Else each number is a barrier of its own.
#include "frontend/ptx/function_translation.h"
#include "frontend/ptx/handlers.h"

namespace us::frontend::ptx {
namespace {

/// abi::BarrierUse, as docs/ir-conventions.md numbers them for us.named_barrier.
enum BarrierUse : uint32_t { kSync, kArrive, kCountTrue, kAllTrue, kAnyTrue };

Expected<void> checkConstants(const Operation &op, size_t number) {
  const Operand &which = op.operand(number);
  if (which.kind == OperandKind::Integer && which.bits > 15)
    return failAt(which.place, "barriers have numbers from 0 to 15");
  if (op.count() > number + 1 && op.operand(number + 1).kind == OperandKind::Integer)
    if (const Operand &threads = op.operand(number + 1); threads.bits == 0 || threads.bits % 32 != 0)
      return failAt(threads.place, "the number of threads at a barrier is a multiple of 32");
  return {};
}

Expected<llvm::Value *> callNamed(FunctionTranslation &f, const Operation &op, size_t number, bool isCounted,
                                  BarrierUse use, llvm::Value *predicate) {
  US_TRY(llvm::Value * which, f.source(op, number));
  llvm::Value *threads = f.builder.getInt32(0);
  if (isCounted) {
    US_TRY(threads, f.source(op, number + 1));
  }
  llvm::CallInst *call =
      f.callMachine("us.named_barrier", f.builder.getInt32Ty(),
                    {which, threads, f.builder.getInt32(use), f.builder.CreateZExt(predicate, f.builder.getInt32Ty())});
  call->getCalledFunction()->addFnAttr(llvm::Attribute::Convergent);
  call->setConvergent();
  return call;
}

llvm::CallInst *callConvergent(FunctionTranslation &f, const char *name, llvm::Type *result,
                               llvm::ArrayRef<llvm::Value *> arguments) {
  llvm::CallInst *call = f.callMachine(name, result, arguments);
  call->getCalledFunction()->addFnAttr(llvm::Attribute::Convergent);
  call->setConvergent();
  return call;
}

} // namespace

bool isNamedBarrier(const Instruction &instruction) {
  if (instruction.opcode != "bar" && instruction.opcode != "barrier") return false;
  const auto has = [&](std::string_view word) {
    return std::find(instruction.modifiers.begin(), instruction.modifiers.end(), word) != instruction.modifiers.end();
  };
  // The text has been parsed only: there may be fewer operands than the grammar asks for.
  const std::vector<Operand> &operands = instruction.operands;
  const auto isOpen = [&](size_t index) {
    return index < operands.size() && operands[index].kind != OperandKind::Integer;
  };
  if (has("arrive")) return true;
  if (has("sync") && !has("warp")) return operands.size() == 2 || isOpen(0);
  return has("red") && (operands.size() == 4 || isOpen(1));
}

Expected<void> barrier(FunctionTranslation &f, const Operation &op) {
  US_CHECK(checkConstants(op, 0));
  if (f.module.numbersBarriers) {
    US_CHECK(callNamed(f, op, 0, op.count() == 2, kSync, f.builder.getFalse()));
    return {};
  }
  // Local and global memory, for the work-group (docs/ir-conventions.md).
  callConvergent(f, "us.barrier", f.builder.getVoidTy(), {f.builder.getInt32(3), f.builder.getInt32(1)});
  return {};
}

Expected<void> barrierArrive(FunctionTranslation &f, const Operation &op) {
  US_CHECK(checkConstants(op, 0));
  US_CHECK(callNamed(f, op, 0, true, kArrive, f.builder.getFalse()));
  return {};
}

/// bar.red.op d, number{, threads}, predicate
Expected<void> barrierReduce(FunctionTranslation &f, const Operation &op) {
  const bool isCounted = op.count() == 4;
  const bool isCount = op.has("popc");
  US_TRY(llvm::Value * predicate, f.source(op, op.count() - 1));
  if (isCounted || op.operand(1).kind == OperandKind::Integer) US_CHECK(checkConstants(op, 1));
  llvm::Type *word = f.builder.getInt32Ty();
  llvm::Value *result = nullptr;
  if (f.module.numbersBarriers) {
    US_TRY(result, callNamed(f, op, 1, isCounted,
                             isCount         ? kCountTrue
                             : op.has("and") ? kAllTrue
                                             : kAnyTrue,
                             predicate));
  } else {
    const char *name = isCount ? "us_ptx_barrier_count" : op.has("and") ? "us_ptx_barrier_all" : "us_ptx_barrier_any";
    llvm::CallInst *call = callConvergent(f, name, word, {f.builder.CreateZExt(predicate, word)});
    call->getCalledFunction()->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    call->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    result = call;
  }
  return f.define(op, 0, isCount ? result : f.builder.CreateICmpNE(result, f.builder.getInt32(0)));
}

} // namespace us::frontend::ptx
