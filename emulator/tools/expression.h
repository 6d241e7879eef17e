// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small formulas that say what a buffer holds: an implementation of its own, independent of the compiler under test.
//
//   numbers (3, 0x1f, 2.5, 1e-3), i (the element's index), n (the number of elements), the operators of C with their
//   precedence (also ?:), aK[e] (element e of argument K before the launch), min(a,b) max(a,b) abs(a) sqrt(a) floor(a)
//   int(a) float(a), sum(v, from, to, e) (e for v = from … to-1)
//
// Integers are 64-bit and wrap; a value is a double as soon as one operand is; division by zero gives 0.
#pragma once

#include "runtime/base/expected.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>

namespace us::tools {

struct Number {
  bool real = false;
  int64_t integer = 0;
  double value = 0;

  static Number of(int64_t integer) { return {false, integer, static_cast<double>(integer)}; }
  static Number of(double value) { return {true, static_cast<int64_t>(0), value}; }
  double asReal() const { return real ? value : static_cast<double>(integer); }
  int64_t asInteger() const;
  bool truth() const { return real ? value != 0 : integer != 0; }
};

/// What a formula may look up.
struct Surroundings {
  int64_t i = 0, n = 0;
  std::function<Number(unsigned argument, int64_t index)> element; ///< aK[e]
};

class Expression {
public:
  static Expected<Expression> parse(std::string_view text);
  Number operator()(const Surroundings &surroundings) const;

  struct Node;

private:
  std::shared_ptr<const Node> root_;
};

} // namespace us::tools
