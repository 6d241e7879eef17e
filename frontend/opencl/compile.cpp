// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C through Clang, in process. The triple is spir64, whose calling convention and mangling keep what the
// language said (struct arguments stay structs); code generation moves the module to the host before anything is
// optimised.
#include "frontend/frontend.h"
#include "frontend/opencl/build_options.h"
#include "frontend/opencl/include_recorder.h"
#include "frontend/opencl/kernel_attributes.h"
#include "frontend/opencl/nesting_guard.h"
#include "frontend/opencl/own_declarations.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/OpenCLOptions.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>

extern "C" const char us_opencl_base_header[], us_opencl_base_header_end[];

namespace us::frontend {
namespace opencl {
namespace {

constexpr const char *kSourceName = "<source>";
/// Where headers from memory lie; no file system has such a folder.
constexpr std::string_view kMemoryRoot = "/<understudy>";
constexpr std::string_view kBaseHeader = "/<understudy>/base/opencl-c-base.h";
constexpr std::string_view kOwnHeader = "/<understudy>/base/own.h";
constexpr std::string_view kIntelHeader = "/<understudy>/base/intel.h";
constexpr std::string_view kCopiesHeader = "/<understudy>/base/copies.h";
constexpr std::string_view kHeaderFolder = "/<understudy>/headers";

/// Generates code into a module of our own context, without Clang's pass pipeline.
class GenerateIr : public clang::ASTFrontendAction {
public:
  GenerateIr(llvm::LLVMContext &context, IncludeRecorder &includes) : context_(context), includes_(includes) {}

  std::unique_ptr<llvm::Module> takeModule() { return std::move(module_); }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    includes_.attach(compiler.getPreprocessor());
    guardNesting(compiler.getPreprocessor());
    generator_ = clang::CreateLLVMCodeGen(compiler.getDiagnostics(), kSourceName, &compiler.getVirtualFileSystem(),
                                          compiler.getHeaderSearchOpts(), compiler.getPreprocessorOpts(),
                                          compiler.getCodeGenOpts(), context_);
    return std::unique_ptr<clang::ASTConsumer>(generator_);
  }

