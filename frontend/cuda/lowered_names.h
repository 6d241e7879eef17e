// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Name expressions (NVRTC): the names that kernels and variables have in PTX, by what the source calls them.
//
// A reference of the host's to each is appended to the source. The compiler instantiates the templates it names, makes
// nothing else of it in the device's code, and has the declaration that it means.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>

#include <memory>
#include <string>
#include <vector>

namespace us::frontend::cuda {

/// What is appended to the source. Messages about an expression name it as their file.
std::string namingText(const std::vector<std::string> &expressions);

/// A text within quotation marks of C++.
std::string escaped(const std::string &text);

/// Sets `names` when it meets what namingText has. Static variables are called as ShowStatics calls them, or, in
/// relocatable code, as Clang does.
std::unique_ptr<clang::ASTConsumer> findLoweredNames(std::vector<std::string> &names, bool relocatable);

/// Functions of headers such as cuda_fp16.hpp, which NVRTC has built in, become inline: only those that are called are
/// there, and those of several texts are one.
std::unique_ptr<clang::ASTConsumer> inlineBuiltinFunctions();

/// An action that also finds the names, and knows which functions are NVRTC's.
template <class Action> class WithLoweredNames : public Action {
public:
  template <class... Arguments>
  WithLoweredNames(std::vector<std::string> &names, size_t count, bool withoutHost, bool relocatable,
                   Arguments &...arguments)
      : Action(arguments...), names_(names), withoutHost_(withoutHost), relocatable_(relocatable) {
    names_.resize(count);
  }

protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef file) override {
    std::vector<std::unique_ptr<clang::ASTConsumer>> both;
    if (!names_.empty()) both.push_back(findLoweredNames(names_, relocatable_));
    if (withoutHost_) both.push_back(inlineBuiltinFunctions());
    both.push_back(Action::CreateASTConsumer(compiler, file));
    return std::make_unique<clang::MultiplexConsumer>(std::move(both));
  }

private:
  std::vector<std::string> &names_;
  const bool withoutHost_, relocatable_;
};

} // namespace us::frontend::cuda
