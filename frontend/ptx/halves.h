// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// f16, bf16 and their pairs: numbers that are computed with as f32, which is exact or rounds innocuously.
#pragma once

#include "frontend/ptx/floats.h"

namespace us::frontend::ptx {

/// The numbers in a value of type f16, f16x2, bf16 or bf16x2, the lower first, each as an f32.
llvm::SmallVector<llvm::Value *, 2> widened(FunctionTranslation &function, Type type, llvm::Value *value);
/// The opposite, rounded to nearest.
llvm::Value *narrowed(FunctionTranslation &function, Type type, llvm::ArrayRef<llvm::Value *> numbers);
bool isBrain(Type type);
/// True of f16x2 and bf16x2.
bool isPair(Type type);
/// One number of `type` (f16 or bf16, or of a pair of them) as its 16 bits.
llvm::Value *narrowBits(FunctionTranslation &function, Type type, llvm::Value *number);

/// A function of the builtin library, by its C name.
llvm::CallInst *callLibrary(FunctionTranslation &function, const char *name, llvm::Type *result,
                            llvm::ArrayRef<llvm::Value *> arguments);

} // namespace us::frontend::ptx
