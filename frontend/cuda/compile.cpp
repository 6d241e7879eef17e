// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/compile.h"

#include "frontend/cuda/include_folders.h"
#include "frontend/cuda/llvm_work.h"
#include "frontend/cuda/lower_clusters.h"
#include "frontend/cuda/lower_launches.h"
#include "frontend/cuda/lower_managed.h"
#include "frontend/cuda/lower_relocatable.h"
#include "frontend/cuda/lowered_names.h"
#include "frontend/cuda/mean_the_device.h"
#include "frontend/cuda/nvvm_annotations.h"
#include "frontend/cuda/open_mp.h"
#include "frontend/cuda/recording_files.h"
#include "frontend/cuda/shape_for_device.h"
#include "frontend/cuda/show_statics.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/Version.h>
#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Options.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Frontend/Utils.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <clang/Sema/Sema.h>
#include <clang/Serialization/ASTWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/Option/ArgList.h>
#include <llvm/Option/OptTable.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/xxhash.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/IPO/Internalize.h>

#include <algorithm>
#include <optional>
#include <set>

namespace llvm {
// Of the NVPTX back end, which remembers what it read of a module's annotations. LLVM's shared library, which only
// sanitizer builds link, does not export it.
[[gnu::weak]] void clearAnnotationCache(const Module *module);
} // namespace llvm

