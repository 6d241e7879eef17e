// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/compiler/build.h"

#include "emulator/codegen/kernel_description.h"
#include "emulator/codegen/program_pipeline.h"
#include "emulator/codegen/program_variable_layout.h"
#include "frontend/frontend.h"
#include "frontend/llvm_guard.h"
#include "runtime/device/executable.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <atomic>
#include <functional>
#include <optional>

namespace us::compiler {
namespace {

std::vector<char> bitcodeOf(const llvm::Module &module) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::WriteBitcodeToFile(module, stream);
  return {bytes.begin(), bytes.end()};
}

/// Completes an executable from its closed module. `failure` is the code of what can still be wrong with it.
Logged<abi::ModuleData> describeExecutable(llvm::Module &module, const LanguageFacts &facts, ErrorCode failure,
                                           abi::ModuleData made, std::string log) {
  made.kernels = codegen::describeKernels(module);
  for (const KernelInfo &kernel : made.kernels) {
    // cl_intel_required_subgroup_size: "... it is a compile-time error if the required size is not supported".
    if (const uint32_t wanted = kernel.requiredSubGroupSize;
        wanted != 0 && std::ranges::find(abi::kSubGroupSizes, wanted) == std::end(abi::kSubGroupSizes)) {
      const std::string why = "kernel '" + kernel.name + "' requires sub-groups of " + std::to_string(wanted) +
                              " work-items; the device's have 8, 16 or 32";
      log += "error: " + why + "\n";
      return {fail(failure, why), std::move(log)};
    }
    if (facts.localMemory == 0 || kernel.localMemory <= facts.localMemory) continue;
    log += "error: kernel '" + kernel.name + "' needs " + std::to_string(kernel.localMemory) +
           " bytes of local memory; the device has " + std::to_string(facts.localMemory) + "\n";
    return {fail(failure, "a kernel needs more local memory than the device has"), std::move(log)};
  }
  Expected<abi::ProgramVariables> variables = codegen::programVariables(module, facts.maxProgramVariable);
  if (!variables) {
    log += "error: " + variables.error().message + "\n";
    return {fail(failure, variables.error().message), std::move(log)};
  }
  made.variables = *std::move(variables);
  made.kind = uint8_t(ProgramKind::Executable);
  made.ir = bitcodeOf(module);
  return {std::move(made), std::move(log)};
}

void dump(const std::string &directory, std::string_view source, SourceLanguage language, const llvm::Module *module) {
  if (directory.empty()) return;
  static std::atomic<unsigned> builds = 0;
  const std::string base = directory + "/program" + std::to_string(builds++);
  std::error_code failure;
  (void)llvm::sys::fs::create_directories(directory); // opening the file says so
  llvm::raw_fd_ostream(base + std::string(endingOf(language)), failure) << source;
  if (module) llvm::raw_fd_ostream(base + ".ll", failure) << *module;
}

ErrorCode failureOf(const CompileRequest &request) {
  return request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure;
}

/// `warnings`: what has been said, should it not come to an end.
Logged<abi::ModuleData> compileUnguarded(const CompileRequest &request, const LanguageFacts &facts,
                                         const std::string &dumpDirectory, std::string &warnings) {
  Logged<frontend::KernelModule> source = frontend::compile(request, facts);
  if (!source) {
    dump(dumpDirectory, request.source, request.language, nullptr);
    return {std::unexpected(std::move(source.error())), std::move(source.log)};
  }
  warnings = source.log;
  abi::ModuleData made;
  made.options = request.options;
  made.expandedSource = std::move(source->expandedSource);
  made.includedFiles = std::move(source->includedFiles);

  llvm::Module &module = *source->module;
  codegen::ErrorCollector errors(module.getContext());
  codegen::makeKernelIr(module, facts.hasFma);
  if (request.link && !errors.any()) codegen::closeProgram(module);
  dump(dumpDirectory, made.expandedSource.empty() ? request.source : made.expandedSource, request.language, &module);
  if (errors.any())
    return {fail(failureOf(request), "the program could not be built; the build log says why"),
            source.log + errors.text()};
  if (request.link)
    return describeExecutable(module, facts, failureOf(request), std::move(made), std::move(source.log));
  made.kind = uint8_t(ProgramKind::CompiledObject);
  made.ir = bitcodeOf(module);
  return {std::move(made), std::move(source.log)};
}

/// The inputs' modules in one context.
Expected<std::vector<std::unique_ptr<llvm::Module>>> readInputs(const abi::LinkInput &input,
                                                                llvm::LLVMContext &context) {
  std::vector<std::unique_ptr<llvm::Module>> modules;
  for (const abi::ModuleData *object : input.inputs) {
    llvm::Expected<std::unique_ptr<llvm::Module>> module =
        llvm::parseBitcodeFile({{object->ir.data(), object->ir.size()}, "object"}, context);
    if (!module) return fail(ErrorCode::InvalidProgram, llvm::toString(module.takeError()));
    modules.push_back(std::move(*module));
  }
  return modules;
}

Logged<abi::ModuleData> linkUnguarded(const abi::LinkInput &input, const LanguageFacts &facts) {
  const Expected<frontend::LinkOptions> options = frontend::parseLinkOptions(input.options);
  if (!options) return {std::unexpected(options.error()), "error: " + options.error().message + "\n"};
  if (input.inputs.empty()) return {fail(ErrorCode::InvalidValue, "there is nothing to link")};
  abi::ModuleData made;
  made.options = input.options;
  for (const abi::ModuleData *object : input.inputs) {
    made.expandedSource += object->expandedSource;
    made.includedFiles.insert(made.includedFiles.end(), object->includedFiles.begin(), object->includedFiles.end());
  }

  llvm::LLVMContext context;
  codegen::ErrorCollector errors(context);
  Expected<std::vector<std::unique_ptr<llvm::Module>>> modules = readInputs(input, context);
  if (!modules) return {std::unexpected(std::move(modules.error()))};
  const std::unique_ptr<llvm::Module> program = std::move(modules->front());
  modules->erase(modules->begin());
  codegen::mergeModules(*program, std::move(*modules));
  if (!options->createLibrary && !errors.any()) codegen::closeProgram(*program);
  if (errors.any())
    return {fail(ErrorCode::LinkProgramFailure, "the programs could not be linked; the build log says why"),
            errors.text()};
  if (!options->createLibrary)
    return describeExecutable(*program, facts, ErrorCode::LinkProgramFailure, std::move(made), {});
  made.kind = uint8_t(ProgramKind::Library);
  made.ir = bitcodeOf(*program);
  return {std::move(made)};
}

/// A fatal error inside LLVM, or too much time, is a failed build with a sentence in the log.
Logged<abi::ModuleData> guarded(ErrorCode failure, uint64_t timeLimit,
                                const std::function<Logged<abi::ModuleData>(std::string &warnings)> &work) {
  std::optional<Logged<abi::ModuleData>> made;
  std::string warnings;
  const std::string fatal = frontend::runGuarded([&] { made = work(warnings); }, timeLimit);
  if (fatal.empty()) return *std::move(made);
  return {fail(failure, "the compiler failed: " + fatal), warnings + "error: the compiler failed: " + fatal + "\n"};
}

} // namespace

Logged<abi::ModuleData> compile(const CompileRequest &request, const LanguageFacts &facts,
                                const abi::CompilerSettings &settings) {
  return guarded(failureOf(request), settings.timeLimit, [&](std::string &warnings) {
    return compileUnguarded(request, facts, settings.dumpDirectory, warnings);
  });
}

Logged<abi::ModuleData> link(const abi::LinkInput &input, const LanguageFacts &facts,
                             const abi::CompilerSettings &settings) {
  return guarded(ErrorCode::LinkProgramFailure, settings.timeLimit,
                 [&](std::string &) { return linkUnguarded(input, facts); });
}

} // namespace us::compiler
