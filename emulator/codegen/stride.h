// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How far an address moves from one work-item to the next.
#pragma once

#include "emulator/codegen/uniformity.h"

#include <llvm/IR/Instructions.h>

#include <optional>

namespace us::codegen {

class Stride {
public:
  Stride(const Uniformity &uniformity, const llvm::DataLayout &layout) : uniformity_(uniformity), layout_(layout) {}

  /// Bytes (of an address) or units (of an index) between neighbours along dimension 0; nothing: not known.
  std::optional<int64_t> of(llvm::Value *value, unsigned depth = 0);

private:
  std::optional<int64_t> ofAddress(llvm::GetElementPtrInst &address, unsigned depth);

  const Uniformity &uniformity_;
  const llvm::DataLayout &layout_;
};

} // namespace us::codegen