namespace us::frontend::cuda {
namespace {

/// Where headers from memory lie; no file system has such a folder.
constexpr const char *kHeaderFolder = "/<understudy>/headers";
constexpr const char *kImageFile = "/<understudy>/image";
constexpr const char *kPrecompiledFile = "/<understudy>/precompiled";

using Words = std::vector<std::string>;

void append(Words &words, std::initializer_list<const char *> more) {
  words.insert(words.end(), more.begin(), more.end());
}
void appendIf(bool condition, Words &words, std::initializer_list<const char *> more) {
  if (condition) append(words, more);
}

/// How device code is generated.
void addDeviceOptions(const CompileInput &input, Words &words) {
  const CodeOptions &options = input.options;
  words.push_back(input.release.major >= 12 ? "--cuda-feature=+ptx83" : "--cuda-feature=+ptx78");
  words.push_back(options.deviceDebug ? "-O0" : "-O" + options.optimisation);
  appendIf(options.deviceDebug, words, {"-g"});
  appendIf(options.lineInfo && !options.deviceDebug, words, {"-gline-directives-only"});

  // Fusing marks what may be fused where the source says so: the device functions stay as exact as they were written.
  words.push_back(options.fuse ? "-ffp-contract=fast-honor-pragmas" : "-ffp-contract=off");
  appendIf(options.flushToZero, words, {"-fgpu-flush-denormals-to-zero"});
  appendIf(!options.preciseDivision, words,
           {"-mllvm", options.fastMath ? "-nvptx-prec-divf32=0" : "-nvptx-prec-divf32=1"});
  appendIf(!options.preciseRoot, words, {"-mllvm", "-nvptx-prec-sqrtf32=0"});
  appendIf(options.fastMath, words, {"-fgpu-approx-transcendentals"});

  // A variable that only the first lane has set goes to all of them through a shuffle, and before that into functions:
  // Clang would conclude that every thread is the first one.
  append(words, {"-Xclang", "-no-enable-noundef-analysis"});
  // Who ends without a value returns, and numbers that do not fit are what the device makes of them.
  append(words, {"-fno-strict-return", "-fno-strict-float-cast-overflow"});
  // The device vectorizes over threads and unrolls by itself: loops are left as they were written, but for those of a
  // known small count, and addresses as they were calculated.
  append(words, {"-mllvm", "-unroll-runtime=false", "-mllvm", "-unroll-allow-partial=false", "-mllvm", "-disable-lsr"});
  // The host has such a type, and the device has none: CCCL asks before it uses it for devices from sm_100 on.
  append(words, {"-U__SIZEOF_FLOAT128__", "-U__FLOAT128__"});
  if (input.architecture.clang != "sm_" + std::to_string(input.architecture.number) + input.architecture.suffix) {
    words.push_back("-U__CUDA_ARCH__");
    words.push_back("-D__CUDA_ARCH__=" + std::to_string(input.architecture.number * 10));
  }
}

/// Those of a host compiler's options that Clang has too.
Words knownToClang(const Words &words) {
  Words known;
  const llvm::opt::OptTable &table = clang::driver::getDriverOptTable();
  for (const std::string &word : words) {
    unsigned missing = 0, count = 0;
    const char *text = word.c_str();
    const llvm::opt::InputArgList parsed = table.ParseArgs(llvm::ArrayRef(text), missing, count);
    // OpenMP is Clang's own, if that is installed.
    const bool isOpenMp = word.starts_with("-fopenmp");
    if (count == 0 && !isOpenMp &&
        !parsed.hasArg(clang::driver::options::OPT_UNKNOWN, clang::driver::options::OPT_INPUT))
      known.push_back(word);
  }
  return known;
}

/// How the host's code is generated.
void addHostOptions(const CompileInput &input, Words &words) {
  const HostOptions &host = input.options.host;
  words.push_back("-O" + host.optimisation);
  appendIf(host.debug, words, {"-g"});
  append(words, {"-fPIC", "-pthread"});
  // Programs compare what kernels made with the same sums of the host's, and these wrap too with the host's compilers.
  words.push_back("-fwrapv");
  appendIf(host.ownDefaultStreams, words,
           {"-Xclang", "-fgpu-default-stream=per-thread", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1"});
  // What the runtime is called for <<<>>> is chosen by the release: that of Clang's newest.
  append(words, {"-Xclang", "-target-sdk-version=12.3", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", kImageFile});
  const Words known = knownToClang(host.compiler);
  words.insert(words.end(), known.begin(), known.end());
  if (asksForOpenMp(host.compiler) && !openMpFolders().include.empty()) words.push_back("-fopenmp=libomp");
}

/// Clang's own command line: text is the interface that Clang keeps stable. Both compilations of a source see the same
/// macros but for __CUDA_ARCH__.
Words clangArguments(const CompileInput &input) {
  const CodeOptions &options = input.options;
  const Release &release = input.release;
  const bool isForHost = input.product == Product::Object;
  // Where programs usually lie: Clang names the host's headers from there, and dependencies shall be names from which a
  // build system can take the dots.
  Words words = {"/usr/bin/clang", "-x",        "cuda", isForHost ? "--cuda-host-only" : "--cuda-device-only",
                 "-nocudainc",     "-nocudalib"};
  auto add = [&](std::string word) { words.push_back(std::move(word)); };

  add("-resource-dir");
  add(input.toolkit + "/clang");
  add("--cuda-gpu-arch=" + input.architecture.clang);
  add("-std=" + (options.standard.starts_with("c++") ? "gnu" + options.standard.substr(1) : options.standard));
  if (options.relocatable) {
    // What is static has the same name in both compilations, and no other source has it.
    append(words, {"-fgpu-rdc", "-fuse-cuid=none", "-Xclang"});
    add("-cuid=" + llvm::utohexstr(llvm::xxh3_64bits(input.source) ^ llvm::xxh3_64bits(input.name)));
  }
  (isForHost ? addHostOptions : addDeviceOptions)(input, words);

  appendIf(options.flushToZero, words, {"-D__CUDA_FTZ=1"});
  appendIf(!options.preciseDivision, words, {"-D__CUDA_PREC_DIV=0"});
  appendIf(!options.preciseRoot, words, {"-D__CUDA_PREC_SQRT=0"});
  appendIf(options.fastMath, words, {"-D__USE_FAST_MATH__=1"});
  append(words, {options.withoutHost ? "-D__CUDACC_RTC__=1" : "-D__NVCC__=1", "-D__CUDACC__=1"});
  appendIf(options.relocatable, words, {"-D__CUDACC_RDC__=1"});
  add("-D__CUDACC_VER_MAJOR__=" + std::to_string(release.major));
  add("-D__CUDACC_VER_MINOR__=" + std::to_string(release.minor));
  add("-D__CUDACC_VER_BUILD__=0");
  add("-D__CUDA_ARCH_LIST__=" + std::to_string(input.architecture.number * 10));

  if (const std::string folder = options.withoutHost ? "" : openMpHeader(); !folder.empty()) {
    // Its header is behind all others, and device code sees the same macro as the host's.
    append(words, {"-idirafter"});
    add(folder);
    const bool isOn = asksForOpenMp(options.host.compiler) && !openMpFolders().include.empty();
    if (isOn && !isForHost) add("-D_OPENMP=201511"); // newer ones say in the header what pragmas take back
  }
  if (!input.headers.empty()) append(words, {"-I", kHeaderFolder});
  const Words given = otherToolkitsBehind(options.clang);
  words.insert(words.end(), given.begin(), given.end());
  add("-isystem");
  add(input.toolkit + "/include");
  if (options.withoutHost) {
    append(words, {"-nostdinc++", "-nostdlibinc", "-idirafter"});
    add(input.toolkit + "/include/understudy/rtc");
    // With modules Clang would take the host's and the device's form of a function for one when it reads precompiled
    // headers.
    append(words, {"-Xclang", "-fno-cxx-modules"});
    // What such sources define for themselves where there is no C library.
    append(words, {"-Wno-macro-redefined", "-Wno-builtin-macro-redefined"});
  } else {
    add("-isystem");
    add(input.toolkit + "/clang/include/cuda_wrappers");
  }
  if (input.precompiled.empty()) {
    add("-include");
    add(input.toolkit + "/include/cuda_runtime.h");
  } else {
    append(words, {"-Xclang", "-include-pch", "-Xclang", kPrecompiledFile, "-Xclang", "-isysroot", "-Xclang"});
    add(input.toolkit);
  }
  if (input.precompiledElsewhere) {
    // What differs is for who asked for it; the macros that are given are defined once more behind the headers.
    append(words, {"-Xclang", "-fno-validate-pch", "-U__CUDA_ARCH__"});
    add("-D__CUDA_ARCH__=" + std::to_string(input.architecture.number * 10));
  }

  // As nvcc: templates ask with f(...) what a type can do, and nobody calls it.
  append(words, {"-Xclang", "-fcuda-allow-variadic-functions"});

  // Warnings about what programs for nvcc may do.
  append(words, {"-Wno-unknown-cuda-version", "-Wno-invalid-constexpr", "-Wno-unknown-pragmas", "-Wno-pass-failed",
                 "-Wno-unused-command-line-argument", "-Wno-register"});
  // What nvcc and NVRTC say unasked, of all functions, and once.
  if (!isForHost) append(words, {"-Wunused-variable", "-Wunused-but-set-variable"});
  // Header libraries ask whether the compiler has what newer standards brought, and use it.
  append(words, {"-Wno-c++17-extensions", "-Wno-c++20-extensions", "-Wno-c++23-extensions", "-Wno-c++26-extensions"});
  appendIf(options.deviceByDefault, words, {"-Wno-pragma-clang-attribute"});
  appendIf(options.noWarnings, words, {"-w"});
  switch (input.product) {
  case Product::Ptx:
  case Product::Bitcode:
    appendIf(input.product == Product::Bitcode, words, {"-emit-llvm"});
    append(words, {"-S", "-Xclang", "-mlink-builtin-bitcode", "-Xclang"});
    add(input.toolkit + "/device/device_library.bc");
    break;
  case Product::Object:
    add("-c");
    break;
  case Product::Preprocessed:
    add("-E");
    break;
  case Product::Dependencies:
    add("-M");
    break;
  case Product::Precompiled:
    add("-fsyntax-only");
    break;
  }
  add(input.product == Product::Precompiled ? kBeginning : input.name);
  add("-o");
  add(input.product == Product::Dependencies ? "-" : input.output);
  return words;
}

/// Runs first of all.
void lowerDeviceCode(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
    passes.addPass(LowerLaunches());
    passes.addPass(MarkManaged());
    passes.addPass(JoinStatics());
  });
}

void showStatics(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(ShowStatics()); });
}

/// What Clang's code for the host needs that is CUDA's.
void lowerHostCode(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
    passes.addPass(RegisterPart());
    passes.addPass(RedirectManaged());
  });
}

