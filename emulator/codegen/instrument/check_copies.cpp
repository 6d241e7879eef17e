// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/instrument/check_copies.h"

#include "emulator/codegen/address_spaces.h"
#include "emulator/codegen/instrument/check_site.h"
#include "emulator/codegen/instrument/library_names.h"
#include "emulator/codegen/machine_calls.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <iterator>

namespace us::codegen {
namespace {

llvm::Value *address(llvm::IRBuilderBase &builder, llvm::Value *pointer) {
  return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
}

void toldElsewhere(llvm::Function &library) {
  for (llvm::Instruction &instruction : llvm::instructions(library))
    if (instruction.mayReadOrWriteMemory() && !llvm::isa<llvm::CallBase>(instruction))
      instruction.setMetadata(kToldElsewhere, llvm::MDNode::get(library.getContext(), {}));
}

/// A function that copies. Their arguments, before the event:
///   to, from, elements
///   to, from, elements, from one to the next in global memory
///   to, its offset, from, its offset, bytes, elements, lines, from line to line: source, target
///   to, its offset, from, its offset, bytes, elements, lines, planes, from line to line and from plane to plane:
///   source, target
struct CopyFunction {
  llvm::StringLiteral name;
  bool isOfVoid; ///< the bytes of an element are an argument, and not the type's
};
constexpr CopyFunction kCopyFunctions[] = {{"async_work_group_copy", false},
                                           {"async_work_group_strided_copy", false},
                                           {"async_work_group_copy_2D2D", true},
                                           {"async_work_group_copy_3D3D", true}};

void tellCopy(llvm::CallInst &call, const CopyFunction &copies, uint64_t bytesOfType) {
  llvm::IRBuilder<> builder(&call);
  const auto argument = [&](unsigned number) { return call.getArgOperand(number); };
  const unsigned last = call.arg_size() - 1; // the event
  llvm::Value *const none = builder.getInt64(0), *const one = builder.getInt64(1);
  llvm::Value *to = address(builder, argument(0)), *from = address(builder, argument(copies.isOfVoid ? 2 : 1));
  const bool toLocal = argument(0)->getType()->getPointerAddressSpace() == kLocalSpace;
  llvm::Value *bytes = builder.getInt64(bytesOfType), *elements = one, *lines = one, *planes = one;
  llvm::Value *toLine = none, *toPlane = none, *fromLine = none, *fromPlane = none;
  if (copies.isOfVoid) {
    bytes = argument(4);
    elements = argument(5);
    lines = argument(6);
    to = builder.CreateAdd(to, builder.CreateMul(argument(1), bytes));
    from = builder.CreateAdd(from, builder.CreateMul(argument(3), bytes));
    if (last == 9) {
      fromLine = argument(7);
      toLine = argument(8);
    } else {
      planes = argument(7);
      fromLine = argument(8);
      fromPlane = argument(9);
      toLine = argument(10);
      toPlane = argument(11);
    }
  } else if (last == 3) {
    elements = argument(2);
  } else {
    // A column of global memory, a line of local memory.
    lines = argument(2);
    toLine = toLocal ? one : argument(3);
    fromLine = toLocal ? argument(3) : one;
  }
  llvm::json::Object site = sourceSite(call);
  site["operation"] = "copy";
  llvm::CallInst *told = createMachineCall(builder, "async_copy", builder.getInt64Ty(),
                                           {to, toLine, toPlane, from, fromLine, fromPlane, bytes, elements, lines,
                                            planes, builder.getInt32(toLocal), address(builder, argument(last)),
                                            siteText(*call.getModule(), std::move(site))});
  call.replaceAllUsesWith(builder.CreateIntToPtr(told, argument(last)->getType()));
  toldElsewhere(*call.getCalledFunction());
}

void tellFence(llvm::CallInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::json::Object site = sourceSite(call);
  site["operation"] = "fence";
  createMachineCall(builder, "fence_copies", builder.getVoidTy(),
                    {call.getArgOperand(0), siteText(*call.getModule(), std::move(site))});
}

void tellWait(llvm::CallInst &call) {
  llvm::IRBuilder<> builder(&call);
  llvm::json::Object site = sourceSite(call);
  site["operation"] = "wait";
  createMachineCall(
      builder, "await_copies", builder.getVoidTy(),
      {call.getArgOperand(0), address(builder, call.getArgOperand(1)), siteText(*call.getModule(), std::move(site))});
}

} // namespace

llvm::PreservedAnalyses CheckCopies::run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
  const abi::CheckSet checks = request.specialization.instrumentation;
  if (!abi::isIn(checks, abi::CheckClass::Barriers) && !(checks & abi::kRaceChecks))
    return llvm::PreservedAnalyses::all();
  llvm::SmallVector<llvm::CallInst *, 8> calls;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction)) calls.push_back(call);
  bool changes = false;
  for (llvm::CallInst *call : calls) {
    const LibraryName name = libraryName(*call);
    const auto *copies = std::ranges::find(kCopyFunctions, name.function, &CopyFunction::name);
    // "PU3AS3Dv4_f…": what the first argument points to.
    const uint64_t bytes = copies == std::end(kCopyFunctions) || copies->isOfVoid ? 0 : pointeeBytes(name.parameters);
    const bool isCopy = bytes || (copies != std::end(kCopyFunctions) && copies->isOfVoid);
    const bool isWait = name.function == "wait_group_events", isFence = name.function == "async_work_group_copy_fence";
    if (isCopy) tellCopy(*call, *copies, bytes);
    if (isWait) tellWait(*call);
    if (isFence) tellFence(*call);
    changes |= isCopy || isWait || isFence;
  }
  return changes ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace us::codegen
