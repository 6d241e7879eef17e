// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A long text of many kernels, as libraries of templates are made of hundreds, in parts that are built when something
// of them is asked for: a kernel that shares nothing that lasts with others is a part, with the functions that it
// calls. All that have to be one program are the common part: variables, and kernels that reach one, that take a
// function's or kernel's address, or call through a pointer.
#pragma once

#include "icd/cuda/ptx_text.h"

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace us::cuda {

class PtxParts {
public:
  /// None: the text is short, or not to be divided, and is built as a whole.
  static std::optional<PtxParts> of(std::shared_ptr<const std::string> text);

  const PtxOutline &outline() const { return outline_; }
  /// Of all parts, in the order of the text.
  const std::vector<std::string> &kernels() const { return kernels_; }
  bool hasKernel(std::string_view name) const;
  bool hasVariable(std::string_view name) const;
  /// A kernel's part, in which all lines have the numbers that they have in the whole; none: it is in the common one.
  std::optional<std::string> partOf(std::string_view kernel);
  std::string commonPart();

private:
  using Symbols = std::set<size_t>;
  struct Reached {
    Symbols symbols;
    bool shares = false; ///< with other kernels
  };

  PtxParts(std::shared_ptr<const std::string> text, PtxOutline outline);
  /// `begin`, and what they name, and so on.
  Reached reachedFrom(Symbols begin);
  const Reached &reachedFromKernel(size_t kernel);
  const PtxNames &namesOf(size_t symbol);
  bool isShared(size_t symbol) const;
  std::string textOf(const Symbols &symbols) const;

  std::shared_ptr<const std::string> text_;
  PtxOutline outline_;
  std::vector<std::string> kernels_;
  std::unordered_map<std::string_view, std::vector<size_t>> byName_; ///< declarations and the definition
  std::map<size_t, PtxNames> names_;                                 ///< of those that were asked for
  std::map<size_t, Reached> reached_;
};

} // namespace us::cuda
