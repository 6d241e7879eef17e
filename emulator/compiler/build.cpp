// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/compiler/build.h"

#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/program_pipeline.h"
#include "emulator/codegen/program_variable_layout.h"
#include "emulator/compiler/guard.h"
#include "frontend/frontend.h"
#include "runtime/device/executable.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>

namespace us::compiler {
namespace {

frontend::LanguageFacts languageFacts(const abi::LanguageFacts &facts) {
  return {facts.extensions, facts.features, facts.hasFma};
}

std::vector<char> bitcodeOf(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return {bytes.begin(), bytes.end()};
}

void failWith(abi::ModuleOutput &output, ErrorCode code, std::string message) {
  output.ok = false;
  output.error = Error{code, std::move(message)};
}

/// Completes an executable from its closed module. `failure` is the code of what can still be wrong with it.
void describeExecutable(llvm::Module &module, const abi::LanguageFacts &facts, ErrorCode failure,
                        abi::ModuleOutput &output) {
  output.module.kernels = codegen::describeKernels(module);
  for (const KernelInfo &kernel : output.module.kernels) {
    if (facts.localMemory == 0 || kernel.localMemory <= facts.localMemory) continue;
    output.log += "error: kernel '" + kernel.name + "' needs " + std::to_string(kernel.localMemory) +
                  " bytes of local memory; the device has " + std::to_string(facts.localMemory) + "\n";
    return failWith(output, failure, "a kernel needs more local memory than the device has");
  }
  Expected<abi::ProgramVariables> variables = codegen::programVariables(module, facts.maxProgramVariable);
  if (!variables) {
    output.log += "error: " + variables.error().message + "\n";
    return failWith(output, failure, variables.error().message);
  }
  output.module.variables = *std::move(variables);
  output.module.kind = uint8_t(ProgramKind::Executable);
  output.module.ir = bitcodeOf(module);
  output.ok = true;
}

/// `ending` says what the source is: ".cl", ".spv" or ".ptx".
void dump(const std::string &directory, std::string_view source, const char *ending, const llvm::Module *module) {
  if (directory.empty()) return;
  static std::atomic<unsigned> builds = 0;
  const std::string base = directory + "/program" + std::to_string(builds++);
  std::error_code failure;
  (void)llvm::sys::fs::create_directories(directory); // opening the file says so
  llvm::raw_fd_ostream(base + ending, failure) << source;
  if (module) llvm::raw_fd_ostream(base + ".ll", failure) << *module;
}

frontend::CompileResult runFrontEnd(const abi::CompileInput &input) {
  if (!input.il.empty()) {
    std::vector<frontend::Specialization> values;
    values.reserve(input.specializations.size());
    for (const abi::SpecializationValue &value : input.specializations) values.push_back({value.id, value.bytes});
    return frontend::compileSpirv({input.il, input.options, values, input.link, languageFacts(input.facts)});
  }
  if (input.language == SourceLanguage::Ptx)
    return frontend::compilePtx({input.source, {}, {}, input.link, languageFacts(input.facts)});
  std::vector<frontend::HeaderText> headers;
  headers.reserve(input.headers.size());
  for (const abi::NamedText &header : input.headers) headers.push_back({header.name, header.text});
  return frontend::compileOpenCl({input.source, input.options, headers, input.link, languageFacts(input.facts)});
}

void compileUnguarded(const abi::CompileInput &input, abi::ModuleOutput &output) {
  const bool isIl = !input.il.empty();
  const std::string_view ilText(reinterpret_cast<const char *>(input.il.data()), input.il.size());
  const char *const ending = isIl ? ".spv" : input.language == SourceLanguage::Ptx ? ".ptx" : ".cl";
  frontend::CompileResult result = runFrontEnd(input);
  output.log = std::move(result.log);
  if (!result.ok) {
    dump(input.dumpDirectory, isIl ? ilText : input.source, ending, nullptr);
    return failWith(output, result.error.code, result.error.message);
  }
  output.module.options = input.options;
  output.module.expandedSource = std::move(result.output.expandedSource);
  output.module.includedFiles = std::move(result.output.includedFiles);

  llvm::Module &module = *result.output.module;
  const ErrorCode failure = input.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure;
  codegen::ErrorCollector errors(module.getContext());
  codegen::makeKernelIr(module, input.facts.hasFma);
  if (input.link && !errors.any()) codegen::closeProgram(module);
  dump(input.dumpDirectory, isIl ? ilText : output.module.expandedSource, ending, &module);
  if (errors.any()) {
    output.log += errors.text();
    return failWith(output, failure, "the program could not be built; the build log says why");
  }
  if (input.link) return describeExecutable(module, input.facts, failure, output);
  output.module.kind = uint8_t(ProgramKind::CompiledObject);
  output.module.ir = bitcodeOf(module);
  output.ok = true;
}

/// The inputs' modules in one context; empty with an error in the output if one cannot be read.
std::vector<std::unique_ptr<llvm::Module>> readInputs(const abi::LinkInput &input, llvm::LLVMContext &context,
                                                      abi::ModuleOutput &output) {
  std::vector<std::unique_ptr<llvm::Module>> modules;
  for (const abi::ModuleData *object : input.inputs) {
    llvm::Expected<std::unique_ptr<llvm::Module>> module =
        llvm::parseBitcodeFile({{object->ir.data(), object->ir.size()}, "object"}, context);
    if (!module) {
      failWith(output, ErrorCode::InvalidProgram, llvm::toString(module.takeError()));
      return {};
    }
    modules.push_back(std::move(*module));
  }
  return modules;
}

void linkUnguarded(const abi::LinkInput &input, abi::ModuleOutput &output) {
  const Expected<frontend::LinkOptions> options = frontend::parseLinkOptions(input.options);
  if (!options) {
    output.log = "error: " + options.error().message + "\n";
    return failWith(output, options.error().code, options.error().message);
  }
  if (input.inputs.empty()) return failWith(output, ErrorCode::InvalidValue, "there is nothing to link");
  output.module.options = input.options;
  for (const abi::ModuleData *object : input.inputs) {
    output.module.expandedSource += object->expandedSource;
    output.module.includedFiles.insert(output.module.includedFiles.end(), object->includedFiles.begin(),
                                       object->includedFiles.end());
  }

  llvm::LLVMContext context;
  codegen::ErrorCollector errors(context);
  std::vector<std::unique_ptr<llvm::Module>> modules = readInputs(input, context, output);
  if (modules.empty()) return;
  const std::unique_ptr<llvm::Module> program = std::move(modules.front());
  modules.erase(modules.begin());
  codegen::mergeModules(*program, std::move(modules));
  if (!options->createLibrary && !errors.any()) codegen::closeProgram(*program);
  if (errors.any()) {
    output.log += errors.text();
    return failWith(output, ErrorCode::LinkProgramFailure, "the programs could not be linked; the build log says why");
  }
  if (!options->createLibrary) return describeExecutable(*program, input.facts, ErrorCode::LinkProgramFailure, output);
  output.module.kind = uint8_t(ProgramKind::Library);
  output.module.ir = bitcodeOf(*program);
  output.ok = true;
}

/// A fatal error inside LLVM, or too much time, is a failed build with a sentence in the log.
void guarded(abi::ModuleOutput &output, ErrorCode failure, uint64_t timeLimit, const std::function<void()> &work) {
  const std::string fatal = runGuarded(work, timeLimit);
  if (fatal.empty()) return;
  output.module = {};
  output.log += "error: the compiler failed: " + fatal + "\n";
  failWith(output, failure, "the compiler failed: " + fatal);
}

} // namespace

void compile(const abi::CompileInput &input, abi::ModuleOutput &output) {
  const ErrorCode failure = input.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure;
  guarded(output, failure, input.timeLimit, [&] { compileUnguarded(input, output); });
}

void link(const abi::LinkInput &input, abi::ModuleOutput &output) {
  guarded(output, ErrorCode::LinkProgramFailure, input.timeLimit, [&] { linkUnguarded(input, output); });
}

} // namespace us::compiler
