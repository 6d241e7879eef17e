// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What retarget_module does to OpenCL's opaque types, for tools that run while building and need not be quick.
#pragma once
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <memory>
#include <string>

namespace us::builtins {

/// OpenCL's opaque types are plain pointers in kernel IR. Types cannot be changed in place, so the module goes through
/// its text form, where this is a substitution.
inline std::unique_ptr<llvm::Module> replaceOpaqueTypes(std::unique_ptr<llvm::Module> module) {
  std::string text;
  llvm::raw_string_ostream(text) << *module;
  bool any = false;
  for (size_t at; (at = text.find("target(\"spirv.")) != std::string::npos; any = true) {
    size_t end = text.find(')', at);
    text.replace(at, end + 1 - at, "ptr");
  }
  if (!any) return module;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> result = llvm::parseAssemblyString(text, diagnostic, module->getContext());
  if (!result) diagnostic.print("opaque types", llvm::errs());
  return result;
}

} // namespace us::builtins
