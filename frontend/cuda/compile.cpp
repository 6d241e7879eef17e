// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/compile.h"

#include "frontend/cuda/lower_launches.h"
#include "frontend/cuda/shape_for_device.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <set>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace llvm {
// Of the NVPTX back end, which remembers what it read of a module's annotations.
void clearAnnotationCache(const Module *module);
} // namespace llvm

#if !US_SHARED_LLVM
// Clang's back end asks each extension that LLVM was configured with for its passes. Debian's was configured with
// Polly, whose archive is not part of its packages: it has none.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder &) {}};
}
#endif

namespace us::cuda {
namespace {

/// Clang's own command line: text is the interface that Clang keeps stable.
std::vector<std::string> clangArguments(const CompileRequest &request) {
  const CommandLine &line = request.line;
  const Release &release = request.release;
  std::vector<std::string> arguments = {"clang", "-x", "cuda", "--cuda-device-only", "-nocudainc", "-nocudalib"};
  auto add = [&](std::string argument) { arguments.push_back(std::move(argument)); };
  auto addIf = [&](bool condition, std::initializer_list<const char *> words) {
    if (condition) arguments.insert(arguments.end(), words.begin(), words.end());
  };

  add("-resource-dir");
  add(request.toolkit + "/clang");
  add("--cuda-gpu-arch=" + request.architecture.clang);
  add(release.major >= 12 ? "--cuda-feature=+ptx83" : "--cuda-feature=+ptx78");
  add("-std=" + (line.standard.starts_with("c++") ? "gnu" + line.standard.substr(1) : line.standard));
  add(line.deviceDebug ? "-O0" : "-O" + line.optimisation);
  addIf(line.deviceDebug, {"-g"});
  addIf(line.lineInfo && !line.deviceDebug, {"-gline-directives-only"});
  addIf(line.relocatable, {"-fgpu-rdc"});

  // Fusing marks what may be fused where the source says so: the device functions stay as exact as they were written.
  add(line.fuse ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off");
  addIf(line.flushToZero, {"-fgpu-flush-denormals-to-zero", "-D__CUDA_FTZ=1"});
  addIf(!line.preciseDivision,
        {"-mllvm", line.fastMath ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1", "-D__CUDA_PREC_DIV=0"});
  addIf(!line.preciseRoot, {"-mllvm", "-nvptx-prec-sqrtf32=0", "-D__CUDA_PREC_SQRT=0"});
  addIf(line.fastMath, {"-fgpu-approx-transcendentals", "-D__USE_FAST_MATH__=1"});

  // The device vectorizes over threads and unrolls by itself: loops are left as they were written, but for those of a
  // known small count, and addresses as they were calculated.
  addIf(true, {"-mllvm", "-unroll-runtime=false", "-mllvm", "-unroll-allow-partial=false", "-mllvm", "-disable-lsr"});

  add("-D__NVCC__=1");
  add("-D__CUDACC__=1");
  addIf(line.relocatable, {"-D__CUDACC_RDC__=1"});
  add("-D__CUDACC_VER_MAJOR__=" + std::to_string(release.major));
  add("-D__CUDACC_VER_MINOR__=" + std::to_string(release.minor));
  add("-D__CUDACC_VER_BUILD__=0");
  add("-D__CUDA_ARCH_LIST__=" + std::to_string(request.architecture.number * 10));
  if (request.architecture.clang != "sm_" + std::to_string(request.architecture.number) + request.architecture.suffix) {
    add("-U__CUDA_ARCH__");
    add("-D__CUDA_ARCH__=" + std::to_string(request.architecture.number * 10));
  }

  arguments.insert(arguments.end(), line.clang.begin(), line.clang.end());
  for (const std::string &option : line.host)
    if (option == "-P" || option.starts_with("-D") || option.starts_with("-U") || option.starts_with("-I")) add(option);
  add("-isystem");
  add(request.toolkit + "/include");
  add("-isystem");
  add(request.toolkit + "/clang/include/cuda_wrappers");
  add("-include");
  add(request.toolkit + "/include/cuda_runtime.h");

  // As nvcc: templates ask with f(...) what a type can do, and nobody calls it.
  addIf(true, {"-Xclang", "-fcuda-allow-variadic-functions"});

  // Warnings about what programs for nvcc may do.
  addIf(true, {"-Wno-unknown-cuda-version", "-Wno-invalid-constexpr", "-Wno-unknown-pragmas", "-Wno-pass-failed",
               "-Wno-unused-command-line-argument", "-Wno-c++17-extensions"});
  addIf(line.noWarnings, {"-w"});
  if (request.phase == Phase::Ptx) {
    addIf(true, {"-S", "-Xclang", "-mlink-builtin-bitcode", "-Xclang"});
    add(request.toolkit + "/device/device_library.bc");
  } else {
    add(request.phase == Phase::Preprocessed ? "-E" : "-M");
  }
  add(request.source);
  add("-o");
  add(request.output);
  return arguments;
}

/// Runs first of all.
void lowerLaunches(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(LowerLaunches()); });
}

/// Without relocatable code nobody can call a device function of this module from outside: only kernels and variables
/// stay. Runs first, so that nothing unused is optimised.
void keepWhatIsReachable(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
    passes.addPass(llvm::InternalizePass([](const llvm::GlobalValue &value) {
      const auto *function = llvm::dyn_cast<llvm::Function>(&value);
      if (!function || function->getCallingConv() == llvm::CallingConv::PTX_Kernel) return true;
      const llvm::NamedMDNode *annotations = function->getParent()->getNamedMetadata("nvvm.annotations");
      if (!annotations) return false;
      for (const llvm::MDNode *node : annotations->operands()) {
        const auto *of = llvm::mdconst::dyn_extract_or_null<llvm::Function>(node->getOperand(0));
        if (of != function) continue;
        for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2)
          if (const auto *key = llvm::dyn_cast<llvm::MDString>(node->getOperand(i));
              key && key->getString() == "kernel")
            return true;
      }
      return false;
    }));
    passes.addPass(llvm::GlobalDCEPass());
  });
}

