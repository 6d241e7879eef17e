// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Refuses source that would make the compiler recurse too deeply. Clang limits brackets by itself; this limits what
// nests without brackets: long chains of operators, and statements that are each other's only sub-statement.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace clang {
class Preprocessor;
} // namespace clang

namespace us::frontend::opencl {

/// Measured with room to spare for the 64 MiB stack that compilation runs on.
inline constexpr unsigned kMaxOperatorsInExpression = 10000;
inline constexpr unsigned kMaxStatementNesting = 3000;

inline constexpr unsigned kMaxConditionLength = 65536; ///< bytes

/// True if the source has an #if or #elif so long that evaluating it could overflow the stack: no token of it is ever
/// seen.
bool hasEndlessCondition(llvm::StringRef source);

/// Watches a preprocessor's tokens; beyond a limit it reports a fatal error and ends the input.
void guardNesting(clang::Preprocessor &preprocessor);

} // namespace us::frontend::opencl
