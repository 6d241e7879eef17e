// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of every entry point, declared from functions.def: the C signature comes from the OpenCL headers, the error
// code becomes an Expected (icd/common/entry_guard.h, BodyOf). The C symbols themselves are made in dispatch.cpp.
#pragma once

#include "icd/common/entry_guard.h"
#include "icd/opencl/newer_cl.h"

namespace us::opencl {

template <class Signature> using Body = typename icd::BodyOf<cl_int, Signature>::Type;

#define US_DECLARE_BODY(name, body, ...) Body<cl_api_##name> body;
#define US_IMPLEMENTED US_DECLARE_BODY
#define US_UNSUPPORTED US_DECLARE_BODY
#define US_UNIMPLEMENTED US_DECLARE_BODY
#define US_ABSENT(name)
#define US_ABSENT_POINTER(name)
#include "icd/opencl/functions.def"
#undef US_IMPLEMENTED
#undef US_UNSUPPORTED
#undef US_UNIMPLEMENTED
#undef US_ABSENT
#undef US_ABSENT_POINTER
#undef US_DECLARE_BODY

#define US_EXTENSION_FUNCTION(name, body, extension) Body<name##_fn> body;
#include "icd/opencl/extension_functions.def"
#undef US_EXTENSION_FUNCTION

} // namespace us::opencl
