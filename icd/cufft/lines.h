// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms of up to three dimensions, many of them, whose numbers lie as the caller's strides say.
#pragma once

#include "icd/cufft/transform.h"

#include <array>

namespace us::cufft {

enum class Kind { Complex, RealToComplex, ComplexToReal };

/// Where a number is: element batch * distance + ((x * sizes[1] + y) * sizes[2] + z) * stride.
struct Layout {
  std::array<int64_t, 3> strides = {}; ///< in elements, by dimension
  int64_t distance = 0;
};

struct Shape {
  Kind kind;
  unsigned rank;
  std::array<int64_t, 3> sizes = {};
  int64_t batch = 1;

  /// How many numbers of the last dimension are complex ones.
  int64_t complexSize() const { return kind == Kind::Complex ? sizes[rank - 1] : sizes[rank - 1] / 2 + 1; }
};

template <class R> class Transform {
public:
  explicit Transform(const Shape &shape);
  /// Both may be the same memory.
  void run(const void *in, const Layout &inLayout, void *out, const Layout &outLayout, bool isInverse) const;

private:
  struct Dimension {
    std::unique_ptr<SideBySide<R>> sideBySide;
    std::unique_ptr<Long<R>> isLong;
    std::vector<std::complex<R>> halves; ///< exp(-2 pi i k / n): a real one is a complex one of half the length
  };
  struct Lines;

  void complexLines(unsigned dimension, const Lines &lines, const std::complex<R> *in, std::complex<R> *out,
                    bool isInverse) const;
  void toComplex(const Lines &lines, const R *in, std::complex<R> *out) const;
  void toReal(const Lines &lines, const std::complex<R> *in, R *out) const;
  Lines linesOf(unsigned dimension, const Layout &in, const Layout &out) const;

  Shape shape_;
  std::array<Dimension, 3> dimensions_;
};

} // namespace us::cufft