/// .maxnreg of each kernel that has none, as -maxrregcount wants.
struct LimitRegisters : llvm::PassInfoMixin<LimitRegisters> {
  explicit LimitRegisters(unsigned count) : count(count) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    llvm::NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations");
    if (!annotations) return llvm::PreservedAnalyses::all();
    std::vector<llvm::ConstantAsMetadata *> kernels;
    std::set<const llvm::Metadata *> limited;
    for (const llvm::MDNode *node : annotations->operands())
      for (unsigned i = 1; i + 1 < node->getNumOperands(); i += 2) {
        const auto *key = llvm::dyn_cast<llvm::MDString>(node->getOperand(i));
        auto *of = llvm::dyn_cast_or_null<llvm::ConstantAsMetadata>(node->getOperand(0));
        if (key && of && key->getString() == "kernel") kernels.push_back(of);
        if (key && of && key->getString() == "maxnreg") limited.insert(of);
      }
    llvm::LLVMContext &context = module.getContext();
    auto *number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count));
    for (llvm::ConstantAsMetadata *kernel : kernels)
      if (!limited.contains(kernel))
        annotations->addOperand(llvm::MDNode::get(context, {kernel, llvm::MDString::get(context, "maxnreg"), number}));
    llvm::clearAnnotationCache(&module);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  unsigned count;
};

bool run(clang::CompilerInstance &compiler) {
  switch (compiler.getFrontendOpts().ProgramAction) {
  case clang::frontend::EmitAssembly: {
    clang::EmitAssemblyAction action;
    return compiler.ExecuteAction(action);
  }
  case clang::frontend::PrintPreprocessedInput: {
    clang::PrintPreprocessedAction action;
    return compiler.ExecuteAction(action);
  }
  default: {
    // Dependencies are written by a listener; there is nothing else to do than to read the source.
    clang::PreprocessOnlyAction action;
    return compiler.ExecuteAction(action);
  }
  }
}

} // namespace

std::string clangVersion() { return CLANG_VERSION_STRING; }

bool compile(const CompileRequest &request) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();

  const std::vector<std::string> words = clangArguments(request);
  std::vector<const char *> arguments;
  arguments.reserve(words.size());
  for (const std::string &word : words) arguments.push_back(word.c_str());

  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::TextDiagnosticPrinter printer(llvm::errs(), options.get());
  clang::DiagnosticsEngine diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, &printer, false);
  // The driver would say that it does not know a toolkit it happens to find; none is used.
  options->Warnings = {"no-unknown-cuda-version", "no-unused-command-line-argument"};
  clang::ProcessWarningOptions(diagnostics, *options);
  clang::driver::Driver driver(arguments[0], llvm::sys::getDefaultTargetTriple(), diagnostics, "understudy-nvcc",
                               llvm::vfs::getRealFileSystem());
  driver.setCheckInputsExist(true);
  std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(arguments));
  if (!compilation || diagnostics.hasErrorOccurred()) return false;
  const auto &jobs = compilation->getJobs();
  if (jobs.size() != 1) {
    llvm::errs() << "understudy-nvcc: error: Clang made " << jobs.size() << " steps of what should be one\n";
    return false;
  }
  if (request.line.dryRun || request.line.verbose) jobs.begin()->Print(llvm::errs(), "\n", true);
  if (request.line.dryRun) return true;

  clang::CompilerInstance compiler;
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, jobs.begin()->getArguments(), diagnostics, arguments[0]))
    return false;
  compiler.setInvocation(invocation);
  compiler.createDiagnostics();
  if (!compiler.hasDiagnostics()) return false;
  if (const auto &llvmOptions = compiler.getFrontendOpts().LLVMArgs; !llvmOptions.empty()) {
    std::vector<const char *> list = {"understudy-nvcc"};
    for (const std::string &option : llvmOptions) list.push_back(option.c_str());
    llvm::cl::ResetAllOptionOccurrences();
    llvm::cl::ParseCommandLineOptions(static_cast<int>(list.size()), list.data());
  }
  compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(lowerLaunches);
  if (!request.line.relocatable) compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(keepWhatIsReachable);
  compiler.getCodeGenOpts().PassBuilderCallbacks.push_back(shapeForDevice);
  if (const unsigned registers = request.line.maxRegisters)
    compiler.getCodeGenOpts().PassBuilderCallbacks.push_back([registers](llvm::PassBuilder &builder) {
      builder.registerPipelineStartEPCallback([registers](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(LimitRegisters(registers));
      });
    });
  return run(compiler) && !compiler.getDiagnostics().hasErrorOccurred();
}

} // namespace us::cuda
