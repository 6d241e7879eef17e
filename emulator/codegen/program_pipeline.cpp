// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/codegen/program_pipeline.h"

#include "emulator/codegen/passes/decide_contraction.h"
#include "emulator/codegen/passes/guard_undefined_operations.h"
#include "emulator/codegen/passes/link_builtins.h"
#include "emulator/codegen/passes/lower_printf.h"
#include "emulator/codegen/passes/name_block_kernels.h"
#include "emulator/codegen/passes/retarget_module.h"
#include "emulator/codegen/passes/set_blocks_apart.h"
#include "emulator/codegen/passes/split_called_kernels.h"
#include "emulator/codegen/passes/verify_kernel_ir.h"

#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Linker/Linker.h>
#include <llvm/Support/raw_ostream.h>

namespace us::codegen {
namespace {

struct Collect : llvm::DiagnosticHandler {
  explicit Collect(std::string &text) : text(text) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() != llvm::DS_Error) return true;
    llvm::raw_string_ostream stream(text);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    stream << "error: ";
    info.print(printer);
    stream << "\n";
    return true;
  }
  std::string &text;
};

/// Our program passes need no analysis, so they run without a pass manager and its set-up time.
template <class... Passes> void runPasses(llvm::Module &module, Passes... passes) {
  llvm::ModuleAnalysisManager analyses;
  (passes.run(module, analyses), ...);
}

} // namespace

ErrorCollector::ErrorCollector(llvm::LLVMContext &context) : context_(context) {
  context.setDiagnosticHandler(std::make_unique<Collect>(text_));
}

ErrorCollector::~ErrorCollector() { context_.setDiagnosticHandler(nullptr); }

void makeKernelIr(llvm::Module &module, bool hasFma) {
  runPasses(module, RetargetModule(), SetBlocksApart(), SplitCalledKernels(), DecideContraction(hasFma), LowerPrintf(),
            GuardUndefinedOperations(), VerifyKernelIr());
}

void mergeModules(llvm::Module &into, std::vector<std::unique_ptr<llvm::Module>> others) {
  llvm::Linker linker(into);
  for (std::unique_ptr<llvm::Module> &other : others)
    if (linker.linkInModule(std::move(other))) return;
}

void closeProgram(llvm::Module &module) {
  // Once more: another part of the program may have been what calls a kernel.
  runPasses(module, NameBlockKernels(), SplitCalledKernels(), LinkBuiltins(), VerifyKernelIr());
}

} // namespace us::codegen
