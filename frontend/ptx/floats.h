// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What modifiers of floating-point instructions mean: .ftz, .sat and rounding.
#pragma once

#include "frontend/ptx/function_translation.h"

namespace us::frontend::ptx {

inline constexpr std::string_view kRoundings[] = {"rn", "rz", "rm", "rp"};

/// Subnormal numbers become zeros of their sign, if the instruction says .ftz.
llvm::Value *flushed(FunctionTranslation &function, const Operation &operation, llvm::Value *value);
/// Numbers nearer to zero than `limit` become zeros of their sign.
llvm::Value *flushedBelow(FunctionTranslation &function, double limit, llvm::Value *value);
/// "clamps the result to [0.0, 1.0]; NaN becomes +0.0", if the instruction says .sat.
llvm::Value *saturated(FunctionTranslation &function, const Operation &operation, llvm::Value *value);
/// A source, flushed.
Expected<llvm::Value *> floatSource(FunctionTranslation &function, const Operation &operation, size_t place);
/// Flushes, saturates and stores.
Expected<void> defineFloat(FunctionTranslation &function, const Operation &operation, llvm::Value *value);

/// min or max, as .NaN and .xorsign.abs say: "if one of the inputs is NaN, the result is the other", -0 is less than
/// +0.
llvm::Value *extreme(FunctionTranslation &function, const Operation &operation, bool isMinimum, llvm::Value *a,
                     llvm::Value *b);

/// An operation that rounds as `rounding` (rz, rm, rp) says. `constrained` is one of LLVM's constrained intrinsics; its
/// types are the result's, and the argument's for conversions.
llvm::Value *rounded(FunctionTranslation &function, llvm::Intrinsic::ID constrained, std::string_view rounding,
                     llvm::ArrayRef<llvm::Type *> types, llvm::ArrayRef<llvm::Value *> arguments);

} // namespace us::frontend::ptx