/// Without relocatable code nobody can call a device function of this module from outside: only kernels and variables
/// stay. Runs first, so that nothing unused is optimised.
struct KeepWhatIsReachable : llvm::PassInfoMixin<KeepWhatIsReachable> {
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &manager) {
    const std::set<const llvm::GlobalValue *> kernels = kernelsOf(module);
    llvm::InternalizePass hide(
        [&](const llvm::GlobalValue &value) { return !llvm::isa<llvm::Function>(value) || kernels.contains(&value); });
    hide.run(module, manager);
    llvm::GlobalDCEPass().run(module, manager);
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

void keepWhatIsReachable(llvm::PassBuilder &builder) {
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) { passes.addPass(KeepWhatIsReachable()); });
}

/// .maxnreg of each kernel that has none, as -maxrregcount wants.
struct LimitRegisters : llvm::PassInfoMixin<LimitRegisters> {
  explicit LimitRegisters(unsigned count) : count(count) {}
  llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &) {
    std::vector<llvm::Function *> kernels;
    std::set<const llvm::Function *> limited;
    forEachNvvmAnnotation(module, [&](const NvvmAnnotation &one) {
      if (one.name == "kernel") kernels.push_back(&one.of);
      if (one.name == "maxnreg") limited.insert(&one.of);
    });
    llvm::LLVMContext &context = module.getContext();
    auto *number = llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), count));
    for (llvm::Function *kernel : kernels)
      if (!limited.contains(kernel))
        module.getOrInsertNamedMetadata("nvvm.annotations")
            ->addOperand(llvm::MDNode::get(
                context, {llvm::ConstantAsMetadata::get(kernel), llvm::MDString::get(context, "maxnreg"), number}));
    if (llvm::clearAnnotationCache) llvm::clearAnnotationCache(&module);
    return llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
  unsigned count;
};