  void EndSourceFileAction() override {
    module_.reset(generator_->ReleaseModule());
    if (!module_) return;
    recordKernelAttributes(getCompilerInstance(), *module_);
    // The kernel that constructs is the program's to launch. Nobody reads the list of it, and a kernel whose address is
    // taken would be one for blocks.
    if (llvm::GlobalVariable *list = module_->getGlobalVariable("llvm.global_ctors")) {
      list->eraseFromParent();
      for (llvm::Function &function : *module_) function.removeDeadConstantUsers();
    }
  }

private:
  llvm::LLVMContext &context_;
  IncludeRecorder &includes_;
  clang::CodeGenerator *generator_ = nullptr;
  std::unique_ptr<llvm::Module> module_;
};

bool has(const std::vector<std::string> &names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// "CL1.2" of 120.
std::string nameOf(unsigned version) {
  return "CL" + std::to_string(version / 100) + "." + std::to_string(version / 10 % 10);
}

/// Clang's command line: built as text because that is the interface Clang keeps stable.
std::vector<std::string> clangArguments(const BuildOptions &options, const LanguageFacts &facts) {
  std::vector<std::string> arguments = {"-triple",
                                        "spir64",
                                        "-O2",
                                        "-disable-llvm-passes",
                                        "-fdeclare-opencl-builtins",
                                        "-nostdsysteminc",
                                        "-nobuiltininc",
                                        "-dwarf-version=4",
                                        "-D__OPENCL_VERSION__=" + std::to_string(facts.openclVersion),
                                        "-D__ENDIAN_LITTLE__=1",
                                        "-U__SPIR__",
                                        "-U__SPIR64__",
                                        "-U__SPIRV__",
                                        "-Wno-unused-command-line-argument"};
  if (!facts.keepsNames) arguments.push_back("-discard-value-names");
  auto add = [&](std::string argument) { arguments.push_back(std::move(argument)); };
  auto addIf = [&](bool condition, const char *argument) {
    if (condition) add(argument);
  };

  // Clang knows no OpenCL C 3.1: it is 3.0 whose optional parts are the device's extensions and features, by other
  // numbers.
  const bool is31 = options.languageVersion == 310;
  if (options.cppVersion)
    // What "the implementation defines": no guards (__cpp_threadsafe_static_init is not there), no destructors of
    // program scope objects (nor is __opencl_cpp_global_destructor).
    for (const char *argument : {options.cppVersion == 100 ? "-cl-std=CLC++1.0" : "-cl-std=CLC++2021",
                                 "-fno-threadsafe-statics", "-fno-c++-static-destructors"})
      add(argument);
  else
    add("-cl-std=" + nameOf(is31 ? 300 : options.languageVersion));
  if (is31)
    for (const char *argument : {"-U__OPENCL_C_VERSION__", "-D__OPENCL_C_VERSION__=310", "-DCL_VERSION_3_1=310"})
      add(argument);
  // The names alone: qualifiers and types are always there.
  addIf(options.kernelArgumentInfo, "-cl-kernel-arg-info");
  addIf(options.singlePrecisionConstant, "-cl-single-precision-constant");
  addIf(options.uniformWorkGroups, "-cl-uniform-work-group-size");
  addIf(options.finiteMathOnly, "-cl-finite-math-only");
  addIf(options.fastRelaxedMath, "-cl-fast-relaxed-math");
  addIf(!options.strictAliasing, "-relaxed-aliasing");
  addIf(!options.warnings, "-w");
  addIf(options.warningsAreErrors, "-Werror");
  add(options.debugInfo ? "-debug-info-kind=limited" : "-debug-info-kind=line-tables-only");
  // Columns cost time (quadratic in the length of a line), and only a debugger would show them.
  addIf(!options.debugInfo && !facts.keepsNames, "-gno-column-info");
  // "The ON state" of FP_CONTRACT is the language's default; code generation fuses only if the device has fma.
  const bool contract = options.optimise || options.madEnable || options.unsafeMath || options.fastRelaxedMath;
  add(contract ? "-ffp-contract=on" : "-ffp-contract=off");

  // Exactly the macros of what the device offers. Clang knows the names that change the language; the others are plain
  // macros. The feature macros among them belong to OpenCL C 3.0, but for those of extensions to any OpenCL C.
  std::string enabled = "-cl-ext=-all";
  const clang::OpenCLOptions known;
  auto offer = [&](const std::string &name, bool visible) {
    if (known.isKnown(name))
      enabled += ",+" + name;
    else if (visible)
      add("-D" + name + "=1");
  };
  // "As such, there will be no preprocessor #define matching the extension name string": of C++ for OpenCL.
  for (const std::string &name : facts.extensions) offer(name, name != "cl_ext_cxx_for_opencl");
  for (const std::string &name : facts.features)
    offer(name, options.languageVersion >= 300 || name.starts_with("__opencl_c_integer_dot_product") ||
                    name.starts_with("__opencl_c_kernel_clock"));
  add(enabled);
  // Clang defines these two whatever the device offers.
  addIf(!has(facts.features, "__opencl_c_images"), "-U__IMAGE_SUPPORT__");
  addIf(options.languageVersion < 300 || !has(facts.features, "__opencl_c_int64"), "-U__opencl_c_int64");
  if (facts.hasFma) {
    add("-DFP_FAST_FMAF=1");
    addIf(has(facts.extensions, "cl_khr_fp64") || has(facts.features, "__opencl_c_fp64"), "-DFP_FAST_FMA=1");
    addIf(has(facts.extensions, "cl_khr_fp16"), "-DFP_FAST_FMA_HALF=1");
  }

  for (const std::string &definition : options.definitions) add("-D" + definition);
  add("-I" + std::string(kHeaderFolder));
  for (const std::string &path : options.includePaths) add("-I" + path);
  return arguments;
}

/// Headers in memory above the disk.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem(const CompileRequest &request) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(kBaseHeader, 0,
                  llvm::MemoryBuffer::getMemBuffer(
                      llvm::StringRef(us_opencl_base_header, us_opencl_base_header_end - us_opencl_base_header)));
  memory->addFile(kOwnHeader, 0, llvm::MemoryBuffer::getMemBuffer(kWorkGroupArithmetic));
  memory->addFile(kIntelHeader, 0, llvm::MemoryBuffer::getMemBuffer(kIntelSubGroups));
  memory->addFile(kCopiesHeader, 0, llvm::MemoryBuffer::getMemBuffer(kAsyncCopies));
  for (const NamedText &header : request.headers)
    memory->addFile(llvm::Twine(kHeaderFolder) + "/" + llvm::StringRef(header.name), 0,
                    llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(header.text)));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  overlay->pushOverlay(memory);
  return overlay;
}

/// Whether a program may name a function that begins so: its headers on the disk are not looked into.
bool maySay(std::string_view beginning, const CompileRequest &request, const BuildOptions &options) {
  const auto says = [&](std::string_view text) { return text.find(beginning) != text.npos; };
  return says(request.source) || !options.includePaths.empty() || std::ranges::any_of(options.definitions, says) ||
         std::ranges::any_of(request.headers, says, &NamedText::text);
}

/// Clang's last line: "1 warning and 2 errors generated."
std::string countSentence(const clang::DiagnosticConsumer &printer) {
  auto count = [](unsigned number, const char *what) {
    return number == 0 ? std::string() : std::to_string(number) + " " + what + (number == 1 ? "" : "s");
  };
  const std::string warnings = count(printer.getNumWarnings(), "warning");
  const std::string errors = count(printer.getNumErrors(), "error");
  if (warnings.empty() && errors.empty()) return {};
  return warnings + (warnings.empty() || errors.empty() ? "" : " and ") + errors + " generated.\n";
}

} // namespace
} // namespace opencl

