// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// link_program IN.bc OUT.o [plain]: makes an object file for the host of OpenCL C bitcode and the builtins that it
// calls, so that a test calls them as C functions. Work-item functions stay undefined (`us.*`): the test that needs
// them defines them. "plain" leaves out optimisation and inlining: quick to build, for programs that only compare
// functions.
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/SubtargetFeature.h>

#include <set>
#include <string>
#include <vector>

#include "emulator/builtins/builtin_library.h"
#include "emulator/builtins/tools/opaque_types.h"

using namespace llvm;

namespace {

[[noreturn]] void die(const Twine &message) {
  errs() << "link_program: " << message << "\n";
  exit(1);
}

std::unique_ptr<TargetMachine> hostMachine() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  std::string error;
  const std::string triple = sys::getDefaultTargetTriple();
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target) die(error);
  SubtargetFeatures features;
  for (auto &feature : sys::getHostCPUFeatures()) features.AddFeature(feature.getKey(), feature.getValue());
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, sys::getHostCPUName(), features.getString(), TargetOptions(), Reloc::PIC_));
}

/// Links family after family until no undefined name is one of the library's. A family may be needed again: another
/// one calls what was not needed the first time.
void linkBuiltins(Module &program) {
  Linker linker(program);
  std::set<std::string> asked;
  for (bool again = true; again;) {
    std::set<int> needed;
    for (Function &function : program)
      if (function.isDeclaration() && !function.use_empty()) {
        StringRef name = function.getName();
        int family = us::builtins::familyOf({name.data(), name.size()});
        if (family < 0) continue;
        if (!asked.insert(name.str()).second) die(name + " stays undefined");
        needed.insert(family);
      }
    again = false;
    for (int number : needed) {
      const us::builtins::BuiltinFamily &family = us::builtins::builtinFamilies()[number];
      MemoryBufferRef buffer(StringRef(family.bitcode.data(), family.bitcode.size()), StringRef(family.name));
      Expected<std::unique_ptr<Module>> module = getLazyBitcodeModule(buffer, program.getContext());
      if (!module) die(toString(module.takeError()));
      if (linker.linkInModule(std::move(*module), Linker::LinkOnlyNeeded)) die("linking " + StringRef(family.name));
      again = true;
    }
  }
}

void useHostConvention(Module &program, const std::set<std::string> &tests) {
  for (Function &function : program) {
    if (function.getCallingConv() == CallingConv::SPIR_FUNC) function.setCallingConv(CallingConv::C);
    if (!function.isDeclaration() && !tests.count(function.getName().str()))
      function.setLinkage(GlobalValue::InternalLinkage);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && call->getCallingConv() == CallingConv::SPIR_FUNC)
        call->setCallingConv(CallingConv::C);
  }
}

void optimise(Module &program, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  // Compile time counts here: what the builtins compute does not depend on these.
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.LoopInterleaving = tuning.SLPVectorization = tuning.LoopUnrolling = false;
  PassBuilder builder(&machine, tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(OptimizationLevel::O1).run(program, modules);
}

} // namespace

int main(int count, char **arguments) {
  if (count != 3 && count != 4) die("usage: link_program IN.bc OUT.o [plain]");
  const bool plain = count == 4 && StringRef(arguments[3]) == "plain";
  LLVMContext context;
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> program = parseIRFile(arguments[1], diagnostic, context);
  if (!program) {
    diagnostic.print("link_program", errs());
    return 1;
  }
  program = us::builtins::replaceOpaqueTypes(std::move(program));
  if (!program) return 1;
  std::unique_ptr<TargetMachine> machine = hostMachine();
  program->setTargetTriple(machine->getTargetTriple().str());
  program->setDataLayout(machine->createDataLayout());
  std::set<std::string> tests;
  for (Function &function : *program)
    if (!function.isDeclaration()) tests.insert(function.getName().str());
  linkBuiltins(*program);
  useHostConvention(*program, tests);
  if (verifyModule(*program, &errs())) die("invalid module");
  if (plain)
    machine->setOptLevel(CodeGenOptLevel::None);
  else
    optimise(*program, *machine);

  std::error_code failure;
  raw_fd_ostream object(arguments[2], failure, sys::fs::OF_None);
  if (failure) die(failure.message());
  legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, object, nullptr, CodeGenFileType::ObjectFile)) die("no object files here");
  passes.run(*program);
}
