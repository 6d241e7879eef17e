// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// us-opt: runs passes, ours by the names of emulator/codegen/passes.def and LLVM's by LLVM's names, on a module, and
// prints the module. What the text tests of passes run.
#include "emulator/codegen/pass_table.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

namespace {

namespace cl = llvm::cl;
cl::OptionCategory category("us-opt");
cl::opt<std::string> input(cl::Positional, cl::desc("<module.ll or .bc, - is standard input>"), cl::init("-"),
                           cl::cat(category));
cl::opt<std::string> passes("passes", cl::desc("comma-separated passes, in order"), cl::cat(category));
cl::opt<std::string> kernel("kernel", cl::desc("the kernel that passes of one kernel work on"), cl::cat(category));
cl::opt<us::Tier> tier("tier", cl::desc("execution tier"), cl::init(us::Tier::Loop),
                       cl::values(clEnumValN(us::Tier::Loop, "loop", "work-item loops"),
                                  clEnumValN(us::Tier::Fiber, "fiber", "a stack per work-item")),
                       cl::cat(category));
cl::list<unsigned> localSize("local-size", cl::desc("constant local size, comma-separated"), cl::CommaSeparated,
                             cl::cat(category));
cl::opt<unsigned> workDimensions("work-dimensions", cl::init(3), cl::cat(category));
cl::opt<bool> smallIndex("small-index", cl::desc("every global id is below 2^31"), cl::cat(category));
cl::opt<bool> zeroOffset("zero-offset", cl::desc("the global offset is zero"), cl::cat(category));
cl::opt<bool> ragged("ragged", cl::desc("a group at an edge may be smaller"), cl::cat(category));
cl::list<unsigned> opaque("opaque", cl::desc("image and sampler arguments as Specialization::opaque has them"),
                          cl::CommaSeparated, cl::cat(category));
cl::opt<bool> noVerify("no-verify", cl::desc("do not verify the result"), cl::cat(category));

us::codegen::KernelRequest requestFromOptions() {
  us::codegen::KernelRequest request;
  request.kernel = kernel;
  us::abi::Specialization &specialization = request.specialization;
  specialization.tier = tier;
  specialization.workDimensions = workDimensions;
  for (unsigned i = 0; i < localSize.size() && i < 3; ++i) specialization.localSize[i] = localSize[i];
  if (!localSize.empty())
    for (unsigned i = unsigned(localSize.size()); i < 3; ++i) specialization.localSize[i] = 1;
  specialization.smallIndex = smallIndex;
  specialization.zeroOffset = zeroOffset;
  specialization.ragged = ragged;
  for (unsigned i = 0; i < opaque.size() && i < us::abi::kOpaqueArguments; ++i)
    specialization.opaque[i] = uint16_t(opaque[i]);
  return request;
}

int fail(const llvm::Twine &message) {
  llvm::errs() << "us-opt: " << message << "\n";
  return 1;
}

} // namespace

int main(int count, char **arguments) {
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(count, arguments, "runs passes on kernel IR\n");

  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  const std::unique_ptr<llvm::Module> module = llvm::parseIRFile(input, diagnostic, context);
  if (!module) {
    diagnostic.print("us-opt", llvm::errs());
    return 1;
  }

  const us::codegen::KernelRequest request = requestFromOptions();
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerPipelineParsingCallback(
      [&](llvm::StringRef name, llvm::ModulePassManager &manager, llvm::ArrayRef<llvm::PassBuilder::PipelineElement>) {
        return us::codegen::addPassByName(name, request, manager);
      });
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager manager;
  if (llvm::Error error = builder.parsePassPipeline(manager, passes)) return fail(llvm::toString(std::move(error)));
  manager.run(*module, modules);
  if (!noVerify && llvm::verifyModule(*module, &llvm::errs())) return fail("the result is not valid IR");
  module->print(llvm::outs(), nullptr);
}
