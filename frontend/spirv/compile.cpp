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

CompileResult failed(ErrorCode code, std::string message, std::string log) {
  CompileResult result;
  result.error = Error{code, std::move(message)};
  result.log = std::move(log);
  return result;
}

/// True if the validator's opinion of the module matters: it does not know the debug instructions of every producer.
Expected<bool> translateInto(KernelModule &output, const IlRequest &request) {
  US_TRY(const spirv::ModuleText text, spirv::readModule(request.module));
  output.context = std::make_unique<llvm::LLVMContext>();
  output.context->setDiscardValueNames(true);
  output.module = std::make_unique<llvm::Module>("<il>", *output.context);
  bool hasDebugInstructions = false;
  {
    spirv::Translation translation(text, request, *output.module);
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

CompileResult compileSpirv(const IlRequest &request) {
  using opencl::BuildStep;
  const Expected<opencl::BuildOptions> options =
      opencl::parseBuildOptions(request.options, request.link ? BuildStep::Build : BuildStep::Compile);
  if (!options)
    return failed(options.error().code, options.error().message, "error: " + options.error().message + "\n");

  CompileResult result;
  const Expected<bool> translated = translateInto(result.output, request);
  if (translated && options->uniformWorkGroups)
    for (llvm::Function &function : *result.output.module)
      if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL)
        function.addFnAttr("uniform-work-group-size", "true");
  const std::string opinion = translated && !*translated ? "" : spirv::validate(request.module);
  if (!translated) {
    std::string log = "error: " + translated.error().message + "\n";
    if (!opinion.empty()) log += "SPIR-V validator: " + opinion + "\n";
    const ErrorCode failure = request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure;
    return failed(failure, "the SPIR-V module cannot be translated; the build log says why", std::move(log));
  }
  if (!opinion.empty() && options->warnings) result.log = "warning: SPIR-V validator: " + opinion + "\n";
  result.ok = true;
  return result;
}

} // namespace us::frontend
