// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that stay in their local memory whatever work-item of a group makes them.
#pragma once

#include "emulator/codegen/instrument/place_of_items.h"

namespace us::codegen {

/// For the kernel as it was when this was made, and groups of a constant size.
class LocalRanges {
public:
  LocalRanges(llvm::Function &kernel, const abi::Specialization &specialization);
  /// How many bytes `root`, a variable or an argument, needs to have for an access to stay in it, at most. None: there
  /// is no such number.
  std::optional<uint64_t> bytesFor(const Access &access, llvm::Value &root);
  /// Whether all work-items of a group make it, whatever they compare, so that no fewer bytes would do.
  bool isMadeByAll(const Access &access, llvm::Value &root);
  /// Whether `index`, of an element that an access goes to, is always below a number.
  bool isBelow(const Access &access, llvm::Value *index, uint64_t elements);

private:
  std::optional<uint64_t> bytesBySteps(const Access &access, llvm::Value &root);
  std::optional<uint64_t> bytesByNumber(const Access &access, llvm::Value &root);

  const abi::Specialization &specialization_;
  Evolution evolution_;
};

} // namespace us::codegen
