// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C entry points, made from functions.def, and the dispatch table that holds them.
#include "icd/opencl/dispatch.h"

#include "icd/opencl/api.h"
#include "icd/opencl/entry_points.h"

#include <cstring>

namespace us::opencl {
namespace {

#define US_NAME_(name, ...) constexpr const char *kNameOf_##name = #name;
#define US_IMPLEMENTED US_NAME_
#define US_UNSUPPORTED US_NAME_
#define US_UNIMPLEMENTED US_NAME_
#define US_ABSENT US_NAME_
#define US_ABSENT_POINTER US_NAME_
#include "icd/opencl/functions.def"
#undef US_IMPLEMENTED
#undef US_UNSUPPORTED
#undef US_UNIMPLEMENTED
#undef US_ABSENT
#undef US_ABSENT_POINTER
#define US_EXTENSION_FUNCTION US_NAME_
#include "icd/opencl/extension_functions.def"
#undef US_EXTENSION_FUNCTION
#undef US_NAME_

/// The body of an entry point of an extension that we do not have.
template <class Result, class... Arguments> Expected<Result> absent(Arguments...) {
  return fail(ErrorCode::InvalidOperation, "the extension of this function is not supported");
}
template <class Function> struct AbsentBody;
template <class Result, class... Arguments> struct AbsentBody<Expected<Result>(Arguments...)> {
  static constexpr auto kBody = &absent<Result, Arguments...>;
};

template <class Signature, auto Body, const char *const &Name>
using Entry = icd::EntryPoint<Api, Signature, Body, Name>;

/// For slots whose type the headers leave open: null, as a status or as a handle.
void *absentPointer() { return nullptr; }

// Designated initializers must follow the order of the structure, so functions.def does too.
#define US_ENTRY(name, body, ...) .name = &Entry<cl_api_##name, &opencl::body, kNameOf_##name>::call,
const struct {
  cl_icd_dispatch older;
  void *clGetKernelSuggestedLocalWorkSize; // loaders of OpenCL 3.1 look for a slot that the oldest headers lack
} kDispatch = {.older =
                   {
#define US_IMPLEMENTED US_ENTRY
#define US_UNSUPPORTED US_ENTRY
#define US_UNIMPLEMENTED US_ENTRY
#define US_ABSENT(name) .name = &Entry<cl_api_##name, AbsentBody<Body<cl_api_##name>>::kBody, kNameOf_##name>::call,
#define US_ABSENT_POINTER(name) .name = reinterpret_cast<void *>(&absentPointer),
#include "icd/opencl/functions.def"
                   },
               .clGetKernelSuggestedLocalWorkSize = reinterpret_cast<void *>(
                   &Entry<clGetKernelSuggestedLocalWorkSize_fn, &opencl::getKernelSuggestedLocalWorkSizeKHR,
                          kNameOf_clGetKernelSuggestedLocalWorkSize>::call)};
#undef US_IMPLEMENTED
#undef US_UNSUPPORTED
#undef US_UNIMPLEMENTED
#undef US_ABSENT
#undef US_ABSENT_POINTER
#undef US_ENTRY

// Every slot has a row.
#define US_COUNT(...) +1
constexpr size_t kDispatchRows = 0
#define US_IMPLEMENTED US_COUNT
#define US_UNSUPPORTED US_COUNT
#define US_UNIMPLEMENTED US_COUNT
#define US_ABSENT US_COUNT
#define US_ABSENT_POINTER US_COUNT
#include "icd/opencl/functions.def"
    ;
static_assert(kDispatchRows == sizeof(cl_icd_dispatch) / sizeof(void *));
#undef US_IMPLEMENTED
#undef US_UNSUPPORTED
#undef US_UNIMPLEMENTED
#undef US_ABSENT
#undef US_ABSENT_POINTER
#undef US_COUNT

struct NamedFunction {
  const char *name;
  void *function;
};

// What can be asked for by name: what works, and extension functions.
#define US_NAMED(name, ...) {#name, reinterpret_cast<void *>(kDispatch.older.name)},
#define US_NOT_NAMED(...)
const NamedFunction kNamed[] = {
#define US_IMPLEMENTED US_NAMED
#define US_UNSUPPORTED US_NAMED
#define US_UNIMPLEMENTED US_NAMED
#define US_ABSENT US_NOT_NAMED
#define US_ABSENT_POINTER US_NOT_NAMED
#include "icd/opencl/functions.def"
#define US_EXTENSION_FUNCTION(name, body, extension)                                                                   \
  {#name, reinterpret_cast<void *>(&Entry<name##_fn, &opencl::body, kNameOf_##name>::call)},
#include "icd/opencl/extension_functions.def"
};

} // namespace

const cl_icd_dispatch &dispatchTable() { return kDispatch.older; }

void *functionByName(const char *name) {
  for (const NamedFunction &row : kNamed)
    if (std::strcmp(row.name, name) == 0) return row.function;
  return nullptr;
}

} // namespace us::opencl
