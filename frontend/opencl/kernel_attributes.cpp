// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/opencl/kernel_attributes.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace us::frontend::opencl {
namespace {

/// The attribute as it stands in the source; nothing if a macro has a part in it.
std::optional<std::string> sourceText(const clang::Attr &attribute, clang::Preprocessor &preprocessor) {
  const clang::SourceRange range = attribute.getRange();
  if (!range.getBegin().isFileID() || !range.getEnd().isFileID()) return {};
  const clang::SourceManager &sources = preprocessor.getSourceManager();
  // A copy: the lexer wants a zero at the end.
  std::string text =
      clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(range), sources, preprocessor.getLangOpts())
          .str();
  const char *begin = text.c_str();
  clang::Lexer words(range.getBegin(), preprocessor.getLangOpts(), begin, begin, begin + text.size());
  for (clang::Token token; !words.LexFromRawLexer(token);)
    if (token.is(clang::tok::raw_identifier) &&
        preprocessor.getIdentifierInfo(token.getRawIdentifier())->hadMacroDefinition())
      return {};
  return text;
}

/// The attribute as Clang writes it, macros replaced, without its spaces: "reqd_work_group_size(8,1,1)".
std::string printed(const clang::Attr &attribute, const clang::ASTContext &context) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  attribute.printPretty(stream, context.getPrintingPolicy());
  llvm::StringRef inner = llvm::StringRef(text).trim();
  if (inner.consume_front("__attribute__((")) inner.consume_back("))");
  std::string result = inner.str();
  for (size_t at = 0; (at = result.find(", ", at)) != std::string::npos; ++at) result.erase(at + 1, 1);
  return result;
}

std::string attributesOf(const clang::FunctionDecl &kernel, clang::CompilerInstance &compiler) {
  std::vector<const clang::Attr *> attributes;
  for (const clang::Attr *attribute : kernel.attrs())
    if (!attribute->isImplicit() && !attribute->isKeywordAttribute()) attributes.push_back(attribute);
  const clang::SourceManager &sources = compiler.getSourceManager();
  std::ranges::stable_sort(attributes, [&](const clang::Attr *a, const clang::Attr *b) {
    return sources.isBeforeInTranslationUnit(a->getLocation(), b->getLocation());
  });
  std::string text;
  for (const clang::Attr *attribute : attributes) {
    std::optional<std::string> source = sourceText(*attribute, compiler.getPreprocessor());
    if (!text.empty()) text += ' ';
    // "Attributes are returned as they were declared inside __attribute__((...)), with any surrounding whitespace and
    // embedded newlines removed."
    for (char c : source ? *source : printed(*attribute, compiler.getASTContext()))
      if (c != '\n' && c != '\r') text += c;
  }
  return text;
}

void recordAttributesIn(const clang::DeclContext &scope, clang::CompilerInstance &compiler, llvm::Module &module) {
  for (const clang::Decl *declaration : scope.decls()) {
    // C++ for OpenCL
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      recordAttributesIn(*llvm::cast<clang::DeclContext>(declaration), compiler, module);
    const auto *kernel = llvm::dyn_cast<clang::FunctionDecl>(declaration);
    if (!kernel || !kernel->hasAttr<clang::OpenCLKernelAttr>() || !kernel->isThisDeclarationADefinition()) continue;
    llvm::Function *function = module.getFunction(kernel->getName());
    const std::string text = function ? attributesOf(*kernel, compiler) : std::string();
    if (text.empty()) continue;
    llvm::LLVMContext &context = module.getContext();
    function->setMetadata("us_attributes", llvm::MDNode::get(context, llvm::MDString::get(context, text)));
  }
}

} // namespace

void recordKernelAttributes(clang::CompilerInstance &compiler, llvm::Module &module) {
  recordAttributesIn(*compiler.getASTContext().getTranslationUnitDecl(), compiler, module);
}

} // namespace us::frontend::opencl