/// -E into a text.
class Preprocess : public clang::PreprocessorFrontendAction {
public:
  explicit Preprocess(llvm::raw_ostream &output) : output_(output) {}

protected:
  void ExecuteAction() override {
    clang::CompilerInstance &compiler = getCompilerInstance();
    clang::DoPrintPreprocessedInput(compiler.getPreprocessor(), &output_, compiler.getPreprocessorOutputOpts());
  }
  bool hasPCHSupport() const override { return true; }

private:
  llvm::raw_ostream &output_;
};

/// -M into a text.
class Dependencies : public clang::DependencyFileGenerator {
public:
  Dependencies(const clang::DependencyOutputOptions &options, llvm::raw_ostream &output)
      : DependencyFileGenerator(options), output_(output) {}
  void finishedMainFile(clang::DiagnosticsEngine &) override { outputDependencyFile(output_); }

private:
  llvm::raw_ostream &output_;
};

/// The name that an explicit instantiation may say of a private member, for who asks by `functionsToCheck`.
template <auto Member> struct Reveal {
  friend auto &functionsToCheck(clang::Sema &sema) { return sema.*Member; }
};
template struct Reveal<&clang::Sema::DeclsToCheckForDeferredDiags>;
auto &functionsToCheck(clang::Sema &sema);

/// Clang looks at each function that is the device's for what it may call, also at those of precompiled headers, which
/// it would read for that alone. Inline ones and templates it looks at when something calls them.
void forgetInlineFunctions(clang::Sema &sema) {
  functionsToCheck(sema).remove_if([](const clang::Decl *declaration) {
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    return function && (function->isInlined() || function->isTemplateInstantiation());
  });
}

