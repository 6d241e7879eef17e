// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/cuda/lowered_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclGroup.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Mangle.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/Support/Path.h>

namespace us::frontend::cuda {
namespace {

constexpr llvm::StringLiteral kPrefix = "us_name_expression_";

/// What an expression such as &f<int>, (f<int>) or v refers to.
const clang::ValueDecl *referredBy(const clang::Stmt *statement) {
  if (!statement) return nullptr;
  if (const auto *reference = llvm::dyn_cast<clang::DeclRefExpr>(statement)) return reference->getDecl();
  for (const clang::Stmt *child : statement->children())
    if (const clang::ValueDecl *found = referredBy(child)) return found;
  return nullptr;
}

class FindLoweredNames : public clang::ASTConsumer {
public:
  FindLoweredNames(std::vector<std::string> &names, bool relocatable) : names_(names), relocatable_(relocatable) {}
  void Initialize(clang::ASTContext &context) override { mangling_.reset(context.createMangleContext()); }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (const clang::Decl *declared : group) {
      const auto *variable = llvm::dyn_cast<clang::VarDecl>(declared);
      if (!variable || !variable->getIdentifier()) continue;
      llvm::StringRef number = variable->getName();
      size_t index = 0;
      if (!number.consume_front(kPrefix) || number.getAsInteger(10, index) || index >= names_.size()) continue;
      if (const clang::ValueDecl *meant = referredBy(variable->getInit())) names_[index] = loweredName(*meant);
    }
    return true;
  }

private:
  std::string loweredName(const clang::ValueDecl &declaration) {
    const auto *variable = llvm::dyn_cast<clang::VarDecl>(&declaration);
    const bool isShown = variable && !relocatable_ && variable->getDeclContext()->isTranslationUnit() &&
                         variable->getStorageClass() == clang::SC_Static && !variable->getType().isConstQualified();
    if (isShown || !mangling_->shouldMangleDeclName(&declaration)) return declaration.getNameAsString();
    std::string name;
    llvm::raw_string_ostream text(name);
    if (const auto *function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
      mangling_->mangleName(function->hasAttr<clang::CUDAGlobalAttr>()
                                ? clang::GlobalDecl(function, clang::KernelReferenceKind::Kernel)
                                : clang::GlobalDecl(function),
                            text);
    else
      mangling_->mangleName(clang::GlobalDecl(llvm::cast<clang::VarDecl>(&declaration)), text);
    return name;
  }

  std::vector<std::string> &names_;
  const bool relocatable_;
  std::unique_ptr<clang::MangleContext> mangling_;
};

class InlineBuiltinFunctions : public clang::ASTConsumer {
public:
  void Initialize(clang::ASTContext &context) override { sources_ = &context.getSourceManager(); }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl *declared : group) {
      auto *function = llvm::dyn_cast<clang::FunctionDecl>(declared);
      if (function && function->isThisDeclarationADefinition() && isOfBuiltinHeader(function->getLocation()))
        function->setImplicitlyInline();
    }
    return true;
  }

private:
  bool isOfBuiltinHeader(clang::SourceLocation place) const {
    llvm::StringRef name = llvm::sys::path::filename(sources_->getFilename(sources_->getExpansionLoc(place)));
    return name.consume_front("cuda_") && name.consume_back(".hpp") && (name.starts_with("fp") || name == "bf16");
  }
  const clang::SourceManager *sources_ = nullptr;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> inlineBuiltinFunctions() { return std::make_unique<InlineBuiltinFunctions>(); }

std::string escaped(const std::string &text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\' || c == '"') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

std::string namingText(const std::vector<std::string> &expressions) {
  std::string text;
  for (size_t i = 0; i < expressions.size(); ++i)
    text += "#line 1 \"name expression '" + escaped(expressions[i]) + "'\"\n[[maybe_unused]] static auto &&" +
            kPrefix.str() + std::to_string(i) + " =\n" + expressions[i] + "\n;\n";
  return text;
}

std::unique_ptr<clang::ASTConsumer> findLoweredNames(std::vector<std::string> &names, bool relocatable) {
  return std::make_unique<FindLoweredNames>(names, relocatable);
}

} // namespace us::frontend::cuda
