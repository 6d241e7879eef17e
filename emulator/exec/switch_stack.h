// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calling a function on another stack, and leaving it from anywhere below, signal handlers included.
#pragma once

namespace us::exec {

extern "C" {
/// Calls function(argument) on the stack that ends at `top`. `*resume` receives what usLeaveStack needs. Returns 0 when
/// the function returns, or the code usLeaveStack was given.
int usCallOnStack(void **resume, void (*function)(void *), void *argument, void *top);
/// Ends the usCallOnStack that set `resume`: it returns `code`. Everything above it on any stack is forgotten.
[[noreturn]] void usLeaveStack(void *resume, int code);
}

} // namespace us::exec
