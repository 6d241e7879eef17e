// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a handle stands for, and how it is executed.
#pragma once

#include "icd/cuda/include/cufftXt.h"
#include "icd/cufft/lines.h"
#include "icd/math/session.h"

#include <map>
#include <memory>
#include <optional>
#include <variant>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

namespace us::cufft {

struct Given { ///< what the caller says of numbers' places
  bool isGiven = false;
  std::array<int64_t, 3> embed = {};
  int64_t stride = 1, distance = 0;
};

struct Made {
  Shape shape;
  bool isDouble;
  Given in, out;
  std::variant<std::shared_ptr<const Transform<float>>, std::shared_ptr<const Transform<double>>> transform;
};

struct Plan {
  math::Session session;
  std::optional<Made> made;
  std::map<cufftProperty, long long> properties;
};

std::shared_ptr<Plan> find(cufftHandle handle);
cufftResult resultOf(CUresult result);

/// Bytes from the first number to the last, before and after the transform.
struct Extent {
  size_t in, out;
};
Extent extentOf(const Made &made, bool isInPlace);

/// None of a type: the plan's. None of a direction: that of a plan between real and complex numbers.
cufftResult execute(const char *function, cufftHandle handle, std::optional<cufftType> type, void *in, void *out,
                    int direction);

} // namespace us::cufft
