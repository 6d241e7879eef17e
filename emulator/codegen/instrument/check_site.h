// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What checked code says of a place where a check may fail.
#pragma once

#include "emulator/abi/launch_checks.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Support/JSON.h>

namespace us::codegen {

/// The members that say where in the source `at` is (emulator/abi/launch_checks.h); without any of them where nothing
/// is known.
llvm::json::Object sourceSite(const llvm::Instruction &at);

/// Adds `from`: where in the source the memory was read that the values come from, as far as that is easily seen.
void addReads(llvm::json::Object &site, llvm::ArrayRef<llvm::Value *> values);

/// A text that code can name: private, once for each text.
llvm::Constant *siteText(llvm::Module &module, const llvm::json::Value &text);

/// A call of us.check_failed.
void createCheckFailed(llvm::IRBuilderBase &builder, abi::CheckKind kind, llvm::json::Object site,
                       llvm::ArrayRef<llvm::Value *> numbers);

/// "int", "uchar4", "half": as near as the IR knows it.
std::string typeText(const llvm::Type &type, bool isSigned);

/// us.require: the launch is given up unless `holds` (an i1), for which checks of the class were left out.
void createRequire(llvm::IRBuilderBase &builder, abi::CheckClass checks, llvm::Value *holds);

} // namespace us::codegen
