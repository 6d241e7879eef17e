// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/compile_ir.h"

#include "frontend/cuda/llvm_work.h"
#include "frontend/cuda/lower_clusters.h"
#include "frontend/cuda/lower_nvvm.h"
#include "frontend/cuda/nvvm_annotations.h"
#include "frontend/cuda/shape_for_device.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Linker/Linker.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <set>

namespace us::frontend::cuda {
namespace {

constexpr const char *kTriple = "nvptx64-nvidia-cuda";

/// What goes wrong, with the error's kind.
using Made = Expected<std::string>;

std::unexpected<Error> wrongIr(const std::string &what) { return fail(ErrorCode::InvalidValue, what); }

/// Linking and code generation tell what is wrong in this way.
class Messages : public llvm::DiagnosticHandler {
public:
  Messages(llvm::raw_ostream &log, bool &failed) : log_(log), failed_(failed) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo &info) override {
    if (info.getSeverity() == llvm::DS_Remark || info.getSeverity() == llvm::DS_Note) return true;
    failed_ |= info.getSeverity() == llvm::DS_Error;
    log_ << (info.getSeverity() == llvm::DS_Error ? "error: " : "warning: ");
    llvm::DiagnosticPrinterRawOStream printer(log_);
    info.print(printer);
    log_ << "\n";
    return true;
  }

private:
  llvm::raw_ostream &log_;
  bool &failed_;
};

Expected<std::unique_ptr<llvm::Module>> read(const IrModule &module, llvm::LLVMContext &context) {
  const llvm::StringRef bytes(module.bytes);
  const auto *begin = reinterpret_cast<const unsigned char *>(bytes.begin());
  if (llvm::isBitcode(begin, begin + bytes.size())) {
    llvm::Expected<std::unique_ptr<llvm::Module>> read =
        llvm::parseBitcodeFile(llvm::MemoryBufferRef(bytes, module.name), context);
    if (!read) return wrongIr(module.name + ": error: " + llvm::toString(read.takeError()));
    return std::move(*read);
  }
  // LLVM 19 still reads the types of pointers that earlier releases wrote.
  llvm::SMDiagnostic problem;
  const auto text =
      llvm::MemoryBuffer::getMemBufferCopy(bytes.take_until([](char c) { return c == '\0'; }), module.name);
  std::unique_ptr<llvm::Module> read = llvm::parseAssembly(*text, problem, context);
  if (read) return read;
  std::string why;
  llvm::raw_string_ostream out(why);
  problem.print(nullptr, out, false);
  return wrongIr(why);
}

Expected<void> check(const llvm::Module &module) {
  std::string why;
  llvm::raw_string_ostream out(why);
  if (llvm::verifyModule(module, &out)) return wrongIr(module.getModuleIdentifier() + ": error: " + why);
  return {};
}

/// What the source allows to fuse says so itself: device functions are linked later and stay as exact as they are.
void allowFusing(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::BasicBlock &block : function)
      for (llvm::Instruction &instruction : block)
        if (llvm::isa<llvm::FPMathOperator>(instruction)) instruction.setHasAllowContract(true);
}

/// NVVM IR has no attribute that says it: what a warp does together stays where it was written, also by an instruction
/// of PTX. LLVM takes it off functions that do nothing of the kind.
void keepTogether(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    function.setConvergent();
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call || call->getCalledFunction()) continue;
      const auto *const text = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand());
      if (!text || text->hasSideEffects()) call->setConvergent();
    }
  }
}

/// "Line number (line info) only generation is also enabled via NVVM IR Debug Metadata, there is no specific libNVVM
/// API flag for that case": such metadata stays, and more of it where an option wants that.
void keepDebugInfo(llvm::Module &module, const IrInput &input) {
  if (input.deviceDebug) return;
  const bool isOfLines = !module.debug_compile_units().empty() &&
                         llvm::all_of(module.debug_compile_units(), [](const llvm::DICompileUnit *unit) {
                           return unit->getEmissionKind() != llvm::DICompileUnit::FullDebug;
                         });
  if (isOfLines) return;
  if (input.lineInfo)
    llvm::stripNonLineTableDebugInfo(module);
  else
    llvm::StripDebugInfo(module);
}

void flushToZero(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    function.addFnAttr("nvptx-f32ftz", "true");
  }
}

/// Nobody outside sees these.
void hide(llvm::Module &module, const std::set<std::string> &names) {
  for (const std::string &name : names)
    if (llvm::GlobalValue *value = module.getNamedValue(name); value && !value->isDeclaration()) {
      value->setLinkage(llvm::GlobalValue::InternalLinkage);
      value->setVisibility(llvm::GlobalValue::DefaultVisibility);
    }
}

std::unique_ptr<llvm::TargetMachine> targetMachine(const IrInput &input) {
  std::string problem;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(kTriple, problem);
  if (!target) return nullptr;
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  const auto level = input.optimisation == 0 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Aggressive;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(kTriple, input.architecture.clang, "+ptx83",
                                                                          options, std::nullopt, std::nullopt, level));
}

void optimise(llvm::Module &module, llvm::TargetMachine &machine, unsigned level) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  shapeForDevice(builder);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::ModulePassManager passes = level == 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                              : builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3);
  passes.run(module, modules);
}

