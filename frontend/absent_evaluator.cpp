// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang has a second evaluator of constants, which only -fexperimental-new-constant-interpreter turns on. What the rest
// of Clang calls of it is these functions, so whoever links Clang's archives with them is without it: 1.5 MB less. The
// compilation that asks for it fails and says so (llvm_guard.h).
#include <llvm/Support/ErrorHandling.h>

namespace clang {
class APValue;
class ASTContext;
class Expr;
class FunctionDecl;
class VarDecl;

namespace interp {
class State;

/// As Clang's own, of which no header is installed.
class Context {
public:
  explicit Context(ASTContext &);
  ~Context();
  bool isPotentialConstantExpr(State &, const FunctionDecl *);
  bool evaluateAsRValue(State &, const Expr *, APValue &);
  bool evaluate(State &, const Expr *, APValue &);
  bool evaluateAsInitializer(State &, const VarDecl *, APValue &);
};

/// It is constructed before anything else is called.
Context::Context(ASTContext &) {
  llvm::report_fatal_error("the evaluator of -fexperimental-new-constant-interpreter is not part of this compiler",
                           /*gen_crash_diag=*/false);
}
Context::~Context() = default;
bool Context::isPotentialConstantExpr(State &, const FunctionDecl *) { return false; }
bool Context::evaluateAsRValue(State &, const Expr *, APValue &) { return false; }
bool Context::evaluate(State &, const Expr *, APValue &) { return false; }
bool Context::evaluateAsInitializer(State &, const VarDecl *, APValue &) { return false; }

} // namespace interp
} // namespace clang