/// Precompiled headers in memory. They hold for a copy of the toolkit in another folder, too: paths in it are kept
/// without it, and no times.
class Precompiler : public clang::PCHGenerator {
public:
  Precompiler(clang::CompilerInstance &compiler, const std::string &toolkit, std::shared_ptr<clang::PCHBuffer> buffer)
      : PCHGenerator(compiler.getPreprocessor(), compiler.getModuleCache(), kPrecompiledFile, toolkit,
                     std::move(buffer), compiler.getFrontendOpts().ModuleFileExtensions,
                     /*AllowASTWithErrors=*/false, /*IncludeTimestamps=*/false),
        compiler_(compiler) {}
  void HandleTranslationUnit(clang::ASTContext &context) override {
    forgetInlineFunctions(compiler_.getSema());
    PCHGenerator::HandleTranslationUnit(context);
  }

private:
  clang::CompilerInstance &compiler_;
};

/// The headers as Clang reads them again: its own action writes a file.
class Precompile : public clang::ASTFrontendAction {
public:
  Precompile(const CompileInput &input, llvm::SmallVectorImpl<char> &result, std::vector<std::string> &identifiers)
      : input_(input), result_(result), identifiers_(identifiers) {}

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler, llvm::StringRef) override {
    return std::make_unique<Precompiler>(compiler, input_.toolkit, buffer_);
  }
  void EndSourceFileAction() override {
    if (buffer_->IsComplete) result_.assign(buffer_->Data.begin(), buffer_->Data.end());
    if (!input_.withIdentifiers) return;
    for (const auto &known : getCompilerInstance().getPreprocessor().getIdentifierTable())
      identifiers_.push_back(known.getKey().str());
  }
  clang::TranslationUnitKind getTranslationUnitKind() override { return clang::TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

private:
  const CompileInput &input_;
  llvm::SmallVectorImpl<char> &result_;
  std::vector<std::string> &identifiers_;
  std::shared_ptr<clang::PCHBuffer> buffer_ = std::make_shared<clang::PCHBuffer>();
};

bool runStep(clang::CompilerInstance &compiler, const CompileInput &input, Compiled &compiled,
             llvm::SmallVectorImpl<char> &result) {
  auto output = std::make_unique<llvm::raw_svector_ostream>(result);
  switch (input.product) {
  case Product::Ptx: {
    compiler.setOutputStream(std::move(output));
    WithLoweredNames<clang::EmitAssemblyAction> action(compiled.loweredNames, input.names.size(),
                                                       input.options.withoutHost, input.options.relocatable);
    return compiler.ExecuteAction(action);
  }
  case Product::Bitcode: {
    compiler.setOutputStream(std::move(output));
    WithLoweredNames<clang::EmitBCAction> action(compiled.loweredNames, input.names.size(), input.options.withoutHost,
                                                 input.options.relocatable);
    return compiler.ExecuteAction(action);
  }
  case Product::Object: {
    compiler.setOutputStream(std::move(output));
    clang::EmitObjAction action;
    return compiler.ExecuteAction(action);
  }
  case Product::Preprocessed: {
    Preprocess action(*output);
    return compiler.ExecuteAction(action);
  }
  case Product::Precompiled: {
    std::vector<std::string> none;
    WithLoweredNames<Precompile> action(none, 0, input.options.withoutHost, input.options.relocatable, input, result,
                                        compiled.identifiers);
    return compiler.ExecuteAction(action);
  }
  case Product::Dependencies:
    break;
  }
  if (clang::DependencyOutputOptions &options = compiler.getDependencyOutputOpts(); options.OutputFile == "-") {
    compiler.addDependencyCollector(std::make_shared<Dependencies>(options, *output));
    options.OutputFile.clear();
  }
  // The dependencies are collected by a listener; there is nothing else to do than to read the source.
  clang::PreprocessOnlyAction action;
  return compiler.ExecuteAction(action);
}

/// "kernel << <grid, block> >> (...)", as tools that knew no CUDA have laid out many a launch, and nvcc takes: the
/// brackets become one word each, and what follows stays where it was.
void joinBrackets(std::string &text) {
  const auto join = [&](size_t at, char bracket) { // three brackets in two words become one
    const std::string one(1, bracket), two(2, bracket);
    for (const auto &[first, second] : {std::pair(two, one), std::pair(one, two)}) {
      if (text.compare(at, first.size(), first) != 0) continue;
      const size_t next = text.find_first_not_of(" \t", at + first.size());
      if (next == at + first.size() || next == std::string::npos || text.compare(next, second.size(), second) != 0)
        continue;
      text.replace(at, next + second.size() - at, one + two + std::string(next - at - first.size(), ' '));
      return true;
    }
    return false;
  };
  for (size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    if ((at > 0 && text[at - 1] == '<') || !join(at, '<')) continue;
    const size_t end = text.find(';', at);
    for (size_t to = text.find('>', at); to < end; to = text.find('>', to + 1))
      if (text[to - 1] != '>' && join(to, '>')) break;
  }
}

