// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nvcc lets programs say of variables in shared memory, and Clang does not. The linker sends Clang's calls of the
// two functions that refuse here instead (--wrap), as in launches_in_device_code.cpp.
//  - `__shared__ cuda::barrier<...> b;`, where a constructor would be called: nvcc warns, and nothing constructs it.
//    The code that Clang generates has no initial values of such variables anyway.
//  - `__shared__ alignas(16) float a[4];`: to Clang an attribute of GCC's and one of the standard's do not mix, but C's
//    _Alignas stands wherever a specifier does, and means the same.
#include <clang/AST/ExprCXX.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/SemaCUDA.h>

// A member function is called like a function that gets the object first.
#define US_CHECK_INITIALIZER "_ZN5clang8SemaCUDA23checkAllowedInitializerEPNS_7VarDeclE"
#define US_LEX "_ZN5clang12Preprocessor3LexERNS_5TokenE"

namespace us::frontend::cuda {
namespace {
using clang::Token;

/// Whether a variable's initial value is only what its class does where none is given.
bool isDefaultInitialized(const clang::VarDecl &variable) {
  const clang::Expr *const value = variable.getInit();
  const auto *const call = value ? llvm::dyn_cast<clang::CXXConstructExpr>(value->IgnoreImplicit()) : nullptr;
  return call && call->getConstructor()->isDefaultConstructor();
}

/// How much of __attribute__((shared)), or of another memory's, was read last.
thread_local constinit unsigned beginning = 0;
constexpr clang::tok::TokenKind kAttribute[] = {clang::tok::kw___attribute, clang::tok::l_paren, clang::tok::l_paren,
                                                clang::tok::identifier,     clang::tok::r_paren, clang::tok::r_paren};

bool isNext(const Token &token) {
  if (!token.is(kAttribute[beginning])) return false;
  const clang::IdentifierInfo *const name = token.is(clang::tok::identifier) ? token.getIdentifierInfo() : nullptr;
  return !name || name->isStr("shared") || name->isStr("device") || name->isStr("constant");
}
} // namespace

void clangsCheckInitializer(clang::SemaCUDA *sema, clang::VarDecl *variable) __asm__("__real_" US_CHECK_INITIALIZER);
void clangsLex(clang::Preprocessor *preprocessor, Token &token) __asm__("__real_" US_LEX);

void checkInitializer(clang::SemaCUDA *sema, clang::VarDecl *variable) __asm__("__wrap_" US_CHECK_INITIALIZER);
void checkInitializer(clang::SemaCUDA *sema, clang::VarDecl *variable) {
  if (variable->hasAttr<clang::CUDASharedAttr>() && isDefaultInitialized(*variable)) return;
  clangsCheckInitializer(sema, variable);
}

void lex(clang::Preprocessor *preprocessor, Token &token) __asm__("__wrap_" US_LEX);
void lex(clang::Preprocessor *preprocessor, Token &token) {
  clangsLex(preprocessor, token);
  if (beginning == std::size(kAttribute)) {
    if (token.is(clang::tok::kw_alignas)) token.setKind(clang::tok::kw__Alignas);
    beginning = 0;
  }
  beginning = isNext(token) ? beginning + 1 : token.is(kAttribute[0]);
}

} // namespace us::frontend::cuda
