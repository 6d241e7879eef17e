// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SPIR-V to a kernel module: options, reader, translation, and the last checks.
#include "frontend/frontend.h"
#include "frontend/opencl/build_options.h"
#include "frontend/spirv/translation.h"
#include "frontend/spirv/validator.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace us::frontend {
namespace {

/// True if the validator's opinion of the module matters: it does not know the debug instructions of every producer.
Expected<bool> translateInto(KernelModule &output, const CompileRequest &request, const LanguageFacts &facts) {
  US_TRY(const spirv::ModuleText text, spirv::readModule(std::as_bytes(std::span(request.source))));
  output.context = std::make_unique<llvm::LLVMContext>();
  output.context->setDiscardValueNames(true);
  output.module = std::make_unique<llvm::Module>("<il>", *output.context);
  bool hasDebugInstructions = false;
  {
    spirv::Translation translation(text, request, facts, *output.module);
    US_CHECK(spirv::translate(translation));
    for (const auto &[id, set] : translation.instructionSets)
      hasDebugInstructions |= set == spirv::InstructionSet::Ignored;
  }
  std::string details;
  llvm::raw_string_ostream stream(details);
  if (llvm::verifyModule(*output.module, &stream))
    return fail(ErrorCode::BuildProgramFailure, "the module breaks a rule of control flow or of types: " + details);
  return !hasDebugInstructions;
}

} // namespace

Logged<KernelModule> compileSpirv(const CompileRequest &request, const LanguageFacts &facts) {
  using opencl::BuildStep;
  const Expected<opencl::BuildOptions> options =
      opencl::parseBuildOptions(request.options, request.link ? BuildStep::Build : BuildStep::Compile);
  if (!options) return {std::unexpected(options.error()), "error: " + options.error().message + "\n"};

  KernelModule output;
  const Expected<bool> translated = translateInto(output, request, facts);
  if (translated && options->uniformWorkGroups)
    for (llvm::Function &function : *output.module)
      if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
        function.addFnAttr("uniform-work-group-size", "true");
  const std::string opinion =
      translated && !*translated ? "" : spirv::validate(std::as_bytes(std::span(request.source)));
  if (!translated) {
    std::string log = "error: " + translated.error().message + "\n";
    if (!opinion.empty()) log += "SPIR-V validator: " + opinion + "\n";
    const ErrorCode failure = request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure;
    return {fail(failure, "the SPIR-V module cannot be translated; the build log says why"), std::move(log)};
  }
  const bool warns = !opinion.empty() && options->warnings;
  return {std::move(output), warns ? "warning: SPIR-V validator: " + opinion + "\n" : ""};
}

} // namespace us::frontend