/// A text with what a device's compilation needs around it, which its lines do not count.
std::string wrapped(const CompileInput &input, std::string_view part, const std::string &place) {
  // Clang has such a pragma for functions, and attributes that it adds to all that follows.
  constexpr std::string_view kDeviceByDefault = "#pragma clang force_cuda_host_device begin\n"
                                                "#pragma clang attribute push(__attribute__((device)), apply_to = "
                                                "variable(is_global))\n";
  std::string text;
  if (input.options.deviceByDefault) text += kDeviceByDefault;
  text += place;
  text += part;
  joinBrackets(text);
  text += "\n";
  if (input.options.deviceByDefault) text += "#pragma clang attribute pop\n#pragma clang force_cuda_host_device end\n";
  return text;
}

std::string lineOf(std::string_view name, size_t line) {
  return "#line " + std::to_string(line) + " \"" + escaped(std::string(name)) + "\"\n";
}

/// What is precompiled of the source; who asks for it later may call the source otherwise.
std::string beginningOf(const CompileInput &input) {
  return input.beginning == 0 ? "" : wrapped(input, input.source.substr(0, input.beginning), lineOf(kBeginning, 1));
}

/// The source, but for what is precompiled of it.
std::string sourceOf(const CompileInput &input) {
  const size_t skipped = input.precompiled.empty() ? 0 : input.beginning;
  const auto line = 1 + static_cast<size_t>(std::ranges::count(input.source.substr(0, skipped), '\n'));
  const std::string place = input.options.deviceByDefault || skipped != 0 ? lineOf(input.name, line) : "";
  return wrapped(input, input.source.substr(skipped), place) + namingText(input.names);
}

/// Headers and the device's image in memory above the disk, of which `log` says what was looked for.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> fileSystem(const CompileInput &input, FileLog &log) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const NamedText &header : input.headers)
    memory->addFile(llvm::Twine(kHeaderFolder) + "/" + llvm::StringRef(header.name), 0,
                    llvm::MemoryBuffer::getMemBufferCopy(llvm::StringRef(header.text)));
  memory->addFile(kImageFile, 0, llvm::MemoryBuffer::getMemBuffer(input.image, "", false));
  memory->addFile(kPrecompiledFile, 0, llvm::MemoryBuffer::getMemBuffer(input.precompiled, "", false));
  memory->addFile(kBeginning, 0, llvm::MemoryBuffer::getMemBufferCopy(beginningOf(input)));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(recordingFileSystem(log));
  overlay->pushOverlay(memory);
  return overlay;
}

/// Our passes in Clang's pipeline.
void addPasses(const CompileInput &input, clang::CodeGenOptions &codeGeneration, ClusterDirectives &clusters) {
  const CodeOptions &options = input.options;
  auto &callbacks = codeGeneration.PassBuilderCallbacks;
  if (input.product == Product::Object) {
    callbacks.push_back(lowerHostCode);
    return;
  }
  if (options.withoutHost && !options.relocatable) callbacks.push_back(showStatics);
  // In bitcode the annotation stays.
  if (input.product == Product::Ptx)
    callbacks.push_back([&clusters](llvm::PassBuilder &builder) {
      builder.registerPipelineStartEPCallback([&clusters](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(NoteClusters(clusters));
      });
    });
  callbacks.push_back(meanTheDevice);
  callbacks.push_back(lowerDeviceCode);
  if (!options.relocatable) callbacks.push_back(keepWhatIsReachable);
  callbacks.push_back(shapeForDevice);
  if (const unsigned registers = options.maxRegisters)
    callbacks.push_back([registers](llvm::PassBuilder &builder) {
      builder.registerPipelineStartEPCallback([registers](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(LimitRegisters(registers));
      });
    });
}

