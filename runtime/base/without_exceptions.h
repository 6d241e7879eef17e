// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing we write throws, but what we call may: the standard library and TBB for want of memory or threads, the
// application's functions for reasons of their own.
#pragma once

#include "runtime/base/expected.h"

#include <exception>
#include <new>

namespace us {

/// Calls `work`, which gives an Expected<void>; an exception becomes an error. Throws nothing.
template <class Work> Expected<void> withoutExceptions(Work &&work) {
  try {
    try {
      return work();
    } catch (const std::bad_alloc &) {
      throw;
    } catch (const std::exception &exception) {
      return fail(ErrorCode::Internal, exception.what());
    } catch (...) {
      return fail(ErrorCode::Internal, "an exception that is no std::exception was thrown");
    }
  } catch (...) {
    return std::unexpected(Error{ErrorCode::OutOfHostMemory, {}}); // no sentence: that would be memory, too
  }
}

} // namespace us