Logged<KernelModule> compileOpenCl(const CompileRequest &request, const LanguageFacts &facts) {
  using namespace opencl;
  const BuildStep step = request.link ? BuildStep::Build : BuildStep::Compile;
  Expected<BuildOptions> options = parseBuildOptions(request.options, step);
  if (!options) return {std::unexpected(options.error()), "error: " + options.error().message + "\n"};

  const ErrorCode failure = request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure;
  if (hasEndlessCondition(request.source))
    return {fail(failure, "a preprocessor condition is too long"), "error: a preprocessor condition is too long\n"};

  // "Calls to clBuildProgram or clCompileProgram with the -cl-std=CL3.1 option will fail to compile the program for any
  // devices when CL_DEVICE_OPENCL_C_ALL_VERSIONS does not include OpenCL C 3.1." Likewise the others.
  if (options->cppVersion) {
    if (!has(facts.extensions, "cl_ext_cxx_for_opencl")) {
      const std::string why = "the device does not have C++ for OpenCL";
      return {fail(failure, why), "error: " + why + "\n"};
    }
    // "C++ for OpenCL 1.0 ... is fully backward compatible with OpenCL C 2.0", 2021 "with OpenCL C 3.0".
    options->languageVersion = options->cppVersion == 100 ? 200 : 300;
  }
  if (options->languageVersion > facts.openclVersion) {
    const std::string why = "the device does not have the language " + nameOf(options->languageVersion);
    return {fail(failure, why), "error: " + why + "\n"};
  }

  std::string log;
  llvm::raw_string_ostream logStream(log);
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  clang::DiagnosticOptions &diagnosticOptions = invocation->getDiagnosticOpts();
  clang::TextDiagnosticPrinter printer(logStream, &diagnosticOptions);
  clang::CompilerInstance compiler;
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);

  const std::vector<std::string> arguments = clangArguments(*options, facts);
  std::vector<const char *> pointers;
  pointers.reserve(arguments.size());
  for (const std::string &argument : arguments) pointers.push_back(argument.c_str());
  const bool understood =
      clang::CompilerInvocation::CreateFromArgs(*invocation, pointers, compiler.getDiagnostics(), kSourceName);
  if (!understood) return {fail(failure, "the options were not understood"), log};

  const std::string source(request.source);
  const clang::InputKind kind(clang::Language::OpenCL);
  invocation->getFrontendOpts().Inputs = {clang::FrontendInputFile(llvm::MemoryBufferRef(source, kSourceName), kind)};
  std::vector<std::string> headers = {std::string(kBaseHeader)};
  if (options->languageVersion >= 200 && has(facts.extensions, "cl_khr_work_group_uniform_arithmetic"))
    headers.emplace_back(kOwnHeader);
  if (has(facts.extensions, "cl_intel_subgroups") && maySay("intel_sub_group_", request, *options))
    headers.emplace_back(kIntelHeader);
  const bool hasCopies = has(facts.extensions, "cl_khr_extended_async_copies") ||
                         has(facts.extensions, "cl_khr_async_work_group_copy_fence");
  if (hasCopies && maySay("async_work_group_copy_", request, *options)) headers.emplace_back(kCopiesHeader);
  auto &includes = invocation->getPreprocessorOpts().Includes;
  includes.insert(includes.begin(), headers.begin(), headers.end());
  compiler.setInvocation(invocation);
  compiler.createDiagnostics(&printer, /*ShouldOwnClient=*/false);
  compiler.createFileManager(fileSystem(request));
  compiler.createSourceManager(compiler.getFileManager());
  if (!compiler.createTarget()) return {fail(failure, "the options were not understood"), log};

  KernelModule output;
  output.context = std::make_unique<llvm::LLVMContext>();
  IncludeRecorder recorder;
  GenerateIr action(*output.context, recorder);
  const clang::FrontendInputFile &input = compiler.getFrontendOpts().Inputs[0];
  if (action.BeginSourceFile(compiler, input)) {
    llvm::consumeError(action.Execute());
    if (compiler.hasSourceManager()) {
      output.expandedSource = recorder.expand(compiler.getSourceManager());
      output.includedFiles = recorder.filesOnDisk(compiler.getSourceManager(), kMemoryRoot);
    }
    action.EndSourceFile();
  }
  output.module = action.takeModule();
  log += countSentence(printer);
  if (!output.module || compiler.getDiagnostics().hasErrorOccurred())
    return {fail(failure, "the program has errors; the build log lists them"), log};
  return {std::move(output), log};
}

} // namespace us::frontend
