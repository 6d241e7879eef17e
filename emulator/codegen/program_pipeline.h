// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what a front end made to an object, and from objects to a program: the passes that run before any optimisation,
// in their order. (What makes machine code of one kernel is pipeline.h.)
#pragma once

#include "runtime/base/expected.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace us::codegen {

/// Errors that passes reported through the context; while it lives, it is the context's diagnostic handler.
class ErrorCollector {
public:
  explicit ErrorCollector(llvm::LLVMContext &context);
  ~ErrorCollector();
  bool any() const { return !text_.empty(); }
  /// "error: …" lines.
  const std::string &text() const { return text_; }

private:
  llvm::LLVMContext &context_;
  std::string text_;
};

/// Makes a front end's module kernel IR: for the host, every operation defined. Errors go to the context. `hasFma`: the
/// device fuses where the language allows to.
void makeKernelIr(llvm::Module &module, bool hasFma);

/// Merges modules of one context into the first. Errors (a name defined twice) go to the context.
void mergeModules(llvm::Module &into, std::vector<std::unique_ptr<llvm::Module>> others);

/// Makes a program of a merged module: nothing undefined remains. Errors go to the context.
void closeProgram(llvm::Module &module);

} // namespace us::codegen
