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

/// What is likely of a value that differs: to be affine, which is so if each of `roots` is, as it stands in the lanes,
/// and does not come near the ends of its numbers. Whoever relies on it has to ask.
struct Guess {
  Shape shape;
  llvm::SmallVector<llvm::Value *, 2> roots;
};

class Shapes {
public:
  /// `width`: how many work-items there are side by side; 0: that is not known yet.
  Shapes(LaneFunction &lanes, unsigned width);
  /// Constants are uniform.
  Shape of(const llvm::Value &value) const;
  /// Null: nothing is, or what it is is known.
  const Guess *guess(const llvm::Value &value) const;

private:
  std::optional<Shape> known(llvm::Value &value) const;
  std::optional<Shape> affine(llvm::Instruction &instruction) const;
  bool growsWithinZeros(const Shape &number) const;
  std::optional<Shape> ofBits(const llvm::BinaryOperator &operation, const Shape &number) const;
  Shape ofComparison(const llvm::ICmpInst &compare, const Shape &number) const;
  void keepExact(const llvm::PHINode &phi, const llvm::Loop &loop, Shape &shape) const;
  unsigned zeros(const llvm::Value &value, const Shape &shape) const;
  std::optional<Guess> guess(llvm::Instruction &instruction) const;
  int64_t likelyStride(const llvm::Value &value, unsigned depth) const;

  LaneFunction &lanes_;
  const unsigned width_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  bool isGuessing_ = false; ///< what is likely is taken for known
  llvm::DenseMap<const llvm::Value *, Guess> guesses_;
};

} // namespace us::codegen