/// Nothing: `messages` say why.
std::optional<Compiled> run(const CompileInput &input, llvm::raw_ostream &messages,
                            std::optional<UseOfLlvmOptions> &llvmOptions) {
  const std::vector<std::string> words = clangArguments(input);
  std::vector<const char *> arguments;
  arguments.reserve(words.size());
  for (const std::string &word : words) arguments.push_back(word.c_str());

  Compiled compiled;
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  clang::TextDiagnosticPrinter printer(messages, options.get());
  clang::DiagnosticsEngine diagnostics(llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, &printer, false);
  // The driver would say that it does not know a toolkit it happens to find; none is used.
  options->Warnings = {"no-unknown-cuda-version", "no-unused-command-line-argument"};
  clang::ProcessWarningOptions(diagnostics, *options);
  const llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = fileSystem(input, compiled.files);
  // Without a host it does not matter where the host's compiler is.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> seenByDriver = files;
  if (input.options.withoutHost) seenByDriver = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  clang::driver::Driver driver(arguments[0], llvm::sys::getDefaultTargetTriple(), diagnostics, "understudy",
                               seenByDriver);
  driver.setCheckInputsExist(false); // the source is in memory
  std::unique_ptr<clang::driver::Compilation> compilation(driver.BuildCompilation(arguments));
  if (!compilation || diagnostics.hasErrorOccurred()) return std::nullopt;
  const auto &jobs = compilation->getJobs();
  if (jobs.size() != 1) {
    messages << "error: Clang made " << jobs.size() << " steps of what should be one\n";
    return std::nullopt;
  }
  llvm::SmallVector<char, 0> result;
  if (input.onlyCommand) {
    llvm::raw_svector_ostream output(result);
    jobs.begin()->Print(output, "\n", true);
    compiled.content.assign(result.data(), result.size());
    return compiled;
  }

  const auto text = llvm::MemoryBuffer::getMemBufferCopy(sourceOf(input), input.name);
  clang::CompilerInstance compiler;
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, jobs.begin()->getArguments(), diagnostics, arguments[0]))
    return std::nullopt;
  invocation->getPreprocessorOpts().RetainRemappedFileBuffers = true;
  if (input.product != Product::Precompiled) invocation->getPreprocessorOpts().addRemappedFile(input.name, text.get());
  // Clang as a program leaves its memory to the end of the process.
  invocation->getFrontendOpts().DisableFree = invocation->getCodeGenOpts().DisableFree = false;
  compiler.setInvocation(invocation);
  compiler.setVerboseOutputStream(messages);
  compiler.createDiagnostics(new clang::TextDiagnosticPrinter(messages, &invocation->getDiagnosticOpts()));
  compiler.createFileManager(files);
  llvmOptions.emplace(compiler.getFrontendOpts().LLVMArgs, messages);
  if (!*llvmOptions) return std::nullopt;
  ClusterDirectives clusters;
  addPasses(input, compiler.getCodeGenOpts(), clusters);
  if (!runStep(compiler, input, compiled, result) || compiler.getDiagnostics().hasErrorOccurred()) return std::nullopt;
  compiled.content.assign(result.data(), result.size());
  addDirectives(compiled.content, clusters);
  return compiled;
}

} // namespace

std::string clangVersion() { return CLANG_VERSION_STRING; }

Logged<Compiled> compile(const CompileInput &input) {
  initializeTargets();
  std::string log;
  llvm::raw_string_ostream messages(log);
  messages.enable_colors(input.colors);
  std::optional<Compiled> result;
  const std::string fatal = runOnLargeStack(
      [&](std::optional<UseOfLlvmOptions> &llvmOptions) { result = run(input, messages, llvmOptions); });
  if (!fatal.empty()) messages << "error: the compiler failed: " << fatal << "\n";
  if (!result) return {fail(ErrorCode::BuildProgramFailure, "the source cannot be compiled; the log says why"), log};
  return {*std::move(result), log};
}

} // namespace us::frontend::cuda
