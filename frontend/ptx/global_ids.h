// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "frontend/ptx/ast.h"

namespace us::frontend::ptx {

/// What the global id is called in the tree: no text can say it.
inline constexpr std::string_view kGlobalId = "%global id";

/// The three special registers and the product from which compilers make a global id become one read of it:
///
///   before:  mov.u32 %r1, %ctaid.x;   mov.u32 %r2, %ntid.x;   mov.u32 %r3, %tid.x;   mad.lo.s32 %r4, %r1, %r2, %r3;
///   after:   mov.u32 %r4, %global id.x;                       and what else is read of %r1 to %r3
///
/// A kernel that asks for nothing but its global id lets the device choose how it groups threads.
void formGlobalIds(ModuleText &module);

} // namespace us::frontend::ptx
