// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the values of neighbouring work-items differ.
#pragma once

#include "emulator/codegen/vectorize/lane_function.h"

#include <llvm/ADT/DenseMap.h>

namespace us::codegen {

/// Uniform: the same for all work-items that come there. Affine: `stride` more from one to the next (bytes of a
/// pointer), in the arithmetic of its type, and, where it is exact, in that of all longer ones too.
struct Shape {
  enum Kind : uint8_t { Uniform, Affine, Varying } kind = Varying;
  bool isSignedExact = false, isUnsignedExact = false;
  uint8_t zeros = 0; ///< that the first work-item's number ends with
  int64_t stride = 0;

  bool operator==(const Shape &) const = default;
  bool isUniform() const { return kind == Uniform; }
  bool isVarying() const { return kind == Varying; }
  bool isAffine() const { return kind == Affine; }
};

class Shapes {
public:
  /// `width`: how many work-items there are side by side; 0: that is not known yet.
  Shapes(LaneFunction &lanes, unsigned width);
  /// Constants are uniform.
  Shape of(const llvm::Value &value) const;

private:
  std::optional<Shape> known(llvm::Value &value) const;
  std::optional<Shape> affine(llvm::Instruction &instruction) const;
  std::optional<Shape> ofBits(const llvm::BinaryOperator &operation, const Shape &number) const;
  unsigned zeros(const llvm::Value &value, const Shape &shape) const;

  LaneFunction &lanes_;
  const unsigned width_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
};

} // namespace us::codegen
