// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX to a kernel module: parser, translation, and the last checks.
#include "frontend/frontend.h"
#include "frontend/ptx/global_ids.h"
#include "frontend/ptx/parser.h"
#include "frontend/ptx/translation.h"

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

namespace us::frontend {
namespace {

Expected<void> translateInto(KernelModule &output, std::string_view source) {
  US_TRY(ptx::ModuleText text, ptx::parse(source));
  ptx::formGlobalIds(text);
  output.context = std::make_unique<llvm::LLVMContext>();
  output.context->setDiscardValueNames(true);
  output.module = std::make_unique<llvm::Module>("<ptx>", *output.context);
  {
    ptx::Translation translation(text, *output.module);
    US_CHECK(ptx::translate(translation));
  }
  std::string details;
  llvm::raw_string_ostream stream(details);
  if (llvm::verifyModule(*output.module, &stream))
    return fail(ErrorCode::BuildProgramFailure, "<ptx>: the translation made invalid IR: " + details);
  return {};
}

} // namespace

/// PTX has neither options nor headers, and says itself what it asks of a device.
Logged<KernelModule> compilePtx(const CompileRequest &request, const LanguageFacts &) {
  // PTX is text: what comes from the host may end with a zero.
  const std::string_view source = request.source.substr(0, request.source.find('\0'));
  KernelModule output;
  if (const Expected<void> done = translateInto(output, source); !done) {
    std::string log = done.error().message;
    // "<ptx>:5:3: what" becomes "<ptx>:5:3: error: what", as compilers write it.
    if (const size_t at = log.find(": "); at != log.npos) log.insert(at + 2, "error: ");
    return {fail(request.link ? ErrorCode::BuildProgramFailure : ErrorCode::CompileProgramFailure,
                 "the PTX cannot be translated; the log says why"),
            log + "\n"};
  }
  output.expandedSource = source;
  return {std::move(output)};
}

} // namespace us::frontend