/// Reads and links all; of the modules that only fill gaps no name is seen afterwards.
Expected<std::unique_ptr<llvm::Module>> linkAll(const IrInput &input, llvm::LLVMContext &context, bool &failed) {
  std::unique_ptr<llvm::Module> whole;
  std::set<std::string> hidden;
  for (const bool isLazy : {false, true}) {
    for (const IrModule &module : input.modules) {
      if (module.onlyWhatIsNeeded != isLazy) continue;
      US_TRY(std::unique_ptr<llvm::Module> part, read(module, context));
      if (const std::string missing = lowerNvvmIntrinsics(*part); !missing.empty())
        return wrongIr(module.name + ": error: the function " + missing + " is not known, or not with these operands");
      US_CHECK(check(*part));
      part->setTargetTriple(kTriple);
      for (const llvm::Function &function : *part)
        if (!function.isDeclaration() && (isLazy || function.getName().starts_with("__nv_")))
          hidden.insert(function.getName().str());
      keepTogether(*part);
      // Code that is not optimised is not fused either.
      if (input.fuse && input.optimisation != 0 && !isLazy && !module.bytes.empty()) allowFusing(*part);
      if (!whole) {
        whole = std::move(part);
        continue;
      }
      part->setDataLayout(whole->getDataLayout());
      if (llvm::Linker::linkModules(*whole, std::move(part),
                                    isLazy ? llvm::Linker::LinkOnlyNeeded : llvm::Linker::None))
        failed = true;
      if (failed) return wrongIr("");
    }
  }
  if (!whole) return wrongIr("error: there is no module");
  hide(*whole, hidden);
  return whole;
}

Expected<void> addDeviceFunctions(llvm::Module &whole, const std::string &path) {
  const auto file = llvm::MemoryBuffer::getFile(path);
  if (!file) return fail(ErrorCode::CompilerNotAvailable, "error: '" + path + "' cannot be read");
  IrModule library{.name = path, .bytes = (*file)->getBuffer()};
  US_TRY(std::unique_ptr<llvm::Module> part, read(library, whole.getContext()));
  part->setDataLayout(whole.getDataLayout());
  part->setTargetTriple(kTriple);
  std::set<std::string> names;
  for (const llvm::Function &function : *part)
    if (!function.isDeclaration()) names.insert(function.getName().str());
  llvm::Linker::linkModules(whole, std::move(part), llvm::Linker::LinkOnlyNeeded);
  hide(whole, names);
  return {};
}

Made make(const IrInput &input, llvm::raw_ostream &log, std::optional<UseOfLlvmOptions> &llvmOptions) {
  // As compile() has them.
  std::vector<std::string> options = {"-unroll-runtime=false", "-unroll-allow-partial=false", "-disable-lsr"};
  if (!input.preciseDivision) options.push_back("-nvptx-prec-divf32=1");
  if (!input.preciseRoot) options.push_back("-nvptx-prec-sqrtf32=0");
  llvmOptions.emplace(options, log);
  bool failed = false;
  llvm::LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Messages>(log, failed));
  US_TRY(const std::unique_ptr<llvm::Module> whole, linkAll(input, context, failed));
  if (input.onlyCheck) return std::string();
  const std::unique_ptr<llvm::TargetMachine> machine = targetMachine(input);
  if (!machine) return fail(ErrorCode::Internal, "error: there is no back end for " + std::string(kTriple));
  whole->setDataLayout(machine->createDataLayout());
  if (!input.deviceFunctions.empty()) US_CHECK(addDeviceFunctions(*whole, input.deviceFunctions));
  if (input.flushToZero) flushToZero(*whole);
  whole->addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", input.flushToZero ? 1 : 0);
  keepDebugInfo(*whole, input);
  ClusterDirectives clusters;
  noteNvvmClusters(*whole, clusters);
  const std::set<const llvm::GlobalValue *> kernels = kernelsOf(*whole);
  for (llvm::Function &function : *whole)
    if (kernels.contains(&function)) function.setCallingConv(llvm::CallingConv::PTX_Kernel);
  llvm::ModuleAnalysisManager none;
  if (input.wholeProgram)
    llvm::internalizeModule(*whole, [&](const llvm::GlobalValue &value) {
      return llvm::isa<llvm::GlobalVariable>(value) || kernels.contains(&value);
    });
  llvm::GlobalDCEPass().run(*whole, none);
  optimise(*whole, *machine, input.optimisation);
  llvm::SmallVector<char, 0> result;
  llvm::raw_svector_ostream out(result);
  if (input.toBitcode) {
    llvm::WriteBitcodeToFile(*whole, out);
  } else {
    llvm::legacy::PassManager passes;
    if (machine->addPassesToEmitFile(passes, out, nullptr, llvm::CodeGenFileType::AssemblyFile))
      return fail(ErrorCode::Internal, "error: the back end writes no PTX");
    passes.run(*whole);
  }
  if (failed) return fail(ErrorCode::BuildProgramFailure, "");
  std::string made(result.data(), result.size());
  if (!input.toBitcode) addDirectives(made, clusters);
  return made;
}

} // namespace

Logged<std::string> compileIr(const IrInput &input) {
  initializeTargets();
  std::string log;
  llvm::raw_string_ostream messages(log);
  std::optional<Made> result;
  const std::string fatal = runOnLargeStack(
      [&](std::optional<UseOfLlvmOptions> &llvmOptions) { result = make(input, messages, llvmOptions); });
  if (!fatal.empty()) return {fail(ErrorCode::BuildProgramFailure, fatal), log + "error: " + fatal + "\n"};
  if (!*result && !result->error().message.empty()) messages << result->error().message << "\n";
  return {*std::move(result), log};
}

} // namespace us::frontend::cuda
