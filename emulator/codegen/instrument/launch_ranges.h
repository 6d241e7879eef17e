// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accesses that stay in their memory whatever work-item makes them, which a launch can be asked about once.
#pragma once

#include "emulator/codegen/instrument/affine_places.h"

namespace us::codegen {

/// Collects what a launch must meet so that some accesses by arguments need no check of their own.
class LaunchRanges {
public:
  LaunchRanges(llvm::Function &kernel, const abi::Specialization &specialization)
      : evolution_(kernel, Evolution::Of::Launch, &specialization) {
    evolution_.acceptBounds();
  }

  /// True if nothing but a condition, which is remembered, says whether all work-items keep to the first `size` bytes
  /// behind `begin` (numbers that are the same for the launch), by a pointer that was made from `argument`, and to
  /// multiples of the alignment.
  bool add(llvm::IRBuilderBase &builder, const Access &access, llvm::Align alignment, llvm::Argument &argument,
           llvm::Value *begin, llvm::Value *size);
  /// Remembers another condition.
  void require(llvm::IRBuilderBase &builder, llvm::Value *condition);
  /// All of them, an i1; null: there are none.
  llvm::Value *condition() const { return condition_; }

private:
  Evolution evolution_;
  llvm::Value *condition_ = nullptr;
};

} // namespace us::codegen
