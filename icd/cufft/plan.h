// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a handle stands for, and how it is executed.
#pragma once

#include "icd/cuda/include/cufftXt.h"
#include "icd/cufft/lines.h"
#include "icd/math/session.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#define US_EXPORT extern "C" __attribute__((visibility("default")))

namespace us::cufft {

struct Given { ///< what the caller says of numbers' places
  bool isGiven = false;
  std::array<int64_t, 3> embed = {};
  int64_t stride = 1, distance = 0;
};

/// Whom the device calls for each number.
struct Callback {
  CUfunction kernel;                ///< calls it (callback_kernels.h)
  void *routine, *info;             ///< what the kernel is to call, if that is not part of it; the caller's
  std::shared_ptr<const void> code; ///< the module with the kernel, if it is not the program's
};
struct Side { ///< the input's, or the output's
  std::optional<Callback> callback;
  unsigned sharedBytes = 0;
};

struct Made {
  Shape shape;
  bool isDouble;
  Given in, out;
  std::variant<std::shared_ptr<const Transform<float>>, std::shared_ptr<const Transform<double>>> transform;
  Side load = {}, store = {};
};

/// What one of several devices does: in its primary context, on the default stream.
struct Share {
  int device;
  math::Session session;
  std::optional<Made> made; ///< some of many transforms; none of a transform that is divided
};

/// Code for a callback, which is linked when the plan is made.
struct CallbackCode {
  std::string function, code;
  void *info;
};

struct Plan {
  math::Session session;
  std::vector<Share> shares; ///< by the devices the plan was told; empty if there is one
  std::optional<Made> made;
  size_t deviceCount() const { return shares.empty() ? 1 : shares.size(); }
  std::map<cufftProperty, long long> properties;
  std::map<cufftXtCallbackType, CallbackCode> callbackCode; ///< none of a plan for several devices
};

std::shared_ptr<Plan> find(cufftHandle handle);
cufftResult resultOf(CUresult result);

/// Bytes from the first number to the last, before and after the transform.
struct Extent {
  size_t in, out;
};
Extent extentOf(const Made &made, bool isInPlace);
/// Bytes from one transform's first number to the next one's.
Extent distanceOf(const Made &made, bool isInPlace);
/// Are its numbers where those are of a transform in place whose caller says nothing of their places?
bool isPlain(const Made &made);
cufftResult makeTransform(Made &made);

/// Links the callbacks whose code the plan was told.
cufftResult makeCallbacks(const char *function, const Plan &plan, Made &made);

/// Has the callback of the input, or of the output, called for each number, when the session's stream gets there: what
/// is at `data` in a layout, whose lines have so many numbers, is at `numbers` one after another.
cufftResult call(const math::Session &session, const Shape &shape, const Side &side, void *data, const Layout &layout,
                 int64_t lineSize, void *numbers);

/// Checks and makes what each device does of a plan for several.
cufftResult checkShares(const char *function, const Plan &plan, const Made &made);
cufftResult makeShares(Plan &plan, Made &made);

/// Bytes of each device's work area: none, or as much as it has of the numbers, since programs count on some. No work
/// needs it.
std::vector<size_t> workSizesOf(const Plan &plan, const Made &made);

/// How a plan of this type and direction is executed.
struct Direction {
  cufftResult result;
  bool isInverse;
};
Direction directionOf(const Made &made, std::optional<cufftType> type, int direction);
/// Transforms of a device that are executed when the session's stream gets there.
cufftResult execute(const char *function, const math::Session &session, const Made &made, void *in, void *out,
                    bool isInverse);

/// In place in the host's memory, at once.
cufftResult executeHere(const Made &made, void *numbers, bool isInverse);

/// None of a type: the plan's. None of a direction: that of a plan between real and complex numbers.
cufftResult execute(const char *function, cufftHandle handle, std::optional<cufftType> type, void *in, void *out,
                    int direction);

} // namespace us::cufft
