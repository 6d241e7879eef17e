// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one signal module. Its handlers act only for a thread that is inside a kernel or the compiler; everything else
// goes to whoever was there before.
#pragma once

#include "runtime/base/error.h"

#include <cstdint>
#include <functional>
#include <string>

namespace us::exec {

class KernelGuard;
struct Fault;

/// Makes `guard` the calling thread's and returns the one before; installs the handlers and the thread's alternate
/// stack when it is the first time.
KernelGuard *enterKernels(KernelGuard *guard);
void leaveKernels(KernelGuard *outer);

/// What a fault was, in words ("wrote to 0x…, one past the end of a 64-byte buffer"), and its code.
std::string faultSentence(const Fault &fault, ErrorCode &code);

/// Code outside the JIT's range that kernels call and that may fault on their behalf (math and string functions of the
/// C library are known already).
void addHelperCode(const void *begin, const void *end);

/// Runs part of the compiler on the calling thread. False if it crashed: `sentence` says how, and whatever it held
/// (memory, its own locks) is lost.
bool guardedCompiler(const std::function<void()> &function, std::string &sentence);

} // namespace us::exec
